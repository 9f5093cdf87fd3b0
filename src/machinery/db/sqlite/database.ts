import { randomBytes } from 'node:crypto'
import { Refusal } from '#base/refusal.ts'
import type { Clock } from '#base/time.ts'
import { ownedBy } from '../account-transaction.ts'
import type { Database, Owner, ReadTxOf, StagedRows, WriteTxOf } from '../port.ts'
import { sqliteCatalog } from './catalog.ts'
import { Checkpointer, type CheckpointerOptions } from './checkpointer.ts'
import { Connection, explainOpening } from './connection.ts'
import { rescue } from './copies/rescue.ts'
import { DatabaseFiles, DatabaseLost } from './database-files.ts'
import { GroupCommit } from './group-commit.ts'
import { GroupRead } from './group-read.ts'
import type { SqliteLoad } from './metrics.ts'
import { isOlder, migrate, refuseForeign, type Schema } from './migrations.ts'
import { discardRows, stageRows } from './staged-rows.ts'
import { TableVersions } from './table-versions.ts'
import { WriteAheadLog } from './wal.ts'

export interface SqliteOptions {
  clock: Clock
  /** How long a write waits for another process that holds the lock, in milliseconds. */
  busyTimeout?: number
  /** A server runs checkpoints in a thread of their own. A command writes little and leaves them to SQLite. */
  server?: Pick<CheckpointerOptions, 'observer' | 'beginAt' | 'waitAt'> & {
    /** Runs when the process has to stop: the disk has failed, or, with a Refusal, its files or its claim were lost. */
    onFailure: (error: unknown) => void
    /** Throws a Refusal if another server has the data folder. */
    keepClaim?: (() => void) | undefined
  }
  /** A command claims the data folder while it migrates, so that no server of the old version goes on running. */
  claim?: () => () => void
  /** True if the caller gives the database new secrets. Nothing else opens a copy that was made without secrets. */
  isWithoutSecrets?: boolean
  /** For tests of migrations. */
  schema?: Schema
}

const BUSY_TIMEOUT = 5_000
/** How often the database looks for commits of other processes and checks its files, in milliseconds. */
const FOREIGN_CHECK = 200

/**
 * Opens, creates or migrates the database at `path`. One connection writes and one reads.
 *
 * @throws Refusal if the file is newer than this program, damaged, or not a database of Turnout
 */
export function openSqlite(path: string, options: SqliteOptions): SqliteDatabase {
  const opened: { close(): void }[] = []
  const open = () => {
    const connection = new Connection(path, options.busyTimeout ?? BUSY_TIMEOUT)
    opened.push(connection)
    return connection
  }
  try {
    const files = new DatabaseFiles(path)
    const first = open()
    enableLog(first, path, options)
    const log = new WriteAheadLog(path, files)
    opened.push(log)
    makeReady(first, path, options)
    // Nobody can tell which log the first connection has open. These two open the files that were at the names before and after.
    const writer = open()
    const reader = open()
    for (const connection of [writer, reader]) {
      connection.pragma('user_version')
      connection.pragma('busy_timeout = 0')
    }
    if (options.server !== undefined) writer.pragma('wal_autocheckpoint = 0')
    first.close()
    files.verify()
    return new SqliteDatabase({ writer, reader, log, files }, options)
  } catch (error) {
    for (const each of opened.reverse()) each.close()
    throw explainOpening(path, error)
  }
}

/** Turns on the write-ahead log. @throws Refusal */
function enableLog(connection: Connection, path: string, { schema }: SqliteOptions): void {
  // The check comes before any write, because the file keeps the journal mode. It runs in one snapshot, because another process
  // may be making the file.
  connection.run('BEGIN')
  refuseForeign(connection, schema)
  connection.rollBack()
  connection.pragma('journal_mode = WAL')
  // The first read makes the log. Its name becomes durable before anything is written to it.
  connection.pragma('user_version')
  // Only now is the answer reliable: on a full disk SQLite first reports that it has changed the mode.
  if (connection.pragma('journal_mode') !== 'wal') {
    throw new Refusal(
      `${path} cannot have a write-ahead log: the disk is full, or is a network drive without shared memory. Make room, or choose another folder with --data.`,
    )
  }
}

/** Migrates the database and makes its instance row. @throws Refusal */
function makeReady(connection: Connection, path: string, options: SqliteOptions): void {
  const free = isOlder(connection, options.schema) ? options.claim?.() : undefined
  try {
    migrate(connection, path, options.schema)
  } finally {
    free?.()
  }
  connection.run(
    `INSERT INTO instance (id, cursor_secret, latest_write_at, created_at, updated_at) VALUES (1, $1, 0, $2, $2)
     ON CONFLICT (id) DO NOTHING`,
    [randomBytes(32).toString('base64url'), options.clock()],
  )
  const lacksSecret = connection.get("SELECT 1 FROM instance WHERE cursor_secret = ''") !== undefined
  if (lacksSecret && options.isWithoutSecrets !== true) {
    throw new Refusal(
      `${path} is a copy that was made without secrets. Make a database of it with "turnout restore", into an empty folder.`,
    )
  }
  // A crash may have left changes in the log that were never synced, and a failed sync is not reported twice. A checkpoint writes
  // and syncs them again before anybody reads them.
  if (options.server !== undefined && connection.pragma('wal_checkpoint(TRUNCATE)') !== 0) {
    throw new Refusal(`${path} is being read by another program. Try again shortly.`)
  }
}

interface OpenFiles {
  writer: Connection
  reader: Connection
  log: WriteAheadLog
  files: DatabaseFiles
}

export class SqliteDatabase implements Database {
  readonly catalog = sqliteCatalog
  readonly #writer: Connection
  readonly #reader: Connection
  readonly #log: WriteAheadLog
  readonly #files: DatabaseFiles
  readonly #options: SqliteOptions
  readonly #commits: GroupCommit
  readonly #versions: TableVersions
  readonly #listeners: (() => void)[] = []
  #foreignCheck: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined
  #staged = 0
  readonly #reads: GroupRead
  readonly #checkpointer: Checkpointer | undefined

  constructor({ writer, reader, log, files }: OpenFiles, options: SqliteOptions) {
    this.#writer = writer
    this.#reader = reader
    this.#log = log
    this.#files = files
    this.#options = options
    this.#reads = new GroupRead(reader, options.clock)
    this.#versions = new TableVersions(writer)
    this.#commits = new GroupCommit(writer, {
      clock: options.clock,
      busyTimeout: options.busyTimeout ?? BUSY_TIMEOUT,
      log,
      onChange: tables => this.#versions.count(tables),
      onCommit: () => this.#tellOfCommit(),
      keepClaim: options.server?.keepClaim,
      onFailure: error => this.#stop(error),
      observer: options.server?.observer,
    })
    if (options.server !== undefined) {
      const { onFailure } = options.server
      const checkpointer = new Checkpointer({
        ...options.server,
        onFailure: error => {
          const lost = this.#findLoss(error)
          if (lost === undefined) onFailure(error)
          else this.#commits.fail(lost)
        },
        files,
        log,
        commits: this.#commits,
      })
      this.onCommit(() => checkpointer.check())
      this.#checkpointer = checkpointer
    }
  }

  read<O extends Owner, T>(
    owner: O,
    work: (tx: ReadTxOf<O>) => Promise<T>,
    options?: { ahead?: boolean },
  ): Promise<T> {
    return this.#reads.read(owner, work, options)
  }

  /** Writes for one owner at a time, whoever the owner is. */
  write<O extends Owner, T>(owner: O, work: (tx: WriteTxOf<O>) => Promise<T>): Promise<T> {
    return this.#commits.write(tx => work(ownedBy(owner, tx) as WriteTxOf<O>))
  }

  versionOf(table: string): number | undefined {
    return this.#closing === undefined ? this.#versions.of(table) : undefined
  }

  async stage(rows: Readonly<Record<string, readonly object[]>>): Promise<StagedRows> {
    const name = `staged_${++this.#staged}`
    let staged: StagedRows | undefined
    await this.#commits.pauseFor(async () => {
      staged = stageRows(this.#writer, name, rows)
    })
    return staged as StagedRows
  }

  discard(staged: StagedRows): Promise<void> {
    return this.#commits.pauseFor(async () => discardRows(this.#writer, staged))
  }

  onCommit(listener: () => void): void {
    this.#listeners.push(listener)
    if (this.#foreignCheck !== undefined) return
    let seen = this.#reader.pragma('data_version')
    this.#foreignCheck = setInterval(() => {
      if (!this.#isOurs()) return
      const version = this.#reader.pragma('data_version')
      if (version !== seen) this.#tellOfCommit()
      seen = version
    }, FOREIGN_CHECK).unref()
  }

  load(): SqliteLoad {
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
    // What was acknowledged last may be in a file that no longer has a name.
    if (this.#options.server !== undefined) this.#isOurs()
    this.#log.close()
    this.#reader.close()
    this.#writer.close()
  }

  #tellOfCommit(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Returns whether the files and the claim are still those of this process. If not, the server stops. */
  #isOurs(): boolean {
    try {
      this.#files.verify()
      this.#options.server?.keepClaim?.()
      return true
    } catch (error) {
      this.#commits.fail(error)
      return false
    }
  }

  /** Stops a server. A command reports the failure by its writes. */
  #stop(error: unknown): void {
    clearInterval(this.#foreignCheck)
    const { server, clock } = this.#options
    if (server === undefined) return
    const lost = this.#findLoss(error)
    const database = { files: this.#files, writer: this.#writer, reader: this.#reader, now: clock() }
    server.onFailure(lost === undefined ? error : rescue(lost, database))
  }

  /** Returns the loss of the files if that is why the work failed. */
  #findLoss(error: unknown): DatabaseLost | undefined {
    if (error instanceof Refusal) return error instanceof DatabaseLost ? error : undefined
    try {
      this.#files.verify()
      return undefined
    } catch (loss) {
      return loss instanceof DatabaseLost ? loss : undefined
    }
  }
}
