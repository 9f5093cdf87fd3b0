/**
 * What the rules see of a database. SQLite stands behind it; a second engine can, because every statement is one text in
 * the subset that SQLite and PostgreSQL share, with `$1` parameters.
 */
export interface Database {
  /**
   * One consistent snapshot. Never waits for a writer, nor for the disk: it may show the change of a write that is not
   * answered yet, which a power cut in these milliseconds would take back. Await nothing but `tx` inside.
   *
   * @param options.ahead of all that wait, for what is short: a check-in does not wait for everybody's large pages
   */
  read<T>(work: (tx: ReadTx) => Promise<T>, options?: { ahead?: boolean }): Promise<T>

  /**
   * One transaction, serialized with every other write of its owner. Resolves only when the change would survive a power
   * cut; rejects, with nothing changed, when `work` throws. Await nothing but `tx` inside.
   *
   * `work` may run more than once: where the transaction that it shared with others is undone, it runs again by itself, and
   * the last run alone counts. So it has no effect but that on `tx`: what it collects begins anew inside it.
   *
   * @param owner the account that all it writes belongs to: an engine may let the writes of others go on meanwhile
   * @throws DatabaseUnavailable when the database is busy, full or failing
   */
  write<T>(owner: Owner, work: (tx: WriteTx) => Promise<T>): Promise<T>

  /**
   * Makes rows ready for one write, which takes them in with a statement a table: others wait for that a fraction of the time
   * that a statement a row takes. The event loop stands still meanwhile: it is for a command, not for a server.
   *
   * @param rows by table; each row has the columns that it fills, all rows of a table the same. A column `…_at` may hold
   *   AT_WRITE
   */
  stage(rows: Readonly<Record<string, readonly object[]>>): Promise<StagedRows>

  /** Lets go of rows that were taken in, or never will be. */
  discard(staged: StagedRows): Promise<void>

  /** Has `listener` called after every commit: of this process at once, of another within a quarter of a second. */
  onCommit(listener: () => void): void

  /** Waits for what is under way, then closes. */
  close(): Promise<void>
}

/**
 * Named by a write that belongs to no one account: what the instance keeps of itself, what goes over all accounts, and an
 * account that is only being made.
 */
export const INSTANCE = Symbol('instance')

/** Whose a write is: the id of an account, or the instance's. */
export type Owner = string | typeof INSTANCE

export type Value = string | number | null

/** In a staged row, the instant of the write that takes it in. No instant is as early. */
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
   * Takes in the staged rows of a table, in their order; a row whose key another row has is left out.
   *
   * @param added to these columns of each row: what is known within the write alone
   * @returns how many came in
   */
  insertStaged(staged: StagedRows, table: string, added?: Readonly<Record<string, number>>): Promise<number>

  /**
   * The instant of this transaction in milliseconds, which records when something was. It is never before that of an earlier
   * write, even of another process, and so may be far ahead of a clock that was set back.
   */
  now(): Promise<number>

  /** What the clock says, in milliseconds: for what expires, and for what is due. */
  clock(): number

  /** Runs `work` in a savepoint: when it throws, what it changed is undone, and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

/** The database is busy, full or failing. The whole write was undone. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** True when another process holds the lock: worth another try at once. */
  readonly busy: boolean

  constructor(message: string, options: ErrorOptions & { busy?: boolean } = {}) {
    super(message, options)
    this.busy = options.busy ?? false
  }
}

/** The database file is damaged where it was read. */
export class DatabaseDamaged extends Error {
  override name = 'DatabaseDamaged'

  /** @param code what SQLite calls it */
  constructor(code: string, options?: ErrorOptions) {
    super(`The database is damaged (${code}). Restore it from a backup.`, options)
  }
}

/** The database does not know what a statement names: the message quotes the statement, and no parameter. */
export class StatementRefused extends Error {
  override name = 'StatementRefused'
}
