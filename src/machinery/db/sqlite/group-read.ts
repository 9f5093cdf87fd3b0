import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#base/time.ts'
import { ownedBy } from '../account-transaction.ts'
import { DatabaseClosed, type InstanceReadTx, type Owner, type ReadTxOf } from '../port.ts'
import { sqliteCatalog } from './catalog.ts'
import type { Connection } from './connection.ts'
import { SqliteTransaction, WriteInstant } from './transaction.ts'
import { Turn } from './turn.ts'

/** How long a group may read, in milliseconds. Then the event loop has its turn. */
const GROUP_TIME = 10
/**
 * The turns after a group that took long. A server accepts one connection in each turn, and connections would queue up behind
 * large pages.
 */
const TURNS_AFTER_LONG = 16

interface QueuedRead {
  work: (tx: InstanceReadTx) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/** Reads in groups. Reads that queued up share one snapshot, which begins after all of them were asked for. */
export class GroupRead {
  readonly catalog = sqliteCatalog
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #ahead: QueuedRead[] = []
  readonly #queue: QueuedRead[] = []
  #reading: Promise<void> | undefined
  #closed = false

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** Queues a read. @throws DatabaseClosed */
  read<O extends Owner, T>(
    owner: O,
    work: (tx: ReadTxOf<O>) => Promise<T>,
    { ahead = false } = {},
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseClosed())
    return new Promise((resolve, reject) => {
      const queue = ahead ? this.#ahead : this.#queue
      queue.push({
        work: tx => work(ownedBy(owner, tx) as ReadTxOf<O>),
        resolve: resolve as (result: unknown) => void,
        reject,
      })
      this.#reading ??= this.#readGroups()
    })
  }

  /** Waits for every read that came before. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#reading
  }

  get #queued(): number {
    return this.#ahead.length + this.#queue.length
  }

  async #readGroups(): Promise<void> {
    while (this.#queued > 0) {
      // This turn reads all requests that have arrived, so their reads make one group.
      await nextTurn()
      const began = performance.now()
      await this.#readGroup()
      if (performance.now() - began < GROUP_TIME) continue
      for (let turns = 1; turns < TURNS_AFTER_LONG; turns++) await nextTurn()
    }
    this.#reading = undefined
  }

  async #readGroup(): Promise<void> {
    const instant = new WriteInstant(this.#connection, this.#clock)
    const turn = new Turn()
    const until = performance.now() + GROUP_TIME
    let ahead = this.#ahead.length
    let left = ahead + this.#queue.length
    const ends: (() => void)[] = []
    try {
      this.#connection.run('BEGIN')
      do {
        // Reads that arrive meanwhile do not count: their callers may have asked for them after the snapshot began.
        const queue = ahead-- > 0 ? this.#ahead : this.#queue
        const { work, resolve, reject } = queue.shift() as QueuedRead
        await SqliteTransaction.run(this.#connection, instant, turn, work).then(
          result => ends.push(() => resolve(result)),
          error => ends.push(() => reject(error)),
        )
        left--
      } while (left > 0 && this.#connection.inTransaction && !turn.isOver && performance.now() < until)
      this.#connection.rollBack()
    } catch (error) {
      for (const { reject } of [...this.#ahead.splice(0), ...this.#queue.splice(0)]) reject(error)
    } finally {
      turn.end()
      // Answers come only now. Whoever has an answer must not meet a snapshot of this process that is still open.
      for (const end of ends) end()
    }
  }
}
