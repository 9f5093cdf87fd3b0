import type { ReadTx } from '#machinery/db/port.ts'
import * as poolStore from './pool-store.ts'
import { sumCapacity } from './shared-capacity.ts'
import * as store from './store.ts'

/** Returns the number of sold tickets, and of those that can be sold in all, for each event that has types. */
export async function sumPlaces(tx: ReadTx): Promise<Map<string, { sold: number; capacity: number }>> {
  const rows = await store.sumPlaces(tx)
  const sharing = Map.groupBy(await poolStore.listSharing(tx), row => row.event_id)
  return new Map(
    rows.map(({ event_id, sold, capacity }) => {
      return [event_id, { sold, capacity: capacity - lostBySharing(sharing.get(event_id) ?? []) }]
    }),
  )
}

/** Returns how many tickets fewer than the types have by themselves can be sold because they share pools. */
function lostBySharing(rows: readonly poolStore.SharingRow[]): number {
  const types = new Map(rows.map(row => [row.registration_type_id, row.capacity]))
  const pools = [...Map.groupBy(rows, row => row.pool_id).values()].map(ofPool => ({
    capacity: ofPool[0]?.pool_capacity ?? 0,
    registration_type_ids: ofPool.map(row => row.registration_type_id),
  }))
  const alone = [...types.values()].reduce((sum, capacity) => sum + capacity, 0)
  return (
    alone -
    sumCapacity(
      [...types].map(([id, capacity]) => ({ id, capacity })),
      pools,
    )
  )
}
