import type { Database } from '#machinery/db/port.ts'
import type { Processor } from '#product/selling/payments/processor.ts'

/**
 * Counts the steps of a process: each write and each call to a processor is one before it and one after it. At one of them it may
 * die: nothing that it would do after that happens, and what it has committed stays.
 */
export class Life {
  /** It resolves when it dies. */
  readonly died: Promise<void>
  steps = 0
  #end: () => void = () => undefined
  #dieAt = Number.POSITIVE_INFINITY
  #isDead = false
  #underWay = 0

  constructor() {
    this.died = new Promise(resolve => {
      this.#end = resolve
    })
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** @param steps from now on */
  dieIn(steps: number): void {
    this.#dieAt = this.steps + steps
  }

  /** Waits for what was given to the database before it died. */
  async laidToRest(): Promise<void> {
    while (this.#underWay > 0) await new Promise(resolve => setImmediate(resolve))
  }

  async #step(): Promise<void> {
    this.steps++
    if (!this.#isDead && this.steps >= this.#dieAt) {
      this.#isDead = true
      this.#end()
    }
    if (this.#isDead) await new Promise(() => undefined)
  }

  async #take<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#step()
    this.#underWay++
    try {
      return await work()
    } finally {
      this.#underWay--
      await this.#step()
    }
  }

  database(db: Database): Database {
    const write: Database['write'] = (owner, work) => this.#take(() => db.write(owner, work))
    return new Proxy(db, {
      get: (target, name: keyof Database) =>
        name === 'write' ? write : (target[name] as (...args: unknown[]) => unknown).bind(target),
    })
  }

  processor(processor: Processor): Processor {
    return this.asking(processor, ['can'])
  }

  /** Wraps an object whose calls are such steps, except some. */
  asking<Of extends object>(of: Of, free: readonly (keyof Of)[] = []): Of {
    return new Proxy(of, {
      get: (target, name) => {
        const key = name as keyof Of
        const call = (target[key] as (...args: unknown[]) => Promise<unknown>).bind(target)
        return free.includes(key) ? call : (...args: unknown[]) => this.#take(async () => call(...args))
      },
    })
  }
}
