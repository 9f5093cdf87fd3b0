import { isCurrency } from '../money.ts'
import { markOf, readWritten } from './amounts.ts'
import { type NamedField, ranksOf } from './column-names.ts'
import { readWrittenDate } from './dates.ts'
import { columnsOf, MAX_TOGETHER, type Mapping, noMapping, severalFields, singleFields } from './mapping.ts'
import { readSide } from './sides.ts'

/** What the first lines of a column have. */
interface Column {
  at: number
  /** As it is called in a mapping: never twice the same. */
  name: string
  /** As it stands in the file. */
  header: string
  values: string[]
}

/** In characters: a name that can be kept. */
const CUT = 150

/** The names by which a mapping speaks of columns. */
export function nameColumns(headers: readonly string[]): string[] {
  const used = new Set<string>()
  return headers.map((header, at) => {
    const first = header.slice(0, CUT).toWellFormed().replaceAll('\0', '') || `#${at + 1}`
    let name = first
    for (let again = 2; used.has(name); again++) name = `${first} (${again})`
    used.add(name)
    return name
  })
}

/** Which column is what, by names and by what the first lines have. */
export function guessMapping(headers: readonly string[], sample: readonly (readonly string[])[]): Mapping {
  const names = nameColumns(headers)
  const columns = headers.map((header, at) => ({
    at,
    header,
    name: names[at] as string,
    values: sample.map(cells => cells[at] ?? '').filter(cell => cell !== ''),
  }))
  const mapping = { ...noMapping, ...guessByNames(columns) }
  if (mapping.date === null && mapping.value_date === null) mapping.date = guessDate(columns)
  if (mapping.amount === null && mapping.credit === null && mapping.debit === null)
    mapping.amount = guessAmount(columns)
  if (mapping.text.length === 0) mapping.text = guessTexts(columns, mapping)
  if (mapping.amount !== null && mapping.flag === null) mapping.flag = guessFlag(columns, mapping.amount)
  return mapping
}

const fits: Partial<Record<NamedField, (value: string) => boolean>> = {
  date: value => readWrittenDate(value) !== undefined,
  value_date: value => readWrittenDate(value) !== undefined,
  amount: value => readWritten(value) !== undefined,
  credit: value => readWritten(value) !== undefined,
  debit: value => readWritten(value) !== undefined,
  balance: value => readWritten(value) !== undefined,
  flag: value => readSide(value) !== undefined,
  currency: value => isCurrency(value.toUpperCase()),
}

/** Whether most of a column is what its name says. One without values may be of the other side, or of trailers alone. */
function isWhatItSays(field: NamedField, { values }: Column): boolean {
  const fit = fits[field]
  if (fit === undefined || values.length === 0) return field !== 'flag'
  return values.filter(fit).length >= values.length / 2
}

/** The columns that are called so, the likeliest first. */
function called(columns: readonly Column[], field: NamedField): Column[] {
  const ranked = columns.flatMap(column => {
    const rank = ranksOf(column.header).get(field)
    if (rank === undefined || !isWhatItSays(field, column)) return []
    // What has no values is taken where there is no other.
    const empty = column.values.length === 0 && field !== 'credit' && field !== 'debit'
    return [{ column, rank: rank + (empty ? 1000 : 0) }]
  })
  return ranked.sort((one, other) => one.rank - other.rank).map(({ column }) => column)
}

function guessByNames(columns: readonly Column[]): Partial<Mapping> {
  const found: Partial<Mapping> = {}
  for (const field of singleFields) found[field] = called(columns, field)[0]?.name ?? null
  for (const field of severalFields) found[field] = inTheirOrder(called(columns, field))
  const isUsed = (name: string | null) =>
    columns.some(column => column.name === name && column.values.length > 0)
  const { credit = null, debit = null } = found
  // Where both are there, another column of amounts is of something else, such as a fee.
  if (credit !== null && debit !== null && (isUsed(credit) || isUsed(debit))) found.amount = null
  else if (found.amount) found.credit = found.debit = null
  if (!found.amount) found.flag = null
  found.text = found.text?.filter(name => !found.counterparty?.includes(name)) ?? []
  if (found.text.length === 0) found.text = inTheirOrder(called(columns, 'otherText'))
  found.text = found.text.flatMap(name => [name, ...continuationsOf(columns, name)]).slice(0, MAX_TOGETHER)
  found.counterparty = found.counterparty?.slice(0, MAX_TOGETHER) ?? []
  found.currency = currencyBeside(columns, found)
  if (found.flag && isSigned(columns, found.amount ?? null)) found.flag = null
  return found
}

/** A text may be parted where it was too long for a column. */
function inTheirOrder(columns: readonly Column[]): string[] {
  return columns.toSorted((one, other) => one.at - other.at).map(({ name }) => name)
}

/** Columns of words behind one, which have no names of their own. */
function continuationsOf(columns: readonly Column[], name: string): string[] {
  const behind = columns.slice(columns.findIndex(column => column.name === name) + 1)
  const end = behind.findIndex(({ header }) => header !== '')
  return behind
    .slice(0, end === -1 ? behind.length : end)
    .filter(({ values }) => values.some(value => /\p{L}{2}/u.test(value)))
    .map(column => column.name)
}

/** Of several currencies, that of the amount and not of the balance. */
function currencyBeside(columns: readonly Column[], found: Partial<Mapping>): string | null {
  const all = called(columns, 'currency')
  const at = columns.find(({ name }) => name === (found.amount ?? found.credit))?.at ?? 0
  return (all.find(column => column.at === at + 1) ?? all[0])?.name ?? null
}

function isSigned(columns: readonly Column[], amount: string | null): boolean {
  const values = columns.find(({ name }) => name === amount)?.values ?? []
  return values.some(value => readWritten(value)?.sign !== undefined)
}

/** Credit or debit may stand in a column of no name, or of one that we do not know, where amounts have no signs. */
function guessFlag(columns: readonly Column[], amount: string): string | null {
  if (isSigned(columns, amount)) return null
  const isOpen = ({ header, values }: Column) =>
    [...ranksOf(header).keys()].every(field => field === 'otherText') &&
    // Hyphens alone stand for nothing.
    values.some(value => /[\p{L}+]/u.test(value))
  return columns.find(column => isOpen(column) && isWhatItSays('flag', column))?.name ?? null
}

/** Of columns without names that we know: the first that has dates alone. */
function guessDate(columns: readonly Column[]): string | null {
  const has = (column: Column) => column.values.length > 0 && isWhatItSays('date', column)
  return columns.find(has)?.name ?? null
}

/** Columns of amounts that are compared with each other. */
const MAX_AMOUNTS = 8

/**
 * Of columns without names that we know: the one that has amounts with decimals or signs; of several, the only one with signs, or the
 * one that leads from balance to balance.
 */
function guessAmount(columns: readonly Column[]): string | null {
  const isAmount = (value: string) => {
    const written = readWritten(value)
    if (written === undefined || readWrittenDate(value) !== undefined) return false
    return written.sign !== undefined || markOf(written, 'EUR') !== undefined
  }
  const some = columns.filter(({ values }) => values.length > 0 && values.every(isAmount))
  const [first] = some
  if (some.length > MAX_AMOUNTS) return null
  if (some.length <= 1) return first?.name ?? null
  const signed = some.filter(({ name }) => isSigned(columns, name))
  const [only] = signed
  if (signed.length === 1 && only !== undefined) return only.name
  const minor = new Map(some.map(column => [column, column.values.map(toHundredths)]))
  const found = some.find(column =>
    some.some(before => some.some(after => isMovement(minor, column, before, after))),
  )
  return found?.name ?? null
}

/** Whether one column leads from the second to the third, and that is what the next line begins with. */
function isMovement(
  minor: ReadonlyMap<Column, bigint[]>,
  ...three: readonly [Column, Column, Column]
): boolean {
  const [moved, from, to] = three.map(column => minor.get(column) as bigint[]) as [
    bigint[],
    bigint[],
    bigint[],
  ]
  if (new Set(three).size < 3 || moved.length < 2) return false
  return moved.every(
    (each, at) => (from[at] as bigint) + each === to[at] && (at === 0 || from[at] === to[at - 1]),
  )
}

/** To compare amounts of one file alone. */
function toHundredths(value: string): bigint {
  const written = readWritten(value)
  const [whole = '', behind = ''] = (written?.number ?? '').split(/[.,](?=\d{1,2}$)/)
  const number = BigInt(whole.replace(/\D/g, '') + behind.padEnd(2, '0'))
  return written?.sign === -1 ? -number : number
}

/** Of columns without names that we know: those that have words, the longest first. */
function guessTexts(columns: readonly Column[], mapping: Mapping): string[] {
  const taken = new Set(columnsOf(mapping))
  const lengthOf = ({ values }: Column) => values.reduce((sum, value) => sum + value.length, 0)
  return columns
    .filter(({ name, values }) => !taken.has(name) && values.some(value => /\p{L}{2}.*\s/u.test(value)))
    .sort((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, 3)
    .map(({ name }) => name)
}
