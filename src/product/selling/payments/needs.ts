import type { ReadTx } from '../db/port.ts'
import { isToDecide } from './amounts.ts'
import { listTroubled } from './rules.ts'
import { list as listWays } from './ways-store.ts'

/** Whether an event is one of those that somebody sees. @param eventIds null for all of the account */
function isSeen(eventIds: readonly string[] | null, eventId: string): boolean {
  return eventIds === null || eventIds.includes(eventId)
}

/** How many payments of which event are not what was asked for, and wait for somebody. @param most payments that are looked at */
export async function countToDecide(
  tx: ReadTx,
  accountId: string,
  eventIds: readonly string[] | null,
  most: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const payment of await listTroubled(tx, accountId, most)) {
    if (!isToDecide(payment) || !isSeen(eventIds, payment.event_id)) continue
    counts.set(payment.event_id, (counts.get(payment.event_id) ?? 0) + 1)
  }
  return counts
}

/** Whether Stripe refuses the key of an account. */
export async function isStripeDenied(tx: ReadTx, accountId: string): Promise<boolean> {
  const ways = await listWays(tx, accountId)
  return ways.some(({ method, trouble }) => method === 'stripe' && trouble === 'denied')
}
