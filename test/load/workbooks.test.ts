import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { readSheetRows } from '#test/support/read-sheet.ts'
import { refusalOf } from '#test/support/refused-file.ts'
import { letters, rowsOf, textCell, workbook } from '#test/support/workbooks.ts'

const refusal = (file: Uint8Array) => refusalOf(readSheetRows(file))

const TABLE = rowsOf([['Name'], ['Ada']])

test('a workbook that unpacks to more than 200 MB is refused, whether its entries say so or not', async () => {
  const part = 'xl/worksheets/sheet1.xml'
  const oversized = { deflated: deflateRawSync(Buffer.from('<worksheet/>')), size: 201 * 1024 * 1024 }
  assert.deepEqual(await refusal(workbook({ sheets: [TABLE], parts: { [part]: oversized } })), [
    'unpackedBytes',
    undefined,
  ])
  // Comments are passed over, and count all the same.
  const comment = Buffer.from(`<!--${' '.repeat(100_000)}-->`)
  const comments = Buffer.concat([
    Buffer.from('<worksheet>'),
    ...Array.from({ length: 2_150 }, () => comment),
  ])
  const file = workbook({
    sheets: [TABLE],
    parts: { [part]: { deflated: deflateRawSync(comments), size: 10 } },
  })
  assert.ok(file.length < 1024 * 1024)
  assert.deepEqual(await refusal(file), ['unpackedBytes', undefined])
})

test('what has no end in sight, or is inside too much, is refused long before the memory ends', async () => {
  const long = 'x'.repeat(4_000_000)
  const worst: Record<string, string> = {
    'a tag': `<worksheet><sheetData><row r="${long}`,
    'a comment': `<worksheet><!-- ${'> '.repeat(2_000_000)}`,
    'a text': `<worksheet><sheetData><row><c t="str"><v>${long}`,
    'a text of many references': `<worksheet><sheetData><row><c t="str"><v>${'&#65;'.repeat(800_000)}`,
    CDATA: `<worksheet><![CDATA[${long}`,
    'open elements': '<a>'.repeat(1_000_000),
    'an entity': `<!DOCTYPE a [<!ENTITY b "${long}">`,
    'another end': '<worksheet><sheetData></row></sheetData></worksheet>',
    'no XML': long,
  }
  for (const [what, sheet] of Object.entries(worst)) {
    const file = workbook({ sheets: [TABLE], parts: { 'xl/worksheets/sheet1.xml': sheet } })
    assert.deepEqual(await refusal(file), ['unreadableWorkbook', undefined], what)
  }
})

test('shared texts of 100 MB, and millions of them, are refused with the memory of some of them', async () => {
  const text = 'x'.repeat(30_000)
  const large = `<si><t>${text}</t></si>`.repeat(3_400)
  const many = '<si/>'.repeat(2_100_000)
  for (const shared of [large, many]) {
    const before = process.memoryUsage().rss
    assert.deepEqual(await refusal(workbook({ sheets: [TABLE], shared })), ['unreadableWorkbook', undefined])
    assert.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024)
  }
  // One long text in each of many cells is more than the table may have.
  const cells = '<row><c t="s"><v>0</v></c></row>'.repeat(2_000)
  assert.deepEqual(await refusal(workbook({ sheets: [cells], shared: `<si><t>${text}</t></si>` })), [
    'tooManyBytes',
    undefined,
  ])
})

test('a million columns, too many lines and too long a line are refused with the line', async () => {
  const cell = '<c><v>1</v></c>'
  const wide = `<row r="7">${cell.repeat(1_000_000)}</row>`
  assert.deepEqual(await refusal(workbook({ sheets: [wide] })), ['tooManyColumns', 7])
  const far = `<row r="3">${textCell('XFD3', 'x')}</row>`
  assert.deepEqual(await refusal(workbook({ sheets: [far] })), ['tooManyColumns', 3])
  const full = `<row>${cell.repeat(200)}<c r="GS1" s="1"/>${textCell('GT1', '  ')}</row>`
  assert.equal((await readSheetRows(workbook({ sheets: [full] })))[0]?.length, 200)
  assert.equal(letters(200), 'GS')
  const rows = '<row><c><v>1</v></c></row>'.repeat(102_000)
  assert.deepEqual(await refusal(workbook({ sheets: [rows] })), ['tooManyLines', undefined])
  const beyond = '<row r="1048577"><c><v>1</v></c></row>'
  assert.deepEqual(await refusal(workbook({ sheets: [beyond] })), ['tooManyLines', undefined])
  const long = textCell('A1', 'x'.repeat(30_000)).replace('r="A1"', '')
  assert.deepEqual(await refusal(workbook({ sheets: [`<row>${long.repeat(5)}</row>`] })), ['lineTooLong', 1])
})
