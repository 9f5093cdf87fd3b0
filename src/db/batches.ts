import type { Database, ReadTx } from './port.ts'

/** All that a long reader needs of the database. */
export type Reader = Pick<Database, 'read'>

/**
 * Reads a large result in batches, each a short snapshot of its own that begins after the last row of the one before, and
 * lets the event loop turn between them: a report holds neither the writer nor a snapshot nor the rows it has passed.
 *
 * @param readBatch reads the rows after `last`, at most `size`
 */
export async function* inBatches<Row>(
  reader: Reader,
  size: number,
  readBatch: (tx: ReadTx, last: Row | undefined, size: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const rows = await reader.read(tx => readBatch(tx, last, size))
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
    await new Promise(resolve => setImmediate(resolve))
  }
}
