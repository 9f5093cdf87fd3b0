import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { Problem } from '#base/problem.ts'
import { mappingSchema } from '#machinery/bank-files/mapping.ts'
import { readStatement } from '#machinery/bank-files/statement.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { refusalOf } from '#test/support/refused-file.ts'
import { readAll } from './read-all.ts'

const HEADER = 'Date,Name,Reference,Amount'
const MiB = 1024 * 1024

const refusal = async (file: string | Uint8Array | Source) => {
  const reading = readStatement(typeof file === 'string' ? Buffer.from(file) : file, 'EUR').then(readAll)
  return (await refusalOf(reading)).filter(each => each !== undefined)
}

test('what is no CSV of a bank is refused with what it is', async () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
  const page = '<!DOCTYPE html>\n<html lang="de"><head><title>Sitzung abgelaufen</title></head></html>'
  const cases: [file: string | Uint8Array, key: string, line?: number][] = [
    ['', 'noStatement'],
    ['\ufeff', 'noStatement'],
    [' \n\n', 'noStatement'],
    ['Hello', 'noStatement'],
    ['Error 500. Please try again later, or call us.\n', 'noStatement'],
    ['0\n'.repeat(100), 'noStatement'],
    [gzipSync(`${HEADER}\n2026-12-31,Ann,A,1.00\n`), 'otherFormat gzip'],
    ['%PDF-1.7\n%âãÏÓ\n1 0 obj', 'otherFormat PDF'],
    [page, 'otherFormat HTML'],
    [`\ufeff\n\n  ${page.toLowerCase()}`, 'otherFormat HTML'],
    [utf16(page), 'otherFormat HTML'],
    [
      '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">',
      'otherFormat XML',
    ],
    [':20:STARTUMSE\n:25:DE89\n:61:261201C175,00NMSCNONREF//GUTSCHRIFT\n', 'otherFormat MT940'],
    ['{1:F01BANKDEFF}{2:I940}', 'otherFormat MT940'],
    ['OFXHEADER:100\nDATA:OFXSGML\n', 'otherFormat OFX'],
    ['!Type:Bank\nD12/31/2026\nT1.00\n^\n', 'otherFormat QIF'],
    ['{"error":"unauthorized"}', 'otherFormat JSON'],
    [Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]), 'workbook'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'workbook'],
    [Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex'), 'noText'],
    [Buffer.alloc(1000), 'noText'],
    [`${HEADER}\n`, 'noLines'],
    [`Konto;DE02\n\nBuchungstag;Betrag;Verwendungszweck\n`, 'noLines'],
    [
      Buffer.concat([Buffer.from(`\ufeff${HEADER}\n2026-12-31,Ann,A,1\n`), Buffer.from([0xff])]),
      'encoding',
      1,
    ],
    [`${HEADER}\n${'a,'.repeat(200)}b\n`, 'tooManyColumns', 2],
    [`${HEADER}\n${'2026-12-31,Ann,A,1\n'.repeat(100_001)}`, 'tooManyLines'],
    [`${HEADER}\n${'\n'.repeat(1_048_577)}`, 'tooManyLines'],
    [`${HEADER}\n${'"x" y\n'.repeat(102)}`, 'openQuote', 102],
  ]
  for (const [at, [file, ...expected]] of cases.entries())
    assert.deepEqual(await refusal(file), expected, `${at}: ${expected}`)
})

test('a file that is too large is refused before any of it is read', async () => {
  const source: Source = { size: 50 * MiB + 1, read: () => assert.fail('It was read.') }
  assert.deepEqual(await refusal(source), ['tooManyBytes'])
})

test('odd texts in any place are read or told, and nothing fails', { timeout: 30_000 }, async () => {
  const odd = naughtyStrings.map(text => text.slice(0, 2000))
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
  const files = [
    `${HEADER}\n${odd.map(text => `2026-12-31,Ann,${quote(text)},1.00`).join('\n')}`,
    `${HEADER}\n${odd.map(text => `${quote(text)},Ann,A,${quote(text)}`).join('\n')}`,
    `${HEADER}\n${odd.slice(0, 90).join('\n')}\n2026-12-31,Ann,A,1.00`,
    ...odd.map(text => `Date,${quote(text)},Amount,${quote(text)}\n2026-12-31,a,1.00,b\n`),
    `Date,Amount${',Memo'.repeat(80)}\n2026-12-31,1.00${',x'.repeat(80)}\n`,
    `Date,Amount,${quote('\0'.repeat(9))},${quote('Memo'.padEnd(900))},Reference${'x'.repeat(900)}\n2026-12-31,1.00,a,b,c\n`,
    ...odd.map(text => `${text}\n${HEADER}\n2026-12-31,Ann,A,1.00\n`),
    ...odd,
  ]
  for (const file of files) {
    try {
      const statement = await readStatement(Buffer.from(file), 'EUR')
      // Whatever the columns are called, the guess can be kept.
      assert.ok(v.is(mappingSchema, statement.mapping), JSON.stringify(statement.mapping).slice(0, 500))
      await readAll(statement)
    } catch (error) {
      assert.ok(error instanceof Problem, `${error} of ${JSON.stringify(file.slice(0, 200))}`)
    }
  }
})
