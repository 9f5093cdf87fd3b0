import type { Database } from '../db/port.ts'
import * as pictures from '../events/pictures.ts'

/** Bytes of pictures that are kept in memory; those that nobody has asked for longest leave first. */
const KEPT_BYTES = 32 * 1024 * 1024

/** The files of pictures. What has a hash never changes, so that whatever is kept is right. */
export class Covers {
  readonly #db: Database
  readonly #kept = new Map<string, Buffer>()
  readonly #reading = new Map<string, Promise<Buffer | undefined>>()
  #bytes = 0

  constructor(db: Database) {
    this.#db = db
  }

  /** The caller knows that whoever asks may see it. */
  async read(accountId: string, eventId: string, hash: string): Promise<Buffer | undefined> {
    const known = this.#kept.get(hash)
    if (known !== undefined) {
      this.#kept.delete(hash)
      this.#kept.set(hash, known)
      return known
    }
    const name = `${eventId} ${hash}`
    let reading = this.#reading.get(name)
    if (reading === undefined) {
      reading = this.#db.read(tx => pictures.readContent(tx, accountId, eventId, hash))
      this.#reading.set(name, reading)
      const end = () => this.#reading.delete(name)
      reading.then(end, end)
    }
    const file = await reading
    if (file !== undefined && !this.#kept.has(hash)) this.#keep(hash, file)
    return file
  }

  #keep(hash: string, file: Buffer): void {
    this.#kept.set(hash, file)
    this.#bytes += file.length
    for (const [oldest, bytes] of this.#kept) {
      if (this.#bytes <= KEPT_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= bytes.length
    }
  }
}
