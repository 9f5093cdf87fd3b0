/**
 * The database as the rules see it. SQLite is behind it, and a second engine could be, because every statement is one text in the
 * subset that SQLite and PostgreSQL share, with `$1` parameters.
 */
export interface Database {
  /**
   * Reads one consistent snapshot. It never waits for a writer or for the disk, so it may show the change of a write that is not
   * answered yet. A power cut in these milliseconds would take that change back. Await nothing but `tx` inside.
   *
   * @param owner the account whose rows are read, or the instance for rows that belong to no account, to several or to one yet to
   *   be found
   * @param options.ahead runs a short read before all that wait, so that a check-in does not wait for large pages
   */
  read<O extends Owner, T>(
    owner: O,
    work: (tx: ReadTxOf<O>) => Promise<T>,
    options?: { ahead?: boolean },
  ): Promise<T>

  /**
   * Runs one transaction, serialized with every other write of its owner. It resolves only when the change would survive a power
   * cut. It rejects, with nothing changed, if `work` throws. Await nothing but `tx` inside.
   *
   * `work` may run more than once. If the transaction that it shared with others is undone, it runs again by itself, and only the
   * last run counts. So it must have no effect except on `tx`, and what it collects must begin anew inside it.
   *
   * @param owner the account of everything that the work writes. An engine may run writes of other accounts at the same time
   * @throws DatabaseUnavailable if the database is busy, full or failing
   */
  write<O extends Owner, T>(
    owner: O,
    work: (tx: WriteTxOf<O>) => Promise<T>,
    options?: WriteOptions,
  ): Promise<T>

  /**
   * Stages rows for one write, which inserts them with one statement for each table. While others wait, that takes a fraction of
   * the time of one statement for each row. Staging blocks the event loop, so it is for commands and not for a server.
   *
   * @param rows by table. Each row has the columns that it fills, and all rows of a table have the same ones. A column `…_at` may
   *   hold AT_WRITE
   */
  stage(rows: Readonly<Record<string, readonly object[]>>): Promise<StagedRows>

  /** Discards staged rows, whether they were inserted or not. */
  discard(staged: StagedRows): Promise<void>

  /**
   * Returns a number that changes as soon as any process may have committed a change of this table. Rows that were read while the
   * number was the same are still current. It takes a few microseconds and no turn of the event loop.
   *
   * @returns undefined if the number cannot be known now, as in an engine to which other machines write. Then nothing may be kept
   */
  versionOf(table: string): number | undefined

  /** Calls `listener` after every commit: of this process at once, of another process within a quarter of a second. */
  onCommit(listener: () => void): void

  /** The tables as this engine keeps them, for a look at every value. */
  readonly catalog: Catalog

  /** Waits for reads and writes under way, then closes. */
  close(): Promise<void>
}

/** Says how an engine keeps the tables of the schema. */
export interface Catalog {
  /** Lists the tables in the order in which they were made. */
  listTables(tx: AnyReadTx): Promise<Table[]>
  /**
   * Returns a condition in SQL that is true of a value of another type than its column's. It is missing if the engine keeps no such
   * value.
   */
  isNot?(column: string, type: 'text' | 'integer' | 'blob'): string
}

export interface Table {
  name: string
  columns: readonly Column[]
  /** The names by which rows are walked, with an index. One that is none of the columns is a number that the engine gives. */
  key: readonly string[]
  /** An expression in SQL that tells a row without an id from the others of its table, and names nobody. */
  row: string
}

export interface Column {
  name: string
  /** The type as the schema has it: TEXT, INTEGER, BIGINT or BYTEA. */
  type: string
}

export interface WriteOptions {
  /**
   * Each decision of the write is made by a statement itself: a condition, a unique key, the claim of a row. An engine whose
   * statements take a way to another process may then run it side by side with others in one transaction. If one of them fails
   * after a change, all are undone, and each runs again alone.
   */
  isGuarded?: boolean | undefined
}

/**
 * The owner of everything that belongs to no single account: the state of the instance, a transaction over all accounts, and a
 * new account.
 */
export const INSTANCE: unique symbol = Symbol('instance')

/** The owner of a transaction: the id of an account, or the instance. */
export type Owner = string | typeof INSTANCE

export type ReadTxOf<O extends Owner> = ByOwner<O, ReadTx, InstanceReadTx>
export type WriteTxOf<O extends Owner> = ByOwner<O, WriteTx, InstanceWriteTx>

/** The type of the transaction. It is one of both if the owner is known only at run time. */
type ByOwner<O extends Owner, OfAccount, OfInstance> = [O] extends [string]
  ? OfAccount
  : [O] extends [typeof INSTANCE]
    ? OfInstance
    : OfAccount | OfInstance

/** Bytes must stay as they are until the statement that has them is answered. Those that a statement returns are its own. */
export type Value = string | number | Uint8Array | null

/** A staged row has this value instead of the instant of the write that inserts it. No real instant is as early. */
export const AT_WRITE = Number.MIN_SAFE_INTEGER

export interface StagedRows {
  readonly name: string
  /** The columns by table, without tables that have no rows. */
  readonly columns: ReadonlyMap<string, readonly string[]>
}

/** The reads of both kinds of transactions. Queries that do not know the account use it, such as a page of any table. */
export interface AnyReadTx {
  one<Row>(sql: string, params?: readonly Value[]): Promise<Row | undefined>
  all<Row>(sql: string, params?: readonly Value[]): Promise<Row[]>
}

/** The writes of both kinds of transactions. */
export interface AnyWriteTx extends AnyReadTx {
  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, params?: readonly Value[]): Promise<number>

  /**
   * Inserts the staged rows of a table, in their order. A row whose key already exists is left out.
   *
   * @param added values to add to these columns of each row, which only the write knows
   * @returns how many rows were inserted
   */
  insertStaged(staged: StagedRows, table: string, added?: Readonly<Record<string, number>>): Promise<number>

  /**
   * Returns the instant of this transaction in milliseconds, for `created_at` and the like. It is never before that of an earlier
   * write, even of another process. So it may be far ahead of a clock that was set back.
   */
  now(): Promise<number>

  /** Returns the time of the clock in milliseconds, for expiry and due dates. */
  clock(): number

  /**
   * How long a batch of a long work may take, in milliseconds: all other writes wait for its end, and on an engine within the process
   * everything does.
   */
  readonly batchTime: number

  /**
   * Lets reads and requests have their turn, if the work has taken long since they had one. It stands between the parts of a work that
   * is large, and all or nothing. Other writes wait on, so a work that can be done in batches is done so.
   */
  giveTurn(): Promise<void>

  /** Runs `work` in a savepoint. If it throws, its changes are undone and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>

  /**
   * Comes before a decision that no statement makes. A guarded write that runs side by side with others is undone here, and runs
   * again alone.
   */
  alone(): Promise<void>
}

/**
 * A transaction of one account, whose id every query binds. A transaction of the instance cannot take its place, nor the other
 * way round.
 */
export interface ReadTx extends AnyReadTx {
  readonly accountId: string
}

export interface WriteTx extends AnyWriteTx, ReadTx {}

/** A transaction over all accounts. */
export interface InstanceReadTx extends AnyReadTx {
  /** Returns the part of the same transaction that belongs to one account. */
  of(accountId: string): ReadTx
}

export interface InstanceWriteTx extends AnyWriteTx, InstanceReadTx {
  of(accountId: string): WriteTx
}

/** The database is busy, full or failing. The whole write was undone. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** True if another process holds the lock. Then an immediate retry is worthwhile. */
  readonly busy: boolean

  constructor(message: string, options: ErrorOptions & { busy?: boolean } = {}) {
    super(message, options)
    this.busy = options.busy ?? false
  }
}

/** The database was closed because the program ends. Nobody waits any longer for callers who still ask. */
export class DatabaseClosed extends DatabaseUnavailable {
  override name = 'DatabaseClosed'

  constructor() {
    super('The database is closed.')
  }
}

/** The database file is damaged at the place that was read. */
export class DatabaseDamaged extends Error {
  override name = 'DatabaseDamaged'

  /** Makes the error. @param code of SQLite */
  constructor(code: string, options?: ErrorOptions) {
    super(`The database is damaged (${code}). Restore it from a backup.`, options)
  }
}

/** A statement names something that the database does not know. The message quotes the statement and no parameter. */
export class StatementRefused extends Error {
  override name = 'StatementRefused'
}
