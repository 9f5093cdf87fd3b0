import { makeFault, tell } from '#base/faults.ts'
import { newUuid } from '#base/ids.ts'
import { Problem, refuseBefore } from '#base/problem.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { serveWaitlist } from './places.ts'
import { leavePools, listPoolsOf } from './pools.ts'
import {
  entryDefaults,
  type NewType,
  presentDetails,
  presentRegistrationType,
  type RegistrationType,
  saleDefaults,
  type TypeDetails,
  type TypeOnSale,
} from './schemas.ts'
import * as store from './store.ts'

export { listOfEvents } from './of-events.ts'
export { listExtras, listTickets } from './of-kind.ts'
export {
  chooseOffered,
  countServed,
  type Released,
  release,
  reserve,
  serveReleased,
  serveWaitlist,
} from './places.ts'
export { createPool, getPool, listPools, removePool, updatePool } from './pools.ts'
export { collectReleases, type Releases } from './releases.ts'
export { sellabilityOf } from './sellability.ts'
export { sumPlaces } from './sum-places.ts'

/**
 * Returns a type of an event. It reads the event only if the type is not found, because then the event may be the unknown one.
 *
 * @throws Problem not_found, with the field of the body that names the event or the type
 */
export async function get(tx: ReadTx, eventId: string, id: string): Promise<TypeOnSale> {
  const row = await store.find(tx, eventId, id)
  if (row === undefined) {
    await events.get(tx, eventId, 'event_id')
    throw new Problem('not_found', { param: 'registration_type_id' })
  }
  return { ...presentRegistrationType(row), isShared: row.shared_available !== null }
}

/**
 * Lists all types of an event, newest first.
 *
 * @throws Problem not_found
 */
export async function listByEvent(tx: ReadTx, eventId: string): Promise<RegistrationType[]> {
  const event = await events.get(tx, eventId)
  return (await store.listByEvent(tx, event.id)).map(presentRegistrationType)
}

/** Returns the ids of all types of an event. @throws Problem not_found */
export async function listIds(tx: ReadTx, eventId: string): Promise<Set<string>> {
  return new Set((await listByEvent(tx, eventId)).map(({ id }) => id))
}

/**
 * Refuses a list that names a type of another event. Null stands for any type.
 *
 * @throws Problem not_found with `param`
 */
export async function refuseUnknown(
  tx: ReadTx,
  eventId: string,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  if (!ids || ids.length === 0) return
  const existing = await listIds(tx, eventId)
  if (ids.some(id => !existing.has(id))) throw new Problem('not_found', { param: 'registration_type_ids' })
}

/**
 * Lists all types of an event with the fields that the API does not show, in the organizer's order.
 *
 * @throws Problem not_found
 */
export async function listDetails(tx: ReadTx, eventId: string): Promise<TypeDetails[]> {
  return listDetailsOf(tx, await events.get(tx, eventId))
}

/** Does the same for an event that was already read. */
export async function listDetailsOf(tx: ReadTx, { id: eventId }: { id: string }): Promise<TypeDetails[]> {
  const pools = await listPoolsOf(tx, eventId)
  return (await listInOrder(tx, eventId)).map(row =>
    presentDetails(
      row,
      pools.filter(pool => pool.registration_type_ids.includes(row.id)),
    ),
  )
}

/** A type that costs something, with what decides how its event is paid. */
export interface PricedType {
  type: TypeDetails
  event: Pick<
    EventDetails,
    'id' | 'status' | 'starts_at' | 'ends_at' | 'currency' | 'requires_approval' | 'payment_ways'
  >
}

/**
 * Lists the types that cost something of published events that are neither over nor archived. Those of one event follow each
 * other.
 *
 * @param now in milliseconds
 */
export async function listPriced(tx: ReadTx, now: number, limit: number): Promise<PricedType[]> {
  return (await store.listPriced(tx, now, limit)).map(row => ({
    type: presentDetails(row, []),
    event: {
      ...{ id: row.event_id, status: 'published', currency: row.currency },
      ...{ starts_at: toIsoOrNull(row.starts_at), ends_at: toIsoOrNull(row.ends_at) },
      ...{ requires_approval: row.requires_approval === 1, payment_ways: row.payment_ways },
    },
  }))
}

/**
 * Adds a type after the others.
 *
 * @throws Problem not_found; already_taken for `name`; invalid_parameter for `sales_end` before `sales_start`, `valid_until`
 *   before `valid_from`, or `max_per_order` below `min_per_order`
 */
export async function create(tx: WriteTx, eventId: string, input: NewType): Promise<TypeDetails> {
  const { id: event_id } = await events.get(tx, eventId)
  const others = await listInOrder(tx, event_id)
  const { hidden, open_price, reentry, ...stated } = { ...saleDefaults, ...entryDefaults, ...input }
  const row: store.TypeRow = {
    ...stated,
    id: newUuid(),
    event_id,
    sold: 0,
    active: input.active ? 1 : 0,
    hidden: hidden ? 1 : 0,
    open_price: open_price ? 1 : 0,
    reentry: reentry ? 1 : 0,
    position: others.at(-1)?.position ?? 0,
  }
  refuseConflicts(row, others)
  await store.insert(tx, row, await tx.now())
  return getDetails(tx, event_id, row.id)
}

/**
 * Changes the given fields. A raised capacity serves the waitlist.
 *
 * @throws Problem not_found; those of `create`; in_use for `kind` once somebody has registered or waited for it; below_sold for
 *   `capacity`, with `details.sold`
 */
export async function update(
  tx: WriteTx,
  eventId: string,
  id: string,
  { active, hidden, open_price, reentry, ...changes }: Partial<NewType>,
): Promise<TypeDetails> {
  const types = await listInOrder(tx, eventId)
  const was = findAmong(types, id)
  const row: store.TypeRow = { ...was, ...changes }
  if (active !== undefined) row.active = active ? 1 : 0
  if (hidden !== undefined) row.hidden = hidden ? 1 : 0
  if (open_price !== undefined) row.open_price = open_price ? 1 : 0
  if (reentry !== undefined) row.reentry = reentry ? 1 : 0
  refuseConflicts(
    row,
    types.filter(other => other !== was),
  )
  if (row.kind !== was.kind && (await findRemovalRefusal(tx, eventId, id)) !== undefined) {
    throw new Problem('in_use', { param: 'kind' })
  }
  if (row.capacity < was.sold) {
    throw new Problem('below_sold', { param: 'capacity', details: { sold: was.sold } })
  }
  const now = await tx.now()
  await store.update(tx, row, now)
  if (row.name !== was.name) await store.rename(tx, id, row.name, now)
  if (row.capacity > was.capacity) await serveWaitlist(tx, eventId, [id])
  return getDetails(tx, eventId, id)
}

/**
 * Moves a type one place up or down. The first one cannot move up, and the last one cannot move down.
 *
 * @throws Problem not_found
 */
export async function move(
  tx: WriteTx,
  eventId: string,
  id: string,
  direction: 'up' | 'down',
): Promise<void> {
  const types = await listInOrder(tx, eventId)
  const moved = findAmong(types, id)
  const from = types.indexOf(moved)
  types.splice(from, 1)
  types.splice(Math.max(0, from + (direction === 'up' ? -1 : 1)), 0, moved)
  const now = await tx.now()
  for (const [at, type] of types.entries()) {
    if (type.position !== at + 1) await store.place(tx, type.id, at + 1, now)
  }
}

/**
 * The most registrations of an event that are searched for those of a type. An index would find them, but would cost every import
 * more than it is worth, because a type can be closed instead.
 */
const MOST_LOOKED_THROUGH = 20_000

/**
 * Removes a type that nobody has ever registered or waited for.
 *
 * @throws Problem not_found; in_use, as in `findRemovalRefusal`
 */
export async function remove(tx: WriteTx, eventId: string, id: string): Promise<void> {
  const refusal = await findRemovalRefusal(tx, eventId, id)
  if (refusal !== undefined) throw refusal
  await leavePools(tx, id)
  await store.remove(tx, id)
}

/**
 * Returns why `remove` would refuse a type, or undefined if it would not.
 *
 * @returns in_use, with `details.more_than` for an event with more registrations than are searched
 * @throws Problem not_found
 */
export async function findRemovalRefusal(
  tx: ReadTx,
  eventId: string,
  id: string,
): Promise<Problem | undefined> {
  const type = findAmong(await listInOrder(tx, eventId), id)
  if (type.sold > 0) return new Problem('in_use')
  const more = MOST_LOOKED_THROUGH + 1
  if ((await store.countRegistrations(tx, eventId, more)) === more) {
    return new Problem('in_use', { details: { more_than: MOST_LOOKED_THROUGH } })
  }
  return (await store.isInUse(tx, type)) ? new Problem('in_use') : undefined
}

async function listInOrder(tx: ReadTx, eventId: string): Promise<store.RegistrationTypeRow[]> {
  const rows = await store.listByEventOldestFirst(tx, eventId)
  return rows.sort((one, other) => one.position - other.position)
}

function findAmong(types: readonly store.RegistrationTypeRow[], id: string): store.RegistrationTypeRow {
  const found = types.find(type => type.id === id)
  if (found === undefined) throw new Problem('not_found')
  return found
}

/**
 * Returns a type with the fields that the API does not show.
 *
 * @throws Problem not_found
 */
export async function getDetails(tx: ReadTx, eventId: string, id: string): Promise<TypeDetails> {
  const found = (await listDetails(tx, eventId)).find(type => type.id === id)
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
 * Marks a type as changed when something of its tickets changes other than the number sold, which marks itself. The counts of the
 * event are then made again.
 */
export async function noteChange(tx: WriteTx, typeId: string): Promise<void> {
  await store.noteChange(tx, typeId, await tx.now())
}
