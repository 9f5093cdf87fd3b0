import { EARLIEST, LATEST } from '../../time.ts'
import { bytesOf, countWithin, inBatches, type Length, type Reader } from '../batches.ts'
import type { Form, Forms } from '../forms.ts'
import type { ReadTx } from '../port.ts'

/** Findings in one table: more of them say no more. */
const MAX_FINDINGS = 100
/** In bytes: the longest text of a column that says nothing else. */
const LONGEST = 100_000
/** What a batch reads at most, in rows and in bytes, but for a row that is longer by itself. */
const BATCH = 1_000
const BATCH_BYTES = 4_000_000

interface Column {
  name: string
  type: string
}

interface Found {
  row: number
  /** Its id, where it has one. */
  shown: string | null
}

/**
 * Looks for values that are not of their column's type, which SQLite keeps as they are, for texts without end, and for
 * instants that cannot be written down: what a column that is read may hold at all. Each table is one snapshot.
 *
 * @returns a sentence for each
 */
export async function* findMistyped(reader: Reader, forms: Forms): AsyncGenerator<string> {
  for (const [table, columns] of await reader.read(listColumns)) {
    const kinds = new Map(columns.map(column => [column.name, kindOf(column, forms[table]?.[column.name])]))
    // A row past the numbers that are exact could not be walked past.
    kinds.set('rowid', { bad: `rowid NOT ${SAFE}`, what: 'a safe number' })
    const cases = [...kinds].map(([name, { bad }]) => `WHEN ${bad} THEN '${name}'`).join(' ')
    const rows = await reader.read(tx =>
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
 * Looks for values that are not of the form that the program gives them, in short reads: what a request that reads them would
 * fail on. They must be of the right type.
 *
 * @param leftOut names of columns that somebody else looks at
 * @returns a sentence for each
 */
export async function* findMisshapen(
  reader: Reader,
  forms: Forms,
  leftOut: readonly string[] = [],
): AsyncGenerator<string> {
  for (const [table, columns] of await reader.read(listColumns)) {
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
  return inBatches<FormedRow>(reader, BATCH, async (tx, last, size) => {
    const after = last?.row ?? Number.MIN_SAFE_INTEGER - 1
    const found = await tx.all<Length>(`SELECT ${lengths} AS bytes ${next}`, [after, size])
    return tx.all(`SELECT ${identity}, ${names} ${next}`, [after, countWithin(found, bytesOf, BATCH_BYTES)])
  })
}

async function listColumns(tx: ReadTx): Promise<Map<string, Column[]>> {
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

/** An id may be anything, a person's name too: it is shown where it could be one that the program made. */
const ID = /^(evt_|chk_)?[0-9a-f-]{8,36}$/

function say(table: string, { row, shown }: Found, column: string, what = ''): string {
  const name = shown !== null && ID.test(shown) ? shown : row
  return `the ${column} of row ${name} of ${table} is not ${what}`
}
