import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { DatabaseDamaged, DatabaseUnavailable, StatementRefused, type Value } from '../port.ts'
import { openSqliteFile } from './addon/open-file.ts'

/** A SQLite connection with the settings that do not persist in the file, and its statements, each prepared once. */
export class Connection {
  readonly #sqlite: SqliteConnection.Database
  readonly #statements = new Map<string, Prepared>()
  /** The tables that statements have written to since the last commit. */
  readonly #written = new Set<string>()
  #writes = 0
  #dataVersion: SqliteConnection.Statement | undefined

  /**
   * Opens the connection.
   *
   * @param timeout how long SQLite itself may wait for a lock, in milliseconds, while the thread stands still
   */
  constructor(path: string, timeout: number) {
    this.#sqlite = openSqliteFile(path, { timeout })
    this.#sqlite.pragma('synchronous = NORMAL')
    // Only macOS needs it. There a sync otherwise ends before the disk has written.
    this.#sqlite.pragma('fullfsync = ON')
    this.#sqlite.pragma('foreign_keys = ON')
    this.#sqlite.pragma('trusted_schema = OFF')
    this.#sqlite.pragma('temp_store = MEMORY')
  }

  get inTransaction(): boolean {
    return this.#sqlite.inTransaction
  }

  /** How many writing statements have run. */
  get writes(): number {
    return this.#writes
  }

  get<Row>(sql: string, params?: readonly Value[]): Row | undefined {
    return this.#call(() => this.#statement(sql).get(named(params)) as Row | undefined, sql)
  }

  all<Row>(sql: string, params?: readonly Value[]): Row[] {
    return this.#call(() => this.#statement(sql).all(named(params)) as Row[], sql)
  }

  run(sql: string, params?: readonly Value[]): number {
    return this.#call(() => this.#statement(sql).run(named(params)).changes, sql)
  }

  /**
   * Runs a statement once with each of the parameters, which are `?` in it. The statement is not kept.
   *
   * @returns the rows changed
   */
  runEach(sql: string, each: Iterable<readonly Value[]>): number {
    return this.#call(() => {
      const statement = this.#sqlite.prepare(sql)
      let changed = 0
      for (const params of each) changed += statement.run(params).changes
      return changed
    })
  }

  /** Begins a write. @returns false if another process is writing */
  beginImmediate(): boolean {
    try {
      this.run('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.busy) return false
      throw error
    }
  }

  /** Commits. @returns the tables that statements have written to, though some of the writes may have been undone */
  commit(): readonly string[] {
    this.run('COMMIT')
    if (this.#written.size === 0) return []
    const written = [...this.#written]
    this.#written.clear()
    return written
  }

  /**
   * Returns a number that changes after each commit of another connection, in any process:
   * https://sqlite.org/pragma.html#pragma_data_version
   */
  dataVersion(): number {
    return this.#call(() => {
      this.#dataVersion ??= this.#sqlite.prepare('PRAGMA data_version').pluck()
      return this.#dataVersion.get() as number
    })
  }

  /** Undoes everything since a savepoint, and removes the savepoint. */
  undoTo(savepoint: 'write' | 'attempt'): void {
    this.run(`ROLLBACK TO ${savepoint}`)
    this.run(`RELEASE ${savepoint}`)
  }

  /** Undoes everything since a savepoint and keeps the savepoint. */
  undoSince(savepoint: 'write'): void {
    this.run(`ROLLBACK TO ${savepoint}`)
  }

  /** Undoes the transaction, unless SQLite has already done so. */
  rollBack(): void {
    if (this.inTransaction) this.run('ROLLBACK')
  }

  /** Runs a script of several statements, which are not kept. */
  exec(script: string): void {
    this.#call(() => this.#sqlite.exec(script))
  }

  /** Defines a function for statements. It returns the same result for the same values, and the schema cannot call it. */
  define(name: string, call: (...values: unknown[]) => Value): void {
    this.#sqlite.function(name, { deterministic: true, directOnly: true, varargs: true }, call)
  }

  pragma(text: string): unknown {
    return this.#call(() => this.#sqlite.pragma(text, { simple: true }))
  }

  close(): void {
    this.#sqlite.close()
  }

  #statement(sql: string): SqliteConnection.Statement {
    let prepared = this.#statements.get(sql)
    if (prepared === undefined) {
      prepared = { statement: this.#sqlite.prepare(keptCompiled(sql)), writesTo: tablesWrittenBy(sql) }
      this.#statements.set(sql, prepared)
    }
    if (prepared.writesTo.length > 0) {
      this.#writes++
      for (const table of prepared.writesTo) this.#written.add(table)
    }
    return prepared.statement
  }

  #call<T>(work: () => T, sql?: string): T {
    try {
      return work()
    } catch (error) {
      const code = codeOf(error)
      if (code !== undefined && OUTAGE.test(code)) {
        throw new DatabaseUnavailable(`SQLite: ${code}`, {
          cause: error,
          busy: code.startsWith('SQLITE_BUSY'),
        })
      }
      if (code !== undefined && DAMAGE.test(code)) throw new DatabaseDamaged(code, { cause: error })
      if (code === 'SQLITE_ERROR' && sql !== undefined) this.#refuse(sql, error)
      throw error
    }
  }

  /**
   * Refuses a statement whose text is wrong. SQLite compiles a statement again after a change of the schema, so it has one code
   * for a wrong value and for a wrong text. Compiling once more tells them apart.
   */
  #refuse(sql: string, cause: unknown): void {
    try {
      this.#sqlite.prepare(sql)
    } catch (error) {
      throw new StatementRefused((error as Error).message, { cause })
    }
  }
}

interface Prepared {
  readonly statement: SqliteConnection.Statement
  readonly writesTo: readonly string[]
}

/**
 * Returns a statement in the form that stays compiled. The planner of SQLite looks at the value of a parameter that a column equals,
 * or that limits the rows, and then every value that is bound makes the statement compile anew (`sqlite3ExprIsInteger` in expr.c, and
 * `vdbeUnbind` in vdbeapi.c): 10 to 60 µs each time, which an import paid four times. The planner does not look behind a sign, and
 * a plus changes no value.
 */
export function keptCompiled(sql: string): string {
  return sql.replace(/(=|\bIS|\bLIMIT|\bOFFSET)(\s*)(\$\d)/g, '$1$2+$3')
}

/** Returns the tables that a statement names for writing. The schema has no trigger and no cascade, so it writes to no others. */
function tablesWrittenBy(sql: string): string[] {
  return [...sql.matchAll(/\b(?:INSERT INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+(\w+)/g)].map(
    ([, table]) => table as string,
  )
}

/** Errors of the machine or of another process, not of the statement. The write is given up and may be tried again. */
const OUTAGE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY)/

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/

function codeOf(error: unknown): string | undefined {
  return error instanceof SqliteConnection.SqliteError ? error.code : undefined
}

/**
 * Returns the parameters under their names. better-sqlite3 takes `$1` for a name and looks up the property `1`. It has read all
 * values when a statement returns, so one object serves all statements with the same number of parameters.
 */
function named(params: readonly Value[] = []): Record<number, Value> {
  const { length } = params
  let values = objects[length]
  if (values === undefined) {
    values = {}
    objects[length] = values
  }
  for (let at = 0; at < length; at++) values[at + 1] = params[at] as Value
  return values
}

/** The objects by the number of parameters. */
const objects: Record<number, Value>[] = []

/** Returns the code of SQLite's error, also if another error wraps it. */
export function sqliteCodeOf(error: unknown): string | undefined {
  return codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
}

/**
 * Turns SQLite's error at opening into a sentence for the person who runs the program. Other errors stay as they are.
 *
 * @param whenDamaged what to do about a damaged file
 */
export function explainOpening(
  path: string,
  error: unknown,
  whenDamaged = 'Restore it from a backup.',
): unknown {
  const code = sqliteCodeOf(error)
  if (code === undefined) return error
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
    const damaged = `${path} is damaged, or is no SQLite database. ${whenDamaged}`
    return new Refusal(damaged, { cause: error })
  }
  const sentence = OPENING_SENTENCES.find(([pattern]) => pattern.test(code))?.[1]
  return sentence === undefined ? error : new Refusal(`${path} ${sentence}`, { cause: error })
}

const OPENING_SENTENCES: readonly [RegExp, string][] = [
  [
    /^SQLITE_(CANTOPEN|READONLY|PERM)/,
    'cannot be opened for writing. Check who owns the folder, its rights, and that its file system is not read-only.',
  ],
  [/^SQLITE_(BUSY|LOCKED)/, 'is in use by another program. Try again shortly.'],
  [
    /^SQLITE_(FULL|IOERR)/,
    'cannot be written: the disk is full or failing. Make room on it, then start again.',
  ],
]
