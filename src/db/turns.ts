import { SECOND } from '../time.ts'
import type { Database } from './port.ts'

export interface TurnsOptions {
  db: Pick<Database, 'onCommit'>
  /** Does what is due. */
  turn: () => Promise<void>
  /** A turn has failed: it is taken again within a second. */
  failed: (error: unknown) => void
}

/**
 * Has work look for what is due, one turn at a time: after every commit, and each second for what became due by time alone.
 * Waking it costs little, as calls that come together become one turn.
 */
export class Turns {
  readonly #options: TurnsOptions
  #sweep: NodeJS.Timeout | undefined
  #isBusy = false
  #again = false

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#isBusy
  }

  start(): void {
    this.#options.db.onCommit(() => this.wake())
    this.#sweep = setInterval(() => this.wake(), SECOND).unref()
    this.wake()
  }

  wake(): void {
    this.#again = true
    if (this.#isBusy) return
    this.#isBusy = true
    setImmediate(async () => {
      try {
        while (this.#again) {
          this.#again = false
          await this.#options.turn()
        }
      } catch (error) {
        this.#options.failed(error)
      } finally {
        this.#isBusy = false
      }
    })
  }

  /** Ends the sweep; commits and calls still wake it, for what is under way. */
  stop(): void {
    clearInterval(this.#sweep)
  }
}
