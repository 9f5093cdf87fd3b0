import type { ReadTx } from '#machinery/db/port.ts'
import { isToDecide } from './amounts.ts'
import { list as listWays } from './methods-store.ts'
import { listTroubled } from './rules.ts'

/** Tells whether a member sees an event. @param eventIds null for all of the account */
function isSeen(eventIds: readonly string[] | null, eventId: string): boolean {
  return eventIds === null || eventIds.includes(eventId)
}

/** Counts, by event, the payments with a wrong amount that wait for a decision. @param most how many payments it looks at */
export async function countToDecide(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  most: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const payment of await listTroubled(tx, most)) {
    if (!isToDecide(payment) || !isSeen(eventIds, payment.event_id)) continue
    counts.set(payment.event_id, (counts.get(payment.event_id) ?? 0) + 1)
  }
  return counts
}

/** Returns why Stripe cannot be asked: it refuses the key of an account, or the key is missing. */
export async function findKeyTrouble(tx: ReadTx): Promise<'denied' | 'no_key' | undefined> {
  const stripe = (await listWays(tx)).find(({ method }) => method === 'stripe')
  return stripe?.trouble === 'denied' || stripe?.trouble === 'no_key' ? stripe.trouble : undefined
}
