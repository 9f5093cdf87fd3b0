import type { ChangesAnswer, ScansAnswer } from './contract.ts'
import { type Patience, WAIT } from './decide.ts'
import { itemOf, type ScanQueue } from './queue.ts'
import { NoAnswer, Refusal, type Server } from './server.ts'
import type { StoredScan } from './store.ts'

/** Between two looks for changes, in milliseconds. */
const PAUSE = 1500
/** At the most, while the server does not answer: scans that wait are to be there within seconds of its return. */
const LONGEST_PAUSE = 2000

export interface SyncParts {
  server: Server
  patience: Patience
  steady: () => number
  queue: () => ScanQueue
  /** Undefined before the first copy, or where another is needed. */
  cursor: () => string | undefined
  /** Whether changes are looked for: somebody has the page before them. */
  isActive: () => boolean
  /** Fetches the copy anew. */
  fetchCopy(): Promise<void>
  onChanges(answer: ChangesAnswer): Promise<void>
  onResults(sent: readonly StoredScan[], answer: ScansAnswer): Promise<number>
  onRefusal(code: string): Promise<void> | void
  onReach(isReached: boolean): void
}

/** Keeps the copy and the server together: changes come, scans go, each by itself. */
export class Sync {
  readonly #parts: SyncParts
  #isRunning = false
  #failures = 0
  #sending: Promise<void> | undefined
  #isPolling = false
  #isHurried = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parts: SyncParts) {
    this.#parts = parts
  }

  start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#poll()
  }

  stop(): void {
    this.#isRunning = false
    clearTimeout(this.#timer)
  }

  /** Does both at once: the network is back, or somebody looks at the page again. */
  hurry(): void {
    this.#failures = 0
    this.#isHurried = this.#isPolling
    this.#parts.server.giveUp()
    if (this.#isRunning) void this.#poll()
  }

  /** Sends what waits; what comes meanwhile goes with the next. Ends once nothing is left, or the server does not take it. */
  send(): Promise<void> {
    this.#sending ??= this.#sendAll()
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    try {
      while ((await this.#sendBatch()) > 0) this.#reached()
    } catch (error) {
      await this.#fail(error)
    } finally {
      this.#sending = undefined
    }
  }

  async #sendBatch(): Promise<number> {
    const { queue, server, steady, patience, onResults } = this.#parts
    const sent = queue().batch()
    if (sent.length === 0) return 0
    const before = steady()
    const answer = await server.send(sent.map(itemOf), queue().count - sent.length)
    // Nobody waits for these; one that would have been in time ends that.
    if (!patience.waits && steady() - before <= WAIT) patience.note(true)
    return onResults(sent, answer)
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    clearTimeout(this.#timer)
    try {
      let more = this.#parts.isActive()
      while (more && this.#isRunning) more = await this.#lookForChanges()
      if (this.#parts.queue().count > 0) void this.send()
    } catch (error) {
      await this.#fail(error)
    } finally {
      this.#isPolling = false
      const pause = this.#isHurried ? 0 : Math.min(PAUSE * 2 ** this.#failures, LONGEST_PAUSE)
      this.#isHurried = false
      clearTimeout(this.#timer)
      if (this.#isRunning) this.#timer = setTimeout(() => void this.#poll(), pause)
    }
  }

  async #lookForChanges(): Promise<boolean> {
    const { cursor, server, fetchCopy, onChanges } = this.#parts
    const from = cursor()
    if (from === undefined) {
      await fetchCopy()
      this.#reached()
      // What has changed while it was read: the phone's own scans too, whose marks it may lack.
      return cursor() !== undefined
    }
    const answer = await server.changes(from)
    this.#reached()
    await onChanges(answer)
    return answer.more
  }

  #reached(): void {
    this.#failures = 0
    this.#parts.onReach(true)
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof Refusal) {
      this.#parts.onReach(true)
      await this.#parts.onRefusal(error.code)
    } else if (error instanceof NoAnswer) {
      this.#parts.onReach(false)
    }
    this.#failures++
  }
}
