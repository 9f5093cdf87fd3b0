import type { Clock } from '#base/time.ts'
import { AccountTransaction } from '../account-transaction.ts'
import {
  DatabaseUnavailable,
  type InstanceWriteTx,
  type StagedRows,
  type Value,
  type WriteTx,
} from '../port.ts'
import type { Connection } from './connection.ts'
import { insertStagedRows } from './staged-rows.ts'
import type { Turn } from './turn.ts'

/**
 * How long a work that gives its turn away blocks the event loop, in milliseconds. After a long page, other reads wait for 16 turns,
 * so it is short.
 */
const SLICE_TIME = 2

/** One piece of work on an open transaction. It ends with the work, and refuses every use after that. */
export class SqliteTransaction implements InstanceWriteTx {
  readonly batchTime = 4
  readonly #connection: Connection
  readonly #instant: WriteInstant
  readonly #turn: Turn
  /** How many statements had written before its savepoint. It is undefined without a savepoint of its own. */
  #writesBefore: number | undefined
  #ended = false
  #failure: unknown

  private constructor(connection: Connection, instant: WriteInstant, turn: Turn) {
    this.#connection = connection
    this.#instant = instant
    this.#turn = turn
  }

  /**
   * Runs `work` within the turn, or within several if it gives one away. It leaves the transaction open, and the caller commits it or
   * undoes what was done.
   *
   * @param hasSavepoint whether the savepoint `write` was made just before
   * @throws DatabaseUnavailable if a statement of the work failed because of the machine, even if the work went on
   */
  static async run<T>(
    connection: Connection,
    instant: WriteInstant,
    turn: Turn,
    work: (tx: SqliteTransaction) => Promise<T>,
    hasSavepoint = false,
  ): Promise<T> {
    const tx = new SqliteTransaction(connection, instant, turn)
    if (hasSavepoint) tx.#writesBefore = connection.writes
    try {
      const result = await turn.within(work(tx))
      if (tx.#failure !== undefined) throw tx.#failure
      return result
    } finally {
      tx.#ended = true
    }
  }

  of(accountId: string): WriteTx {
    return new AccountTransaction(this, accountId)
  }

  async one<Row>(sql: string, params?: readonly Value[]): Promise<Row | undefined> {
    return this.#use(() => this.#connection.get<Row>(sql, params))
  }

  async all<Row>(sql: string, params?: readonly Value[]): Promise<Row[]> {
    return this.#use(() => this.#connection.all<Row>(sql, params))
  }

  async run(sql: string, params?: readonly Value[]): Promise<number> {
    return this.#use(() => this.#connection.run(sql, params))
  }

  async insertStaged(
    staged: StagedRows,
    table: string,
    added: Readonly<Record<string, number>> = {},
  ): Promise<number> {
    const now = await this.now()
    return this.#use(() => insertStagedRows(this.#connection, staged, table, now, added))
  }

  async now(): Promise<number> {
    return this.#use(() => this.#instant.take())
  }

  clock(): number {
    return this.#instant.clock()
  }

  /** The transaction stays open meanwhile, as it does between two writes of a group. */
  async giveTurn(): Promise<void> {
    this.#use(() => undefined)
    await this.#turn.renewAfter(SLICE_TIME)
  }

  /** Writes come one after another anyway. */
  async alone(): Promise<void> {}

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    if (this.#connection.writes === this.#writesBefore) return this.#attemptFirst(work)
    // The instant is taken before the savepoint, because it must outlive an undone attempt.
    await this.now()
    this.#use(() => this.#connection.run('SAVEPOINT attempt'))
    try {
      const result = await work()
      this.#use(() => this.#connection.run('RELEASE attempt'))
      return result
    } catch (error) {
      this.#use(() => this.#connection.undoTo('attempt'))
      throw error
    }
  }

  /**
   * Runs an attempt before the first change of the write. Undoing the whole write undoes the attempt, so it needs no savepoint of
   * its own.
   */
  async #attemptFirst<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.#use(() => this.#connection.undoSince('write'))
      this.#writesBefore = this.#connection.writes
      // The attempt may have taken the instant.
      this.#instant.forget()
      throw error
    }
  }

  #use<T>(statement: () => T): T {
    if (this.#ended) throw new Error('A transaction was used after its end: await every use of tx.')
    if (this.#failure !== undefined) throw this.#failure
    try {
      return statement()
    } catch (error) {
      // A full disk or an I/O error makes SQLite roll back the whole transaction. What came next would commit alone.
      const gone = !this.#connection.inTransaction
      if (gone || error instanceof DatabaseUnavailable) this.#failure = error
      throw error
    }
  }
}

/** The instant that all writes of one commit share. The database keeps it, so that no later instant is before it. */
export class WriteInstant {
  readonly clock: Clock
  readonly #connection: Connection
  #taken: number | undefined
  #kept = false

  constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.clock = clock
  }

  take(): number {
    if (this.#taken === undefined || !this.#kept) {
      const row = this.#connection.get<{ latest_write_at: number }>(TAKE, [this.#taken ?? this.clock()])
      this.#taken = row?.latest_write_at as number
      this.#kept = true
    }
    return this.#taken
  }

  /** Forgets that the instant is kept. A write was undone, and perhaps with it the row that kept the instant. */
  forget(): void {
    this.#kept = false
  }
}

const TAKE = `UPDATE instance SET latest_write_at = CASE WHEN latest_write_at < $1 THEN $1 ELSE latest_write_at END,
  write_number = write_number + 1 WHERE id = 1 RETURNING latest_write_at`
