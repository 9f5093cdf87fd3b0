import * as attendees from '../attendees/rules.ts'
import * as codes from '../codes/rules.ts'
import { countWithin, type Reader } from '../db/batches.ts'
import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { TypeOnSale } from '../registration-types/schemas.ts'
import { type Listed, toListed, type Written } from '../resource.ts'
import { toIsoOrNull } from '../time.ts'
import { emit } from '../webhooks/outbox.ts'
import { wordsOf } from '../words.ts'
import { answerKeysOf, refuseLongAnswers, registerAnswerKeys } from './answer-keys.ts'
import * as answerStore from './answer-store.ts'
import { holdsPlaces, type Placement, peopleOf, quantityOf, registrationRow, ticketsOf } from './placement.ts'
import * as referenceStore from './reference-store.ts'
import { type NewRegistration, presentRegistration, type Registration } from './schemas.ts'
import * as store from './store.ts'
import { insertWords } from './word-store.ts'

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

/** Bytes of JSON at most: of a registration and of a ticket without their answers, and of all that is read at a time. */
const MAX_REGISTRATION = 3_000
const MAX_TICKET = 1_750
const MAX_READ = 2 * 1024 * 1024

export interface RegistrationPage {
  rows: Iterable<Listed<Registration>>
  /** More rows follow: the page had no room for them. */
  cut: boolean
}

/** Newest first, each with its tickets: at least one, and as many of the page as fit into `MAX_READ`. */
export async function list(
  tx: ReadTx,
  accountId: string,
  filters: store.RegistrationFilters,
  page: Page,
): Promise<RegistrationPage> {
  return toPage(tx, accountId, await store.listPage(tx, accountId, filters, page))
}

/** A page of these registrations, as many as fit into `MAX_READ`. */
export async function toPage(
  tx: ReadTx,
  accountId: string,
  found: readonly store.ListedRow[],
): Promise<RegistrationPage> {
  let rows = found.slice(0, countWithin(found, sizeOf, MAX_READ))
  const idsOf = (some: readonly store.ListedRow[]) => some.map(({ id }) => id)
  const tickets = await attendees.byFittingRegistration(tx, accountId, idsOf(rows), sizes => {
    rows = rows.slice(
      0,
      countWithin(rows, row => sizeOf(row) + (sizes.get(row.id) ?? 0), MAX_READ),
    )
    return rows.length
  })
  const long = rows.filter(({ answers }) => answers === null)
  const longAnswers = await answerStore.readAnswers(tx, accountId, idsOf(long))
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
 * Places a registration: takes capacity if its status holds places, and issues the tickets. Emits no webhook event.
 *
 * @param signed the codes of its tickets, where they were signed before the write
 * @throws Problem invalid_parameter for `answers` of too many new keys, or for `attendees` with too long answers; sold_out
 */
export async function place(
  tx: WriteTx,
  accountId: string,
  placement: Placement & { type: TypeOnSale },
  signed?: attendees.SignedAhead,
): Promise<Registration> {
  const { event, type, status } = placement
  refuseLongAnswers(placement)
  await registerAnswerKeys(tx, accountId, event.id, answerKeysOf(placement))
  if (holdsPlaces(status)) await registrationTypes.reserve(tx, accountId, type, quantityOf(placement))

  const now = await tx.now()
  const row = registrationRow(newUuid(), placement, now)
  const numbers = await store.insert(tx, accountId, row, now)
  const tickets = await attendees.issue(tx, accountId, event.id, row.id, ticketsOf(placement), signed)
  await insertWords(tx, numbers, wordsOf(peopleOf(placement)), row.created_at, now)
  return presentRegistration({ ...row, registration_type_name: type.name }, tickets)
}

/**
 * Imports a confirmed registration: takes the capacity, issues the tickets, charges nothing. Its worth is in
 * `amount_subtotal`, in minor units; `amount_total` is 0 (specification sections 1.2 and 3).
 *
 * @param reference which no other registration of the event has: the id, where none is given
 * @throws Problem those of `registrationTypes.get` and of `place`
 */
export async function create(
  tx: WriteTx,
  accountId: string,
  input: NewRegistration,
  signed?: attendees.SignedAhead,
  reference?: string,
): Promise<Written<Registration>> {
  const type = await registrationTypes.get(tx, accountId, input.event_id, input.registration_type_id)
  const { buyer, quantity, attendees: holders, answers, language } = input
  const placement = {
    event: { id: type.event_id, currency: type.currency },
    type,
    status: 'confirmed',
    source: 'api',
    buyer,
    quantity,
    attendees: holders,
    answers,
    language,
    amount_total: 0,
    ...(reference === undefined ? {} : { reference }),
  } as const
  const placed = await place(tx, accountId, placement, signed)
  return emit(tx, accountId, 'registration.created', placed)
}

/** The ids of those registrations of the event that have one of these references, by reference. */
export async function idsByReference(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await referenceStore.listIdsByReferences(tx, accountId, eventId, references)
  return new Map(rows.map(({ reference, id }) => [reference, id]))
}

/** Signs the tickets of an import before its write. @returns undefined where the write has to sign them, or refuses it */
export function prepare(
  reader: Reader,
  accountId: string,
  input: NewRegistration,
): Promise<attendees.SignedAhead | undefined> {
  return attendees.signAhead(reader, accountId, input.event_id, quantityOf(input))
}

/**
 * Cancels an unpaid registration: voids its tickets, gives the capacity back, and notifies those on the waitlist who fit in.
 *
 * @throws Problem not_found, refund_required, already_cancelled, not_cancellable (specification section 3)
 */
export async function cancel(tx: WriteTx, accountId: string, id: string): Promise<Written<Registration>> {
  const row = await find(tx, accountId, id)
  const refusal = refusalOfCancel(row)
  if (refusal !== undefined) {
    const details = { cancelled_at: toIsoOrNull(row.cancelled_at) }
    throw new Problem(refusal, refusal === 'already_cancelled' ? { details } : {})
  }

  await store.markCancelled(tx, accountId, row.id, await tx.now())
  await codes.releaseAll(tx, accountId, row.id)
  const freed = await attendees.voidAll(tx, accountId, row.id)
  const released = await registrationTypes.release(tx, accountId, row.registration_type_id, freed)
  if (released !== undefined) await registrationTypes.serveReleased(tx, accountId, released)
  return emit(tx, accountId, 'registration.cancelled', await get(tx, accountId, row.id))
}

/** How many tickets of these registrations are not void. */
export function countValid(tx: ReadTx, accountId: string, ids: readonly string[]): Promise<number> {
  return attendees.countValid(tx, accountId, ids)
}

export type RefusedCancel = 'already_cancelled' | 'not_cancellable' | 'refund_required'

/** Why a registration cannot be cancelled: undefined where it can. */
export function refusalOfCancel({
  status,
  amount_total,
}: Pick<Registration, 'status' | 'amount_total'>): RefusedCancel | undefined {
  if (status === 'cancelled') return 'already_cancelled'
  if (status === 'failed' || status === 'refunded') return 'not_cancellable'
  return status === 'confirmed' && amount_total > 0 ? 'refund_required' : undefined
}

async function find(tx: ReadTx, accountId: string, id: string): Promise<store.RegistrationRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
