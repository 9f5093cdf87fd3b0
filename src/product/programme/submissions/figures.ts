import type { ReadTx } from '#machinery/db/port.ts'
import * as store from './store.ts'

/** How far `countBegun` counts. */
export const MOST_BEGUN_COUNTED = 1_000

/** Counts what was begun in an event and never sent, no further than `MOST_BEGUN_COUNTED`. */
export function countBegun(tx: ReadTx, eventId: string): Promise<number> {
  return store.countUpTo(tx, eventId, 'begun', MOST_BEGUN_COUNTED)
}
