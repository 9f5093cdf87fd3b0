import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** One font of a file. A collection (.ttc) has several, which share most of their tables. */
export interface FontEntry {
  path: string
  /** What the file begins with: whether outlines are those of TrueType or of PostScript. */
  flavour: number
  tables: ReadonlyMap<string, Place>
  family: string
  /** From 100 to 900: 400 is regular, and 700 is bold. */
  weight: number
}

/** The place of a table in its file, in bytes. */
interface Place {
  offset: number
  length: number
}

/** Why a file of fonts cannot be used. */
export type FontFault = 'unreadable' | 'broken' | 'noGlyphs' | 'restricted' | 'tooLarge'

/** Says why a file of fonts cannot be used. */
export class UnusableFont extends Error {
  readonly fault: FontFault

  constructor(fault: FontFault) {
    super(`The font cannot be used: ${fault}.`)
    this.fault = fault
  }
}

const MEGABYTE = 1024 * 1024
/** A larger file would take too much of the thread's memory. The fonts of Debian for Chinese, Japanese and Korean have 27 MB. */
const MOST_BYTES = 64 * MEGABYTE
const [MOST_FONTS, MOST_TABLES] = [64, 128]
const COLLECTION = 0x74746366
const FLAVOURS = [0x00010000, 0x74727565, 0x4f54544f]
/** The bit of OS/2 by which a font must not be in a document. */
const RESTRICTED = 2

/** These tables shape a text, and these draw it. The outlines are most of a font, and shaping needs none of them. */
const SHAPING = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'OS/2', 'BASE', 'GDEF', 'GSUB', 'GPOS', 'kern']
const METRICS = ['head', 'hhea', 'hmtx', 'maxp', 'OS/2', 'name', 'post']
const OUTLINES = ['CFF ', 'glyf', 'loca', 'cvt ', 'fpgm', 'prep']

/** Reads which fonts a file has, without their glyphs. @throws UnusableFont */
export function readFontFile(path: string): FontEntry[] {
  return withFile(path, file => {
    const head = file.read({ offset: 0, length: 12 })
    const flavour = head.readUInt32BE(0)
    if (flavour !== COLLECTION) return [readEntry(file, path, 0)]
    const count = head.readUInt32BE(8)
    if (count < 1 || count > MOST_FONTS) throw new UnusableFont('broken')
    const offsets = file.read({ offset: 12, length: count * 4 })
    return Array.from({ length: count }, (_, at) => readEntry(file, path, offsets.readUInt32BE(at * 4)))
  })
}

/** Returns a font with what shapes texts, and without outlines. @throws UnusableFont */
export function readShaping(entry: FontEntry): Buffer {
  return pack(entry, SHAPING)
}

/** Returns a font with the outlines of its glyphs. @throws UnusableFont */
export function readOutlines(entry: FontEntry): Buffer {
  return pack(entry, [...METRICS, ...OUTLINES])
}

/** Returns a name that fonts of a collection have in common if they share their outlines and the widths of these. */
export function outlinesOf({ path, tables }: FontEntry): string {
  return [path, ...['CFF ', 'glyf', 'hmtx'].map(tag => tables.get(tag)?.offset)].join(':')
}

export function hasPostScriptOutlines({ tables }: FontEntry): boolean {
  return tables.has('CFF ')
}

/** Reads a table. @throws UnusableFont */
export function readTable({ path, tables }: FontEntry, tag: string): Buffer {
  return withFile(path, file => file.read(placeOf(tables, tag)))
}

interface OpenFile {
  /** @throws UnusableFont if the file has no such part */
  read(place: Place): Buffer
}

function withFile<Result>(path: string, use: (file: OpenFile) => Result): Result {
  let handle: number | undefined
  try {
    // A pipe of that name would keep the thread waiting. Windows has neither.
    handle = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const file = handle
    const status = fstatSync(file)
    if (!status.isFile()) throw new UnusableFont('unreadable')
    const { size } = status
    if (size > MOST_BYTES) throw new UnusableFont('tooLarge')
    return use({
      read: ({ offset, length }) => {
        if (offset + length > size) throw new UnusableFont('broken')
        const bytes = Buffer.allocUnsafeSlow(length)
        if (readSync(file, bytes, 0, length, offset) < length) throw new UnusableFont('broken')
        return bytes
      },
    })
  } catch (error) {
    if (error instanceof UnusableFont) throw error
    // A number that a broken table would have elsewhere is beyond its bytes.
    throw new UnusableFont(error instanceof RangeError ? 'broken' : 'unreadable')
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

function readEntry(file: OpenFile, path: string, at: number): FontEntry {
  const head = file.read({ offset: at, length: 12 })
  const flavour = head.readUInt32BE(0)
  const count = head.readUInt16BE(4)
  if (!FLAVOURS.includes(flavour) || count > MOST_TABLES) throw new UnusableFont('broken')
  const records = file.read({ offset: at + 12, length: count * 16 })
  const tables = new Map<string, Place>()
  for (let record = 0; record < records.length; record += 16) {
    const place = { offset: records.readUInt32BE(record + 8), length: records.readUInt32BE(record + 12) }
    tables.set(records.toString('latin1', record, record + 4), place)
  }
  const hasOutlines = tables.has('CFF ') || (tables.has('glyf') && tables.has('loca'))
  if (!hasOutlines || file.read(placeOf(tables, 'maxp')).readUInt16BE(4) < 2)
    throw new UnusableFont('noGlyphs')
  for (const tag of ['cmap', 'head', 'hhea', 'hmtx']) placeOf(tables, tag)
  const style = tables.get('OS/2') === undefined ? undefined : file.read(placeOf(tables, 'OS/2'))
  if (style !== undefined && (style.readUInt16BE(8) & 0xf) === RESTRICTED)
    throw new UnusableFont('restricted')
  const names = tables.get('name') === undefined ? undefined : file.read(placeOf(tables, 'name'))
  const weight = style?.readUInt16BE(4) ?? 400
  return { path, flavour, tables, family: names === undefined ? '' : readFamily(names), weight }
}

function placeOf(tables: FontEntry['tables'], tag: string): Place {
  const place = tables.get(tag)
  if (place === undefined) throw new UnusableFont('broken')
  return place
}

/** Returns the family in English as Windows knows it. It is empty if there is none. */
function readFamily(names: Buffer): string {
  const count = names.readUInt16BE(2)
  const texts = names.readUInt16BE(4)
  for (let at = 6; at < 6 + count * 12; at += 12) {
    const [platform, , language, name, length, offset] = [0, 2, 4, 6, 8, 10].map(part =>
      names.readUInt16BE(at + part),
    ) as [number, number, number, number, number, number]
    if (platform !== 3 || language !== 0x409 || name !== 1) continue
    const bytes = names.subarray(texts + offset, texts + offset + (length & ~1))
    return Buffer.from(bytes).swap16().toString('utf16le')
  }
  return ''
}

/** Returns a file of one font with some of its tables, as each of a collection would be alone. */
function pack({ path, flavour, tables }: FontEntry, tags: readonly string[]): Buffer {
  const own = tags.filter(tag => tables.has(tag)).sort()
  const places = own.map(tag => placeOf(tables, tag))
  const aligned = (length: number) => (length + 3) & ~3
  const start = 12 + own.length * 16
  const size = places.reduce((sum, { length }) => sum + aligned(length), start)
  // Fonts that claim one place for several tables could claim more than there is.
  if (size > MOST_BYTES) throw new UnusableFont('tooLarge')
  const packed = Buffer.alloc(size)
  packed.writeUInt32BE(flavour, 0)
  packed.writeUInt16BE(own.length, 4)
  return withFile(path, file => {
    let reached = start
    for (const [at, place] of places.entries()) {
      const record = 12 + at * 16
      packed.write(own[at] as string, record, 'latin1')
      packed.writeUInt32BE(reached, record + 8)
      packed.writeUInt32BE(place.length, record + 12)
      file.read(place).copy(packed, reached)
      reached += aligned(place.length)
    }
    return packed
  })
}
