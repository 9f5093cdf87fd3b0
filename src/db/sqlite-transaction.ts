import type { Clock } from '../time.ts'
import { DatabaseUnavailable, type Value, type WriteTx } from './port.ts'
import type { Connection } from './sqlite-connection.ts'

/** A transaction that was begun on a connection: ends with the work it is for, and refuses every use after that. */
export class SqliteTransaction implements WriteTx {
  readonly #connection: Connection
  readonly #clock: Clock
  #now: number | undefined
  #ended = false
  #lost: unknown

  private constructor(connection: Connection, clock: Clock) {
    this.#connection = connection
    this.#clock = clock
  }

  /** Runs `work` in the transaction that is open on `connection`, and commits it, or rolls it back when `work` throws. */
  static async carryOut<T>(
    connection: Connection,
    clock: Clock,
    work: (tx: SqliteTransaction) => Promise<T>,
  ): Promise<T> {
    const tx = new SqliteTransaction(connection, clock)
    try {
      const result = await withoutWaiting(work(tx))
      if (tx.#lost !== undefined) throw tx.#lost
      connection.run('COMMIT')
      return result
    } catch (error) {
      if (connection.inTransaction) connection.run('ROLLBACK')
      throw error
    } finally {
      tx.#ended = true
    }
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

  async now(): Promise<number> {
    this.#now ??= this.#use(() => this.#connection.get<{ latest_write_at: number }>(NOW, [this.#clock()]))
      ?.latest_write_at as number
    return this.#now
  }

  async attempt<T>(work: () => Promise<T>): Promise<T> {
    // Before the savepoint, for the instant must outlive an undone attempt.
    await this.now()
    this.#use(() => this.#connection.run('SAVEPOINT attempt'))
    try {
      const result = await work()
      this.#use(() => this.#connection.run('RELEASE attempt'))
      return result
    } catch (error) {
      this.#use(() => {
        this.#connection.run('ROLLBACK TO attempt')
        this.#connection.run('RELEASE attempt')
      })
      throw error
    }
  }

  #use<T>(statement: () => T): T {
    if (this.#ended) throw new Error('A transaction was used after its end: await every use of tx.')
    if (this.#lost !== undefined) throw this.#lost
    try {
      return statement()
    } catch (error) {
      // A full disk or an I/O error makes SQLite roll back the whole transaction: what came next would commit alone.
      const gone = !this.#connection.inTransaction
      if (gone || error instanceof DatabaseUnavailable) this.#lost = error
      throw error
    }
  }
}

const NOW = `UPDATE instance SET latest_write_at = CASE WHEN latest_write_at < $1 THEN $1 ELSE latest_write_at END
  WHERE id = 1 RETURNING latest_write_at`

/** SQLite answers at once, so work that awaits nothing but its transaction ends before the event loop turns. */
async function withoutWaiting<T>(work: Promise<T>): Promise<T> {
  let turn: NodeJS.Immediate | undefined
  const turned = new Promise<never>((_, reject) => {
    turn = setImmediate(() => reject(new Error('A transaction waited for something else than its database.')))
  })
  try {
    return await Promise.race([work, turned])
  } finally {
    clearImmediate(turn)
  }
}
