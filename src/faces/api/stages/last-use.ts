import { MINUTE } from '#base/time.ts'
import * as keys from '#product/administration/keys/rules.ts'
import type { Services } from '../context.ts'

/** The server remembers the last use of this many keys. */
export const KEPT_KEYS = 100_000

/** Records the last use of a key, at most once a minute. */
export class LastUse {
  readonly #services: Services
  readonly #lastMarked = new Map<string, number>()

  constructor(services: Services) {
    this.#services = services
  }

  /** The request does not wait for this write. */
  mark(caller: keys.Caller): void {
    const { db, clock, log } = this.#services
    const now = clock()
    const last = this.#lastMarked.get(caller.keyId) ?? caller.lastUsedAt ?? 0
    // A last use in the future comes from a clock that was ahead.
    if (Math.abs(now - last) < MINUTE) return
    this.#remember(caller.keyId, now)
    const { accountId, keyId } = caller
    db.write(accountId, tx => keys.markUsed(tx, keyId, now)).catch(error =>
      log.warn({ err: error, key_id: keyId }, 'the last use of a key could not be recorded'),
    )
  }

  /** When there are too many keys, the oldest one is dropped. */
  #remember(keyId: string, now: number): void {
    this.#lastMarked.delete(keyId)
    this.#lastMarked.set(keyId, now)
    if (this.#lastMarked.size > KEPT_KEYS) {
      this.#lastMarked.delete(this.#lastMarked.keys().next().value as string)
    }
  }
}
