import { makeFault, tell } from '#base/faults.ts'
import { newUuid } from '#base/ids.ts'
import { Problem, refuseBefore } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import { isFor, priceOf } from './prices.ts'
import { type Code, codeKey, type NewCode, presentCode } from './schemas.ts'
import * as store from './store.ts'

export { byTicket, copy, listAll, recount } from './event-codes.ts'
export { type CodePrice, type CodeState, isFor, priceOf, stateOf, unlocks } from './prices.ts'

/** The most codes that an event can have. */
export const MAX_CODES = 20_000

/** Lists the codes of an event, newest first. @throws Problem not_found */
export async function list(tx: ReadTx, eventId: string, page: Page): Promise<Iterable<Listed<Code>>> {
  const typeIds = await registrationTypes.listIds(tx, eventId)
  return toListed(await store.listPage(tx, eventId, page), row => presentCode(row, typeIds))
}

/** Returns how many codes an event has. */
export function count(tx: ReadTx, eventId: string): Promise<number> {
  return store.count(tx, eventId, MAX_CODES)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<Code> {
  const row = await find(tx, eventId, id)
  return presentCode(row, await registrationTypes.listIds(tx, eventId))
}

/**
 * @throws Problem not_found, with `param` for a type; already_taken for `code`; invalid_parameter for `valid_until` before
 *   `valid_from`, or for `amount` beside `percent`; in_use with the reason too_many_codes
 */
export async function create(tx: WriteTx, eventId: string, input: NewCode): Promise<Code> {
  const { id: event_id } = await events.get(tx, eventId)
  await refuseMore(tx, event_id, 1)
  const row = rowOf(event_id, input)
  await refuseConflicts(tx, row)
  await registrationTypes.refuseUnknown(tx, event_id, input.registration_type_ids)
  await store.insert(tx, row, await tx.now())
  return get(tx, event_id, row.id)
}

/**
 * Changes the given fields. Tickets that were ordered with the code keep their prices.
 *
 * @throws Problem the ones of `create`; below_used for `max_tickets`, with `details.used`
 */
export async function update(
  tx: WriteTx,
  eventId: string,
  id: string,
  changes: Partial<NewCode>,
): Promise<Code> {
  const was = await find(tx, eventId, id)
  const { active, registration_type_ids: ids, ...rest } = changes
  const row = { ...was, ...rest, code_key: codeKey(rest.code ?? was.code) }
  if (active !== undefined) row.active = active ? 1 : 0
  if (ids !== undefined) row.registration_type_ids = toJson(ids)
  await refuseConflicts(tx, row)
  await registrationTypes.refuseUnknown(tx, eventId, ids)
  const { used } = was
  if (row.max_tickets !== null && row.max_tickets < used) {
    throw new Problem('below_used', { param: 'max_tickets', details: { used } })
  }
  await store.update(tx, row, await tx.now())
  return get(tx, eventId, id)
}

/**
 * Removes a code that no ticket was ever ordered with.
 *
 * @throws Problem not_found; in_use with the reason code_used
 */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<void> {
  const row = await find(tx, eventId, id)
  if (await isUsed(tx, row)) throw new Problem('in_use', { details: { reason: 'code_used' } })
  await store.remove(tx, id)
}

/** Returns whether tickets were ordered with the code, including void ones. */
export async function isUsed(tx: ReadTx, { id, used }: Pick<Code, 'id' | 'used'>): Promise<boolean> {
  return used > 0 || store.hasTickets(tx, id)
}

/**
 * Returns the code that somebody has entered, if it may be used now. Case and surrounding white space do not matter.
 *
 * @throws Problem unknown_code, also for a deactivated code or one of another event; code_not_yet with `details.from`;
 *   code_expired; code_used_up if no ticket is left
 */
export async function findValid(tx: ReadTx, eventId: string, text: string, now: number): Promise<Code> {
  const row = await store.findByKey(tx, eventId, codeKey(text))
  if (row === undefined || row.active === 0) throw new Problem('unknown_code')
  const code = presentCode(row)
  if (row.valid_from !== null && now < row.valid_from) {
    throw new Problem('code_not_yet', { details: { from: code.valid_from } })
  }
  if (row.valid_until !== null && now >= row.valid_until) throw new Problem('code_expired')
  if (leftOf(row) === 0) throw new Problem('code_used_up', { details: { left: 0 } })
  return code
}

/** Returns whether `findValid` finds a code. It runs the same statements, whatever is wrong with the code. */
export async function isValid(...args: Parameters<typeof findValid>): Promise<boolean> {
  try {
    await findValid(...args)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** The tickets of one type that are ordered with a code. */
export interface CodeLine {
  type: Pick<RegistrationType, 'id' | 'price'>
  quantity: number
}

/**
 * The result of `reserve`. For each line, in their order, it has the price of one ticket, and the code if it applies to the
 * tickets.
 */
export interface CodeReservation {
  code: Code
  /** The number of tickets that count as uses. */
  tickets: number
  lines: { price: number; discount: number; code_id: string | null }[]
}

/**
 * Counts the tickets of an order as uses of a code, all of them or none. Writes are serialized, and the statement itself checks
 * the limit. Lines of types that the code does not apply to keep their price and count nothing. Each ticket that is issued must
 * have the `code_id` of its line, by which uses are counted.
 *
 * @throws Problem the ones of `findValid`; code_used_up with `details.left` if fewer tickets are left than are ordered
 */
export async function reserve(
  tx: WriteTx,
  eventId: string,
  text: string,
  lines: readonly CodeLine[],
): Promise<CodeReservation> {
  const code = await findValid(tx, eventId, text, tx.clock())
  const ofCode = lines.filter(({ type }) => isFor(code, type.id))
  const tickets = ofCode.reduce((sum, { quantity }) => sum + quantity, 0)
  if (tickets > 0 && (await store.reserve(tx, code.id, tickets, await tx.now())) === 0) {
    throw new Problem('code_used_up', { details: { left: leftOf(code) ?? 0 } })
  }
  return {
    code,
    tickets,
    lines: lines.map(({ type }) => {
      return { ...priceOf(code, type), code_id: isFor(code, type.id) ? code.id : null }
    }),
  }
}

/**
 * Counts tickets that had the code before and get it again. Only the limit of the code is checked, not whether it is still valid.
 *
 * @throws Problem code_used_up
 */
export async function retake(tx: WriteTx, codeId: string, tickets: number): Promise<void> {
  const taken = await store.reserve(tx, codeId, tickets, await tx.now())
  if (taken === 0) throw new Problem('code_used_up', { details: { left: 0 } })
}

/** Releases uses, because tickets become void. */
export async function release(tx: WriteTx, codeId: string, tickets: number): Promise<void> {
  await store.release(tx, codeId, tickets, await tx.now())
}

/** Releases the uses of the tickets of registrations that are about to become void. `isMeant` can select some of the tickets. */
export async function releaseAll(
  tx: WriteTx,
  registrationIds: readonly string[],
  isMeant?: (ticketId: string) => boolean,
): Promise<void> {
  for (const { id, tickets } of await store.countTickets(tx, registrationIds, 0, isMeant)) {
    await release(tx, id, tickets)
  }
}

/** Counts the void tickets of registrations again, because they are to be valid once more. @throws Problem code_used_up */
export async function retakeAll(tx: WriteTx, ids: readonly string[]): Promise<void> {
  for (const { id, tickets } of await store.countTickets(tx, ids, 1)) {
    await retake(tx, id, tickets)
  }
}

/** Returns how many tickets may still be ordered with a code, or null for any number. */
export function leftOf({ max_tickets: most, used }: Pick<Code, 'max_tickets' | 'used'>): number | null {
  return most === null ? null : Math.max(0, most - used)
}

/** @throws Problem in_use */
export async function refuseMore(tx: ReadTx, eventId: string, more: number): Promise<void> {
  if ((await store.count(tx, eventId, MAX_CODES)) + more <= MAX_CODES) return
  throw new Problem('in_use', { details: { reason: 'too_many_codes' } })
}

export function rowOf(
  eventId: string,
  { active, registration_type_ids: ids, ...input }: NewCode,
): Omit<store.CodeRow, 'created_at'> {
  return {
    ...input,
    id: newUuid(),
    event_id: eventId,
    code_key: codeKey(input.code),
    registration_type_ids: toJson(ids),
    used: 0,
    active: active ? 1 : 0,
  }
}

function toJson(ids: readonly string[] | null): string | null {
  return ids && JSON.stringify([...new Set(ids)].sort())
}

async function refuseConflicts(tx: ReadTx, row: Omit<store.CodeRow, 'created_at'>): Promise<void> {
  const other = await store.findByKey(tx, row.event_id, row.code_key)
  if (other !== undefined && other.id !== row.id) throw new Problem('already_taken', { param: 'code' })
  refuseContradictions(row)
}

/** @throws Problem invalid_parameter */
export function refuseContradictions(
  row: Pick<store.CodeRow, 'valid_from' | 'valid_until' | 'percent' | 'amount'>,
): void {
  refuseBefore(row, 'valid_until', 'valid_from')
  if (row.percent === null || row.amount === null) return
  const fault = makeFault('contradicts', { field: 'percent' })
  throw new Problem('invalid_parameter', {
    param: 'amount',
    message: tell('amount', fault),
    details: { fault },
  })
}

async function find(tx: ReadTx, eventId: string, id: string): Promise<store.CodeRow> {
  const row = await store.find(tx, eventId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
