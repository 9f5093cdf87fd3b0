export interface SweepOptions {
  /** Does what is due; ends early where the signal says so. */
  look: (signal: AbortSignal) => Promise<void>
  /** Milliseconds. */
  interval: number
  /** A look has failed: the next one comes all the same. */
  failed: (error: unknown) => void
}

/** Looks for what is due by time, again and again: one look at a time, so that a slow one takes nobody's turn. */
export class Sweep {
  readonly #options: SweepOptions
  readonly #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | undefined

  constructor(options: SweepOptions) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), this.#options.interval).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping.abort()
    await this.#looking
  }

  /** Looks now, unless it is doing so. Never throws. */
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
