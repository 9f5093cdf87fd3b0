import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { makeFault, tell } from '../faults.ts'
import { newUuid } from '../ids.ts'
import { Problem, refuseBefore } from '../problem.ts'
import { serveWaitlist } from './places.ts'
import { leavePools, listPools } from './pools.ts'
import {
  type NewType,
  presentDetails,
  presentRegistrationType,
  type RegistrationType,
  saleDefaults,
  type TypeDetails,
  type TypeOnSale,
} from './schemas.ts'
import * as store from './store.ts'

export { type Offering, offerBy } from './offering.ts'
export { countServed, release, reserve, serveMore, serveReleased } from './places.ts'
export { createPool, getPool, listPools, removePool, updatePool } from './pools.ts'
export { saleStateOf } from './sale.ts'

/**
 * A type of this event, which is asked for only where the type is not found: then it may be the event that is unknown.
 *
 * @throws Problem not_found, with the field of the body that names the event or the type
 */
export async function get(tx: ReadTx, accountId: string, eventId: string, id: string): Promise<TypeOnSale> {
  const row = await store.find(tx, accountId, eventId, id)
  if (row === undefined) {
    await events.get(tx, accountId, eventId, 'event_id')
    throw new Problem('not_found', { param: 'registration_type_id' })
  }
  return { ...presentRegistrationType(row), isShared: row.shared_available !== null }
}

/**
 * All types of an event, newest first.
 *
 * @throws Problem not_found
 */
export async function listByEvent(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<RegistrationType[]> {
  const event = await events.get(tx, accountId, eventId)
  return (await store.listByEvent(tx, accountId, event.id)).map(presentRegistrationType)
}

/** How many tickets of each event that has types are sold, and how many it has in all, by event. */
export async function sumPlaces(
  tx: ReadTx,
  accountId: string,
): Promise<Map<string, { sold: number; capacity: number }>> {
  const rows = await store.sumPlaces(tx, accountId)
  return new Map(rows.map(({ event_id, sold, capacity }) => [event_id, { sold, capacity }]))
}

/**
 * All types of an event with what the API does not tell of them, in the order that its organizer gave them.
 *
 * @throws Problem not_found
 */
export async function listDetails(tx: ReadTx, accountId: string, eventId: string): Promise<TypeDetails[]> {
  const pools = await listPools(tx, accountId, eventId)
  return (await listInOrder(tx, accountId, eventId)).map(row =>
    presentDetails(
      row,
      pools.filter(pool => pool.registration_type_ids.includes(row.id)),
    ),
  )
}

/**
 * Adds a type after the others.
 *
 * @throws Problem not_found; already_taken for `name`; invalid_parameter for `sales_end` or `valid_until` before the
 *   other, and for `max_per_order` below `min_per_order`
 */
export async function create(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  input: NewType,
): Promise<TypeDetails> {
  const { id: event_id } = await events.get(tx, accountId, eventId)
  const others = await listInOrder(tx, accountId, event_id)
  const { hidden, ...said } = { ...saleDefaults, ...input }
  const row: store.TypeRow = {
    ...said,
    id: newUuid(),
    event_id,
    sold: 0,
    active: input.active ? 1 : 0,
    hidden: hidden ? 1 : 0,
    position: others.at(-1)?.position ?? 0,
  }
  refuseConflicts(row, others)
  await store.insert(tx, accountId, row, await tx.now())
  return getDetails(tx, accountId, event_id, row.id)
}

/**
 * Changes the fields that are given. A raised capacity is offered to those who wait.
 *
 * @throws Problem not_found; those of `create`; below_sold for `capacity`, with `details.sold`
 */
export async function update(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  { active, hidden, ...changes }: Partial<NewType>,
): Promise<TypeDetails> {
  const types = await listInOrder(tx, accountId, eventId)
  const was = findAmong(types, id)
  const row: store.TypeRow = { ...was, ...changes }
  if (active !== undefined) row.active = active ? 1 : 0
  if (hidden !== undefined) row.hidden = hidden ? 1 : 0
  refuseConflicts(
    row,
    types.filter(other => other !== was),
  )
  if (row.capacity < was.sold) {
    throw new Problem('below_sold', { param: 'capacity', details: { sold: was.sold } })
  }
  const now = await tx.now()
  await store.update(tx, accountId, row, now)
  if (row.name !== was.name) await store.rename(tx, accountId, id, row.name, now)
  if (row.capacity > was.capacity) await serveWaitlist(tx, accountId, eventId, [id])
  return getDetails(tx, accountId, eventId, id)
}

/**
 * Moves a type before the one above it, or after the one below it; the first and the last stay where they are.
 *
 * @throws Problem not_found
 */
export async function move(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  direction: 'up' | 'down',
): Promise<void> {
  const types = await listInOrder(tx, accountId, eventId)
  const moved = findAmong(types, id)
  const from = types.indexOf(moved)
  types.splice(from, 1)
  types.splice(Math.max(0, from + (direction === 'up' ? -1 : 1)), 0, moved)
  const now = await tx.now()
  for (const [at, type] of types.entries()) {
    if (type.position !== at + 1) await store.place(tx, accountId, type.id, at + 1, now)
  }
}

/**
 * The most registrations of an event that are looked through for those of a type. An index would find them, and cost each import
 * more than a type is worth that could be closed as well.
 */
const MOST_LOOKED_THROUGH = 20_000

/**
 * Removes a type that nobody has ever registered or waited for.
 *
 * @throws Problem not_found; in_use, as `findRemovalRefusal` says
 */
export async function remove(tx: WriteTx, accountId: string, eventId: string, id: string): Promise<void> {
  const refusal = await findRemovalRefusal(tx, accountId, eventId, id)
  if (refusal !== undefined) throw refusal
  await leavePools(tx, accountId, id)
  await store.remove(tx, accountId, id)
}

/**
 * Why `remove` would refuse a type; undefined where it would not.
 *
 * @returns in_use, with `details.more_than` for an event of more registrations than are looked through
 * @throws Problem not_found
 */
export async function findRemovalRefusal(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<Problem | undefined> {
  const type = findAmong(await listInOrder(tx, accountId, eventId), id)
  if (type.sold > 0) return new Problem('in_use')
  const more = MOST_LOOKED_THROUGH + 1
  if ((await store.countRegistrations(tx, accountId, eventId, more)) === more) {
    return new Problem('in_use', { details: { more_than: MOST_LOOKED_THROUGH } })
  }
  return (await store.isInUse(tx, accountId, type)) ? new Problem('in_use') : undefined
}

async function listInOrder(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<store.RegistrationTypeRow[]> {
  const rows = await store.listByEventOldestFirst(tx, accountId, eventId)
  return rows.sort((one, other) => one.position - other.position)
}

function findAmong(types: readonly store.RegistrationTypeRow[], id: string): store.RegistrationTypeRow {
  const found = types.find(type => type.id === id)
  if (found === undefined) throw new Problem('not_found')
  return found
}

/**
 * A type with what the API does not tell of it.
 *
 * @throws Problem not_found
 */
export async function getDetails(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  id: string,
): Promise<TypeDetails> {
  const found = (await listDetails(tx, accountId, eventId)).find(type => type.id === id)
  if (found === undefined) throw new Problem('not_found')
  return found
}

function refuseConflicts(row: store.TypeRow, others: readonly store.TypeRow[]): void {
  if (others.some(({ name }) => name === row.name)) throw new Problem('already_taken', { param: 'name' })
  refuseBefore(row, 'sales_end', 'sales_start')
  refuseBefore(row, 'valid_until', 'valid_from')
  refuseBelow(row)
}

function refuseBelow({ min_per_order: least, max_per_order: most }: store.TypeRow): void {
  if (most === null || most >= least) return
  const fault = makeFault('atLeast', { min: least })
  const message = tell('max_per_order', fault)
  throw new Problem('invalid_parameter', { param: 'max_per_order', message, details: { fault } })
}

/**
 * Notes that something of a type's tickets has changed other than how many are sold, which notes itself: what is counted of an
 * event is counted anew then.
 */
export async function noteChange(tx: WriteTx, accountId: string, typeId: string): Promise<void> {
  await store.noteChange(tx, accountId, typeId, await tx.now())
}
