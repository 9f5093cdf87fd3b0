/**
 * The rest of the turn of the event loop in which the object is made. SQLite answers at once, so work that awaits nothing but its
 * transaction ends in that turn.
 */
export class Turn {
  #isOver = false
  #give: ((error: Error) => void) | undefined
  readonly #end = setImmediate(() => {
    this.#isOver = true
    this.#give?.(new Error('A transaction waited for something else than its database.'))
  })

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

  /** Ends the turn, in which nothing more is done. */
  end(): void {
    clearImmediate(this.#end)
  }
}
