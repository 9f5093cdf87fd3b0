/**
 * The rules' view of a database. SQLite stands behind it, and a second engine can, because every statement is one text in the
 * subset that SQLite and PostgreSQL share, with `$1` parameters.
 */
export interface Database {
  /**
   * One consistent snapshot. Never waits for a writer, nor for the disk: it may show the change of a write that is not
   * answered yet, which a power cut in these milliseconds would take back. Await nothing but `tx` inside.
   *
   * @param options.ahead runs a short read before all that wait: a check-in does not wait for everybody's large pages
   */
  read<T>(work: (tx: ReadTx) => Promise<T>, options?: { ahead?: boolean }): Promise<T>

  /**
   * One transaction, serialized with every other write of its owner. Resolves only when the change would survive a power
   * cut; rejects, with nothing changed, when `work` throws. Await nothing but `tx` inside.
   *
   * `work` may run more than once: where the transaction that it shared with others is undone, it runs again by itself, and
   * the last run alone counts. So it has no effect but that on `tx`: what it collects begins anew inside it.
   *
   * @param owner the account of everything that it writes: an engine may run writes of other accounts meanwhile
   * @throws DatabaseUnavailable when the database is busy, full or failing
   */
  write<T>(owner: Owner, work: (tx: WriteTx) => Promise<T>): Promise<T>

  /**
   * Stages rows for one write, which inserts them with one statement for each table: that takes a fraction of the time of one
   * statement for each row, while others wait. Staging blocks the event loop: it is for commands, not for a server.
   *
   * @param rows by table; each row has the columns that it fills, all rows of a table the same. A column `…_at` may hold
   *   AT_WRITE
   */
  stage(rows: Readonly<Record<string, readonly object[]>>): Promise<StagedRows>

  /** Discards staged rows, inserted or not. */
  discard(staged: StagedRows): Promise<void>

  /** Has `listener` called after every commit: of this process at once, of another within a quarter of a second. */
  onCommit(listener: () => void): void

  /** Waits for reads and writes under way, then closes. */
  close(): Promise<void>
}

/**
 * The owner of a write that belongs to no single account: the state of the instance, a write over all accounts, and a new
 * account.
 */
export const INSTANCE = Symbol('instance')

/** The owner of a write: the id of an account, or the instance. */
export type Owner = string | typeof INSTANCE

export type Value = string | number | null

/** In a staged row, stands for the instant of the write that inserts it. No real instant is as early. */
export const AT_WRITE = Number.MIN_SAFE_INTEGER

export interface StagedRows {
  readonly name: string
  /** The columns by table; a table without rows is not among them. */
  readonly columns: ReadonlyMap<string, readonly string[]>
}

export interface ReadTx {
  one<Row>(sql: string, params?: readonly Value[]): Promise<Row | undefined>
  all<Row>(sql: string, params?: readonly Value[]): Promise<Row[]>
}

export interface WriteTx extends ReadTx {
  /** Runs a statement and gives the number of rows it changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>

  /**
   * Inserts the staged rows of a table, in their order; a row whose key already exists is left out.
   *
   * @param added to these columns of each row: what is known only within the write
   * @returns how many were inserted
   */
  insertStaged(staged: StagedRows, table: string, added?: Readonly<Record<string, number>>): Promise<number>

  /**
   * The instant of this transaction in milliseconds, for `created_at` and the like. It is never before that of an earlier write,
   * even of another process, and so may be far ahead of a clock that was set back.
   */
  now(): Promise<number>

  /** The time of the clock, in milliseconds: for expiry and due dates. */
  clock(): number

  /** Runs `work` in a savepoint: when it throws, its changes are undone, and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

/** The database is busy, full or failing. The whole write was undone. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** True when another process holds the lock: worth an immediate retry. */
  readonly busy: boolean

  constructor(message: string, options: ErrorOptions & { busy?: boolean } = {}) {
    super(message, options)
    this.busy = options.busy ?? false
  }
}

/** The database file is damaged where it was read. */
export class DatabaseDamaged extends Error {
  override name = 'DatabaseDamaged'

  /** @param code of SQLite */
  constructor(code: string, options?: ErrorOptions) {
    super(`The database is damaged (${code}). Restore it from a backup.`, options)
  }
}

/** A statement names something unknown to the database: the message quotes the statement, and no parameter. */
export class StatementRefused extends Error {
  override name = 'StatementRefused'
}
