import SqliteConnection from 'better-sqlite3'
import { Refusal } from '../../refusal.ts'
import { DatabaseDamaged, DatabaseUnavailable, StatementRefused, type Value } from '../port.ts'

/** One SQLite connection with the settings that do not persist in the file, and its statements, prepared once. */
export class Connection {
  readonly #sqlite: SqliteConnection.Database
  readonly #statements = new Map<string, SqliteConnection.Statement>()

  /** @param timeout how long SQLite itself may wait for a lock, in milliseconds; the thread stands still meanwhile */
  constructor(path: string, timeout: number) {
    this.#sqlite = new SqliteConnection(path, { timeout })
    this.#sqlite.pragma('synchronous = NORMAL')
    // Of macOS alone, where a sync otherwise ends before the disk has written.
    this.#sqlite.pragma('fullfsync = ON')
    this.#sqlite.pragma('foreign_keys = ON')
    this.#sqlite.pragma('trusted_schema = OFF')
    this.#sqlite.pragma('temp_store = MEMORY')
  }

  get inTransaction(): boolean {
    return this.#sqlite.inTransaction
  }

  get<Row>(sql: string, params?: readonly Value[]): Row | undefined {
    return this.#call(() => this.#prepare(sql).get(named(params)) as Row | undefined, sql)
  }

  all<Row>(sql: string, params?: readonly Value[]): Row[] {
    return this.#call(() => this.#prepare(sql).all(named(params)) as Row[], sql)
  }

  run(sql: string, params?: readonly Value[]): number {
    return this.#call(() => this.#prepare(sql).run(named(params)).changes, sql)
  }

  /** Runs a statement that is not kept, once with each of the parameters, which are `?` in it. @returns the rows changed */
  runEach(sql: string, each: Iterable<readonly Value[]>): number {
    return this.#call(() => {
      const statement = this.#sqlite.prepare(sql)
      let changed = 0
      for (const params of each) changed += statement.run(params).changes
      return changed
    })
  }

  /** Begins a write. @returns false when another process is writing */
  beginImmediate(): boolean {
    try {
      this.run('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (error instanceof DatabaseUnavailable && error.busy) return false
      throw error
    }
  }

  /** Undoes everything since a savepoint, and the savepoint. */
  undoTo(savepoint: 'write' | 'attempt'): void {
    this.run(`ROLLBACK TO ${savepoint}`)
    this.run(`RELEASE ${savepoint}`)
  }

  /** Undoes the transaction, where SQLite has not done so itself. */
  rollBack(): void {
    if (this.inTransaction) this.run('ROLLBACK')
  }

  /** Runs a script of several statements, which is not kept. */
  exec(script: string): void {
    this.#call(() => this.#sqlite.exec(script))
  }

  /** Has statements call a function of this program, which gives the same for the same values; a schema cannot call it. */
  define(name: string, call: (...values: unknown[]) => Value): void {
    this.#sqlite.function(name, { deterministic: true, directOnly: true, varargs: true }, call)
  }

  pragma(text: string): unknown {
    return this.#call(() => this.#sqlite.pragma(text, { simple: true }))
  }

  close(): void {
    this.#sqlite.close()
  }

  #prepare(sql: string): SqliteConnection.Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#sqlite.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
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
   * SQLite has one code for a value that does not do and for a text that does not, as it compiles a statement again when the
   * schema has changed: to compile it once more tells them apart.
   */
  #refuse(sql: string, cause: unknown): void {
    try {
      this.#sqlite.prepare(sql)
    } catch (error) {
      throw new StatementRefused((error as Error).message, { cause })
    }
  }
}

/** Errors of the machine or of another process, not of the statement: the write is given up and may be tried again. */
const OUTAGE = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|NOMEM|CANTOPEN|READONLY)/

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/

function codeOf(error: unknown): string | undefined {
  return error instanceof SqliteConnection.SqliteError ? error.code : undefined
}

/**
 * `$1` is a name to better-sqlite3, which looks it up as the property `1`. It has read them all when a statement returns, so one
 * object serves all statements with as many.
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

/** By the number of parameters. */
const objects: Record<number, Value>[] = []

/** The code of what SQLite threw, also where it was put into another error. */
export function sqliteCodeOf(error: unknown): string | undefined {
  return codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined)
}

/**
 * Turns what SQLite says at opening into a sentence for the person who runs the program; other errors stay as they are.
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
