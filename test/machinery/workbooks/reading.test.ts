import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naughtyStrings } from '#test/fuzz/naughty-strings.ts'
import { readSheetRows } from '#test/support/read-sheet.ts'
import { refusalOf } from '#test/support/refused-file.ts'
import { rowsOf, sheetOf, workbook, zip } from '#test/support/workbooks.ts'

const refusal = (file: Uint8Array) => refusalOf(readSheetRows(file))

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_OF_XML = /[\0-\x08\x0b-\x1f\ufffe\uffff]/

const TABLE = rowsOf([['Name'], ['Ada']])

test('the first sheet with content is read, and each row keeps the line that it has in the spreadsheet', async () => {
  const empty = '<row r="1"><c r="A1" s="1"/></row><row r="2"/>'
  const rows = rowsOf([
    undefined,
    ['Guest list'],
    undefined,
    ['Name', '', 'E-mail'],
    ['Ada', '', 'a@example.org'],
  ])
  assert.deepEqual(await readSheetRows(workbook({ sheets: [empty, rows, TABLE] })), [
    [''],
    ['Guest list'],
    [''],
    ['Name', '', 'E-mail'],
    ['Ada', '', 'a@example.org'],
  ])
})

test('a sheet that is a chart, and one whose part is missing, are passed over', async () => {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${type}" Target="${target}"/>`
  const parts = {
    'xl/_rels/workbook.xml.rels': `<Relationships>${[
      relation(1, 'chartsheet', 'chartsheets/sheet1.xml'),
      relation(2, 'worksheet', 'worksheets/gone.xml'),
      relation(3, 'worksheet', '/xl/worksheets/../worksheets/sheet3.xml'),
    ].join('')}</Relationships>`,
  }
  assert.deepEqual(await readSheetRows(workbook({ sheets: ['', '', TABLE], parts })), [['Name'], ['Ada']])
})

test('a cell is text: shared, inline, in runs, without readings, with the characters that XML cannot have', async () => {
  const shared =
    '<si><t>Ada &amp; Bob</t></si><si><r><t>Ad</t></r><r><rPr><b/></rPr><t xml:space="preserve">a L.</t></r></si>' +
    '<si><t>山田</t><rPh sb="0" eb="2"><t>ヤマダ</t></rPh></si><si><t>one_x000A_two</t></si><si><t><![CDATA[<b>]]></t></si><si/>'
  const cells = [0, 1, 2, 3, 4, 5, 6, 99, -1].map(at => `<c t="s"><v>${at}</v></c>`).join('')
  const others = `<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c t="str"><f>A1&amp;"x"</f><v>made</v></c><c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c><c t="b"><v>0</v></c><c t="str"><f>1+1</f></c>`
  const [row] = await readSheetRows(workbook({ sheets: [`<row>${cells}${others}</row>`], shared }))
  assert.deepEqual(row?.slice(0, 5), ['Ada & Bob', 'Ada L.', '山田', 'one\ntwo', '<b>'])
  assert.deepEqual(row?.slice(5, 9), ['', '', '', ''])
  assert.deepEqual(row?.slice(9), ['inline', 'made', '#N/A', 'TRUE', 'FALSE'])
})

test('a formula that is a text stays one, and what a formula made is read instead of it', async () => {
  const texts = ['=1+1', '=HYPERLINK("https://example.org")', '+34 600', '@cmd', "'=1", '-2']
  assert.deepEqual(await readSheetRows(sheetOf([texts])), [texts])
  const made = '<row><c><f>SUM(B1:B9)</f><v>42</v></c></row>'
  assert.deepEqual(await readSheetRows(workbook({ sheets: [made] })), [['42']])
})

test('a number has the digits that a spreadsheet shows, and all of them', async () => {
  const values = [
    '34600111222',
    '5',
    '0.1',
    '0.30000000000000004',
    '-12.5',
    '1E3',
    '12345678901234567',
    '1E-7',
    'x',
  ]
  const cells = values.map(value => `<c><v>${value}</v></c>`).join('')
  assert.deepEqual(await readSheetRows(workbook({ sheets: [`<row>${cells}</row>`] })), [
    ['34600111222', '5', '0.1', '0.3', '-12.5', '1000', '12345678901234600', '1e-7', 'x'],
  ])
  assert.deepEqual(await readSheetRows(sheetOf([['007', '34600111222.0']])), [['007', '34600111222.0']])
})

test('a date is read in both systems of dates, by the formats that show one and no other', async () => {
  const formats = ['yyyy\\-mm\\-dd', 'd/m/yy h:mm', '[$-C0A]d" de "mmmm', '[h]:mm', 14, 22]
  const none = ['0.00', '"day" 0', '[Red]0', 'General', '0\\d', '#,##0_d', 49]
  const cell = (style: number, value: string) => `<c s="${style}"><v>${value}</v></c>`
  const row = [...formats, ...none].map((_, at) => cell(at + 1, '46022')).join('')
  const dated = formats.map(() => '2025-12-31')
  const sheets = [`<row>${row}</row>`]
  assert.deepEqual(await readSheetRows(workbook({ sheets, formats: [...formats, ...none] })), [
    [...dated, ...none.map(() => '46022')],
  ])
  const of1904 = `<row>${cell(1, '44560')}${cell(1, '0')}${cell(1, '0.5')}</row>`
  assert.deepEqual(await readSheetRows(workbook({ sheets: [of1904], formats, is1904: true })), [
    ['2025-12-31', '1904-01-01', '12:00'],
  ])
  const times = ['46022.75', '46022.7500116', '0.4375', '1', '59', '61', '0', '-1', '9999999'].map(value =>
    cell(1, value),
  )
  assert.deepEqual(await readSheetRows(workbook({ sheets: [`<row>${times.join('')}</row>`], formats })), [
    [
      ...['2025-12-31 18:00', '2025-12-31 18:00:01', '10:30', '1900-01-01', '1900-02-28', '1900-03-01'],
      ...['1899-12-31', '-1', '9999999'],
    ],
  ])
})

test('names in every script, and every odd text, come back as they are', async () => {
  const odd = ['Łukasz Żółć', '李小龍', 'עברית', 'محمد', 'ไทย', '👩‍👩‍👧', ...naughtyStrings]
    // XML has no such characters, and no writer of workbooks puts them there.
    .filter(text => text.isWellFormed() && !NOT_OF_XML.test(text))
    .filter(text => text.trim() !== '' && !text.includes('_x') && text.length < 30_000)
  const rows = odd.map(text => [text, 'end'])
  assert.deepEqual(await readSheetRows(sheetOf(rows)), rows)
})

test('a workbook with another prefix, other cases, backslashes, and cells without references is read', async () => {
  const parts = {
    '_rels/.rels':
      '<p:Relationships xmlns:p="x"><p:Relationship Id="a" Type="x/officeDocument" Target="/XL/Book.xml"/></p:Relationships>',
    'xl\\book.xml':
      '<x:workbook xmlns:x="x" xmlns:q="y"><x:sheets><x:sheet name="A" sheetId="9" q:id="b"/></x:sheets></x:workbook>',
    'xl/_rels/book.xml.rels':
      '<Relationships><Relationship Id="b" Type="x/worksheet" Target="sheet.xml"/></Relationships>',
    'xl/sheet.xml':
      '<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>Ada</x:t></x:is></x:c><x:c><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>',
  }
  assert.deepEqual(await readSheetRows(zip(parts)), [['Ada', '2']])
})

test('entities of a document of its own are never replaced, and no file or address is asked for', async () => {
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`
  const sheet = `${laughs}<worksheet><sheetData><row><c t="str"><v>&b;&f;&lt;&#x41;</v></c></row></sheetData></worksheet>`
  const [row] = await readSheetRows(
    workbook({ sheets: [TABLE], parts: { 'xl/worksheets/sheet1.xml': sheet } }),
  )
  assert.doesNotMatch(row?.[0] ?? '', /ha|root/)
  assert.match(row?.[0] ?? '', /<A$/)
})

test('what is no workbook, is damaged or is protected is refused', async () => {
  const good = sheetOf([['Name'], ['Ada']])
  const cases: Record<string, Uint8Array> = {
    'an empty ZIP file': zip({}),
    'a ZIP file of texts': zip({ 'a.txt': 'a' }),
    'a cut file': good.subarray(0, -30),
    'the beginning alone': Buffer.from('PK\x03\x04'),
    'other bytes': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(1000, 7)]),
    'damaged parts': Buffer.from(good).fill(0xff, 80, 120),
    'a directory that points outside': Buffer.from(good).fill(0xff, good.length - 6, good.length - 2),
    'a protected one': Buffer.from(
      good.toString('latin1').replaceAll('PK\x01\x02\x14\0\x14\0\0\0', 'PK\x01\x02\x14\0\x14\0\x01\0'),
      'latin1',
    ),
    'a sheet that is no XML': workbook({
      sheets: [TABLE],
      parts: { 'xl/worksheets/sheet1.xml': Buffer.from([0x80]) },
    }),
  }
  for (const [what, file] of Object.entries(cases))
    assert.deepEqual(await refusal(file), ['unreadableWorkbook', undefined], what)
  assert.deepEqual(await refusal(Buffer.alloc(20 * 1024 * 1024 + 1)), ['tooManyBytes', undefined])
  assert.deepEqual(await readSheetRows(good), [['Name'], ['Ada']])
})

test('a workbook without any content gives nothing', async () => {
  assert.deepEqual(await readSheetRows(workbook({ sheets: ['', '<row r="1"/>'] })), [])
})
