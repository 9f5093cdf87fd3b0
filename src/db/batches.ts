import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, ReadTx } from './port.ts'

/** All that a long reader needs of the database. */
export type Reader = Pick<Database, 'read'>

/**
 * Reads a large result in batches, each a short snapshot of its own that begins after the last row of the one before, and
 * lets the event loop turn between them: a report holds neither the writer nor a snapshot nor the rows it has passed.
 *
 * @param readBatch reads the rows after `last`, at most `size`; none are the end
 */
export async function* inBatches<Row>(
  reader: Reader,
  size: number,
  readBatch: (tx: ReadTx, last: Row | undefined, size: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await reader.read(tx => readBatch(tx, last, size))
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
    await nextTurn()
  }
}

/** What one write of a cleaning may delete, so that no check-in waits for it: rows, and bytes of their long texts. */
export interface CleaningBatch {
  rows: number
  /** One row may have more. */
  bytes: number
}

/** How many of the rows, one at least, have no more than `most` together of what `sizeOf` says. */
export function countWithin<Row>(rows: readonly Row[], sizeOf: (row: Row) => number, most: number): number {
  let sum = 0
  const over = rows.findIndex(row => {
    sum += sizeOf(row)
    return sum > most
  })
  return over === -1 ? rows.length : Math.max(1, over)
}

/** Of a row that was read for the length of its text alone, which stands before the text itself. */
export interface Length {
  bytes: number
}

export function bytesOf({ bytes }: Length): number {
  return bytes
}
