import { worstTexts } from '#test/faces/api/worst-input.ts'

/** Makes a file of about so many bytes. */
type MakeFile = (size: number) => Buffer

/** These are repeated in a table: the signs that parse it, values of cells, and the texts that cost most to look at. */
const units: readonly string[] = [
  ...[',', ';', '\t', '"', '""', '"",', '"a",', ',"', ' "', '" ', '"\n', '\n"', '"a"b,', 'a "b" c\n'],
  ...[
    'a,',
    'a;',
    '1,',
    '1\n',
    'a,b\n',
    'Date,',
    'Name;',
    '\n',
    '\r',
    '\r\n',
    '\ufeff',
    '\0',
    "'",
    '(1',
    '- ',
    '€',
  ],
  ...['2026-12-31,', '2026-01-01;1,00;', '1.1.26,', 'Jan 1, ', '1:1,', "1'", 'a@b.de,', 'ä', 'É', '\u00a0'],
  ...Object.values(worstTexts).map(([unit]) => JSON.parse(`"${unit}"`) as string),
]

/** Bytes that are repeated: of other encodings, halves of letters, and of no text. */
const patterns: readonly number[][] = [
  ...[[0xff], [0xe4], [0xa0], [0x80], [0xc3], [0xf0, 0x9f], [0x00], [0xe4, 0x41], [0xe4, 0x0a], [0xb3, 0xb9]],
  ...[
    [0x00, 0x41],
    [0x41, 0x00],
    [0xd8, 0x00],
    [0x00, 0xd8],
    [0x2c, 0x00],
    [0x22, 0x00],
    [0x00, 0x0a],
  ],
]

const marks = {
  'no mark': [],
  'UTF-8': [0xef, 0xbb, 0xbf],
  'UTF-16LE': [0xff, 0xfe],
  'UTF-16BE': [0xfe, 0xff],
}

/** Bytes of the cells of a short line, and of one that is as long as one may be. */
const SHORT = 300
const LONG = 100_000
/** One table has as many columns as are looked at, and the other has more. */
const WIDTHS = [200, 2000]

/**
 * Makes the tables that cost most to look at, each as long as it is told to be.
 *
 * @param columns the header of a table that is read, with a line below it
 */
export function worstTables(columns: readonly string[], line: readonly string[]): Map<string, MakeFile> {
  const files = new Map<string, MakeFile>()
  const head = `${columns.join(',')}\n${line.join(',')}\n`
  for (const unit of units) {
    const name = JSON.stringify(unit)
    files.set(`${name} alone`, size => repeat(unit, size))
    files.set(`${name} below a header`, size => Buffer.concat([Buffer.from(head), repeat(unit, size)]))
    files.set(`${name} in a quotation mark that is not closed`, size =>
      Buffer.concat([Buffer.from(`${head}"`), repeat(unit, size)]),
    )
    for (const length of [SHORT, LONG]) {
      const cell = `"${repeat(unit, length / columns.length)
        .toString()
        .replaceAll('"', '""')}"`
      files.set(`${name} in a header of ${length}`, size => repeat(`${cell},${cell}\n`, size))
      // The first two say that it is a line of the table.
      const cells = [...line.slice(0, 2), ...line.slice(2).map(() => cell)].join(',')
      files.set(`${name} in cells of ${length}`, size =>
        Buffer.concat([Buffer.from(head), repeat(`${cells}\n`, size)]),
      )
    }
    files.set(`${name} in the cells that say what a line is`, size => {
      const cell = `"${repeat(unit, SHORT / 2)
        .toString()
        .replaceAll('"', '""')}"`
      return Buffer.concat([Buffer.from(head), repeat(`${line.map(() => cell).join(',')}\n`, size)])
    })
  }
  for (const pattern of patterns) {
    for (const [mark, bytes] of Object.entries(marks)) {
      const unit = Buffer.from(pattern)
      files.set(`bytes ${unit.toString('hex')} behind ${mark}`, size =>
        Buffer.concat([Buffer.from(bytes), repeat(unit, size)]),
      )
      files.set(`bytes ${unit.toString('hex')} behind ${mark} and a header`, size =>
        Buffer.concat([Buffer.from(bytes), Buffer.from(head), repeat(unit, size)]),
      )
    }
  }
  for (const width of WIDTHS) {
    for (const name of ['', 'x', ...columns.slice(0, 2)]) {
      for (const value of ['', '-1', 'x y', line[0] as string]) {
        const [names, values] = [name, value].map(cell => `${Array(width).fill(cell).join(';')}\n`)
        files.set(`${width} columns ${name} of ${value}`, size =>
          Buffer.concat([Buffer.from(names as string), repeat(values as string, size)]),
        )
      }
    }
  }
  return files
}

function repeat(unit: string | Buffer, bytes: number): Buffer {
  const bytesOfUnit = Buffer.from(unit as string)
  return Buffer.alloc(Math.max(1, Math.floor(bytes / bytesOfUnit.length)) * bytesOfUnit.length, bytesOfUnit)
}

const hex = (text: string) => Buffer.from(text, 'hex')
const named = (name: string) => Buffer.concat([Buffer.from(name), Buffer.alloc(4)])

/** The pictures that cost most to look at. */
export const worstPictures: ReadonlyMap<string, MakeFile> = new Map([
  ...[
    'ff',
    'ffe00002',
    'ffe10002',
    'ffdb0002',
    'ffc00002',
    'ffe100084578696600',
    'ffe000104a46494600010101004800480000',
  ].map((segment): [string, MakeFile] => [
    `segments ${segment} of a JPEG`,
    size => jpeg(repeat(hex(segment), size), Buffer.alloc(0)),
  ]),
  ...['ff00', 'ffd0', 'ff', 'ffda0002', '00'].map((scan): [string, MakeFile] => [
    `${scan} in the scan of a JPEG`,
    size => jpeg(Buffer.alloc(0), repeat(hex(scan), size)),
  ]),
  ...['IDAT', 'tEXt', 'eXIf', 'PLTE', '1234'].map((name): [string, MakeFile] => [
    `chunks ${name} of a PNG`,
    size => png(repeat(Buffer.concat([Buffer.alloc(4), named(name)]), size)),
  ]),
  ...['EXIF', 'ANMF', 'XMP ', 'ALPH'].map((name): [string, MakeFile] => [
    `chunks ${name} of a WebP`,
    size => webp(Buffer.concat([repeat(named(name), size), named('VP8L')])),
  ]),
  ...[0, 0xff, 0x89].map((byte): [string, MakeFile] => [`bytes ${byte}`, size => Buffer.alloc(size, byte)]),
])

function jpeg(segments: Buffer, scan: Buffer): Buffer {
  const frame = hex('ffc0000b080010001001011100')
  return Buffer.concat([hex('ffd8'), frame, segments, hex('ffda0008010100003f00'), scan, hex('ffd9')])
}

function png(chunks: Buffer): Buffer {
  const head = hex('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61')
  const empty = (name: string) => Buffer.concat([Buffer.alloc(4), named(name)])
  return Buffer.concat([head, chunks, empty('IDAT'), empty('IEND')])
}

function webp(chunks: Buffer): Buffer {
  const file = Buffer.concat([
    named('RIFF'),
    Buffer.from('WEBPVP8X'),
    hex('0a000000000000000f00000f0000'),
    chunks,
  ])
  file.writeUInt32LE(file.length - 8, 4)
  return file
}
