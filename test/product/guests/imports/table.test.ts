import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { plainCell, safeCell, toCsv } from '#machinery/tables/csv.ts'
import type { TableLine } from '#machinery/tables/lines.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { refusalOf } from '#test/support/refused-file.ts'

type Read = Awaited<ReturnType<typeof readTable>> & { all: TableLine[] }

async function read(file: string | Uint8Array): Promise<Read> {
  const table = await readTable(typeof file === 'string' ? Buffer.from(file) : file)
  const all: TableLine[] = []
  for await (const lines of table.lines()) all.push(...lines)
  assert.equal(all.length, table.kept)
  const below = all.filter(({ line }) => line > table.headerLine)
  assert.equal(below.length, table.total)
  return { ...table, all: below }
}

const refusal = (file: string | Uint8Array) => refusalOf(read(file))

const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

test('a table is read in the encodings that programs and spreadsheets write', async () => {
  const text = 'Nombre;Correo\r\nPeña “Ñ” 🎉;p@example.org\r\n'
  const files: [string, Uint8Array][] = [
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-16le', utf16(`\ufeff${text}`)],
    ['utf-16le', utf16(text)],
    ['utf-16be', swapped(utf16(`\ufeff${text}`))],
    ['utf-16be', swapped(utf16(text))],
  ]
  for (const [encoding, bytes] of files) {
    const table = await read(bytes)
    assert.equal(table.encoding, encoding)
    assert.equal(table.encodingGuessed, false)
    assert.deepEqual(table.headers, ['Nombre', 'Correo'])
    assert.deepEqual(table.all, [{ line: 2, cells: ['Peña “Ñ” 🎉', 'p@example.org'] }])
  }
  const latin = await read(
    Buffer.concat([
      Buffer.from('Nombre;Precio\nPe'),
      Buffer.from([0xf1]),
      Buffer.from('a;5 '),
      Buffer.from([0x80]),
    ]),
  )
  assert.deepEqual([latin.encoding, latin.encodingGuessed], ['windows-1252', true])
  assert.deepEqual(latin.all[0]?.cells, ['Peña', '5 €'])
})

test('the separator is found by the header, or named by the line that Excel writes', async () => {
  for (const separator of [',', ';', '\t']) {
    const table = await read(`Name${separator}Email\n"Ada${separator} Countess"${separator}a@example.org`)
    assert.equal(table.separator, separator)
    assert.deepEqual(table.all, [{ line: 2, cells: [`Ada${separator} Countess`, 'a@example.org'] }])
  }
  assert.deepEqual((await read('"Name, first; last"\tEmail\na\tb\n')).headers, ['Name, first; last', 'Email'])
  for (const first of ['sep=;', '"sep=;"']) {
    const table = await read(`${first}\r\nName;Email, of work\r\nAda;a@example.org\r\n`)
    assert.deepEqual(table.headers, ['Name', 'Email, of work'])
    assert.deepEqual(table.all, [{ line: 3, cells: ['Ada', 'a@example.org'] }])
  }
  assert.deepEqual((await read('Email\na@example.org\n')).all, [{ line: 2, cells: ['a@example.org'] }])
})

test('lines are numbered as a spreadsheet numbers them, and those that say nothing are left out', async () => {
  const { headers, all } = await read('\n\nName,Notes,\r\n"Ada","a\r\nb ""c"""\r,,\rBob, d \n  , \nEve')
  assert.deepEqual(headers, ['Name', 'Notes'])
  assert.deepEqual(all, [
    { line: 4, cells: ['Ada', 'a\nb "c"'] },
    { line: 6, cells: ['Bob', 'd'] },
    { line: 8, cells: ['Eve'] },
  ])
})

test('what is no table is refused with what is wrong and the line', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
  const wide = `${'a,'.repeat(200)}b\n`
  const cases: [string | Uint8Array, key: string, line?: number][] = [
    ['', 'noHeader'],
    ['\n \n', 'noHeader'],
    ['Name,Email\n', 'noLines'],
    ['Name,Email', 'noLines'],
    ['Ada,ada@example.org\nBob,bob@example.org\n', 'noHeader', 1],
    ['Name,Email\nAda,a@example.org\n"Bob,b@example.org\nEve,e@example.org', 'openQuote', 3],
    ['Name,Email\n"Ada,a@example.org\n"Bob",b@example.org\n', 'openQuote', 2],
    [`Name\n"${'x\n'.repeat(200_000)}`, 'lineTooLong', 2],
    [png, 'noText'],
    [Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]), 'unreadableWorkbook'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'unreadableWorkbook'],
    [Buffer.concat([Buffer.from('\ufeffName\nAda\n'), Buffer.from([0xff])]), 'encoding', 1],
    [wide, 'tooManyColumns', 1],
    [`Name\nAda\n${wide}`, 'tooManyColumns', 3],
    [`Name\n${'a\n'.repeat(100_001)}`, 'tooManyLines'],
    [`Name\n${'\n'.repeat(1_048_577)}`, 'tooManyLines'],
    [Buffer.alloc(50 * 1024 * 1024 + 1, 'a'), 'tooManyBytes'],
  ]
  for (const [at, [file, key, line]] of cases.entries())
    assert.deepEqual(await refusal(file), [key, line], `${at}: ${key}`)
})

test('a cell with a NUL is read, and is for its field to refuse', async () => {
  const { all } = await read('Name,Email\nA\0da,a@example.org\nBob,b@example.org\n')
  assert.deepEqual(all[0]?.cells, ['A\0da', 'a@example.org'])
})

test('every odd text comes back from the CSV that we write, but for the white space around it', async () => {
  const odd = naughtyStrings.map(text => text.toWellFormed().slice(0, 5_000))
  const file = toCsv([['Name', 'Number'], ...odd.map((text, at) => [safeCell(text), String(at)])])
  const { all } = await read(`\ufeff${file}`)
  // An apostrophe before what would be a formula stays too, because nobody can tell who has set it.
  const kept = (text: string) =>
    plainCell(text.replace(/\r\n?/g, '\n').replace(/[^\S\n]{100,}/g, ' '.repeat(99))).trim()
  assert.deepEqual(
    all.map(({ cells }) => cells),
    odd.map((text, at) => [kept(text), String(at)]),
  )
})

test('100,000 lines of 50 MB are read, and the event loop turns after every 32 KiB', async () => {
  const notes = 'lorem ipsum dolor '.repeat(26)
  const lines = Array.from({ length: 100_000 }, (_, at) => `"Guest ${at}";g${at}@example.org;"${notes}"`)
  const bytes = Buffer.from(`Name;Email;Notes\r\n${lines.join('\r\n')}`)
  assert.ok(bytes.length > 48_000_000)
  let turns = 0
  let reading = true
  const turn = () => {
    turns++
    if (reading) setImmediate(turn)
  }
  setImmediate(turn)
  const table = await readTable(bytes)
  reading = false
  assert.ok(turns >= bytes.length / 32_768, `${turns} turns`)
  assert.equal(table.total, 100_000)
  let count = 0
  let last: TableLine | undefined
  let most = 0
  for await (const some of table.lines()) {
    count += some.length
    most = Math.max(most, some.length)
    last = some.at(-1) ?? last
  }
  assert.equal(count, 100_001)
  assert.ok(most < 1_000, `${most} lines at once`)
  assert.deepEqual(last, { line: 100_001, cells: ['Guest 99999', 'g99999@example.org', notes.trim()] })
})

test('no quotation marks and white space make a line costly', { timeout: 20_000 }, async () => {
  for (const bad of ['x"', '" "', '"" ']) {
    const file = `Name\n${`"${bad.repeat(20_000)}${' '.repeat(20_000)}",\n`.repeat(100)}`
    await read(file).catch(error => assert.ok(error instanceof Problem))
  }
})

test('of the name of a column as much is kept as people read', async () => {
  const { headers } = await read(`Name,${'long '.repeat(2_000)}\nAnn,x\n`)
  assert.deepEqual(
    headers.map(({ length }) => length),
    [4, 200],
  )
})
