import type { ReadTx } from '#machinery/db/port.ts'
import * as listStore from './list-store.ts'

/**
 * Counts the orders that wait for approval, by event. Those of archived events do not count.
 *
 * @param eventIds the events to count for; null for all of the account
 * @param most how many orders it counts in all, or for each 128 of these events
 */
export async function countToApprove(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  most: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { event_id } of await listStore.listToApprove(tx, eventIds, most))
    counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
  return counts
}
