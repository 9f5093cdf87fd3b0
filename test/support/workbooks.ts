import { crc32, deflateRawSync } from 'node:zlib'

/** A part of a workbook: its text or bytes, and what its entry says of it where that is a lie. */
export type Part = string | Uint8Array | { deflated: Uint8Array; size: number }

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const OF_PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** Returns a ZIP file of these parts. */
export function zip(parts: Readonly<Record<string, Part>>): Buffer {
  const files: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, part] of Object.entries(parts)) {
    const isGiven = typeof part === 'object' && 'deflated' in part
    const bytes = isGiven ? Buffer.alloc(0) : Buffer.from(part as Uint8Array)
    const packed = isGiven ? part.deflated : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(isGiven ? part.size : bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, place, Buffer.from(name)]))
    files.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, directory, end])
}

export interface WorkbookText {
  /** The content of `sheetData` in each sheet. */
  sheets: readonly string[]
  /** The content of `sst`. */
  shared?: string
  is1904?: boolean
  /** The codes of number formats, for the styles from 1 on. A number is one of the formats that have no code. */
  formats?: readonly (string | number)[]
  /** Parts instead of, or beside, those that are written. */
  parts?: Readonly<Record<string, Part>>
}

/** Returns a workbook with parts as Excel names them. */
export function workbook({ sheets, shared = '', is1904, formats = [], parts }: WorkbookText): Buffer {
  const relations = [
    ...sheets.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
    ['styles', 'styles.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
  ].map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  )
  const codes = formats.flatMap((format, at) =>
    typeof format === 'string' ? [`<numFmt numFmtId="${164 + at}" formatCode="${escapeXml(format)}"/>`] : [],
  )
  const styles = [0, ...formats.map((format, at) => (typeof format === 'number' ? format : 164 + at))]
  return zip({
    '[Content_Types].xml': `${HEAD}<Types/>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${OF_PACKAGE}"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr${is1904 ? ' date1904="1"' : ''}/><sheets>${sheets
      .map((_, at) => `<sheet name="Sheet ${at + 1}" sheetId="${at + 7}" r:id="rId${at + 1}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${OF_PACKAGE}">${relations.join('')}</Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.map(id => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst xmlns="${MAIN}">${shared}</sst>`,
    ...Object.fromEntries(
      sheets.map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData><pageMargins left="0.7"/></worksheet>`,
      ]),
    ),
    ...parts,
  })
}

/** Returns the rows of a table of texts, as they stand inside `sheetData`. An undefined row is empty, and is not written. */
export function rowsOf(table: readonly (readonly string[] | undefined)[]): string {
  return table
    .map((cells, at) =>
      cells === undefined
        ? ''
        : `<row r="${at + 1}">${cells
            .map((cell, column) => (cell === '' ? '' : textCell(`${letters(column)}${at + 1}`, cell)))
            .join('')}</row>`,
    )
    .join('')
}

export function textCell(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`
}

/** Returns the letters of a column, which is counted from 0. */
export function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** Returns a workbook with one sheet that has these rows of texts. */
export function sheetOf(table: readonly (readonly string[] | undefined)[]): Buffer {
  return workbook({ sheets: [rowsOf(table)] })
}
