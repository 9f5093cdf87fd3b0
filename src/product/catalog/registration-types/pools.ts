import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { serveWaitlist } from './places.ts'
import * as poolStore from './pool-store.ts'
import { type NewPool, type Pool, presentPool } from './schemas.ts'
import * as store from './store.ts'

/**
 * Lists the pools of an event, oldest first.
 *
 * @throws Problem not_found
 */
export async function listPools(tx: ReadTx, eventId: string): Promise<Pool[]> {
  const { id } = await events.get(tx, eventId)
  return listPoolsOf(tx, id)
}

/** Does the same for an event that was already read, and does not read it again. */
export async function listPoolsOf(tx: ReadTx, eventId: string): Promise<Pool[]> {
  const links = await poolStore.listLinks(tx, eventId)
  return (await poolStore.listByEvent(tx, eventId)).map(row =>
    presentPool(
      row,
      links.flatMap(link => (link.pool_id === row.id ? [link.registration_type_id] : [])),
    ),
  )
}

/** @throws Problem not_found */
export async function getPool(tx: ReadTx, eventId: string, id: string): Promise<Pool> {
  return findPool(await listPools(tx, eventId), id)
}

/**
 * Makes a pool that these types draw from. The tickets that they have already sold count.
 *
 * @throws Problem not_found, with `param` for a type; already_taken for `name`; below_sold for `capacity`, with `details.sold`
 */
export async function createPool(
  tx: WriteTx,
  eventId: string,
  { name, capacity, registration_type_ids: typeIds }: NewPool,
): Promise<Pool> {
  const others = await listPools(tx, eventId)
  const row = { id: newUuid(), event_id: eventId, name, capacity, sold: 0 }
  const planned = { ...row, sold: await sumSold(tx, eventId, typeIds) }
  refuseConflicts(planned, others)
  await poolStore.insert(tx, planned, await tx.now())
  await linkTypes(tx, row.id, { was: [], wanted: typeIds })
  return presentPool(planned, [...new Set(typeIds)])
}

/**
 * Changes the given fields. It counts again what its types have sold, and serves the waitlist if there is more room than before.
 *
 * @throws Problem the ones of `createPool`
 */
export async function updatePool(
  tx: WriteTx,
  eventId: string,
  id: string,
  changes: Partial<NewPool>,
): Promise<Pool> {
  const pools = await listPools(tx, eventId)
  const was = findPool(pools, id)
  const typeIds = changes.registration_type_ids ?? was.registration_type_ids
  const sold = await sumSold(tx, eventId, typeIds)
  const pool = { ...was, ...changes, sold }
  refuseConflicts(
    pool,
    pools.filter(other => other !== was),
  )
  await poolStore.update(tx, pool, await tx.now())
  await linkTypes(tx, id, { was: was.registration_type_ids, wanted: typeIds })
  await serveWaitlist(tx, eventId, [...was.registration_type_ids, ...typeIds])
  return presentPool(pool, [...new Set(typeIds)])
}

/**
 * Removes a pool. Its types keep their own capacity and their other pools.
 *
 * @throws Problem not_found
 */
export async function removePool(tx: WriteTx, eventId: string, id: string): Promise<void> {
  const pool = findPool(await listPools(tx, eventId), id)
  await linkTypes(tx, id, { was: pool.registration_type_ids, wanted: [] })
  await poolStore.remove(tx, id)
  await serveWaitlist(tx, eventId, pool.registration_type_ids)
}

/** Detaches a type that is being removed from its pools. It has sold nothing. */
export async function leavePools(tx: WriteTx, typeId: string): Promise<void> {
  for (const id of await poolStore.listOfType(tx, typeId)) {
    await poolStore.unlink(tx, { pool_id: id, registration_type_id: typeId })
  }
}

function findPool(pools: readonly Pool[], id: string): Pool {
  const found = pools.find(pool => pool.id === id)
  if (found === undefined) throw new Problem('not_found')
  return found
}

function refuseConflicts(pool: poolStore.PoolRow, others: readonly Pool[]): void {
  const { name, capacity, sold } = pool
  if (others.some(other => other.name === name)) throw new Problem('already_taken', { param: 'name' })
  if (sold > capacity) throw new Problem('below_sold', { param: 'capacity', details: { sold } })
}

/** Returns how many tickets these types of the event have sold. */
async function sumSold(tx: ReadTx, eventId: string, typeIds: readonly string[]): Promise<number> {
  const types = await store.listByEventOldestFirst(tx, eventId)
  const sold = new Map(types.map(type => [type.id, type.sold]))
  let sum = 0
  for (const id of new Set(typeIds)) {
    const ofType = sold.get(id)
    if (ofType === undefined) throw new Problem('not_found', { param: 'registration_type_ids' })
    sum += ofType
  }
  return sum
}

/** Links a pool to the wanted types, and unlinks the others. The caller updates what the pool has sold. */
export async function linkTypes(
  tx: WriteTx,
  poolId: string,
  ids: { was: readonly string[]; wanted: readonly string[] },
): Promise<void> {
  const [was, wanted] = [new Set(ids.was), new Set(ids.wanted)]
  const now = await tx.now()
  const linkOf = (id: string) => ({ pool_id: poolId, registration_type_id: id })
  for (const id of was) if (!wanted.has(id)) await poolStore.unlink(tx, linkOf(id))
  for (const id of wanted) if (!was.has(id)) await poolStore.link(tx, linkOf(id), now)
}
