import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markOf, readWritten, toMinorUnits } from '#machinery/bank-files/amounts.ts'

/** Returns signed minor units, by the decimal mark of a column. */
function read(text: string, mark: ',' | '.', currency = 'EUR'): number | undefined {
  const written = readWritten(text)
  const size = written && toMinorUnits(written.number, mark, currency)
  return size === undefined ? undefined : (written?.sign ?? 1) * size
}

test('an amount is read in every way that banks write it, as whole minor units', () => {
  const cases: [text: string, mark: ',' | '.', minor: number, currency?: string][] = [
    ...([
      ['1.234,56', ',', 123_456],
      ['1,234.56', '.', 123_456],
      ['1 234,56', ',', 123_456],
      ['1\u00a0234,56', ',', 123_456],
      ['1\u202f234\u202f567,8', ',', 123_456_780],
      ["1'234.56", '.', 123_456],
      ['1’234.56', '.', 123_456],
      ['12,34,567.00', '.', 123_456_700],
      ['-12,00', ',', -1200],
      ['12,00-', ',', -1200],
      ['- 12,00', ',', -1200],
      ['−12,00', ',', -1200],
      ['–12.00', '.', -1200],
      ['(12.00)', '.', -1200],
      ['($12.00)', '.', -1200],
      ['-$1,012.00', '.', -101_200],
      ['+12.00', '.', 1200],
      ['EUR 12,00', ',', 1200],
      ['12,00 €', ',', 1200],
      ['€12', '.', 1200],
      ['12,00EUR', ',', 1200],
      ['-12,00 EUR', ',', -1200],
      ['12,00- EUR', ',', -1200],
      ['12.5', '.', 1250],
      ['.5', '.', 50],
      ['12.', '.', 1200],
      ['0,07', ',', 7],
      ['007', ',', 700],
      ['12.5000', '.', 1250],
      ["'-12,00", ',', -1200],
      ['１２，００', ',', 1200],
      ['123456789012,34', ',', 12_345_678_901_234],
    ] as [string, ',' | '.', number][]),
    ['1,200', '.', 1200, 'JPY'],
    ['¥80', '.', 80, 'JPY'],
    ['1.000', ',', 1000, 'UGX'],
    ['12.500', '.', 12_500, 'KWD'],
    ['1,012.5', '.', 1_012_500, 'KWD'],
  ]
  for (const [text, mark, minor, currency] of cases) assert.equal(read(text, mark, currency), minor, text)
})

test('what is no amount, or has more digits than its currency, is none', () => {
  for (const text of [
    ...[
      '',
      '-',
      'EUR',
      'abc',
      '12a',
      '1 2',
      '12 34,00',
      '1,2,3',
      '1.23.456,00',
      '12,345.6',
      '--12',
      '-(12)',
      '+-1',
    ],
    ...['12 EUR USD', '12 XYZ', '=12', '=cmd|1', '12,001', '1e5', '0x10', '12%', '12\0', '1'.repeat(40), '٣'],
    ...["1'23", "1'234 567", '9'.repeat(16), 'RF18 5390', '12 - 13', '(12', '12)', `${' '.repeat(100)}1`],
  ])
    assert.equal(read(text, ','), undefined, text)
  assert.equal(read('12.5', '.', 'JPY'), undefined)
  assert.equal(read('12.5001', '.', 'KWD'), undefined)
})

test('an amount says what its mark is, or that it may be either', () => {
  const cases: [text: string, mark: ReturnType<typeof markOf>, currency?: string][] = [
    ['1.234,56', ','],
    ['1,234.56', '.'],
    ['1,234,567', '.'],
    ['12,5', ','],
    ['12.00', '.'],
    ['1234,567', ','],
    ['0.500', '.'],
    ['.500', '.'],
    ["1'234.500", '.'],
    ['12', undefined],
    ['1,234', 'either'],
    ['123.456', 'either'],
    ['1.234', 'either', 'KWD'],
    ['1,234', '.', 'JPY'],
  ]
  for (const [text, mark, currency = 'EUR'] of cases) {
    const written = readWritten(text)
    assert.ok(written)
    assert.equal(markOf(written, currency), mark, text)
  }
})

test('what stands beside an amount is its currency or its side', () => {
  const of = (text: string) => {
    const { currency, side, sign } = readWritten(text) ?? {}
    return [currency, side, sign]
  }
  assert.deepEqual(of('EUR 12,00'), ['EUR', undefined, undefined])
  assert.deepEqual(of('12,00 £'), ['GBP', undefined, undefined])
  assert.deepEqual(of('$12'), [undefined, undefined, undefined])
  assert.deepEqual(of('12,00 zł'), ['PLN', undefined, undefined])
  assert.deepEqual(of('12.00 CR'), [undefined, 'credit', undefined])
  assert.deepEqual(of('12.00DR'), [undefined, 'debit', undefined])
  assert.deepEqual(of('12,00 S'), [undefined, 'debit', undefined])
  assert.deepEqual(of('-12,00 H'), [undefined, 'credit', -1])
})
