import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { makeFault, tell } from '../faults.ts'
import { newUuid } from '../ids.ts'
import { Problem, refuseBefore } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { RegistrationType } from '../registration-types/schemas.ts'
import { type Listed, toListed } from '../resource.ts'
import { isFor, priceOf } from './prices.ts'
import { type Code, codeKey, type NewCode, presentCode } from './schemas.ts'
import * as store from './store.ts'

export { type CodePrice, type CodeState, isFor, priceOf, stateOf, unlocks } from './prices.ts'
export { byTicket, copy, listAll, recount } from './whole.ts'

/** Codes of an event. */
export const MAX_CODES = 20_000

/** Newest first. @throws Problem not_found */
export async function list(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  page: Page,
): Promise<Iterable<Listed<Code>>> {
  const typeIds = await listTypeIds(tx, accountId, eventId)
  return toListed(await store.listPage(tx, accountId, eventId, page), row => presentCode(row, typeIds))
}

/** How many an event has. */
export function count(tx: ReadTx, accountId: string, eventId: string): Promise<number> {
  return store.count(tx, accountId, eventId, MAX_CODES)
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, eventId: string, id: string): Promise<Code> {
  const row = await find(tx, accountId, eventId, id)
  return presentCode(row, await listTypeIds(tx, accountId, eventId))
}

/**
 * @throws Problem not_found, with `param` for a type; already_taken for `code`; invalid_parameter for `valid_until` before
 *   `valid_from`, or for `amount` beside `percent`; in_use with the reason too_many_codes
 */
export async function create(tx: WriteTx, accountId: string, eventId: string, input: NewCode): Promise<Code> {
  const { id: event_id } = await events.get(tx, accountId, eventId)
  await refuseMore(tx, accountId, event_id, 1)
  const row = rowOf(event_id, input)
  await refuseConflicts(tx, accountId, row)
  await refuseUnknownTypes(tx, accountId, event_id, input.registration_type_ids)
  await store.insert(tx, accountId, row, await tx.now())
  return get(tx, accountId, event_id, row.id)
}

/**
 * Changes the fields that are given. Tickets that were ordered with it keep their prices.
 *
 * @throws Problem those of `create`; below_used for `max_tickets`, with `details.used`
 */
export async function update(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  changes: Partial<NewCode>,
): Promise<Code> {
  const was = await find(tx, accountId, eventId, id)
  const { active, registration_type_ids: ids, ...rest } = changes
  const row = { ...was, ...rest, code_key: codeKey(rest.code ?? was.code) }
  if (active !== undefined) row.active = active ? 1 : 0
  if (ids !== undefined) row.registration_type_ids = toJson(ids)
  await refuseConflicts(tx, accountId, row)
  await refuseUnknownTypes(tx, accountId, eventId, ids)
  const { used } = was
  if (row.max_tickets !== null && row.max_tickets < used) {
    throw new Problem('below_used', { param: 'max_tickets', details: { used } })
  }
  await store.update(tx, accountId, row, await tx.now())
  return get(tx, accountId, eventId, id)
}

/**
 * Removes a code that no ticket was ever ordered with.
 *
 * @throws Problem not_found; in_use with the reason code_used
 */
export async function remove(tx: WriteTx, accountId: string, eventId: string, id: string): Promise<void> {
  const row = await find(tx, accountId, eventId, id)
  if (await isUsed(tx, accountId, row)) throw new Problem('in_use', { details: { reason: 'code_used' } })
  await store.remove(tx, accountId, id)
}

/** Whether tickets were ordered with it, those that are void too. */
export async function isUsed(
  tx: ReadTx,
  accountId: string,
  { id, used }: Pick<Code, 'id' | 'used'>,
): Promise<boolean> {
  return used > 0 || store.hasTickets(tx, accountId, id)
}

/**
 * The code that somebody has entered, if it may be used now: upper and lower case, and white space around it, are no matter.
 *
 * @throws Problem unknown_code, also for one that was deactivated, or of another event; code_not_yet with `details.from`,
 *   code_expired, code_used_up: the latter where no ticket is left
 */
export async function findValid(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  text: string,
  now: number,
): Promise<Code> {
  const row = await store.findByKey(tx, accountId, eventId, codeKey(text))
  if (row === undefined || row.active === 0) throw new Problem('unknown_code')
  const code = presentCode(row)
  if (row.valid_from !== null && now < row.valid_from) {
    throw new Problem('code_not_yet', { details: { from: code.valid_from } })
  }
  if (row.valid_until !== null && now >= row.valid_until) throw new Problem('code_expired')
  if (leftOf(row) === 0) throw new Problem('code_used_up', { details: { left: 0 } })
  return code
}

/** Whether `findValid` finds one: asked with the same statements, whatever is wrong with it. */
export async function isValid(...args: Parameters<typeof findValid>): Promise<boolean> {
  try {
    await findValid(...args)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Tickets of one type that are ordered with a code. */
export interface CodeLine {
  type: Pick<RegistrationType, 'id' | 'price'>
  quantity: number
}

/** What was reserved: of each line, in their order, the price of one ticket, and the code of its tickets, if it is for them. */
export interface CodeReservation {
  code: Code
  /** Tickets that count as uses. */
  tickets: number
  lines: { price: number; discount: number; code_id: string | null }[]
}

/**
 * Counts the tickets of an order as uses of a code, all of them or none: writes are serialized, and the statement itself checks. Lines
 * of other types than the code is for keep their price, and count nothing. Each ticket that is issued has to have the `code_id`
 * of its line, by which uses are counted.
 *
 * @throws Problem those of `findValid`; code_used_up with `details.left`, where fewer tickets are left than are ordered
 */
export async function reserve(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  text: string,
  lines: readonly CodeLine[],
): Promise<CodeReservation> {
  const code = await findValid(tx, accountId, eventId, text, tx.clock())
  const ofCode = lines.filter(({ type }) => isFor(code, type.id))
  const tickets = ofCode.reduce((sum, { quantity }) => sum + quantity, 0)
  if (tickets > 0 && (await store.reserve(tx, accountId, code.id, tickets, await tx.now())) === 0) {
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
 * Counts tickets that had the code before, and are to have it again, whatever is said of it by now but for its number.
 *
 * @throws Problem code_used_up
 */
export async function retake(tx: WriteTx, accountId: string, codeId: string, tickets: number): Promise<void> {
  const taken = await store.reserve(tx, accountId, codeId, tickets, await tx.now())
  if (taken === 0) throw new Problem('code_used_up', { details: { left: 0 } })
}

/** Gives uses back, as tickets become void. */
export async function release(
  tx: WriteTx,
  accountId: string,
  codeId: string,
  tickets: number,
): Promise<void> {
  await store.release(tx, accountId, codeId, tickets, await tx.now())
}

/** Gives back the uses of the tickets of a registration that are about to become void: of all, or of some. */
export async function releaseAll(
  tx: WriteTx,
  accountId: string,
  registrationId: string,
  isMeant?: (ticketId: string) => boolean,
): Promise<void> {
  for (const { id, tickets } of await store.countTickets(tx, accountId, registrationId, 0, isMeant)) {
    await release(tx, accountId, id, tickets)
  }
}

/** Counts again the tickets of a registration that are void and are to be good once more. @throws Problem code_used_up */
export async function retakeAll(tx: WriteTx, accountId: string, registrationId: string): Promise<void> {
  for (const { id, tickets } of await store.countTickets(tx, accountId, registrationId, 1)) {
    await retake(tx, accountId, id, tickets)
  }
}

/** Tickets that may still be ordered with a code; null for any number. */
export function leftOf({ max_tickets: most, used }: Pick<Code, 'max_tickets' | 'used'>): number | null {
  return most === null ? null : Math.max(0, most - used)
}

/** @throws Problem in_use */
export async function refuseMore(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  more: number,
): Promise<void> {
  if ((await store.count(tx, accountId, eventId, MAX_CODES)) + more <= MAX_CODES) return
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

async function refuseConflicts(
  tx: ReadTx,
  accountId: string,
  row: Omit<store.CodeRow, 'created_at'>,
): Promise<void> {
  const other = await store.findByKey(tx, accountId, row.event_id, row.code_key)
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

/** @throws Problem not_found with `param` */
export async function refuseUnknownTypes(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  if (!ids || ids.length === 0) return
  const known = await listTypeIds(tx, accountId, eventId)
  if (ids.some(id => !known.has(id))) throw new Problem('not_found', { param: 'registration_type_ids' })
}

async function listTypeIds(tx: ReadTx, accountId: string, eventId: string): Promise<Set<string>> {
  const types = await registrationTypes.listByEvent(tx, accountId, eventId)
  return new Set(types.map(({ id }) => id))
}

async function find(tx: ReadTx, accountId: string, eventId: string, id: string): Promise<store.CodeRow> {
  const row = await store.find(tx, accountId, eventId, id)
  if (row === undefined) throw new Problem('not_found')
  return row
}
