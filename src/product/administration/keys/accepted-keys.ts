import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { authenticate, type Caller } from './rules.ts'
import { TABLE } from './store.ts'

/** The number of keys that are kept. It is a thousand times as many as busy accounts use at once, and takes some megabytes. */
const KEPT = 10_000

/**
 * Accepts keys, and remembers them for as long as no process has written to the table of keys. The request after a key was
 * revoked or has expired is refused.
 *
 * This saves a read transaction, a hash and a turn of the event loop for each request: 30 of some 150 µs.
 */
export class AcceptedKeys {
  readonly #db: Database
  readonly #clock: Clock
  readonly #accepted = new Map<string, Caller>()
  #version: number | undefined

  constructor({ db, clock }: { db: Database; clock: Clock }) {
    this.#db = db
    this.#clock = clock
  }

  /** Returns the caller of a key that is still accepted. If it returns undefined, the caller has to use `accept`. */
  find(key: string): Caller | undefined {
    const version = this.#db.versionOf(TABLE)
    if (version === undefined || version !== this.#version) {
      this.#accepted.clear()
      this.#version = version
      return undefined
    }
    const caller = this.#accepted.get(key)
    return caller === undefined || isOver(caller, this.#clock()) ? undefined : caller
  }

  /** @throws Problem the ones of `authenticate` */
  async accept(key: string): Promise<Caller> {
    // This version is older than the snapshot. A commit between the two makes another version, and the next `find` drops the key.
    const version = this.#version
    const caller = await this.#db.read(INSTANCE, tx => authenticate(tx, key, this.#clock()), { ahead: true })
    if (version !== undefined && version === this.#version) this.#keep(key, caller)
    return caller
  }

  /** Keeps a key, and drops the oldest one if there are too many. */
  #keep(key: string, caller: Caller): void {
    this.#accepted.set(key, caller)
    if (this.#accepted.size > KEPT) this.#accepted.delete(this.#accepted.keys().next().value as string)
  }
}

function isOver({ expiresAt }: Caller, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}
