import { EARLIEST, LATEST } from '#base/time.ts'
import type { ValueReader } from './batches.ts'
import type { Form, Forms, Limit } from './forms.ts'
import { type Catalog, type Column, INSTANCE, type Table } from './port.ts'
import { walkTable } from './walk-table.ts'

/** The most findings in one table. More would add nothing. */
const MAX_FINDINGS = 100
/** The longest value of a column without a limit of its own, in bytes. */
const LONGEST = 100_000
/** The most rows that a batch reads. */
const BATCH = 1_000

interface Found {
  row: number | string
  /** The id of the row, if it has one. */
  shown: string | null
}

/**
 * Looks for values that do not have their column's type, which some engines keep as they are, for endless texts and bytes, and for
 * instants that cannot be written down. These are the limits of what any column may hold. Each table is one snapshot.
 *
 * @returns a sentence for each
 */
export async function* findMistyped(reader: ValueReader, forms: Forms): AsyncGenerator<string> {
  const { catalog } = reader
  for (const table of await reader.read(INSTANCE, tx => catalog.listTables(tx))) {
    const ofTable = forms[table.name]
    const kinds = new Map(
      table.columns.map(column => [column.name, kindOf(catalog, column, ofTable?.[column.name])]),
    )
    for (const name of table.key) {
      // A row whose number is not exact could not be passed in a walk.
      if (!kinds.has(name)) kinds.set(name, { bad: `"${name}" NOT ${SAFE}`, what: 'a safe number' })
    }
    const cases = [...kinds].map(([name, { bad }]) => `WHEN ${bad} THEN '${name}'`).join(' ')
    const rows = await reader.read(INSTANCE, tx =>
      tx.all<Found & { fault: string }>(
        `SELECT * FROM (SELECT ${identify(catalog, table)}, CASE ${cases} END AS fault FROM "${table.name}") AS looked_at
         WHERE fault IS NOT NULL LIMIT ${MAX_FINDINGS}`,
      ),
    )
    for (const { fault, ...row } of rows) yield say(table.name, row, fault, kinds.get(fault)?.what)
  }
}

const SAFE = `BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`

function kindOf(
  catalog: Catalog,
  { name, type }: Column,
  form: Form | Limit | undefined,
): { bad: string; what: string } {
  const badIf = (wanted: 'text' | 'integer' | 'blob', condition: string) =>
    [...(catalog.isNot === undefined ? [] : [catalog.isNot(name, wanted)]), condition].join(' OR ')
  const longest = form?.longest ?? LONGEST
  const isTooLong = `octet_length("${name}") > ${longest}`
  if (type === 'TEXT') return { bad: badIf('text', isTooLong), what: `a text of at most ${longest} bytes` }
  if (type === 'BYTEA') return { bad: badIf('blob', isTooLong), what: `at most ${longest} bytes` }
  if (type === 'INTEGER') {
    return { bad: badIf('integer', `"${name}" NOT ${SAFE}`), what: 'a whole number that is exact' }
  }
  if (type !== 'BIGINT') throw new Error(`What is a ${type}, as ${name} is?`)
  return {
    bad: badIf('integer', `"${name}" NOT BETWEEN ${EARLIEST} AND ${LATEST}`),
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
  reader: ValueReader,
  forms: Forms,
  leftOut: readonly string[] = [],
): AsyncGenerator<string> {
  for (const table of await reader.read(INSTANCE, tx => reader.catalog.listTables(tx))) {
    const ofTable = forms[table.name] ?? {}
    const columns = new Map<string, Form>()
    for (const { name } of table.columns) {
      const form = ofTable[name]
      if (form !== undefined && 'fits' in form && !leftOut.includes(name)) columns.set(name, form)
    }
    if (columns.size === 0) continue
    const also = identify(reader.catalog, table)
    for await (const rows of walkTable<FormedRow>(reader, {
      table,
      columns: [...columns.keys()],
      also,
      rows: BATCH,
    })) {
      for (const row of rows) yield* describeMisshapen(table.name, row, columns)
    }
  }
}

function* describeMisshapen(
  table: string,
  row: FormedRow,
  columns: ReadonlyMap<string, Form>,
): Generator<string> {
  for (const [name, form] of columns) {
    const value = row[name] as string | number | null
    if (value !== null && !form.fits(value, row)) yield say(table, row, name, form.what)
  }
}

type FormedRow = Found & Record<string, unknown>

function identify({ isNot }: Catalog, { columns, row }: Table): string {
  const hasId = columns.some(({ name, type }) => name === 'id' && type === 'TEXT')
  const isText = isNot === undefined ? '' : `NOT (${isNot('id', 'text')}) AND `
  const id = hasId ? `CASE WHEN ${isText}octet_length(id) <= 36 THEN id END` : 'NULL'
  return `${row} AS "row", ${id} AS shown`
}

/** An id may be anything, even a person's name. It is shown only if the program could have made it. */
const ID = /^(evt_|chk_)?[0-9a-f-]{8,36}$/

function say(table: string, { row, shown }: Found, column: string, what = ''): string {
  const name = shown !== null && ID.test(shown) ? shown : row
  return `the ${column} of row ${name} of ${table} is not ${what}`
}
