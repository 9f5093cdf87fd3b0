import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { Problem } from '#base/problem.ts'
import { mappingSchema } from '#machinery/bank-files/mapping.ts'
import { readStatement, type StatementPart } from '#machinery/bank-files/statement.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { readAll } from './read-all.ts'

const HEADER = 'Date,Name,Reference,Amount'
const MiB = 1024 * 1024

/** The fault, and the line that has it. */
async function refusal(file: string | Uint8Array | Source): Promise<[key: string, line?: number]> {
  try {
    await readAll(await readStatement(typeof file === 'string' ? Buffer.from(file) : file, 'EUR'))
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    assert.deepEqual([error.code, error.param], ['invalid_parameter', 'file'])
    const { fault, line } = error.details as {
      fault: { key: string; parameters: { format?: string } }
      line?: number
    }
    const key = [fault.key, fault.parameters.format].filter(Boolean).join(' ')
    return line === undefined ? [key] : [key, line]
  }
  assert.fail('It was read.')
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

test('no file of 50 MB without lines is kept in memory', { timeout: 20_000 }, async () => {
  const sourceOf = (beginning: string, letter: string) => {
    let read = 0
    const source: Source = {
      size: 50 * MiB,
      read: async (start, end) => {
        read = Math.max(read, Math.min(end, 50 * MiB))
        const bytes = Buffer.alloc(Math.min(end, 50 * MiB) - start, letter)
        if (start === 0) bytes.write(beginning)
        return bytes
      },
    }
    return { source, furthest: () => read }
  }
  for (const [beginning, letter, key] of [
    ['', 'a', 'noStatement'],
    ['', '"', 'noStatement'],
    ['', ',', 'noStatement'],
    [`${HEADER}\n`, 'a', 'lineTooLong'],
    [`${HEADER}\n"`, 'a', 'lineTooLong'],
    [`${HEADER}\n`, '"', 'lineTooLong'],
    [`${HEADER}\n"`, '\n', 'tooManyLines'],
    [`${HEADER}\n`, ',', 'lineTooLong'],
  ]) {
    const { source } = sourceOf(beginning as string, letter as string)
    const [found] = await refusal(source)
    assert.equal(found, key, JSON.stringify([beginning, letter]))
  }
})

test('100,000 lines of 50 MB are read in parts, and the event loop turns between them', {
  timeout: 60_000,
}, async () => {
  const text = `lorem ipsum RF18 5390 0754 7034 ${'dolor '.repeat(72)}`
  const lines = Array.from(
    { length: 100_000 },
    (_, at) => `2026-12-${10 + (at % 20)};Guest ${at % 50_000};"${text}";"1.${100 + (at % 900)},50"`,
  )
  const bytes = Buffer.from(`Buchungstag;Name;Verwendungszweck;Betrag\r\n${lines.join('\r\n')}`)
  assert.ok(bytes.length > 48_000_000)
  let turns = 0
  let reading = true
  const turn = () => {
    turns++
    if (reading) setImmediate(turn)
  }
  setImmediate(turn)
  const statement = await readStatement(bytes, 'EUR')
  assert.deepEqual([statement.total, statement.doubts], [100_000, []])
  assert.ok(turns >= bytes.length / 32_768, `${turns} turns`)
  let [count, most, sum] = [0, 0, 0]
  const keys = new Set<string>()
  for await (const part of statement.read()) {
    count += part.lines.length
    most = Math.max(most, part.lines.length + part.wrong.length + part.leftOut.length)
    for (const { key, amount } of part.lines) {
      keys.add(key)
      sum += amount
    }
  }
  reading = false
  assert.deepEqual([count, keys.size], [100_000, 100_000])
  assert.ok(most <= 500, `${most} lines at once`)
  assert.equal(
    sum,
    lines.reduce((all, _, at) => all + 110_050 + (at % 900) * 100, 0),
  )
})

test('lines of few characters are looked at some at a time', { timeout: 30_000 }, async () => {
  const statement = await readStatement(Buffer.from(`Date,Amount\n${'20261231,1\n'.repeat(100_000)}`), 'EUR')
  let turns = 0
  let reading = true
  const turn = () => {
    turns++
    if (reading) setImmediate(turn)
  }
  setImmediate(turn)
  const all: StatementPart[] = []
  for await (const part of statement.read()) all.push(part)
  reading = false
  assert.ok(turns >= 200, `${turns} turns`)
  assert.equal(all.at(-1)?.lines.at(-1)?.n, 100_000)
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

test('no cell makes a line costly', { timeout: 20_000 }, async () => {
  const cells = [
    '1'.repeat(3000),
    ' '.repeat(3000),
    "1'".repeat(1500),
    '1.'.repeat(1500),
    '-'.repeat(3000),
    '\u00a0'.repeat(3000),
  ]
  for (const cell of cells) {
    const line = `"${cell}","${cell}","${cell}","${cell}"\n`
    const statement = await readStatement(
      Buffer.from(
        `${HEADER}\n2026-12-31,Ann,A,1.00\n${'2026-12-31,Ann,A,1.00\n'.repeat(60)}${line.repeat(1000)}`,
      ),
      'EUR',
    )
    await readAll(statement)
  }
})
