import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { DatabaseClosed, DatabaseUnavailable, type InstanceWriteTx } from '../port.ts'
import { type Connection, sqliteCodeOf } from './connection.ts'
import type { SqliteObserver } from './metrics.ts'
import { SqliteTransaction, WriteInstant } from './transaction.ts'
import { Turn } from './turn.ts'
import type { WriteAheadLog } from './wal.ts'

/** How often a write tries again while another process holds the lock, in milliseconds. */
const BUSY_RETRY = 2
/** How long a group accepts more writes, in milliseconds. */
const GROUP_TIME = 10
/** How long a group blocks the event loop at a time, in milliseconds. Then reads and webhooks run before it goes on. */
const SLICE_TIME = 1

interface QueuedWrite {
  work: (tx: InstanceWriteTx) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
  /** The time at which the write stops waiting for another process, on the clock of `performance`. */
  deadline: number
}

interface CommittedWrite {
  /** Answers the write once it is durable. */
  end: () => void
  reject: (error: unknown) => void
}

export interface GroupCommitOptions {
  clock: Clock
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  busyTimeout: number
  log: WriteAheadLog
  /** Runs with each commit, before anything can read it, with the tables that the commit may have changed. */
  onChange?: ((tables: readonly string[]) => void) | undefined
  /** Runs after each commit, before it is durable. */
  onCommit: () => void
  /** Runs after each sync, before its writes are answered. It throws if this process may no longer write. */
  keepClaim?: (() => void) | undefined
  /** Runs when nobody knows any more what is on the disk, so the process has to stop. Without it, only the writes fail. */
  onFailure?: ((error: unknown) => void) | undefined
  observer?: SqliteObserver | undefined
}

/**
 * Commits writes in groups. Queued writes share one transaction, each in a savepoint of its own, and one sync of the write-ahead
 * log, which runs off the event loop. Each write is answered only when the sync that covers it has ended. That includes a
 * refusal, because it may reveal what another write of its group has done.
 */
export class GroupCommit {
  readonly #connection: Connection
  readonly #options: GroupCommitOptions
  readonly #queue: QueuedWrite[] = []
  /** The writes that are committed but not yet durable. */
  #unsynced: CommittedWrite[] = []
  #committing: Promise<void> | undefined
  #syncing: Promise<void> | undefined
  #pause: Promise<unknown> | undefined
  /** The group whose transaction is open. */
  #group: Promise<void> | undefined
  #closed = false
  #failure: Error | undefined

  constructor(connection: Connection, options: GroupCommitOptions) {
    this.#connection = connection
    this.#options = options
  }

  /** Queues a write. @throws DatabaseClosed */
  write<T>(work: (tx: InstanceWriteTx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosed())
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + this.#options.busyTimeout
      this.#queue.push({ work, resolve: resolve as (result: unknown) => void, reject, deadline })
      this.#committing ??= this.#commitGroups().catch(error => this.fail(error))
    })
  }

  /** The number of writes that wait for their transaction. */
  get queued(): number {
    return this.#queue.length
  }

  /** Runs `work` between two transactions. No transaction begins until the work has ended, and writes queue up meanwhile. */
  async pauseFor(work: () => Promise<unknown>): Promise<void> {
    const turn = Promise.all([this.#pause, this.#group]).then(work)
    const pause = turn.catch(() => undefined)
    this.#pause = pause
    try {
      await turn
    } finally {
      if (this.#pause === pause) this.#pause = undefined
    }
  }

  /** Waits for every write that came before. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#committing
    await this.#syncing
    await this.#pause
  }

  async #commitGroups(): Promise<void> {
    while (this.#queue.length > 0) {
      // This turn reads all requests that have arrived, so their writes make one group.
      await nextTurn()
      await this.#begin()
      await this.#group
      this.#group = undefined
    }
    this.#committing = undefined
  }

  /** Begins a group. It waits for another process here, because SQLite's busy handler would stop the event loop. */
  async #begin(): Promise<void> {
    for (;;) {
      // One pause may follow another.
      while (this.#pause !== undefined) await this.#pause
      if (this.#failure !== undefined) return
      try {
        if (this.#connection.beginImmediate()) {
          this.#group = this.#commitGroup()
          return
        }
      } catch (error) {
        for (const { reject } of this.#queue.splice(0)) reject(error)
        return
      }
      const now = performance.now()
      while ((this.#queue[0]?.deadline ?? now) < now) {
        this.#queue
          .shift()
          ?.reject(new DatabaseUnavailable('Another process holds the lock of the database.'))
      }
      if (this.#queue.length === 0) return
      await new Promise(resolve => setTimeout(resolve, BUSY_RETRY))
    }
  }

  async #commitGroup(): Promise<void> {
    const instant = new WriteInstant(this.#connection, this.#options.clock)
    let turn = new Turn()
    const until = performance.now() + GROUP_TIME
    let sliceEnd = performance.now() + SLICE_TIME
    const group: QueuedWrite[] = []
    const committed: CommittedWrite[] = []
    try {
      let write = this.#queue.shift()
      while (write !== undefined) {
        group.push(write)
        committed.push(await this.#execute(write, instant, turn))
        const now = performance.now()
        if (now >= until) break
        if (this.#queue.length > 0 && (turn.isOver || now >= sliceEnd)) {
          turn.end()
          await nextTurn()
          turn = new Turn()
          sliceEnd = performance.now() + SLICE_TIME
        }
        write = this.#queue.shift()
      }
      const tables = this.#connection.commit()
      this.#options.onChange?.(tables)
    } catch (error) {
      // The whole group is lost, including the writes in it that had succeeded.
      const outage =
        error instanceof DatabaseUnavailable
          ? error
          : new DatabaseUnavailable(`SQLite: ${sqliteCodeOf(error) ?? 'the transaction is gone'}`, {
              cause: error,
            })
      for (const { reject } of group) reject(outage)
      this.#connection.rollBack()
      return
    } finally {
      turn.end()
    }
    this.#options.observer?.onGroup(committed.length)
    this.#unsynced.push(...committed)
    if (this.#failure !== undefined) return this.#rejectAll(this.#failure)
    this.#syncing ??= this.#syncCommitted()
    this.#options.onCommit()
  }

  /**
   * Runs one write in a savepoint of its own.
   *
   * @returns the write with the answer that it gets once the group is durable
   * @throws the error for which SQLite undid the whole transaction
   */
  async #execute(
    { work, resolve, reject }: QueuedWrite,
    instant: WriteInstant,
    turn: Turn,
  ): Promise<CommittedWrite> {
    this.#connection.run('SAVEPOINT write')
    try {
      const result = await SqliteTransaction.run(this.#connection, instant, turn, work, true)
      this.#connection.run('RELEASE write')
      return { end: () => resolve(result), reject }
    } catch (error) {
      if (!this.#connection.inTransaction) throw error
      this.#connection.undoTo('write')
      instant.forget()
      return { end: () => reject(error), reject }
    }
  }

  /** Runs one sync at a time. A sync covers everything that was committed before it began. */
  async #syncCommitted(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const covered = this.#unsynced
      this.#unsynced = []
      const began = performance.now()
      try {
        await this.#options.log.sync()
        this.#options.keepClaim?.()
        if (this.#failure !== undefined) throw this.#failure
        this.#options.observer?.onSync(performance.now() - began)
      } catch (error) {
        this.#unsynced.unshift(...covered)
        this.fail(error)
        return
      }
      for (const { end } of covered) end()
    }
    this.#syncing = undefined
  }

  /** Ends all acknowledgements. A server stops, and a command reports the failure. */
  fail(cause: unknown): void {
    const isFirst = this.#failure === undefined
    this.#closed = true
    this.#failure ??=
      cause instanceof Refusal
        ? cause
        : new Error('The disk has failed: nobody knows whether the change is on it.', { cause })
    if (isFirst) this.#options.onFailure?.(cause)
    this.#rejectAll(this.#failure)
  }

  #rejectAll(error: Error): void {
    for (const { reject } of [...this.#unsynced.splice(0), ...this.#queue.splice(0)]) reject(error)
  }
}
