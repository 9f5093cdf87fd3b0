import { newUuid } from '#base/ids.ts'
import { Problem, unlessMissing } from '#base/problem.ts'
import { type Listed, toListed, type Written } from '#base/resource.ts'
import { toIso } from '#base/time.ts'
import { wordsOf } from '#base/words.ts'
import { countWithin, type Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { emit, emitAll } from '#product/administration/webhooks/outbox.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { listDeleting } from '#product/catalog/events/deleting.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeOnSale } from '#product/catalog/registration-types/schemas.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { answerKeysOf, refuseLongAnswers, registerAnswerKeys } from './answer-keys.ts'
import * as answerStore from './answer-store.ts'
import * as besideStore from './beside-store.ts'
import * as exchangeStore from './exchange-store.ts'
import { holdsPlaces, type Placement, peopleOf, quantityOf, registrationRow, ticketsOf } from './placement.ts'
import * as referenceStore from './reference-store.ts'
import { type NewRegistration, presentRegistration, type Registration, withVoided } from './schemas.ts'
import * as store from './store.ts'
import { insertWords } from './word-store.ts'

export type { RegistrationFilters, RegistrationStatus } from './store.ts'

/**
 * Returns a registration of the account with its tickets.
 *
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, id: string): Promise<Registration> {
  const row = await find(tx, id)
  const tickets = await attendees.byRegistration(tx, [row.id])
  return presentRegistration(row, tickets.get(row.id) ?? [])
}

/** Returns a registration as `get` does, or undefined if there is none. */
export function findRegistration(tx: ReadTx, id: string): Promise<Registration | undefined> {
  return unlessMissing(get(tx, id))
}

/**
 * These are the most bytes of JSON of a registration and of a ticket, each without its answers, and of all that one read returns.
 */
const MAX_REGISTRATION = 3_000
const MAX_TICKET = 1_750
const MAX_READ = 2 * 1024 * 1024

export interface RegistrationPage {
  rows: Iterable<Listed<Registration>>
  /** Whether more rows follow because the page had no room for them. */
  cut: boolean
  /** Whether another page follows, and where it begins, if this one has fewer rows since an event is being deleted. */
  ends?: boolean
  end?: Position | undefined
}

/**
 * Lists registrations newest first, each with its tickets. It returns at least one, and as many of the page as fit into
 * `MAX_READ`.
 */
export async function list(
  tx: ReadTx,
  filters: store.RegistrationFilters,
  page: Page,
): Promise<RegistrationPage> {
  const deleting = await listDeleting(tx)
  if (deleting.some(id => id === filters.event_id)) return { rows: [], cut: false }
  if (deleting.length === 0 || filters.event_id !== undefined)
    return toPage(tx, await store.listPage(tx, filters, page))
  const { rows, end } = await store.listKeptPage(tx, filters, page)
  const answer = await toPage(tx, rows)
  return answer.cut ? answer : { ...answer, ends: end !== undefined, end }
}

/** Returns a page of these registrations, as many as fit into `MAX_READ`. */
export async function toPage(tx: ReadTx, found: readonly store.ListedRow[]): Promise<RegistrationPage> {
  let rows = found.slice(0, countWithin(found, sizeOf, MAX_READ))
  const idsOf = (some: readonly store.ListedRow[]) => some.map(({ id }) => id)
  const tickets = await attendees.byFittingRegistration(tx, idsOf(rows), sizes => {
    rows = rows.slice(
      0,
      countWithin(rows, row => sizeOf(row) + (sizes.get(row.id) ?? 0), MAX_READ),
    )
    return rows.length
  })
  const long = rows.filter(({ answers }) => answers === null)
  const longAnswers = await answerStore.readAnswers(tx, idsOf(long))
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
 * Places a registration. It takes capacity if the status holds places, and issues the tickets. It emits no webhook event.
 *
 * @param signed the codes of its tickets, if they were signed before the write
 * @throws Problem invalid_parameter for `answers` of too many new keys, or for `attendees` with too long answers; sold_out
 */
export async function place(
  tx: WriteTx,
  placement: Placement & { type: TypeOnSale },
  signed?: attendees.SignedAhead,
): Promise<Registration> {
  const { event, type, status } = placement
  refuseLongAnswers(placement)
  await registerAnswerKeys(tx, event.id, answerKeysOf(placement))
  if (holdsPlaces(status)) await registrationTypes.reserve(tx, type, quantityOf(placement))

  const now = await tx.now()
  const row = registrationRow(newUuid(), placement, now)
  const numbers = await store.insert(tx, row, now)
  const tickets = await attendees.issue(tx, event.id, row.id, ticketsOf(placement), signed)
  await insertWords(tx, numbers, wordsOf(peopleOf(placement)), row.created_at, now)
  return presentRegistration({ ...row, registration_type_name: type.name }, tickets)
}

interface More {
  reference?: string
  note?: string | undefined
  beside?: string | undefined
}

/**
 * Imports a confirmed registration. It takes the capacity, issues the tickets and charges nothing. The worth is in
 * `amount_subtotal`, in minor units, and `amount_total` is 0 (specification sections 1.2 and 3).
 *
 * @param more `reference` is one that no other registration of the event has, by default the id; `note` is what its organizer
 *   reads; `beside` is the id of the registration that an extra stands beside, if that is a ticket without an order
 * @throws Problem those of `registrationTypes.get` and of `place`
 */
export async function create(
  tx: WriteTx,
  input: NewRegistration,
  signed?: attendees.SignedAhead,
  { reference, note, beside: ticketId }: More = {},
): Promise<Written<Registration>> {
  const type = await registrationTypes.get(tx, input.event_id, input.registration_type_id)
  const beside = ticketId && (await besideStore.findTicket(tx, type, ticketId))?.id
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
    note,
    beside,
    ...(reference === undefined ? {} : { reference }),
  } as const
  const placed = await place(tx, placement, signed)
  // Doors learn what the ticket now has beside it.
  if (beside !== undefined) await attendees.noteRegistrationAtDoors(tx, beside)
  return emit(tx, 'registration.created', placed)
}

/** Returns the ids of those registrations of the event that have one of these references, by reference. */
export async function idsByReference(
  tx: ReadTx,
  eventId: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const rows = await referenceStore.listIdsByReferences(tx, eventId, references)
  return new Map(rows.map(({ reference, id }) => [reference, id]))
}

/**
 * Signs the tickets of an import before its write.
 *
 * @returns undefined if the write has to sign them or refuses the import
 */
export function prepare(
  reader: Reader,
  accountId: string,
  input: NewRegistration,
): Promise<attendees.SignedAhead | undefined> {
  return attendees.signAhead(reader, accountId, input.event_id, quantityOf(input))
}

/**
 * Cancels an unpaid registration. It voids its tickets, gives the capacity back, and notifies those on the waitlist who fit in.
 *
 * @throws Problem not_found, refund_required, already_cancelled, not_cancellable (specification section 3)
 */
export async function cancel(tx: WriteTx, id: string): Promise<Written<Registration>> {
  const [cancelled] = await cancelAll(tx, [await get(tx, id)])
  return cancelled as Written<Registration>
}

/**
 * Cancels several registrations as they were read in this transaction.
 *
 * @throws Problem those of `cancel`
 */
export async function cancelAll(
  tx: WriteTx,
  registrations: readonly Registration[],
): Promise<Written<Registration>[]> {
  const standIns = await findForPaid(tx, registrations)
  for (const { cancelled_at, ...registration } of registrations) {
    const refusal = refusalOfCancel(registration, standIns)
    if (refusal === undefined) continue
    throw new Problem(refusal, refusal === 'already_cancelled' ? { details: { cancelled_at } } : {})
  }
  const ids = registrations.map(({ id }) => id)
  await codes.releaseAll(tx, ids)
  const now = await tx.now()
  const released: registrationTypes.Released[] = []
  for (const { id, registration_type_id: typeId } of registrations) {
    await store.markCancelled(tx, id, now)
    const freed = await attendees.voidAll(tx, id)
    const places = await registrationTypes.release(tx, typeId as string, freed)
    if (places !== undefined) released.push(places)
  }
  await registrationTypes.serveReleased(tx, released)
  const cancelled = registrations.map(registration => ({
    ...withVoided(registration),
    ...({ status: 'cancelled', cancelled_at: toIso(now) } as const),
  }))
  return emitAll(tx, 'registration.cancelled', cancelled)
}

/** Counts the tickets of these registrations that are not void. */
export function countValid(tx: ReadTx, ids: readonly string[]): Promise<number> {
  return attendees.countValid(tx, ids)
}

export type RefusedCancel = 'already_cancelled' | 'not_cancellable' | 'refund_required'

type Cancelled = Pick<Registration, 'id' | 'status' | 'amount_total'>

/**
 * Returns why a registration cannot be cancelled, or undefined if it can.
 *
 * @param standIns those that took the place of a paid ticket, as `findForPaid` returns them
 */
export function refusalOfCancel(
  { id, status, amount_total }: Cancelled,
  standIns: ReadonlySet<string>,
): RefusedCancel | undefined {
  if (status === 'cancelled') return 'already_cancelled'
  if (status === 'failed' || status === 'refunded') return 'not_cancellable'
  const isPaid = amount_total > 0 || standIns.has(id)
  return status === 'confirmed' && isPaid ? 'refund_required' : undefined
}

/** Returns the ids of those of these registrations that cost nothing as they took the place of a ticket which was paid. */
export async function findForPaid(
  tx: ReadTx,
  registrations: readonly (Cancelled & Partial<Pick<Registration, 'source'>>)[],
): Promise<ReadonlySet<string>> {
  const free = registrations.filter(
    ({ status, amount_total, source }) => status === 'confirmed' && amount_total === 0 && source !== 'api',
  )
  const found =
    free.length === 0
      ? []
      : await exchangeStore.listForPaid(
          tx,
          free.map(({ id }) => id),
        )
  return new Set(found.map(({ id }) => id))
}

async function find(tx: ReadTx, id: string): Promise<store.RegistrationRow> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
