import type { Database } from '#machinery/db/port.ts'
import { ByteCache } from '#machinery/web/byte-cache.ts'
import * as pictures from '#product/catalog/events/pictures.ts'

/** The server keeps this many bytes of pictures in memory. */
const KEPT_BYTES = 32 * 1024 * 1024

/** Reads the files of pictures. A file with a hash never changes, so that a kept file is always right. */
export class Covers {
  readonly #db: Database
  readonly #kept = new ByteCache(KEPT_BYTES)
  readonly #reading = new Map<string, Promise<Buffer | undefined>>()

  constructor(db: Database) {
    this.#db = db
  }

  /** The caller has checked that the visitor may see the picture. */
  async read(accountId: string, eventId: string, hash: string): Promise<Buffer | undefined> {
    const kept = this.#kept.get(hash)
    if (kept !== undefined) return kept
    const name = `${eventId} ${hash}`
    let reading = this.#reading.get(name)
    if (reading === undefined) {
      reading = this.#db.read(accountId, tx => pictures.readContent(tx, eventId, hash))
      this.#reading.set(name, reading)
      const end = () => this.#reading.delete(name)
      reading.then(end, end)
    }
    const file = await reading
    if (file !== undefined) this.#kept.set(hash, file)
    return file
  }
}
