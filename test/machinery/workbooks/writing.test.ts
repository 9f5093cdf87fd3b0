import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { type SheetCell, type SheetHead, writeSheet } from '#machinery/workbooks/writing.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { longestTurnOf } from '#test/support/processor-time.ts'
import { readSheetRows } from '#test/support/read-sheet.ts'

const HEAD: SheetHead = {
  name: 'Guests',
  columns: [
    { header: 'Name', width: 26 },
    { header: 'Paid', width: 12, format: '#,##0.00' },
    { header: 'Registered', width: 17, format: 'yyyy-mm-dd hh:mm' },
  ],
}

async function* batchesOf(rows: readonly SheetCell[][], size = 100): AsyncGenerator<SheetCell[][]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size)
}

async function write(rows: readonly SheetCell[][], head = HEAD): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of writeSheet(head, batchesOf(rows))) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Returns the text of a part of a file that was written piece by piece, whose sizes stand in its directory. */
function partOf(file: Buffer, name: string): string {
  for (let at = file.indexOf('PK\x01\x02'); at >= 0; at = file.indexOf('PK\x01\x02', at + 4)) {
    const length = file.readUInt16LE(at + 28)
    if (file.toString('utf8', at + 46, at + 46 + length) !== name) continue
    const start = file.readUInt32LE(at + 42)
    const from = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28)
    return inflateRawSync(file.subarray(from, from + file.readUInt32LE(at + 20))).toString()
  }
  throw new Error(name)
}

const NOON = new Date('2026-12-31T12:00:00Z')

test('a sheet has a header that stays in sight, numbers that are numbers, and dates that are dates', async () => {
  const file = await write([
    ['Ada', 12.5, NOON],
    ['Bo', null, null],
  ])
  assert.deepEqual(await readSheetRows(file), [
    ['Name', 'Paid', 'Registered'],
    ['Ada', '12.5', '2026-12-31 12:00'],
    ['Bo'],
  ])
  const sheet = partOf(file, 'xl/worksheets/sheet1.xml')
  assert.match(sheet, /<pane [^>]*ySplit="1"[^>]*state="frozen"/)
  assert.match(sheet, /<c r="B2" s="\d+"><v>12\.5<\/v>/)
  assert.match(sheet, /<c r="C2" s="\d+"><v>46387\.5<\/v>/)
  assert.match(partOf(file, 'xl/styles.xml'), /yyyy-mm-dd hh:mm/)
  assert.match(partOf(file, 'xl/workbook.xml'), /name="Guests"/)
})

test('no text becomes a formula, a link or a number, whatever it begins with', async () => {
  const texts = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '=cmd|"/c calc"!A1',
    '007',
    '1e5',
    'https://example.org',
    '\t=1',
    "'=1",
  ]
  const file = await write(texts.map(text => [text, null, null]))
  const sheet = partOf(file, 'xl/worksheets/sheet1.xml')
  assert.doesNotMatch(sheet, /<f[ >]|hyperlink/)
  assert.equal(sheet.match(/t="inlineStr"/g)?.length, texts.length + HEAD.columns.length)
  assert.deepEqual((await readSheetRows(file)).slice(1).flat(), texts)
})

test('every odd text comes back, without what XML cannot have, and as long as a cell may be', async () => {
  const odd = ['Łukasz', '李小龍', 'עברית', 'محمد', '_x0041_', 'a\nb', ...naughtyStrings].filter(
    text => text.trim() !== '',
  )
  const file = await write(odd.map(text => [text, null, null]))
  assert.doesNotMatch(partOf(file, 'xl/worksheets/sheet1.xml'), NOT_OF_XML)
  const kept = odd.map(text =>
    text.toWellFormed().replaceAll(new RegExp(NOT_OF_XML, 'g'), '').slice(0, 32_767),
  )
  // A cell of which nothing is left is empty, and so is its row.
  assert.deepEqual(
    (await readSheetRows(file)).slice(1).flatMap(([text = '']) => (text.trim() === '' ? [] : [text])),
    kept.filter(text => text.trim() !== '').map(text => text.replace(/\r/g, '\r')),
  )
  const [, [long = ''] = []] = await readSheetRows(await write([['é'.repeat(40_000), null, null]]))
  assert.equal(long.length, 32_767)
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_OF_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

test('20,000 rows of 30 columns are written off the event loop, some at a time', {
  timeout: 60_000,
}, async t => {
  const columns = Array.from({ length: 30 }, (_, at) => ({ header: `Column ${at}`, width: 12 }))
  let [requested, taken] = [0, 0]
  let most = 0
  async function* batches() {
    for (let batch = 0; batch < 200; batch++) {
      requested++
      yield Array.from({ length: 100 }, (_, at) =>
        columns.map((_, column) => `cell ${batch} ${at} ${column}`),
      )
    }
  }
  let bytes = 0
  const longest = await longestTurnOf(async () => {
    for await (const piece of writeSheet({ name: 'Guests', columns }, batches())) {
      taken++
      bytes += piece.length
      most = Math.max(most, requested)
    }
  })
  t.diagnostic(`${bytes} bytes in ${taken} pieces; the longest turn, ${longest.toFixed(1)} ms`)
  assert.equal(requested, 200)
  assert.ok(longest < 50, `${longest} ms`)
})

test('rows are asked for as pieces are taken, and whoever stops taking ends it', async () => {
  const columns = Array.from({ length: 30 }, (_, at) => ({ header: `Column ${at}`, width: 12 }))
  let requested = 0
  let isEnded = false
  async function* endless() {
    try {
      for (;;) {
        requested++
        yield Array.from({ length: 200 }, () => columns.map(() => Math.random().toString(36).repeat(4)))
      }
    } finally {
      isEnded = true
    }
  }
  const file = writeSheet({ name: 'Guests', columns }, endless())
  for (let piece = 0; piece < 3; piece++) await file.next()
  const before = requested
  // Another one goes through meanwhile, and the first goes no further.
  assert.deepEqual((await readSheetRows(await write([['Ada', 1, null]])))[1], ['Ada', '1'])
  assert.ok(requested <= before + 1, `${requested} after ${before}`)
  assert.ok(requested < 20, `${requested}`)
  await file.return(undefined)
  assert.ok(isEnded)
})

test('rows that cannot be read end the sheet with their error, and the next one is written', async () => {
  async function* broken() {
    yield [['Ada', 1, null]]
    throw new Error('The rows broke off.')
  }
  const file = writeSheet(HEAD, broken())
  await assert.rejects(
    async () => {
      for await (const _ of file);
    },
    { message: 'The rows broke off.' },
  )
  assert.deepEqual((await readSheetRows(await write([['Bo', 2, null]])))[1], ['Bo', '2'])
})

test('ten sheets at a time come to their ends, each with its own rows', async () => {
  const files = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      write(Array.from({ length: 500 }, () => [`Guest of ${at}`, at, null])),
    ),
  )
  for (const [at, file] of files.entries()) {
    const rows = (await readSheetRows(file)).slice(1)
    assert.equal(rows.length, 500)
    assert.ok(rows.every(([name]) => name === `Guest of ${at}`))
  }
})
