import { randomBytes } from 'node:crypto'
import type { Clock } from '../time.ts'
import { currentSchema, migrate, type Schema } from './migrations.ts'
import { type Database, DatabaseUnavailable, type ReadTx, type WriteTx } from './port.ts'
import { Connection, explainOpening } from './sqlite-connection.ts'
import { SqliteTransaction } from './sqlite-transaction.ts'

export interface SqliteOptions {
  clock: Clock
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  busyTimeout?: number
  /** For tests of migrations. */
  schema?: Schema
}

const BUSY_TIMEOUT = 5_000
const BUSY_RETRY = 2
/** How often the commits of other processes are looked for. */
const FOREIGN_COMMIT_CHECK = 200

/**
 * Opens, creates or migrates the database at `path`: one connection that writes, one that reads.
 *
 * @throws DatabaseRefused when the file is newer than this program, damaged, or not one of its own
 */
export function openSqlite(path: string, options: SqliteOptions): Database {
  let writer: Connection | undefined
  let reader: Connection | undefined
  try {
    writer = new Connection(path, BUSY_TIMEOUT)
    writer.pragma('journal_mode = WAL')
    migrate(writer, options.schema ?? currentSchema)
    writer.run(
      `INSERT INTO instance (id, cursor_secret, latest_write_at, created_at, updated_at) VALUES (1, $1, 0, $2, $2)
       ON CONFLICT (id) DO NOTHING`,
      [randomBytes(32).toString('base64url'), options.clock()],
    )
    writer.pragma('busy_timeout = 0')
    reader = new Connection(path, 0)
    return new SqliteDatabase(writer, reader, options)
  } catch (error) {
    reader?.close()
    writer?.close()
    throw explainOpening(path, error)
  }
}

class SqliteDatabase implements Database {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #clock: Clock
  readonly #busyTimeout: number
  readonly #listeners: (() => void)[] = []
  #foreignCheck: NodeJS.Timeout | undefined
  readonly #writes = new Turns()
  readonly #reads = new Turns()

  constructor(writer: Connection, reader: Connection, options: SqliteOptions) {
    this.#writer = writer
    this.#reader = reader
    this.#clock = options.clock
    this.#busyTimeout = options.busyTimeout ?? BUSY_TIMEOUT
  }

  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T> {
    return this.#reads.take(() => {
      this.#reader.run('BEGIN')
      return SqliteTransaction.carryOut(this.#reader, this.#clock, work)
    })
  }

  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    // From now, not from its turn: those that queue behind a lock are given up together.
    const deadline = performance.now() + this.#busyTimeout
    return this.#writes.take(async () => {
      await this.#beginImmediate(deadline)
      const result = await SqliteTransaction.carryOut(this.#writer, this.#clock, work)
      this.#tellOfCommit()
      return result
    })
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener)
    if (this.#foreignCheck !== undefined) return
    let seen = this.#reader.pragma('data_version')
    this.#foreignCheck = setInterval(() => {
      const version = this.#reader.pragma('data_version')
      if (version !== seen) this.#tellOfCommit()
      seen = version
    }, FOREIGN_COMMIT_CHECK).unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#foreignCheck)
    await Promise.all([this.#writes.end(), this.#reads.end()])
    this.#reader.close()
    this.#writer.close()
  }

  #tellOfCommit(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Waits for another process outside SQLite's busy handler, which would stop the event loop. */
  async #beginImmediate(deadline: number): Promise<void> {
    for (;;) {
      try {
        this.#writer.run('BEGIN IMMEDIATE')
        return
      } catch (error) {
        const giveUp = !(error instanceof DatabaseUnavailable && error.busy) || performance.now() > deadline
        if (giveUp) throw error
      }
      await new Promise(resolve => setTimeout(resolve, BUSY_RETRY))
    }
  }
}

/** Lets one piece of work run after another, in the order in which they came. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()
  #ended = false

  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(new DatabaseUnavailable('The database is closed.'))
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#last
  }
}
