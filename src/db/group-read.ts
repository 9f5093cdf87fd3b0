import type { Clock } from '../time.ts'
import { DatabaseUnavailable, type ReadTx } from './port.ts'
import type { Connection } from './sqlite-connection.ts'
import { SqliteTransaction, WriteInstant } from './sqlite-transaction.ts'
import { nextTurn, Turn } from './turn.ts'

/** How long a group reads at most, in milliseconds: then the event loop has its turn. */
const GROUP_TIME = 10

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
  readonly #queue: QueuedRead[] = []
  #reading: Promise<void> | undefined
  #closed = false

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** @throws DatabaseUnavailable */
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (result: unknown) => void, reject })
      this.#reading ??= this.#readGroups()
    })
  }

  /** Waits for every read that came before. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#reading
  }

  async #readGroups(): Promise<void> {
    while (this.#queue.length > 0) {
      // All requests that have arrived are read in this turn: their reads make one group.
      await nextTurn()
      await this.#readGroup()
    }
    this.#reading = undefined
  }

  async #readGroup(): Promise<void> {
    const instant = new WriteInstant(this.#connection, this.#clock)
    const turn = new Turn()
    const until = performance.now() + GROUP_TIME
    let left = this.#queue.length
    const ends: (() => void)[] = []
    try {
      this.#connection.run('BEGIN')
      do {
        const { work, resolve, reject } = this.#queue.shift() as QueuedRead
        await SqliteTransaction.run(this.#connection, instant, turn, work).then(
          result => ends.push(() => resolve(result)),
          error => ends.push(() => reject(error)),
        )
        left--
      } while (left > 0 && this.#connection.inTransaction && !turn.isOver && performance.now() < until)
      this.#connection.rollBack()
    } catch (error) {
      for (const { reject } of this.#queue.splice(0)) reject(error)
    } finally {
      turn.end()
      // Only now: who has its answer must not meet a snapshot of ours that is still open.
      for (const end of ends) end()
    }
  }
}
