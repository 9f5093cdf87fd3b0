import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import { makeCreditorReference } from '#base/creditor-reference.ts'
import type { ValueReader } from '#machinery/db/batches.ts'
import { INSTANCE, type Value } from '#machinery/db/port.ts'
import { openRows, type Rows } from './rows.ts'
import { readSchema, type SchemaTable } from './schema-tables.ts'

export type Row = Record<string, string | number | null>

export interface Column {
  table: string
  name: string
}

/** A row with the values by which its engine finds it. */
interface Planted {
  row: Row
  key: readonly Value[]
}

/** Opens a database for damage that is undone after each look. */
export async function openPlanted(t: Pick<TestContext, 'after'>, data: string) {
  const rows = await openRows(t, data)
  await rows.uncheck('references')
  const tables = new Map(readSchema().map(table => [table.name, table]))
  const { reader } = rows
  const keys = new Map(
    (await reader.read(INSTANCE, tx => reader.catalog.listTables(tx))).map(({ name, key }) => [name, key]),
  )
  const keyOf = (table: string) => keys.get(table) as readonly string[]
  /** The condition that finds one row, after so many other parameters. */
  const isIt = (table: string, before: number) =>
    keyOf(table)
      .map((name, at) => `"${name}" = $${before + at + 1}`)
      .join(' AND ')
  const rowsOf = async (table: string): Promise<Planted[]> => {
    const names = keyOf(table).map((name, at) => `"${name}" AS key_${at}`)
    const found = await rows.all<Row>(`SELECT ${names}, ${table}.* FROM ${table} ORDER BY ${keyOf(table)}`)
    return found.map(each => {
      const key = names.map((_, at) => each[`key_${at}`] as Value)
      return { key, row: Object.fromEntries(Object.entries(each).slice(names.length)) }
    })
  }
  /** Returns what is found while a change stands; undefined if the schema refuses the change. */
  const during = (change: () => Promise<unknown>, find: (reader: ValueReader) => Promise<string[]>) =>
    rows.tryOut(async () => {
      await change()
      return [...(await rows.orphans()), ...(await find(reader))]
    })
  const add = ({ table, name }: Column, { key }: Planted, more: number) =>
    rows.run(`UPDATE ${table} SET ${name} = ${name} + $1 WHERE ${isIt(table, 1)}`, [more, ...key])
  const remove = (table: string, { key }: Planted) =>
    rows.run(`DELETE FROM ${table} WHERE ${isIt(table, 0)}`, key)
  /** Adds the same row again, with new values where the schema asks for others. */
  const double = async (table: string, { row }: Planted) => {
    const copy: Row = { ...row }
    for (const name of lastOfEach((tables.get(table) as SchemaTable).unique))
      if (row[name] !== null) copy[name] = await another(table, name, row, rows)
    const names = Object.keys(copy)
    await rows.run(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(copy) as Value[],
    )
    return copy
  }
  return { rows, reader, during, rowsOf, add, remove, double }
}

/** Returns the last column of each unique index: with another value there, the row is another. */
function lastOfEach(unique: readonly string[][]): Set<string> {
  // An order has one open payment at most: the double of that is refused.
  return new Set(unique.flatMap(columns => columns.slice(-1)).filter(name => name !== 'order_id'))
}

async function another(table: string, name: string, row: Row, rows: Rows): Promise<string | number> {
  if (typeof row[name] === 'number') {
    const [most = 0] = await rows.column<number>(`SELECT max(${name}) FROM ${table}`)
    return most + 1
  }
  if (name === 'reference' && table === 'payments')
    return makeCreditorReference(randomUUID().slice(0, 8).toUpperCase())
  return randomUUID()
}

/** Returns the columns that may hold money: whole numbers that are no instants, flags or counts. */
export function moneyColumns(): Column[] {
  return readSchema().flatMap(({ name: table, columns }) =>
    columns
      .filter(({ name, type }) => type !== 'TEXT' && MONEY.test(name) && !/^is_|_at$/.test(name))
      .map(({ name }) => ({ table, name })),
  )
}

const MONEY =
  /amount|price|discount|tax|fee|received|paid|basis_points|percent|total|cost|sum|per_ticket|balance|back|^net$|difference/
