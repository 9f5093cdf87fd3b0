import { isCurrency } from '#base/money.ts'
import { markOf, readWritten } from './amounts.ts'
import { type NamedField, ranksOf } from './column-names.ts'
import { readWrittenDate } from './dates.ts'
import { columnsOf, MAX_TOGETHER, type Mapping, noMapping, severalFields, singleFields } from './mapping.ts'
import { readSide } from './sides.ts'

/** The values that the first lines have in a column. */
interface Column {
  at: number
  /** The name in a mapping. No two columns have the same. */
  name: string
  /** The text in the file. */
  header: string
  values: string[]
  /** The results of the checks of its values so far. */
  results: Map<Fit, boolean>
}

type Fit = (value: string) => boolean

/** In characters. A name of this length can be stored. */
const CUT = 150

/** Returns the names by which a mapping refers to columns. */
export function nameColumns(headers: readonly string[]): string[] {
  const used = new Set<string>()
  // Counts the uses of each name. Counting anew for each column would cost the square of their number.
  const times = new Map<string, number>()
  return headers.map((header, at) => {
    const first = header.slice(0, CUT).toWellFormed().replaceAll('\0', '') || `#${at + 1}`
    let again = times.get(first) ?? 0
    let name: string
    do name = ++again === 1 ? first : `${first} (${again})`
    while (used.has(name))
    times.set(first, again)
    used.add(name)
    return name
  })
}

/** Guesses which column is which field, by names and by the values of the first lines. */
export function guessMapping(headers: readonly string[], sample: readonly (readonly string[])[]): Mapping {
  const names = nameColumns(headers)
  const columns = headers.map((header, at) => ({
    at,
    header,
    name: names[at] as string,
    values: sample.map(cells => cells[at] ?? '').filter(cell => cell !== ''),
    results: new Map(),
  }))
  const mapping = { ...noMapping, ...guessByNames(columns) }
  if (mapping.date === null && mapping.value_date === null) mapping.date = guessDate(columns)
  if (mapping.amount === null && mapping.credit === null && mapping.debit === null)
    mapping.amount = guessAmount(columns)
  if (mapping.text.length === 0) mapping.text = guessTexts(columns, mapping)
  if (mapping.amount !== null && mapping.flag === null) mapping.flag = guessFlag(columns, mapping.amount)
  return mapping
}

const isDateText: Fit = value => readWrittenDate(value) !== undefined
const isAmountText: Fit = value => readWritten(value) !== undefined

const fits: Partial<Record<NamedField, Fit>> = {
  date: isDateText,
  value_date: isDateText,
  amount: isAmountText,
  credit: isAmountText,
  debit: isAmountText,
  balance: isAmountText,
  flag: value => readSide(value) !== undefined,
  currency: value => isCurrency(value.toUpperCase()),
}

/**
 * Returns whether most of a column is what its name says. A column without values may be that of the other side, or of trailing
 * lines.
 */
function isWhatItSays(field: NamedField, { values, results }: Column): boolean {
  const fit = fits[field]
  if (fit === undefined || values.length === 0) return field !== 'flag'
  const is = results.get(fit) ?? values.filter(fit).length >= values.length / 2
  results.set(fit, is)
  return is
}

/** Returns the columns with such a name, the likeliest first. */
function called(columns: readonly Column[], field: NamedField): Column[] {
  const ranked = columns.flatMap(column => {
    const rank = ranksOf(column.header).get(field)
    if (rank === undefined || !isWhatItSays(field, column)) return []
    // A column without values is taken only if there is no other.
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
  // If both exist, another column of amounts is something else, such as a fee.
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

/** Returns the names in the order of the file. A text too long for one column may continue in the next. */
function inTheirOrder(columns: readonly Column[]): string[] {
  return columns.toSorted((one, other) => one.at - other.at).map(({ name }) => name)
}

/** Returns the columns of words behind one that have no names of their own. */
function continuationsOf(columns: readonly Column[], name: string): string[] {
  const behind = columns.slice(columns.findIndex(column => column.name === name) + 1)
  const end = behind.findIndex(({ header }) => header !== '')
  return behind
    .slice(0, end === -1 ? behind.length : end)
    .filter(({ values }) => values.some(value => /\p{L}{2}/u.test(value)))
    .map(column => column.name)
}

/** Returns the column of the currency. If there are several, it is that of the amount and not of the balance. */
function currencyBeside(columns: readonly Column[], found: Partial<Mapping>): string | null {
  const all = called(columns, 'currency')
  const at = columns.find(({ name }) => name === (found.amount ?? found.credit))?.at ?? 0
  return (all.find(column => column.at === at + 1) ?? all[0])?.name ?? null
}

function isSigned(columns: readonly Column[], amount: string | null): boolean {
  const values = columns.find(({ name }) => name === amount)?.values ?? []
  return values.some(value => readWritten(value)?.sign !== undefined)
}

/** Guesses the column of credit or debit. If amounts have no signs, it may be a column without a name, or with an unknown one. */
function guessFlag(columns: readonly Column[], amount: string): string | null {
  if (isSigned(columns, amount)) return null
  const isOpen = ({ header, values }: Column) =>
    [...ranksOf(header).keys()].every(field => field === 'otherText') &&
    // Hyphens alone mean nothing.
    values.some(value => /[\p{L}+]/u.test(value))
  return columns.find(column => isOpen(column) && isWhatItSays('flag', column))?.name ?? null
}

/** Guesses the date among columns with unknown names: the first that has only dates. */
function guessDate(columns: readonly Column[]): string | null {
  const has = (column: Column) => column.values.length > 0 && isWhatItSays('date', column)
  return columns.find(has)?.name ?? null
}

/** The most columns of amounts that are compared with each other. */
const MAX_AMOUNTS = 8

/**
 * Guesses the amount among columns with unknown names: the one that has amounts with decimals or signs. If there are several, it
 * is the only one with signs, or the one that leads from balance to balance.
 */
function guessAmount(columns: readonly Column[]): string | null {
  const isAmount = (value: string) => {
    const written = readWritten(value)
    if (written === undefined || readWrittenDate(value) !== undefined) return false
    return written.sign !== undefined || markOf(written, 'EUR') !== undefined
  }
  const some: Column[] = []
  for (const column of columns) {
    if (column.values.length > 0 && column.values.every(isAmount)) some.push(column)
    if (some.length > MAX_AMOUNTS) return null
  }
  const [first] = some
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

/** Returns whether one column leads from the second to the third, with which the next line begins. */
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

/** Returns hundredths, for comparing amounts of one file only. */
function toHundredths(value: string): bigint {
  const written = readWritten(value)
  const [whole = '', behind = ''] = (written?.number ?? '').split(/[.,](?=\d{1,2}$)/)
  const number = BigInt(whole.replace(/\D/g, '') + behind.padEnd(2, '0'))
  return written?.sign === -1 ? -number : number
}

/** Guesses the texts among columns with unknown names: those that contain words, the longest first. */
function guessTexts(columns: readonly Column[], mapping: Mapping): string[] {
  const taken = new Set(columnsOf(mapping))
  const lengthOf = ({ values }: Column) => values.reduce((sum, value) => sum + value.length, 0)
  return columns
    .filter(({ name, values }) => !taken.has(name) && values.some(hasWords))
    .sort((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, 3)
    .map(({ name }) => name)
}

/**
 * Returns whether a text has words. It takes two steps, because one pattern for both would look for the second behind each letter
 * of a long cell.
 */
function hasWords(value: string): boolean {
  const first = value.search(/\p{L}{2}/u)
  return first !== -1 && /\s/.test(value.slice(first))
}
