import { randomUUID } from 'node:crypto'
import { makeCreditorReference } from '#base/creditor-reference.ts'
import { ownedBy } from '#machinery/db/account-transaction.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Value } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { SqliteTransaction, WriteInstant } from '#machinery/db/sqlite/transaction.ts'
import { Turn } from '#machinery/db/sqlite/turn.ts'

export type Row = Record<string, string | number | null>

export interface Column {
  table: string
  name: string
}

/** Opens a copy of a database for damage that is undone after each look. */
export function openPlanted(path: string) {
  const connection = new Connection(path, 0)
  for (const pragma of ['foreign_keys = OFF', 'synchronous = OFF', 'journal_mode = MEMORY'])
    connection.pragma(pragma)
  const reader = {
    read: (owner: Parameters<Reader['read']>[0], work: (tx: unknown) => Promise<unknown>) => {
      const turn = new Turn()
      const instant = new WriteInstant(connection, Date.now)
      return SqliteTransaction.run(connection, instant, turn, tx => work(ownedBy(owner, tx))).finally(() =>
        turn.end(),
      )
    },
  } as unknown as Reader
  const orphans = () =>
    connection
      .all<{ table: string; parent: string }>('SELECT "table", parent FROM pragma_foreign_key_check')
      .map(({ table, parent }) => `a row of ${table} lacks its row of ${parent}`)
  const rowsOf = (table: string) => connection.all<Row>(`SELECT rowid AS rowid, * FROM ${table}`)
  /** Returns what is found while a change stands; undefined if the schema refuses the change. */
  const during = async (change: () => unknown, find: (reader: Reader) => Promise<string[]>) => {
    connection.run('BEGIN')
    try {
      change()
      return [...orphans(), ...(await find(reader))]
    } catch (error) {
      if (String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) return undefined
      throw error
    } finally {
      connection.run('ROLLBACK')
    }
  }
  const add = ({ table, name }: Column, { rowid }: Row, more: number) =>
    connection.run(`UPDATE ${table} SET ${name} = ${name} + $1 WHERE rowid = $2`, [more, rowid as Value])
  const remove = (table: string, { rowid }: Row) =>
    connection.run(`DELETE FROM ${table} WHERE rowid = $1`, [rowid as Value])
  /** Adds the same row again, with new values where the schema asks for others. */
  const double = (table: string, { rowid: _, ...row }: Row) => {
    const copy: Row = { ...row }
    for (const name of keysOf(connection, table))
      if (row[name] !== null) copy[name] = another(table, name, row, connection)
    const names = Object.keys(copy)
    connection.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(copy) as Value[],
    )
    return copy
  }
  return { connection, reader, during, rowsOf, add, remove, double }
}

/** Returns the last column of each unique index: with another value there, the row is another. */
function keysOf(connection: Connection, table: string): string[] {
  const indexes = connection.all<{ name: string }>(
    `SELECT name FROM pragma_index_list('${table}') WHERE "unique" = 1`,
  )
  return [
    ...new Set(
      indexes.flatMap(({ name }) => {
        const columns = connection.all<{ name: string }>(`SELECT name FROM pragma_index_info('${name}')`)
        // An order has one open payment at most: the double of that is refused.
        return columns.slice(-1).flatMap(column => (column.name === 'order_id' ? [] : [column.name]))
      }),
    ),
  ]
}

function another(table: string, name: string, row: Row, connection: Connection): string | number {
  const value = row[name]
  if (typeof value === 'number') {
    const { most } = connection.get<{ most: number }>(`SELECT max(${name}) AS most FROM ${table}`) as {
      most: number
    }
    return most + 1
  }
  if (name === 'reference' && table === 'payments')
    return makeCreditorReference(randomUUID().slice(0, 8).toUpperCase())
  return randomUUID()
}

/** Returns the columns that may hold money: whole numbers that are no instants, flags or counts. */
export function moneyColumns(connection: Connection): Column[] {
  return connection
    .all<{ table: string; name: string; type: string }>(
      `SELECT m.name AS "table", c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.type IN ('INTEGER', 'BIGINT') ORDER BY m.name, c.cid`,
    )
    .filter(({ name }) => MONEY.test(name) && !/^is_|_at$/.test(name))
}

const MONEY =
  /amount|price|discount|tax|fee|received|paid|basis_points|percent|total|cost|sum|per_ticket|balance|back|^net$|difference/
