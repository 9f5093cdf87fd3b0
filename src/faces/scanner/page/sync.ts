import type { ChangesAnswer, ScansAnswer } from './contract.ts'
import { type Patience, WAIT } from './decide.ts'
import { itemOf, type ScanQueue } from './queue.ts'
import { Busy, NoAnswer, Refusal, type Server } from './server.ts'
import type { StoredScan } from './store.ts'

/** The page looks for changes after this many milliseconds. */
const PAUSE = 1500
/** The pause is at most this long while the server does not answer, so that waiting scans arrive within seconds of its return. */
const LONGEST_PAUSE = 2000

/** This says whether the server answers. `busy` means that it answers and asks to wait. */
export type Reach = 'yes' | 'no' | 'busy'

export interface SyncParts {
  server: Server
  patience: Patience
  steady: () => number
  queue: () => ScanQueue
  /** Returns undefined before the first copy, or if the page needs a new one. */
  cursor: () => string | undefined
  /** Whether the page looks for changes, because somebody has it in view. */
  isActive: () => boolean
  /** Fetches the copy anew. */
  fetchCopy(): Promise<void>
  onChanges(answer: ChangesAnswer): Promise<void>
  onResults(sent: readonly StoredScan[], answer: ScansAnswer): Promise<number>
  onRefusal(code: string): Promise<void> | void
  onReach(reach: Reach): void
}

/** Keeps the copy and the server in step. Changes come and scans go independently. */
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

  /** Fetches and sends at once, because the network is back or somebody looks at the page again. */
  hurry(): void {
    this.#failures = 0
    this.#isHurried = this.#isPolling
    this.#parts.server.giveUp()
    if (this.#isRunning) void this.#poll()
  }

  /**
   * Sends the scans that wait. A scan that comes meanwhile goes with the next batch. Ends once nothing is left, or if the server
   * does not take it.
   */
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
    const { queue, server, onResults } = this.#parts
    const sent = queue().batch()
    if (sent.length === 0) return 0
    const answer = await this.#timed(() => server.send(sent.map(itemOf), queue().count - sent.length))
    return onResults(sent, answer)
  }

  /** No guest waits for these answers. One that comes fast enough makes the page wait for the server again. */
  async #timed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const { steady, patience } = this.#parts
    const before = steady()
    const answer = await ask()
    if (!patience.waits && steady() - before <= WAIT) patience.note(true)
    return answer
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
      const { busyFor } = this.#parts.server
      this.#isHurried = false
      clearTimeout(this.#timer)
      if (this.#isRunning) this.#timer = setTimeout(() => void this.#poll(), Math.max(pause, busyFor))
    }
  }

  async #lookForChanges(): Promise<boolean> {
    const { cursor, server, fetchCopy, onChanges } = this.#parts
    const from = cursor()
    if (from === undefined) {
      await fetchCopy()
      this.#reached()
      // The next request brings what changed during the read, including the phone's own scans, whose marks the copy may lack.
      return cursor() !== undefined
    }
    const answer = await this.#timed(() => server.changes(from))
    this.#reached()
    await onChanges(answer)
    return answer.more
  }

  #reached(): void {
    this.#failures = 0
    this.#parts.onReach('yes')
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof Refusal) {
      this.#parts.onReach('yes')
      await this.#parts.onRefusal(error.code)
    } else if (error instanceof NoAnswer) {
      this.#parts.onReach(error instanceof Busy ? 'busy' : 'no')
    }
    this.#failures++
  }
}
