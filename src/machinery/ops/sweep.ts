export interface SweepOptions {
  /** Does what is due, and ends early if the signal says so. */
  look: (signal: AbortSignal) => Promise<void>
  /** Runs after a look that has failed. The next one comes all the same. */
  failed: (error: unknown) => void
}

/** Looks for what is due by time whenever it is told to. Only one look runs at a time, so a slow one takes nobody's turn. */
export class Sweep {
  readonly #options: SweepOptions
  readonly #stopping = new AbortController()
  #looking: Promise<void> | undefined

  constructor(options: SweepOptions) {
    this.#options = options
  }

  /** Ends the look under way, in its middle. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#looking
  }

  /** Looks now, unless a look is already under way. It never throws. */
  look(): Promise<void> {
    this.#looking ??= this.#options
      .look(this.#stopping.signal)
      .catch(this.#options.failed)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }
}
