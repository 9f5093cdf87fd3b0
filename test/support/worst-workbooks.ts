import { deflateRawSync } from 'node:zlib'
import { worstTexts } from '#test/faces/api/worst-input.ts'
import { workbook } from './workbooks.ts'

type MakeFile = (size: number) => Buffer

/** The most bytes of a part, unpacked, for one byte of the file: what is repeated is packed to almost nothing. */
const UNPACKED = 40

const SHEET = 'xl/worksheets/sheet1.xml'
const HEADER =
  '<row><c t="str"><v>Name</v></c><c t="str"><v>Email</v></c></row><row><c t="str"><v>Ann</v></c><c t="str"><v>a@b.cd</v></c></row>'
const cell = (text: string) => `<c t="str"><v>${text}</v></c>`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** These are repeated in a sheet: rows, cells, and what is no sheet. */
const inSheet: Readonly<Record<string, string>> = {
  'empty rows': '<row/>',
  rows: '<row><c><v>1</v></c></row>',
  'rows of two': `<row>${cell('Ann')}${cell('a@b.cd')}</row>`,
  'rows far apart': '<row r="1048576"><c><v>1</v></c></row>',
  cells: '<c><v>1</v></c>',
  'cells far to the right': '<c r="XFD1"><v>1</v></c>',
  'cells of one place': '<c r="A1"><v>1</v></c>',
  'shared cells': '<row><c t="s"><v>0</v></c></row>',
  'open elements': '<row>',
  'ends of elements': '</row>',
  attributes: ' r="1"',
  'quotation marks': '"',
  comments: '<!-- -->',
  'beginnings of comments': '<!--',
  CDATA: '<![CDATA[x]]>',
  'processing instructions': '<? ?>',
  entities: '&#65;',
  ampersands: '&',
  'unknown entities': '&abc;',
  spaces: ' ',
  letters: 'x',
  signs: '<',
}

/** Complete files that are no workbooks, or whose parts contradict each other. */
const files: Readonly<Record<string, MakeFile>> = {
  zeros: size => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(size)]),
  'ends of directories': size => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(size, 'PK\x05\x06')]),
  'entries of directories': size => {
    const entries = Buffer.alloc(size, 'PK\x01\x02')
    return Buffer.concat([Buffer.from('PK\x03\x04'), entries, endOf(4, 0xffff)])
  },
  'one entry again and again': size => {
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 'latin1')
    return Buffer.concat([
      Buffer.from('PK\x03\x04'),
      Buffer.alloc(size - (size % 46), entry),
      endOf(4, Math.floor(size / 46)),
    ])
  },
  'bytes that no one can unpack': size =>
    workbook({ sheets: [''], parts: { [SHEET]: { deflated: Buffer.alloc(size, 0xff), size: 10 } } }),
}

function endOf(at: number, count: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count & 0xffff, 10)
  end.writeUInt32LE(at, 16)
  return end
}

/** Makes the workbooks that cost most to look at: each as long as it is told to be, or packed to less and as long once unpacked. */
export function worstWorkbooks(): Map<string, MakeFile> {
  const worst = new Map<string, MakeFile>(Object.entries(files))
  const repeat = (unit: string, size: number) => unit.repeat(Math.ceil(size / Buffer.byteLength(unit)))
  for (const [what, unit] of Object.entries(inSheet)) {
    worst.set(`${what} in a sheet`, size => {
      const text = `<worksheet><sheetData>${HEADER}${repeat(unit, size * UNPACKED)}`
      return workbook({
        sheets: [''],
        shared: `<si><t>${'x'.repeat(30_000)}</t></si>`,
        parts: { [SHEET]: { deflated: deflateRawSync(text, { level: 1 }), size: 10 } },
      })
    })
  }
  for (const what of [
    'empty rows',
    'open elements',
    'attributes',
    'comments',
    'entities',
    'letters',
  ] as const) {
    const unit = inSheet[what] as string
    worst.set(`${what} among the shared texts`, size =>
      workbook({ sheets: [HEADER], shared: repeat(unit, size * UNPACKED) }),
    )
  }
  const texts = Object.values(worstTexts).map(([unit]) => {
    const text = JSON.parse(`"${unit}"`) as string
    return escaped(repeat(text, 20_000)).slice(0, 20_000)
  })
  worst.set('texts in a header', () =>
    workbook({
      sheets: [`<row>${cell('Name')}${texts.slice(0, 5).map(cell).join('')}</row>${HEADER}`],
    }),
  )
  worst.set('texts in cells', size => {
    const rows = texts.map(text => `<row>${cell(text)}${cell('a@b.cd')}</row>`).join('')
    return workbook({ sheets: [HEADER + repeat(rows, size)] })
  })
  worst.set('texts in formats', () => workbook({ sheets: [HEADER], formats: texts }))
  return worst
}
