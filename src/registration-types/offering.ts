import type { ReadTx, WriteTx } from '../db/port.ts'
import type { Chosen, Room } from '../waitlist/rules.ts'

/** Holds places for those who wait. Orders do, which build on this: so it is given from above. */
export interface Offering {
  /** Of the types that places were released of, those that somebody may be offered now. @param now milliseconds of the clock */
  limit(
    tx: ReadTx,
    accountId: string,
    eventId: string,
    rooms: ReadonlyMap<string, readonly Room[]>,
    now: number,
  ): Promise<ReadonlyMap<string, readonly Room[]>>
  /** Holds places for each of these. Runs in the transaction of the release. */
  offer(tx: WriteTx, accountId: string, eventId: string, chosen: readonly Chosen[]): Promise<void>
  /** Has whoever else waits for these types served soon, by `serveMore`: more than one write may hold places for. */
  continueSoon(tx: WriteTx, accountId: string, eventId: string, typeIds: readonly string[]): Promise<void>
}

let given: Offering | undefined

/** Says who holds places, once, before anything is released. */
export function offerBy(offering: Offering): void {
  given = offering
}

export function whoOffers(): Offering {
  // A programming error: a place that is released then would be nobody's.
  if (given === undefined) throw new Error('Nobody was said to hold places for those who wait.')
  return given
}
