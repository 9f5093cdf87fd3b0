import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { newUuid } from '../ids.ts'
import { Problem } from '../problem.ts'
import { serveWaitlist } from './places.ts'
import * as poolStore from './pool-store.ts'
import { type NewPool, type Pool, presentPool } from './schemas.ts'
import * as store from './store.ts'

/**
 * The shared capacity of an event, oldest first.
 *
 * @throws Problem not_found
 */
export async function listPools(tx: ReadTx, accountId: string, eventId: string): Promise<Pool[]> {
  await events.get(tx, accountId, eventId)
  const links = await poolStore.listLinks(tx, accountId, eventId)
  return (await poolStore.listByEvent(tx, accountId, eventId)).map(row =>
    presentPool(
      row,
      links.flatMap(link => (link.pool_id === row.id ? [link.registration_type_id] : [])),
    ),
  )
}

/** @throws Problem not_found */
export async function getPool(tx: ReadTx, accountId: string, eventId: string, id: string): Promise<Pool> {
  return findPool(await listPools(tx, accountId, eventId), id)
}

/**
 * Makes a pool that these types draw from, from then on: what they have sold already counts.
 *
 * @throws Problem not_found, with `param` for a type; already_taken for `name`; below_sold for `capacity`, with `details.sold`
 */
export async function createPool(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  { name, capacity, registration_type_ids: typeIds }: NewPool,
): Promise<Pool> {
  const others = await listPools(tx, accountId, eventId)
  const row = { id: newUuid(), event_id: eventId, name, capacity, sold: 0 }
  const planned = { ...row, sold: await sumSold(tx, accountId, eventId, typeIds) }
  refuseConflicts(planned, others)
  await poolStore.insert(tx, accountId, planned, await tx.now())
  await linkTypes(tx, accountId, row.id, { was: [], wanted: typeIds })
  return presentPool(planned, [...new Set(typeIds)])
}

/**
 * Changes the fields that are given. What its types have sold is counted anew, and those who wait are served where there is
 * more room than before.
 *
 * @throws Problem those of `createPool`
 */
export async function updatePool(
  tx: WriteTx,
  accountId: string,
  eventId: string,
  id: string,
  changes: Partial<NewPool>,
): Promise<Pool> {
  const pools = await listPools(tx, accountId, eventId)
  const was = findPool(pools, id)
  const typeIds = changes.registration_type_ids ?? was.registration_type_ids
  const sold = await sumSold(tx, accountId, eventId, typeIds)
  const pool = { ...was, ...changes, sold }
  refuseConflicts(
    pool,
    pools.filter(other => other !== was),
  )
  await poolStore.update(tx, accountId, pool, await tx.now())
  await linkTypes(tx, accountId, id, { was: was.registration_type_ids, wanted: typeIds })
  await serveWaitlist(tx, accountId, eventId, [...was.registration_type_ids, ...typeIds])
  return presentPool(pool, [...new Set(typeIds)])
}

/**
 * Removes a pool: its types have their own capacity, and that of their other pools.
 *
 * @throws Problem not_found
 */
export async function removePool(tx: WriteTx, accountId: string, eventId: string, id: string): Promise<void> {
  const pool = findPool(await listPools(tx, accountId, eventId), id)
  await linkTypes(tx, accountId, id, { was: pool.registration_type_ids, wanted: [] })
  await poolStore.remove(tx, accountId, id)
  await serveWaitlist(tx, accountId, eventId, pool.registration_type_ids)
}

/** A type that is removed draws from nothing any more. It has sold nothing. */
export async function leavePools(tx: WriteTx, accountId: string, typeId: string): Promise<void> {
  for (const id of await poolStore.listOfType(tx, accountId, typeId)) {
    await poolStore.unlink(tx, accountId, { pool_id: id, registration_type_id: typeId })
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

/** What these types of the event have sold. */
async function sumSold(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  typeIds: readonly string[],
): Promise<number> {
  const types = await store.listByEventOldestFirst(tx, accountId, eventId)
  const sold = new Map(types.map(type => [type.id, type.sold]))
  let sum = 0
  for (const id of new Set(typeIds)) {
    const ofType = sold.get(id)
    if (ofType === undefined) throw new Problem('not_found', { param: 'registration_type_ids' })
    sum += ofType
  }
  return sum
}

/** Brings the types of a pool to those that are wanted. What it has sold is for the caller to change. */
export async function linkTypes(
  tx: WriteTx,
  accountId: string,
  poolId: string,
  ids: { was: readonly string[]; wanted: readonly string[] },
): Promise<void> {
  const [was, wanted] = [new Set(ids.was), new Set(ids.wanted)]
  const now = await tx.now()
  const linkOf = (id: string) => ({ pool_id: poolId, registration_type_id: id })
  for (const id of was) if (!wanted.has(id)) await poolStore.unlink(tx, accountId, linkOf(id))
  for (const id of wanted) if (!was.has(id)) await poolStore.link(tx, accountId, linkOf(id), now)
}
