import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderOf, readWrittenDate, toDate } from '#machinery/bank-files/dates.ts'

function read(text: string, order: 'dmy' | 'mdy' = 'dmy'): string | undefined {
  const written = readWrittenDate(text)
  return written && toDate(written, order)
}

test('a date is read in every way that banks write it', () => {
  for (const text of [
    ...[
      '31.12.2026',
      '31.12.26',
      '31/12/2026',
      '31/12/26',
      '31-12-2026',
      '31 12 2026',
      '2026-12-31',
      '2026/12/31',
    ],
    ...[
      '2026.12.31',
      '20261231',
      '20261231235959',
      '2026-12-31T23:59:59Z',
      '2026-12-31 23:59:59.123',
      '31.12.2026, 23:59',
    ],
    ...[
      '31/12/2026 23:59:59',
      '31 Dec 2026',
      '31-Dec-26',
      '31 December 2026',
      'Dec 31, 2026',
      'December 31 2026',
    ],
    ...[
      '31. Dez. 2026',
      '31 dic 2026',
      '31 déc. 2026',
      '31 dec 2026',
      '31 gru 2026',
      '31 dez 2026',
      "'31.12.2026",
    ],
    ' 31.12.2026 ',
  ])
    assert.equal(read(text), '2026-12-31', text)
  for (const text of ['12/31/2026', '12/31/26', '12-31-2026', '12/31/2026 11:59 PM'])
    assert.equal(read(text, 'mdy'), '2026-12-31', text)
  assert.equal(read('1.2.2026'), '2026-02-01')
  assert.equal(read('1/2/2026', 'mdy'), '2026-01-02')
  assert.equal(read('29.02.2028'), '2028-02-29')
  for (const [text, month] of [
    ['14 juin 2026', '06'],
    ['14 juil. 2026', '07'],
    ['14 août 2026', '08'],
    ['14 März 2026', '03'],
  ])
    assert.equal(read(text as string), `2026-${month}-14`)
})

test('a day that there is not is no date, and neither is a number, a word or a date with more behind it', () => {
  for (const text of [
    ...[
      '31.02.2026',
      '29.02.2026',
      '32.01.2026',
      '00.01.2026',
      '31.13.2026',
      '2026-13-01',
      '20261301',
      '31.12.1026',
    ],
    ...[
      '',
      'Total',
      'Kontostand',
      '12',
      '31.12',
      '31.12.',
      '12.50',
      '1.234,56',
      '31.12.2026 RF18',
      '31/12-2026',
      '2026-12',
    ],
    ...['31 Foo 2026', '2026123', '31.12.2026\0', '٣١/١٢/٢٠٢٦', `31.12.2026${' '.repeat(50)}x`],
  ])
    assert.equal(read(text), undefined, text)
})

test('a date says whether the day comes first, or that it may be either', () => {
  const orders = (text: string) => {
    const written = readWrittenDate(text)
    return written && orderOf(written)
  }
  assert.equal(orders('13/01/2026'), 'dmy')
  assert.equal(orders('01/13/2026'), 'mdy')
  assert.equal(orders('01/02/2026'), 'either')
  assert.equal(orders('02/02/2026'), undefined)
  assert.equal(orders('01.02.2026'), 'points')
  assert.equal(orders('2026-01-02'), undefined)
  assert.equal(orders('13/13/2026'), undefined)
})
