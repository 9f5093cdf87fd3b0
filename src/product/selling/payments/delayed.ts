import { DAY } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { findStripe } from './connections.ts'

/** How long before an event somebody may still begin to pay by a method that takes days, in milliseconds. */
const LEAST_AHEAD = 14 * DAY

/**
 * Tells whether a buyer may pay for an event by a method whose money comes days later, or not at all, such as a direct debit. The
 * organizer has to offer them, and the event has to begin late enough that the buyer has the tickets before it.
 *
 * @param now milliseconds of the clock
 */
export async function takesDelayed(
  tx: ReadTx,
  { starts_at: begin }: Pick<EventDetails, 'starts_at'>,
  now: number,
): Promise<boolean> {
  if (begin === null || Date.parse(begin) < now + LEAST_AHEAD) return false
  return (await findStripe(tx))?.takes_delayed === true
}
