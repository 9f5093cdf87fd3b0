import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readStatement, type StatementPart } from '#machinery/bank-files/statement.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import { readAll } from '#test/machinery/bank-files/read-all.ts'
import { refusalOf } from '#test/support/refused-file.ts'

const HEADER = 'Date,Name,Reference,Amount'
const MiB = 1024 * 1024

const refusal = async (file: string | Uint8Array | Source) => {
  const reading = readStatement(typeof file === 'string' ? Buffer.from(file) : file, 'EUR').then(readAll)
  return (await refusalOf(reading)).filter(each => each !== undefined)
}

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
