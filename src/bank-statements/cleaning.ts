import type { ReadTx, WriteTx } from '../db/port.ts'
import { DAY } from '../time.ts'
import * as store from './store.ts'

/** How long a file waits for somebody to have its lines matched. */
const UNDECIDED = 7 * DAY
/** How long lines that came to nothing say whose they are. */
const UNMATCHED = 90 * DAY

const ROWS_AT_ONCE = 200
const PARTS_AT_ONCE = 8

/** Whether there is something to clean: a write waits for the disk, also where there is nothing. */
export async function hasToClean(tx: ReadTx, accountId: string, now: number): Promise<boolean> {
  return store.hasOld(tx, accountId, { undecided: now - UNDECIDED, unmatched: now - UNMATCHED })
}

/**
 * Deletes some of the files and lines that nobody has had matched, and takes out of some old lines that came to nothing what they said of
 * people: what is left knows them again. Lines that were matched stay, as bookkeeping.
 *
 * @param now milliseconds of the clock
 * @returns how many rows
 */
export async function cleanSome(tx: WriteTx, accountId: string, now: number): Promise<number> {
  return (
    (await store.deleteOldParts(tx, accountId, now - UNDECIDED, PARTS_AT_ONCE)) +
    (await store.deleteForsaken(tx, accountId, now - UNDECIDED, ROWS_AT_ONCE)) +
    (await store.eraseOld(tx, accountId, { before: now - UNMATCHED, limit: ROWS_AT_ONCE }, await tx.now()))
  )
}
