import type { ReadTx } from '#machinery/db/port.ts'
import { presentDetails, type TypeDetails } from './schemas.ts'
import * as store from './store.ts'

/** Lists the types of several events at once, without their pools, whose places `available` has counted. */
export async function listOfEvents(
  tx: ReadTx,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TypeDetails[]>> {
  const rows = await store.listByEvents(tx, eventIds)
  return new Map(
    [...Map.groupBy(rows, row => row.event_id)].map(([id, own]) => [
      id,
      own.map(row => presentDetails(row, [])),
    ]),
  )
}
