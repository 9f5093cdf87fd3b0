import type { Reader } from '#machinery/db/batches.ts'

/** So many keys of a database are cached. The oldest leave first. */
const KEPT = 1000

/** Caches the keys that were found in each database, as a key is never changed or deleted. */
export class FoundKeys<Key> {
  readonly #ofReaders = new WeakMap<Reader, Map<string, Key>>()

  /** @param name what the key is kept by @param find looks for one that is not known yet */
  async get(reader: Reader, name: string, find: () => Promise<Key | undefined>): Promise<Key | undefined> {
    const keys = this.#of(reader)
    const known = keys.get(name)
    if (known !== undefined) return known
    const found = await find()
    if (found === undefined) return undefined
    if (keys.size >= KEPT) keys.delete(keys.keys().next().value as string)
    keys.set(name, found)
    return found
  }

  #of(reader: Reader): Map<string, Key> {
    let keys = this.#ofReaders.get(reader)
    if (keys === undefined) {
      keys = new Map()
      this.#ofReaders.set(reader, keys)
    }
    return keys
  }
}
