import type { TestContext } from 'node:test'
import type { ValueReader } from '#machinery/db/batches.ts'
import type { Value } from '#machinery/db/port.ts'
import { clusterUrl } from './postgres-cluster.ts'
import { openPostgresRows } from './rows-postgres.ts'
import { openSqliteRows } from './rows-sqlite.ts'

/**
 * The rows of a database, from outside of every server: tests fill them, damage them and look at them. The statements are in the
 * subset of the port, with `$1` parameters.
 */
export interface Rows {
  all<Row>(sql: string, params?: readonly Value[]): Promise<Row[]>
  one<Row>(sql: string, params?: readonly Value[]): Promise<Row | undefined>
  /** Returns the values of the first column. */
  column<Type extends Value>(sql: string, params?: readonly Value[]): Promise<Type[]>
  /** Runs a statement, which may change the schema too. @returns the number of rows that it changed */
  run(sql: string, params?: readonly Value[]): Promise<number>
  /** Runs a statement once with each of the parameters. */
  runEach(sql: string, each: Iterable<readonly Value[]>): Promise<void>
  /** Does the work in one transaction, which sees one instant and keeps everybody else from writing. */
  transaction<Result>(work: () => Promise<Result>): Promise<Result>
  /** Does the work and undoes its changes. @returns undefined if a constraint refuses one of them */
  tryOut<Result>(work: () => Promise<Result>): Promise<Result | undefined>
  /** From now on this connection takes rows that break references to other rows and, unless they are meant alone, the checks. */
  uncheck(what?: 'references'): Promise<void>
  /** Returns a sentence for each row whose reference is broken. */
  orphans(): Promise<string[]>
  /** Keeps every other process from writing. @returns what ends that */
  hold(): Promise<() => Promise<void>>
  /** Reads as the rules do, within a transaction that is open here. */
  reader: ValueReader
  close(): Promise<void>
}

/** Opens the rows of the database of a data folder, which exists, and closes them after the test at the latest. */
export async function openRows(t: Pick<TestContext, 'after'>, data: string): Promise<Rows> {
  const rows = await open(data)
  t.after(() => rows.close())
  return rows
}

/** Opens the rows for one piece of work. */
export async function withRows<Result>(data: string, work: (rows: Rows) => Promise<Result>): Promise<Result> {
  const rows = await open(data)
  try {
    return await work(rows)
  } finally {
    await rows.close()
  }
}

function open(data: string): Promise<Rows> {
  return clusterUrl() === undefined ? openSqliteRows(data) : openPostgresRows(data)
}
