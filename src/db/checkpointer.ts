import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { GroupCommit } from './group-commit.ts'
import type { DatabaseObserver } from './port.ts'
import type { WriteAheadLog } from './wal.ts'

const MEBIBYTE = 1024 * 1024
/** The size of the log at which a checkpoint begins, in bytes. */
const BEGIN_AT = 16 * MEBIBYTE
/** The size at which writes wait for the checkpoint that is under way, in bytes. */
const WAIT_AT = 40 * MEBIBYTE
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

/** The bundle carries the worker as a constant; the sources read it from beside them. */
const workerText =
  typeof CHECKPOINT_WORKER === 'string'
    ? CHECKPOINT_WORKER
    : readFileSync(new URL('./checkpoint-worker.cjs', import.meta.url), 'utf8')

export interface CheckpointerOptions {
  /** Of the database. */
  path: string
  log: WriteAheadLog
  commits: Pick<GroupCommit, 'pauseFor'>
  onFailure: (error: unknown) => void
  observer?: DatabaseObserver | undefined
  /** For tests: the sizes of the log, in bytes, instead of those of a server. */
  beginAt?: number
  waitAt?: number
}

/**
 * Keeps the write-ahead log small, off the event loop. Most is copied while writes go on; then writes pause for
 * the moment that it takes to copy what came meanwhile and to empty the log, as under a steady load nothing else ever would.
 */
export class Checkpointer {
  readonly #path: string
  readonly #log: WriteAheadLog
  readonly #commits: CheckpointerOptions['commits']
  readonly #onFailure: (error: unknown) => void
  readonly #observer: DatabaseObserver | undefined
  readonly #beginAt: number
  readonly #waitAt: number
  #thread: CheckpointThread | undefined
  #running: Promise<void> | undefined
  /** As long as no write waits for it. */
  #copying: Promise<unknown> | undefined
  #notBefore = 0
  #closed = false

  constructor({ path, log, commits, onFailure, observer, beginAt, waitAt }: CheckpointerOptions) {
    this.#path = path
    this.#log = log
    this.#commits = commits
    this.#onFailure = onFailure
    this.#observer = observer
    this.#beginAt = beginAt ?? BEGIN_AT
    this.#waitAt = waitAt ?? WAIT_AT
  }

  /** Called after each commit. */
  check(): void {
    const { size } = this.#log
    if (this.#running === undefined) {
      if (this.#closed || size < this.#beginAt || performance.now() < this.#notBefore) return
      this.#running = this.#run().catch(this.#onFailure)
    } else if (this.#copying !== undefined && size >= this.#waitAt) {
      const copied = this.#copying
      this.#copying = undefined
      void this.#commits.pauseFor(() => copied).catch(() => undefined)
    }
  }

  /** Waits for the checkpoint that is under way; there are no more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#thread?.worker.terminate()
  }

  async #run(): Promise<void> {
    const began = performance.now()
    this.#copying = this.#ask('PASSIVE')
    await this.#copying
    this.#copying = undefined
    let complete = false
    await this.#commits.pauseFor(async () => {
      complete = await this.#ask('TRUNCATE')
    })
    this.#observer?.onCheckpoint(complete, performance.now() - began)
    if (!complete) this.#notBefore = performance.now() + RETRY_AFTER
    this.#running = undefined
  }

  #ask(mode: CheckpointMode): Promise<boolean> {
    this.#thread ??= startThread(this.#path)
    const { worker, died } = this.#thread
    const answered = new Promise<boolean>((resolve, reject) => {
      worker.once('message', (answer: CheckpointAnswer) => {
        if ('error' in answer) reject(new Error(answer.error))
        else resolve(answer.complete)
      })
      worker.postMessage(mode)
    })
    return Promise.race([answered, died])
  }
}

interface CheckpointThread {
  worker: Worker
  /** Rejects when the thread has ended. */
  died: Promise<never>
}

/** Started by the first checkpoint: a server that has little to do needs no thread. */
function startThread(path: string): CheckpointThread {
  const requireFrom = typeof CHECKPOINT_WORKER === 'string' ? __filename : import.meta.url
  const workerData: CheckpointWorkerData = { path, requireFrom }
  const worker = new Worker(workerText, { eval: true, execArgv: [], workerData })
  worker.unref()
  const died = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread of the checkpoints has ended.')))
  })
  // Between two checkpoints nobody waits for it; the next one is told.
  died.catch(() => undefined)
  return { worker, died }
}
