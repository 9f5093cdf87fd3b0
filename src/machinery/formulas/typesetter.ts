import type { Worker } from 'node:worker_threads'
import { SECOND } from '#base/time.ts'
import { startCarried } from '#machinery/threads/carried-thread.ts'
import type { Formula, FormulaMessage, FormulaTask } from './formula-task.ts'

/** The thread as `startCarried` takes it. The bundle defines it. */
declare const FORMULA_THREAD: string | undefined

/** The heap of the thread in megabytes. What takes more ends the thread. */
const MAX_HEAP = 96
const MAX_YOUNG_HEAP = 4
/** How long the formulas of a text may take, in milliseconds. Most take a few. */
export const MOST_TIME = SECOND
/** How long the thread may take to begin, in milliseconds. */
const MOST_START = 20 * SECOND
/** So many texts wait while another is made. More than these are not made, so nobody waits longer than these take. */
const MOST_WAITING = 15
/** How long the thread may be without work, in milliseconds. Then it ends and gives back its memory. */
const IDLE = 30 * SECOND

export interface TypesetterOptions {
  /** Starts a thread, which says that it is ready. */
  start?: () => Promise<Worker>
  /** In milliseconds. */
  mostTime?: number
  mostWaiting?: number
}

/**
 * Makes MathML of formulas in TeX, in a thread of its own, a text after another. The thread begins with the first text, and ends when
 * it is idle, fails, or takes too long: what it was at then is not made, and the next text has another thread.
 */
export class Typesetter {
  readonly #options: Required<TypesetterOptions>
  #thread: Promise<Worker> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #begun = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: TypesetterOptions = {}) {
    this.#options = { start: startThread, mostTime: MOST_TIME, mostWaiting: MOST_WAITING, ...options }
  }

  /**
   * Makes the formulas of a text.
   *
   * @returns each as the JSON of a `MathTree`, or null for one that is wrong, not allowed, or was not made in time; undefined if
   *   nothing was begun, because too many wait or no thread begins
   */
  async typeset(formulas: readonly Formula[]): Promise<readonly (string | null)[] | undefined> {
    if (formulas.length === 0) return []
    if (this.#waiting > this.#options.mostWaiting) return undefined
    this.#waiting++
    clearTimeout(this.#idle)
    const made = this.#last.then(() => this.#make(formulas))
    this.#last = made
    try {
      return await made
    } finally {
      this.#waiting--
      if (this.#waiting === 0) this.#idle = setTimeout(() => this.#end(), IDLE).unref()
    }
  }

  /** It never fails, so the next text always has its turn. */
  async #make(formulas: readonly Formula[]): Promise<(string | null)[] | undefined> {
    this.#thread ??= this.#begin()
    const begun = this.#thread
    let worker: Worker
    try {
      worker = await begun
    } catch {
      this.#drop(begun)
      return undefined
    }
    const number = this.#begun++
    const made = formulas.map((): string | null => null)
    worker.ref()
    const isDone = await new Promise<boolean>(resolve => {
      const take = (message: FormulaMessage) => {
        if (!('number' in message) || message.number !== number) return
        if ('done' in message) return settle(true)
        made[message.at] = message.tree
      }
      const fail = () => settle(false)
      const time = setTimeout(fail, this.#options.mostTime)
      const settle = (isWhole: boolean) => {
        clearTimeout(time)
        worker.off('message', take).off('exit', fail)
        resolve(isWhole)
      }
      worker.on('message', take).on('exit', fail)
      worker.postMessage({ number, formulas } satisfies FormulaTask)
    })
    worker.unref()
    if (!isDone) {
      this.#drop(begun)
      await worker.terminate()
    }
    return made
  }

  async #begin(): Promise<Worker> {
    const worker = await this.#options.start()
    // What goes wrong ends the thread, which is noticed, and must not end the program.
    worker.on('error', () => undefined)
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error('The thread for formulas has not begun.'))
      const time = setTimeout(fail, MOST_START)
      worker.once('exit', fail).once('message', () => {
        clearTimeout(time)
        worker.off('exit', fail)
        resolve()
      })
    }).catch(async error => {
      await worker.terminate()
      throw error
    })
    const begun = this.#thread
    worker.once('exit', () => this.#drop(begun))
    return worker
  }

  #drop(thread: Promise<Worker> | undefined): void {
    if (this.#thread === thread) this.#thread = undefined
  }

  #end(): void {
    const ended = this.#thread
    this.#thread = undefined
    ended?.then(worker => worker.terminate()).catch(() => undefined)
  }
}

function startThread(): Promise<Worker> {
  return startCarried({
    text: typeof FORMULA_THREAD === 'string' ? FORMULA_THREAD : undefined,
    folder: () => new URL('./', import.meta.url),
    maxHeap: MAX_HEAP,
    maxYoungHeap: MAX_YOUNG_HEAP,
  })
}
