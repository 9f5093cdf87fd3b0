import type { DatabaseFiles, FileIdentity } from './database-files.ts'
import type { GroupCommit } from './group-commit.ts'
import type { SqliteObserver } from './metrics.ts'
import { type DatabaseThread, endDatabaseThread, startDatabaseThread } from './threads/thread.ts'
import type { WriteAheadLog } from './wal.ts'

const MEBIBYTE = 1024 * 1024
/** The size of the log at which a checkpoint begins, in bytes. */
const BEGIN_AT = 16 * MEBIBYTE
/** The size at which writes wait for the checkpoint that is under way, in bytes. */
const WAIT_AT = 40 * MEBIBYTE
/** How long a read may hold up a checkpoint before it counts as a long one, such as a backup, in milliseconds. */
const LONG_READ = 100
/** How often the checkpointer checks whether the reads have ended, in milliseconds. */
const READ_RETRY = 10
/** How long the next checkpoint waits after one that a long read kept from completing, in milliseconds. */
const RETRY_AFTER = 1_000

/** `PASSIVE` copies what it can beside readers and writers. `TRUNCATE` copies the rest and empties the log. */
export type CheckpointMode = 'PASSIVE' | 'TRUNCATE'
export type CheckpointAnswer = CheckpointProgress | { error: string; code?: string }

interface CheckpointProgress {
  complete: boolean
  /** The frames of the log, and how many of them the database has. */
  frames: number
  copied: number
}

export interface CheckpointWorkerData {
  path: string
  /** The file that the path led to when the log was opened. The log belongs to no other file. */
  database: FileIdentity
}

export interface CheckpointerOptions {
  files: DatabaseFiles
  log: WriteAheadLog
  commits: Pick<GroupCommit, 'pauseFor'>
  onFailure: (error: unknown) => void
  observer?: SqliteObserver | undefined
  /** For tests: the sizes of the log, in bytes, instead of those of a server. */
  beginAt?: number
  waitAt?: number
}

/**
 * Keeps the write-ahead log small, off the event loop. It copies most of the log while writes go on. Then writes pause for the
 * moment that it takes to copy the newest part and to empty the log. Under a steady load nothing else would ever empty it. While
 * somebody reads for long, such as a backup, the log cannot be emptied. It grows, and no write waits for it.
 */
export class Checkpointer {
  readonly #files: DatabaseFiles
  readonly #log: WriteAheadLog
  readonly #commits: CheckpointerOptions['commits']
  readonly #onFailure: (error: unknown) => void
  readonly #observer: SqliteObserver | undefined
  readonly #beginAt: number
  readonly #waitAt: number
  /** The thread that the first checkpoint starts. A server that has little to do needs none. */
  #thread: DatabaseThread | undefined
  #running: Promise<void> | undefined
  /** The copying under way, as long as no write waits for it. */
  #copying: Promise<unknown> | undefined
  /** The size at which writes wait for the copying, in bytes. */
  #limit = 0
  #notBefore = 0
  #closed = false

  constructor({ files, log, commits, onFailure, observer, beginAt, waitAt }: CheckpointerOptions) {
    this.#files = files
    this.#log = log
    this.#commits = commits
    this.#onFailure = onFailure
    this.#observer = observer
    this.#beginAt = beginAt ?? BEGIN_AT
    this.#waitAt = waitAt ?? WAIT_AT
  }

  /** Begins a checkpoint if the log is large enough. It is called after each commit. */
  check(): void {
    const { size } = this.#log
    if (this.#running === undefined) {
      if (this.#closed || size < this.#beginAt || performance.now() < this.#notBefore) return
      this.#running = this.#run().catch(this.#onFailure)
    } else if (this.#copying !== undefined && size >= this.#limit) {
      const copied = this.#copying
      this.#copying = undefined
      void this.#commits.pauseFor(() => copied).catch(() => undefined)
    }
  }

  /** Waits for the checkpoint under way. No other one begins. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    if (this.#thread !== undefined) await endDatabaseThread(this.#thread)
  }

  async #run(): Promise<void> {
    const began = performance.now()
    // A log that is already large may double before writes wait for it.
    this.#limit = Math.max(this.#waitAt, 2 * this.#log.size)
    const copying = this.#copyMost()
    this.#copying = copying
    const copied = await copying
    this.#copying = undefined
    let complete = false
    if (copied) {
      await this.#commits.pauseFor(async () => {
        complete = (await this.#ask('TRUNCATE')).complete
      })
    }
    this.#observer?.onCheckpoint(complete, performance.now() - began)
    if (!complete) this.#notBefore = performance.now() + RETRY_AFTER
    this.#running = undefined
  }

  /**
   * Copies until a pause has little left to do. If a long read has let the log grow, several rounds are needed. Each copies what
   * came during the round before.
   *
   * @returns false if a long read is in the way
   */
  async #copyMost(): Promise<boolean> {
    let patience: number | undefined
    let goal: number | undefined
    let before = Number.POSITIVE_INFINITY
    while (!this.#closed) {
      const { size } = this.#log
      const { frames, copied } = await this.#ask('PASSIVE')
      // Reads that began later only block the frames that came later.
      goal ??= frames
      patience ??= performance.now() + LONG_READ
      if (copied < Math.min(goal, frames)) {
        if (performance.now() > patience) return false
        await new Promise(resolve => setTimeout(resolve, READ_RETRY))
        continue
      }
      const grown = this.#log.size - size
      if (grown < this.#beginAt || grown >= before) return true
      before = grown
    }
    return false
  }

  /** Returns the data for the thread. @throws DatabaseLost */
  #describe(): CheckpointWorkerData {
    this.#files.verify()
    const { path, database } = this.#files
    if (database === undefined) throw new Error(`There is no ${path}.`)
    return { path, database: { dev: database.dev, ino: database.ino } }
  }

  #ask(mode: CheckpointMode): Promise<CheckpointProgress> {
    this.#thread ??= startDatabaseThread('checkpoint', this.#describe())
    const { worker, died } = this.#thread
    const answered = new Promise<CheckpointProgress>((resolve, reject) => {
      worker.once('message', (answer: CheckpointAnswer) => {
        if ('error' in answer) reject(Object.assign(new Error(answer.error), { code: answer.code }))
        else resolve(answer)
      })
      worker.postMessage(mode)
    })
    return Promise.race([answered, died])
  }
}
