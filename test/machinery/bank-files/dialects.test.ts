import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { digitsOf, toDecimal } from '#base/money.ts'
import type { Mapping } from '#machinery/bank-files/mapping.ts'
import { noMapping } from '#machinery/bank-files/mapping.ts'
import { readStatement } from '#machinery/bank-files/statement.ts'
import { readAll } from './read-all.ts'

interface Row {
  date: string
  amount: number
  counterparty: string
  text: string
}

/** Describes how one bank writes. */
interface Dialect {
  separator: ',' | ';' | '\t'
  newline: '\n' | '\r\n' | '\r'
  encoding: 'utf8' | 'utf8 with mark' | 'latin1' | 'utf16le' | 'utf16be'
  decimal: ',' | '.'
  group: '' | ',' | '.' | ' ' | "'" | '\u00a0'
  date: 'ymd' | 'compact' | 'd.m.y' | 'd.m.yy' | 'd/m/y' | 'm/d/y' | 'd-m-yy' | 'with time'
  money:
    | 'minus'
    | 'minus behind'
    | 'parentheses'
    | 'two columns'
    | 'negative debits'
    | 'flag'
    | 'with currency'
  preamble: number
  trailer: boolean
}

const dialects: fc.Arbitrary<Dialect> = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8 with mark', 'latin1', 'utf16le', 'utf16be'),
  decimal: fc.constantFrom(',', '.'),
  group: fc.constantFrom('', ',', '.', ' ', "'", '\u00a0'),
  date: fc.constantFrom('ymd', 'compact', 'd.m.y', 'd.m.yy', 'd/m/y', 'm/d/y', 'd-m-yy', 'with time'),
  money: fc.constantFrom(
    ...([
      'minus',
      'minus behind',
      'parentheses',
      'two columns',
      'negative debits',
      'flag',
      'with currency',
    ] as const),
  ),
  preamble: fc.nat(15),
  trailer: fc.boolean(),
})

/** The words have letters of Latin-1 and characters that a CSV has to quote. */
const words = fc.string({
  unit: fc.constantFrom(...'aZé ñß0129.,;"\'=+-@/|\t\n#€RF'.replace('€', '')),
  maxLength: 30,
})

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    date: fc
      .integer({ min: 0, max: 20_000 })
      .map(day => new Date(Date.UTC(2000, 0, 1) + day * 86_400_000).toISOString().slice(0, 10)),
    amount: fc.oneof(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: -(10 ** 12), max: 10 ** 12 })),
    counterparty: words,
    text: words,
  }),
  { minLength: 1, maxLength: 12 },
)

const currencies = fc.constantFrom('EUR', 'JPY', 'KWD')

function writeDate(date: string, dialect: Dialect): string {
  const [year = '', month = '', day = ''] = date.split('-')
  const short = year.slice(2)
  return {
    ymd: date,
    compact: `${year}${month}${day}`,
    'd.m.y': `${day}.${month}.${year}`,
    'd.m.yy': `${Number(day)}.${Number(month)}.${short}`,
    'd/m/y': `${day}/${month}/${year}`,
    'm/d/y': `${month}/${day}/${year}`,
    'd-m-yy': `${day}-${month}-${short}`,
    'with time': `${date} 09:30:00`,
  }[dialect.date]
}

/** Writes an amount without its sign. */
function writeSize(amount: number, currency: string, { decimal, group }: Dialect): string {
  const [whole = '', behind] = toDecimal(Math.abs(amount), currency).split('.')
  const mark = group === decimal ? '' : group
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, mark)
  return behind === undefined ? grouped : `${grouped}${decimal}${behind}`
}

function writeMoney(amount: number, currency: string, dialect: Dialect): string[] {
  const size = writeSize(amount, currency, dialect)
  const isOut = amount < 0
  switch (dialect.money) {
    case 'minus':
      return [isOut ? `-${size}` : size]
    case 'minus behind':
      return [isOut ? `${size}-` : size]
    case 'parentheses':
      return [isOut ? `(${size})` : size]
    case 'with currency':
      return [isOut ? `-${size} ${currency}` : `${size} ${currency}`]
    case 'two columns':
      return isOut ? ['', size] : [size, '']
    case 'negative debits':
      return isOut ? ['', `-${size}`] : [size, '']
    case 'flag':
      return [size, isOut ? 'S' : 'H']
  }
}

function columnsOf({ money }: Dialect): string[] {
  if (money === 'two columns' || money === 'negative debits') return ['Haben', 'Soll']
  return money === 'flag' ? ['Betrag', 'S/H'] : ['Betrag']
}

function write(all: readonly Row[], currency: string, dialect: Dialect): Buffer {
  const { separator, newline, encoding, preamble, trailer } = dialect
  const quote = (cells: readonly string[]) =>
    cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join(separator)
  const before = Array.from({ length: preamble }, (_, at) =>
    at % 3 === 2 ? '' : quote([`Konto ${at}:`, 'DE02']),
  )
  const header = quote(['Buchungstag', ...columnsOf(dialect), 'Name', 'Verwendungszweck'])
  const lines = all.map(row =>
    quote([
      writeDate(row.date, dialect),
      ...writeMoney(row.amount, currency, dialect),
      row.counterparty.replaceAll('\n', newline),
      row.text.replaceAll('\n', newline),
    ]),
  )
  const behind = trailer ? ['', quote(['Kontostand', '1.234,56'])] : []
  const text = `${[...before, header, ...lines, ...behind].join(newline)}${newline}`
  if (encoding === 'utf16le') return Buffer.from(`\ufeff${text}`, 'utf16le')
  if (encoding === 'utf16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  return Buffer.from(
    encoding === 'utf8 with mark' ? `\ufeff${text}` : text,
    encoding === 'latin1' ? 'latin1' : 'utf8',
  )
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

/**
 * Returns the lines that the reader should return. Lines that two quotation marks could have made of several are reported as wrong.
 */
const expected = (all: readonly Row[], currency: string) =>
  all.map(({ date, amount, counterparty, text }) => ({
    date,
    amount: amount + 0,
    currency,
    counterparty: plain(counterparty),
    text: plain(text),
  }))

/**
 * Returns whether a text has several lines, each with as many separators as the table: the reader reports it instead of reading it.
 */
const isLikeLines = ({ counterparty, text }: Row) => /\n/.test(`${counterparty}${text}`)

function mappingOf(dialect: Dialect): Mapping {
  const two = dialect.money === 'two columns' || dialect.money === 'negative debits'
  return {
    ...noMapping,
    date: 'Buchungstag',
    amount: two ? null : 'Betrag',
    credit: two ? 'Haben' : null,
    debit: two ? 'Soll' : null,
    flag: dialect.money === 'flag' ? 'S/H' : null,
    counterparty: ['Name'],
    text: ['Verwendungszweck'],
    order: dialect.date === 'm/d/y' ? 'mdy' : 'dmy',
    decimal: dialect.decimal,
  }
}

async function readBack(all: readonly Row[], currency: string, dialect: Dialect, kept?: Mapping) {
  const statement = await readStatement(write(all, currency, dialect), currency, kept)
  const { lines, wrong } = await readAll(statement)
  const read = lines.map(({ date, amount, currency, counterparty, text }) => ({
    date,
    amount,
    currency,
    counterparty,
    text,
  }))
  return { read, wrong, doubts: statement.doubts }
}

/** Compares without the minus of a zero, and with equal keys for equal lines. */
const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

test('a table in any dialect reads back equal by a mapping that says how it writes', async () => {
  await fc.assert(
    fc.asyncProperty(rows, currencies, dialects, async (all, currency, dialect) => {
      const { read, wrong } = await readBack(all, currency, dialect, mappingOf(dialect))
      if (!all.some(isLikeLines)) assert.equal(wrong.length, 0)
      const wanted = expected(all, currency)
      if (wrong.length === 0) assert.deepEqual(read, wanted)
      for (const line of read)
        assert.ok(
          wanted.some(other => isSame(line, other)),
          JSON.stringify(line),
        )
    }),
    { numRuns: 500 },
  )
})

test('a table in any dialect reads back equal by guessing, or what is open is told: never another value', async () => {
  let settled = 0
  await fc.assert(
    fc.asyncProperty(rows, currencies, dialects, async (all, currency, dialect) => {
      // A column of debits alone, and flags that are all the same, are no less clear.
      const { read, wrong, doubts } = await readBack(all, currency, dialect)
      const wanted = expected(all, currency)
      for (const line of read)
        assert.ok(
          wanted.some(other => isSame(line, other)),
          JSON.stringify(line),
        )
      assert.ok(read.length + wrong.length >= 1)
      if (wrong.length === 0) assert.deepEqual(read, wanted)
      else assert.ok(doubts.length > 0 || all.some(isLikeLines), JSON.stringify(wrong))
      if (wrong.length === 0) settled++
    }),
    { numRuns: 500 },
  )
  assert.ok(settled > 250, `${settled} of 500`)
})

test('the currencies of the dialects have none, two and three digits', () => {
  assert.deepEqual(['EUR', 'JPY', 'KWD'].map(digitsOf), [2, 0, 3])
})
