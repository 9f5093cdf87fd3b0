import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../time.ts'
import { DatabaseUnavailable, type ReadTx } from '../port.ts'
import type { Connection } from './connection.ts'
import { SqliteTransaction, WriteInstant } from './transaction.ts'
import { Turn } from './turn.ts'

/** How long a group reads at most, in milliseconds: then the event loop has its turn. */
const GROUP_TIME = 10
/** After so long a group: a server accepts one connection a turn, and they would queue up behind everybody's large pages. */
const TURNS_AFTER_LONG = 16

interface QueuedRead {
  work: (tx: ReadTx) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Reads in groups: those that queued up share one snapshot, which begins after all of them were asked for.
 */
export class GroupRead {
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

  /** @throws DatabaseUnavailable */
  read<T>(work: (tx: ReadTx) => Promise<T>, { ahead = false } = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
    return new Promise((resolve, reject) => {
      const queue = ahead ? this.#ahead : this.#queue
      queue.push({ work, resolve: resolve as (result: unknown) => void, reject })
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
      // All requests that have arrived are read in this turn: their reads make one group.
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
        // Not those that come meanwhile: they may have been asked for after the snapshot.
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
      // Only now: who has its answer must not meet a snapshot of ours that is still open.
      for (const end of ends) end()
    }
  }
}
