import { randomBytes } from 'node:crypto'
import type { Clock } from '../time.ts'
import { Checkpointer, type CheckpointerOptions } from './checkpointer.ts'
import { GroupCommit } from './group-commit.ts'
import { GroupRead } from './group-read.ts'
import { isOlder, migrate, refuseForeign, type Schema } from './migrations.ts'
import { type Database, type DatabaseLoad, DatabaseRefused, type ReadTx, type WriteTx } from './port.ts'
import { Connection, explainOpening } from './sqlite-connection.ts'
import { WriteAheadLog } from './wal.ts'

export interface SqliteOptions {
  clock: Clock
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  busyTimeout?: number
  /** Checkpoints in a thread of their own, for a server: a command's few writes leave them to SQLite. */
  server?: Pick<CheckpointerOptions, 'onFailure' | 'observer' | 'beginAt' | 'waitAt'>
  /** Of a command: claims the data folder while it migrates, so that no server of the old version runs on meanwhile. */
  claim?: () => () => void
  /** For tests of migrations. */
  schema?: Schema
}

const BUSY_TIMEOUT = 5_000
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
  let log: WriteAheadLog | undefined
  try {
    writer = new Connection(path, options.busyTimeout ?? BUSY_TIMEOUT)
    // Before anything is written, as the journal mode is kept in the file; in one snapshot, as another may be making it.
    writer.run('BEGIN')
    refuseForeign(writer, options.schema)
    writer.rollBack()
    writer.pragma('journal_mode = WAL')
    // The first read makes the log: its name is durable before anything is written to it.
    writer.pragma('user_version')
    // Only now: on a full disk SQLite says at first that it has changed the mode.
    if (writer.pragma('journal_mode') !== 'wal') {
      throw new DatabaseRefused(
        `${path} cannot have a write-ahead log: the disk is full, or is a network drive without shared memory. Make room, or choose another folder with --data.`,
      )
    }
    log = new WriteAheadLog(path)
    const free = isOlder(writer, options.schema) ? options.claim?.() : undefined
    try {
      migrate(writer, path, options.schema)
    } finally {
      free?.()
    }
    writer.run(
      `INSERT INTO instance (id, cursor_secret, latest_write_at, created_at, updated_at) VALUES (1, $1, 0, $2, $2)
       ON CONFLICT (id) DO NOTHING`,
      [randomBytes(32).toString('base64url'), options.clock()],
    )
    if (options.server !== undefined) {
      // What a crash left in the log may never have been synced, and a sync that failed is not told of twice: a checkpoint
      // writes it anew and syncs it, before anybody reads it.
      if (writer.pragma('wal_checkpoint(TRUNCATE)') !== 0) {
        throw new DatabaseRefused(`${path} is being read by another program. Try again shortly.`)
      }
      writer.pragma('wal_autocheckpoint = 0')
    }
    writer.pragma('busy_timeout = 0')
    reader = new Connection(path, 0)
    return new SqliteDatabase(path, writer, reader, log, options)
  } catch (error) {
    log?.close()
    reader?.close()
    writer?.close()
    throw explainOpening(path, error)
  }
}

class SqliteDatabase implements Database {
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #log: WriteAheadLog
  readonly #commits: GroupCommit
  readonly #listeners: (() => void)[] = []
  #foreignCheck: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined
  readonly #reads: GroupRead
  readonly #checkpointer: Checkpointer | undefined

  constructor(
    path: string,
    writer: Connection,
    reader: Connection,
    log: WriteAheadLog,
    options: SqliteOptions,
  ) {
    this.#writer = writer
    this.#reader = reader
    this.#log = log
    this.#reads = new GroupRead(reader, options.clock)
    this.#commits = new GroupCommit(writer, {
      clock: options.clock,
      busyTimeout: options.busyTimeout ?? BUSY_TIMEOUT,
      log,
      onCommit: () => this.#tellOfCommit(),
      onFailure: options.server?.onFailure,
      observer: options.server?.observer,
    })
    if (options.server !== undefined) {
      const checkpointer = new Checkpointer({ ...options.server, path, log, commits: this.#commits })
      this.onCommit(() => checkpointer.check())
      this.#checkpointer = checkpointer
    }
  }

  read<T>(work: (tx: ReadTx) => Promise<T>, options?: { ahead?: boolean }): Promise<T> {
    return this.#reads.read(work, options)
  }

  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#commits.write(work)
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

  load(): DatabaseLoad {
    return { queuedWrites: this.#commits.queued, logBytes: this.#log.size }
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    clearInterval(this.#foreignCheck)
    await this.#checkpointer?.close()
    await Promise.all([this.#commits.close(), this.#reads.close()])
    this.#log.close()
    this.#reader.close()
    this.#writer.close()
  }

  #tellOfCommit(): void {
    for (const listener of this.#listeners) listener()
  }
}
