import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Owner, ReadTxOf } from './port.ts'

/** The part of the database that a long reader needs. */
export type Reader = Pick<Database, 'read'>

/** The part that a look at every value needs. */
export type ValueReader = Pick<Database, 'read' | 'catalog'>

/**
 * Reads a large result in batches. Each batch is a short snapshot of its own that begins after the last row of the one before,
 * and the event loop turns between them. So a report holds neither the writer nor a snapshot nor the rows it has passed.
 *
 * @param readBatch reads at most `size` rows after `last`, and returns no rows at the end
 */
export async function* inBatches<Row, O extends Owner>(
  reader: Reader,
  owner: O,
  size: number,
  readBatch: (tx: ReadTxOf<O>, last: Row | undefined, size: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await reader.read(owner, tx => readBatch(tx, last, size))
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
    await nextTurn()
  }
}

/** The limits of one write of the cleaning, so that no check-in waits for it: rows, and bytes of their long texts. */
export interface CleaningBatch {
  rows: number
  /** A single row may have more. */
  bytes: number
}

/** Returns how many of the rows, at least one, together have at most `most` of the size that `sizeOf` gives. */
export function countWithin<Row>(rows: readonly Row[], sizeOf: (row: Row) => number, most: number): number {
  let sum = 0
  const over = rows.findIndex(row => {
    sum += sizeOf(row)
    return sum > most
  })
  return over === -1 ? rows.length : Math.max(1, over)
}

/** The length of a row's text. The database knows it without reading the text. */
export interface Length {
  bytes: number
}

export function bytesOf({ bytes }: Length): number {
  return bytes
}
