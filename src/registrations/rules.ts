import * as attendees from '../attendees/rules.ts'
import { countWithin } from '../db/batches.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { RegistrationType } from '../registration-types/schemas.ts'
import { type Listed, toListed, type Written } from '../resource.ts'
import { toIsoOrNull } from '../time.ts'
import * as waitlist from '../waitlist/rules.ts'
import { emit } from '../webhooks/outbox.ts'
import { registerAnswerKeys } from './answer-keys.ts'
import { holdsPlaces, type Placement, quantityOf, registrationRow, ticketsOf } from './placement.ts'
import { type NewRegistration, presentRegistration, type Registration } from './schemas.ts'
import * as store from './store.ts'

export type { RegistrationFilters, RegistrationStatus } from './store.ts'

/**
 * A registration of the account, with its tickets.
 *
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, accountId: string, id: string): Promise<Registration> {
  const row = await find(tx, accountId, id)
  const tickets = await attendees.byRegistration(tx, accountId, [row.id])
  return presentRegistration(row, tickets.get(row.id) ?? [])
}

/** Bytes that a registration and a ticket have as JSON at most, beside the answers, and what is read at a time. */
const MAX_REGISTRATION = 3_000
const MAX_TICKET = 1_750
const MAX_READ = 2 * 1024 * 1024

export interface RegistrationPage {
  rows: Iterable<Listed<Registration>>
  /** More rows follow, which had no room. */
  cut: boolean
}

/** Newest first, each with its tickets: the first of the page at least, and as many as do not fill the memory. */
export async function list(
  tx: ReadTx,
  accountId: string,
  filters: store.RegistrationFilters,
  page: Page,
): Promise<RegistrationPage> {
  return toPage(tx, accountId, await store.listPage(tx, accountId, filters, page))
}

/** A page of these registrations, as many as do not fill the memory. */
export async function toPage(
  tx: ReadTx,
  accountId: string,
  found: readonly store.ListedRow[],
): Promise<RegistrationPage> {
  const rows = found.slice(0, countWithin(found, sizeOf, MAX_READ))
  const idsOf = (some: readonly store.ListedRow[]) => some.map(({ id }) => id)
  const tickets = await attendees.byRegistration(tx, accountId, idsOf(rows))
  const long = rows.filter(({ answers }) => answers === null)
  const longAnswers = await store.readAnswers(tx, accountId, idsOf(long))
  const present = (row: store.ListedRow) => {
    const answers = row.answers ?? longAnswers.get(row.id) ?? '{}'
    return presentRegistration({ ...row, answers }, tickets.get(row.id) ?? [])
  }
  return { rows: toListed(rows, present), cut: rows.length < found.length }
}

function sizeOf({ quantity, answers_size: answers }: store.ListedRow): number {
  return MAX_REGISTRATION + quantity * MAX_TICKET + answers
}

/**
 * Places a registration: takes the capacity where its status holds some, and issues the tickets. It tells nobody.
 *
 * @throws Problem invalid_parameter for `answers` of too many new keys; sold_out
 */
export async function place(
  tx: WriteTx,
  accountId: string,
  placement: Placement & { type: RegistrationType },
): Promise<Registration> {
  const { event, type, status, answers } = placement
  await registerAnswerKeys(tx, accountId, event.id, Object.keys(answers ?? {}))
  if (holdsPlaces(status)) await registrationTypes.reserve(tx, accountId, type, quantityOf(placement))

  const now = await tx.now()
  const row = registrationRow(newUuid(), placement, now)
  await store.insert(tx, accountId, row, now)
  const tickets = await attendees.issue(tx, accountId, event.id, row.id, ticketsOf(placement))
  return presentRegistration({ ...row, registration_type_name: type.name }, tickets)
}

/**
 * Imports a confirmed registration: takes the capacity, issues the tickets, charges nothing. What it is worth is in
 * `amount_subtotal`, in minor units; `amount_total` is 0 (specification sections 1.2 and 3).
 *
 * @throws Problem not_found for the event or the type, with `param`; that of `place`
 */
export async function create(
  tx: WriteTx,
  accountId: string,
  input: NewRegistration,
): Promise<Written<Registration>> {
  const event = await events.get(tx, accountId, input.event_id, 'event_id')
  const type = await registrationTypes.get(tx, accountId, event.id, input.registration_type_id)
  const { buyer, quantity, attendees: holders, answers, language } = input
  const placed = await place(tx, accountId, {
    event,
    type,
    status: 'confirmed',
    source: 'api',
    buyer,
    quantity,
    attendees: holders,
    answers,
    language,
    amount_total: 0,
  })
  return emit(tx, accountId, 'registration.created', placed)
}

/**
 * Cancels an unpaid registration: voids its tickets, gives the capacity back, and tells those who wait and fit in.
 *
 * @throws Problem not_found, refund_required, already_cancelled, not_cancellable (specification section 3)
 */
export async function cancel(tx: WriteTx, accountId: string, id: string): Promise<Written<Registration>> {
  const row = await find(tx, accountId, id)
  if (row.status === 'cancelled') {
    throw new Problem('already_cancelled', { details: { cancelled_at: toIsoOrNull(row.cancelled_at) } })
  }
  if (row.status === 'failed' || row.status === 'refunded') throw new Problem('not_cancellable')
  if (row.status === 'confirmed' && row.amount_total > 0) throw new Problem('refund_required')

  await store.markCancelled(tx, accountId, row.id, await tx.now())
  await attendees.voidAll(tx, accountId, row.id)
  const free = await registrationTypes.release(tx, accountId, row.registration_type_id, row.quantity)
  await waitlist.notifyNext(tx, accountId, row.registration_type_id, free)
  return emit(tx, accountId, 'registration.cancelled', await get(tx, accountId, row.id))
}

async function find(tx: ReadTx, accountId: string, id: string): Promise<store.RegistrationRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
