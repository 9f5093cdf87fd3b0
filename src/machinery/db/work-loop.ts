import type { Database } from './port.ts'

export interface WorkLoopOptions {
  db: Pick<Database, 'onCommit'>
  /** Does what is due. */
  work: () => Promise<void>
  /** Runs after a turn that has failed. The next wake-up takes the turn again. */
  failed: (error: unknown) => void
}

/** How long `settled` waits after a turn that has failed, in milliseconds. */
const AFTER_FAILURE = 20

/**
 * Makes work look for what is due, one turn at a time: after every commit, and whenever somebody wakes it. The schedule wakes it
 * for what became due by time alone. Waking costs little, because calls that come together become one turn.
 */
export class WorkLoop {
  readonly #options: WorkLoopOptions
  readonly #underWay = new Set<Promise<void>>()
  #running: Promise<void> | undefined
  #again = false
  #hasFailed = false

  constructor(options: WorkLoopOptions) {
    this.#options = options
  }

  get isBusy(): boolean {
    return this.#running !== undefined
  }

  start(): void {
    this.#options.db.onCommit(() => this.wake())
    this.wake()
  }

  wake(): void {
    this.#again = true
    this.#running ??= new Promise(resolve => setImmediate(async () => resolve(await this.#run())))
  }

  /** Notes work that a turn has begun without waiting for it, and wakes the loop when it ends. @param work never rejects */
  begin(work: Promise<void>): void {
    const noted = work.then(() => {
      this.#underWay.delete(noted)
      this.wake()
    })
    this.#underWay.add(noted)
  }

  /** Takes turns until nothing is due and everything that they have begun has ended. */
  async settled(): Promise<void> {
    do {
      if (this.#hasFailed) await new Promise(resolve => setTimeout(resolve, AFTER_FAILURE))
      this.wake()
      while (this.#running !== undefined || this.#underWay.size > 0) {
        await Promise.race([this.#running, ...this.#underWay].filter(each => each !== undefined))
      }
    } while (this.#hasFailed)
  }

  async #run(): Promise<void> {
    this.#hasFailed = false
    try {
      while (this.#again) {
        this.#again = false
        await this.#options.work()
      }
    } catch (error) {
      this.#hasFailed = true
      this.#options.failed(error)
    } finally {
      this.#running = undefined
    }
  }
}
