import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The rest of the turn of the event loop in which the object is made. SQLite answers at once, so work that awaits nothing but its
 * transaction ends in that turn, or asks for the next one.
 */
export class Turn {
  #isOver = false
  #give: ((error: Error) => void) | undefined
  #began = performance.now()
  #end = this.#watch()

  get isOver(): boolean {
    return this.#isOver
  }

  /** Waits for work. @throws Error if the work has not ended by the end of the turn */
  within<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#give = reject
      work.then(resolve, reject)
    })
  }

  /** Goes on in the next turn if this one has taken so long, in milliseconds. */
  async renewAfter(time: number): Promise<void> {
    if (performance.now() - this.#began < time) return
    this.end()
    await nextTurn()
    this.#began = performance.now()
    this.#end = this.#watch()
  }

  /** Ends the turn, in which nothing more is done. */
  end(): void {
    clearImmediate(this.#end)
  }

  #watch(): NodeJS.Immediate {
    return setImmediate(() => {
      this.#isOver = true
      this.#give?.(new Error('A transaction waited for something else than its database.'))
    })
  }
}
