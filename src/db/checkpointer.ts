import { Worker } from 'node:worker_threads'
import type { GroupCommit } from './group-commit.ts'
import type { WriteAheadLog } from './wal.ts'

const MEBIBYTE = 1024 * 1024
/** The size of the log at which a checkpoint begins. */
const BEGIN_AT = 16 * MEBIBYTE
/** The size at which writes wait for the checkpoint that is under way. */
const WAIT_AT = 40 * MEBIBYTE
const WATCH_EVERY = 20
/** How long a checkpoint that could not complete, as another process reads, waits for the next one, in milliseconds. */
const RETRY_AFTER = 1_000

/** `PASSIVE` copies what it can beside readers and writers; `TRUNCATE` copies the rest and empties the log. */
export type CheckpointMode = 'PASSIVE' | 'TRUNCATE'
export type CheckpointAnswer = { complete: boolean } | { error: string }

export interface CheckpointWorkerData {
  path: string
  /** A file or URL beside which better-sqlite3 can be found. */
  requireFrom: string
}

declare const CHECKPOINT_WORKER: string | undefined

/**
 * Keeps the write-ahead log small, off the event loop. Most is copied while writes go on; then writes pause for the moment
 * that it takes to copy what came meanwhile and to empty the log, as under a steady load nothing else ever would.
 */
export class Checkpointer {
  readonly #log: WriteAheadLog
  readonly #commits: GroupCommit
  readonly #worker: Worker
  readonly #onFailure: (error: unknown) => void
  #running: Promise<void> | undefined
  #notBefore = 0
  #closed = false

  constructor(path: string, log: WriteAheadLog, commits: GroupCommit, onFailure: (error: unknown) => void) {
    this.#log = log
    this.#commits = commits
    this.#onFailure = onFailure
    this.#worker = startWorker(path)
    this.#worker.on('error', onFailure)
    this.#worker.unref()
  }

  /** Called after each commit. */
  check(): void {
    if (this.#running !== undefined || this.#closed) return
    if (performance.now() < this.#notBefore || this.#log.size < BEGIN_AT) return
    this.#running = this.#run().catch(this.#onFailure)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#worker.terminate()
  }

  async #run(): Promise<void> {
    const copied = this.#ask('PASSIVE')
    let waiting = false
    const watch = setInterval(() => {
      if (waiting || this.#log.size < WAIT_AT) return
      waiting = true
      void this.#commits.pauseFor(() => copied.then(() => undefined))
    }, WATCH_EVERY)
    await copied.finally(() => clearInterval(watch))
    let complete = false
    await this.#commits.pauseFor(async () => {
      complete = await this.#ask('TRUNCATE')
    })
    if (!complete) this.#notBefore = performance.now() + RETRY_AFTER
    this.#running = undefined
  }

  #ask(mode: CheckpointMode): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#worker.once('message', (answer: CheckpointAnswer) => {
        if ('error' in answer) reject(new Error(answer.error))
        else resolve(answer.complete)
      })
      this.#worker.postMessage(mode)
    })
  }
}

/** The bundle carries the worker as text; the sources have it beside them. */
function startWorker(path: string): Worker {
  if (typeof CHECKPOINT_WORKER === 'string') {
    const workerData: CheckpointWorkerData = { path, requireFrom: __filename }
    return new Worker(CHECKPOINT_WORKER, { eval: true, workerData })
  }
  const workerData: CheckpointWorkerData = { path, requireFrom: import.meta.url }
  return new Worker(new URL('./checkpoint-worker.ts', import.meta.url), { workerData })
}
