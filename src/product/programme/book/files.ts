import type { Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { type ZippedFile, zip } from '#machinery/files/zip.ts'
import * as files from '#product/programme/files/rules.ts'
import { readNext } from '#product/programme/publishing/publish.ts'
import * as store from './store.ts'

/** Counts the files beside the accepted abstracts of an event. */
export function countFiles(tx: ReadTx, eventId: string): Promise<number> {
  return store.countFiles(tx, eventId)
}

/**
 * Returns the files beside the accepted abstracts of an event as a ZIP file. Each is named by its number in the programme and its
 * code, or by its code alone: what its author has called it may be a name of somebody.
 */
export async function zipFiles(
  reader: Reader,
  accountId: string,
  eventId: string,
): Promise<AsyncGenerator<Buffer>> {
  const { rows, numbers } = await reader.read(accountId, async tx => ({
    rows: await store.listFiles(tx, eventId),
    numbers: (await readNext(tx, eventId)).numbers,
  }))
  const named = rows.map(({ abstract_id, code, id, size, created_at }): ZippedFile => {
    const number = numbers[abstract_id]
    const name = `${number === undefined ? '' : `${number}_`}${code.replace(/[^\w.-]/g, '_')}.pdf`
    return { name, size, changedAt: created_at, read: () => files.read(reader, accountId, { id, size }) }
  })
  return zip(named.sort((one, other) => (one.name < other.name ? -1 : 1)))
}
