import { EARLIEST, LATEST } from '#base/time.ts'
import { bytesOf, countWithin, inBatches, type Length, type Reader } from '../batches.ts'
import type { Form, Forms } from '../forms.ts'
import { type AnyReadTx, INSTANCE } from '../port.ts'

/** The most findings in one table. More would add nothing. */
const MAX_FINDINGS = 100
/** The longest text of a column without a limit of its own, in bytes. */
const LONGEST = 100_000
/** The most rows and bytes that a batch reads, except for a single row that is longer. */
const BATCH = 1_000
const BATCH_BYTES = 4_000_000

interface Column {
  name: string
  type: string
}

interface Found {
  row: number
  /** The id of the row, if it has one. */
  shown: string | null
}

/**
 * Looks for values that do not have their column's type, which SQLite keeps as they are, for endless texts, and for instants that
 * cannot be written down. These are the limits of what any column may hold. Each table is one snapshot.
 *
 * @returns a sentence for each
 */
export async function* findMistyped(reader: Reader, forms: Forms): AsyncGenerator<string> {
  for (const [table, columns] of await reader.read(INSTANCE, listColumns)) {
    const kinds = new Map(columns.map(column => [column.name, kindOf(column, forms[table]?.[column.name])]))
    // A row whose number is not exact could not be passed in a walk.
    kinds.set('rowid', { bad: `rowid NOT ${SAFE}`, what: 'a safe number' })
    const cases = [...kinds].map(([name, { bad }]) => `WHEN ${bad} THEN '${name}'`).join(' ')
    const rows = await reader.read(INSTANCE, tx =>
      tx.all<Found & { fault: string }>(
        `SELECT * FROM (SELECT ${identify(columns)}, CASE ${cases} END AS fault FROM "${table}")
         WHERE fault IS NOT NULL LIMIT ${MAX_FINDINGS}`,
      ),
    )
    for (const { fault, ...row } of rows) yield say(table, row, fault, kinds.get(fault)?.what)
  }
}

const SAFE = `BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`

function kindOf({ name, type }: Column, form: Form | undefined): { bad: string; what: string } {
  const isNot = (wanted: string) => `typeof("${name}") NOT IN ('${wanted}', 'null')`
  if (type === 'TEXT') {
    const longest = form?.longest ?? LONGEST
    const bad = `${isNot('text')} OR octet_length("${name}") > ${longest}`
    return { bad, what: `a text of at most ${longest} bytes` }
  }
  if (type === 'INTEGER') {
    return { bad: `${isNot('integer')} OR "${name}" NOT ${SAFE}`, what: 'a whole number that is exact' }
  }
  if (type !== 'BIGINT') throw new Error(`What is a ${type}, as ${name} is?`)
  return {
    bad: `${isNot('integer')} OR "${name}" NOT BETWEEN ${EARLIEST} AND ${LATEST}`,
    what: 'within the instants of the years 0000 to 9999',
  }
}

/**
 * Looks for values that do not have the form that the program gives them, in short reads. A request that reads such a value would
 * fail. The values must have the right type.
 *
 * @param leftOut names of columns that another check covers
 * @returns a sentence for each
 */
export async function* findMisshapen(
  reader: Reader,
  forms: Forms,
  leftOut: readonly string[] = [],
): AsyncGenerator<string> {
  for (const [table, columns] of await reader.read(INSTANCE, listColumns)) {
    const formed = columns
      .map(({ name }) => name)
      .filter(name => forms[table]?.[name] !== undefined && !leftOut.includes(name))
    if (formed.length === 0) continue
    for await (const rows of walk(reader, table, identify(columns), formed)) {
      for (const row of rows) yield* describeMisshapen(table, row, formed, forms[table] ?? {})
    }
  }
}

function* describeMisshapen(
  table: string,
  row: FormedRow,
  columns: readonly string[],
  forms: Readonly<Record<string, Form>>,
): Generator<string> {
  for (const name of columns) {
    const form = forms[name] as Form
    const value = row[name] as string | number | null
    if (value !== null && !form.fits(value, row)) yield say(table, row, name, form.what)
  }
}

type FormedRow = Found & Record<string, unknown>

function walk(
  reader: Reader,
  table: string,
  identity: string,
  columns: readonly string[],
): AsyncGenerator<FormedRow[]> {
  const names = columns.map(name => `"${name}"`)
  const lengths = names.map(name => `coalesce(octet_length(${name}), 0)`).join(' + ')
  const next = `FROM "${table}" WHERE rowid > $1 ORDER BY rowid LIMIT $2`
  return inBatches(reader, INSTANCE, BATCH, async (tx, last: FormedRow | undefined, size) => {
    const after = last?.row ?? Number.MIN_SAFE_INTEGER - 1
    const found = await tx.all<Length>(`SELECT ${lengths} AS bytes ${next}`, [after, size])
    return tx.all(`SELECT ${identity}, ${names} ${next}`, [after, countWithin(found, bytesOf, BATCH_BYTES)])
  })
}

async function listColumns(tx: AnyReadTx): Promise<Map<string, Column[]>> {
  const tables = new Map<string, Column[]>()
  const columns = await tx.all<Column & { table: string }>(
    `SELECT s.name AS "table", c.name, c.type FROM sqlite_schema s, pragma_table_info(s.name) c
     WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY s.rowid, c.cid`,
  )
  for (const { table, ...column } of columns) tables.set(table, [...(tables.get(table) ?? []), column])
  return tables
}

function identify(columns: readonly Column[]): string {
  const hasId = columns.some(({ name, type }) => name === 'id' && type === 'TEXT')
  const id = hasId ? "CASE WHEN typeof(id) = 'text' AND octet_length(id) <= 36 THEN id END" : 'NULL'
  return `rowid AS "row", ${id} AS shown`
}

/** An id may be anything, even a person's name. It is shown only if the program could have made it. */
const ID = /^(evt_|chk_)?[0-9a-f-]{8,36}$/

function say(table: string, { row, shown }: Found, column: string, what = ''): string {
  const name = shown !== null && ID.test(shown) ? shown : row
  return `the ${column} of row ${name} of ${table} is not ${what}`
}
