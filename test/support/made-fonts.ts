import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create } from 'fontkit'

/** The tables of a font by their tags. */
export type Tables = ReadonlyMap<string, Buffer>

const { resolve } = createRequire(import.meta.url)
const SANS = readFileSync(resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'))

/** Returns a font of this project whose glyphs show other characters: those of `letters`, each by the letter that it names. */
export function madeFont(
  letters: Readonly<Record<string, string>>,
  { family = 'Made Sans', weight = 400 } = {},
): Tables {
  const tables = tablesOf(SANS)
  const font = create(SANS) as { glyphForCodePoint(point: number): { id: number } }
  const glyphs = Object.entries(letters).map(([shown, letter]): [number, number] => [
    shown.codePointAt(0) as number,
    font.glyphForCodePoint(letter.codePointAt(0) as number).id,
  ])
  const style = Buffer.from(tables.get('OS/2') as Buffer)
  style.writeUInt16BE(weight, 4)
  const kept = [...tables].filter(([tag]) => !['GSUB', 'GPOS', 'GDEF', 'DSIG'].includes(tag))
  return new Map([...kept, ['OS/2', style], ['cmap', cmapOf(glyphs)], ['name', nameOf(family)]])
}

/** Returns a font with PostScript outlines, whose characters are all the same black square. */
export function madeSquares(characters: string, family = 'Made Squares'): Tables {
  const glyphs = [...characters].map((shown, at): [number, number] => [
    shown.codePointAt(0) as number,
    at + 1,
  ])
  const count = glyphs.length + 1
  const head = Buffer.from(tablesOf(SANS).get('head') as Buffer)
  const style = Buffer.from(tablesOf(SANS).get('OS/2') as Buffer)
  const across = Buffer.from(tablesOf(SANS).get('hhea') as Buffer)
  across.writeUInt16BE(count, 34)
  const advances = Buffer.alloc(count * 4)
  for (let at = 0; at < count; at++) advances.writeUInt16BE(1000, at * 4)
  const most = Buffer.alloc(6)
  most.writeUInt32BE(0x00005000, 0)
  most.writeUInt16BE(count, 4)
  const post = Buffer.alloc(32)
  post.writeUInt32BE(0x00030000, 0)
  return new Map([
    ...[['head', head] as const, ['OS/2', style] as const, ['hhea', across] as const],
    ...[['hmtx', advances] as const, ['maxp', most] as const, ['post', post] as const],
    ...[
      ['cmap', cmapOf(glyphs)] as const,
      ['name', nameOf(family)] as const,
      ['CFF ', squares(count)] as const,
    ],
  ])
}

/** Returns fonts as one file (.ttc), each with all of its tables. @returns for one font a file of that alone */
export function fontFile(...fonts: readonly Tables[]): Buffer {
  const start = fonts.length === 1 ? 0 : 12 + fonts.length * 4
  const parts: Buffer[] = []
  let reached = start
  const offsets: number[] = []
  for (const tables of fonts) {
    offsets.push(reached)
    const file = alone(tables, reached)
    parts.push(file)
    reached += file.length
  }
  if (start === 0) return parts[0] as Buffer
  const head = Buffer.alloc(start)
  head.write('ttcf', 0, 'latin1')
  head.writeUInt32BE(0x00010000, 4)
  head.writeUInt32BE(fonts.length, 8)
  for (const [at, offset] of offsets.entries()) head.writeUInt32BE(offset, 12 + at * 4)
  return Buffer.concat([head, ...parts])
}

function tablesOf(file: Buffer): Map<string, Buffer> {
  const records = Array.from({ length: file.readUInt16BE(4) }, (_, at) => 12 + at * 16)
  return new Map(
    records.map(at => {
      const offset = file.readUInt32BE(at + 8)
      return [file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12))]
    }),
  )
}

function alone(tables: Tables, from: number): Buffer {
  const entries = [...tables].sort(([a], [b]) => (a < b ? -1 : 1))
  const head = Buffer.alloc(12 + entries.length * 16)
  head.writeUInt32BE(tables.has('CFF ') ? 0x4f54544f : 0x00010000, 0)
  head.writeUInt16BE(entries.length, 4)
  const parts = [head]
  let reached = head.length
  for (const [at, [tag, table]] of entries.entries()) {
    head.write(tag, 12 + at * 16, 'latin1')
    head.writeUInt32BE(from + reached, 12 + at * 16 + 8)
    head.writeUInt32BE(table.length, 12 + at * 16 + 12)
    const padded = Buffer.alloc((table.length + 3) & ~3)
    table.copy(padded)
    parts.push(padded)
    reached += padded.length
  }
  return Buffer.concat(parts)
}

/** The table of characters in its format 12. */
function cmapOf(glyphs: readonly (readonly [number, number])[]): Buffer {
  const sorted = [...glyphs].sort(([a], [b]) => a - b)
  const table = Buffer.alloc(12 + 16 + sorted.length * 12)
  table.writeUInt16BE(1, 2)
  table.writeUInt16BE(3, 4)
  table.writeUInt16BE(10, 6)
  table.writeUInt32BE(12, 8)
  table.writeUInt16BE(12, 12)
  table.writeUInt32BE(16 + sorted.length * 12, 16)
  table.writeUInt32BE(sorted.length, 24)
  for (const [at, [character, glyph]] of sorted.entries()) {
    for (const [part, value] of [character, character, glyph].entries())
      table.writeUInt32BE(value, 28 + at * 12 + part * 4)
  }
  return table
}

function nameOf(family: string): Buffer {
  const names: [number, string][] = [
    [1, family],
    [6, family.replaceAll(' ', '')],
  ]
  const texts = names.map(([, text]) => Buffer.from(text, 'utf16le').swap16())
  const head = Buffer.alloc(6 + names.length * 12)
  head.writeUInt16BE(names.length, 2)
  head.writeUInt16BE(head.length, 4)
  let offset = 0
  for (const [at, [id]] of names.entries()) {
    const { length } = texts[at] as Buffer
    for (const [part, value] of [3, 1, 0x409, id, length, offset].entries())
      head.writeUInt16BE(value, 6 + at * 12 + part * 2)
    offset += length
  }
  return Buffer.concat([head, ...texts])
}

/** Outlines in the Compact Font Format (Adobe Technical Notes 5176 and 5177). */
function squares(count: number): Buffer {
  const long = (value: number) => [29, value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
  const number = (value: number) => {
    const size = Math.abs(value) - 108
    return size < 0 ? [value + 139] : [(size >> 8) + (value < 0 ? 251 : 247), size & 255]
  }
  const square = [
    ...number(50),
    ...number(-50),
    21,
    ...number(900),
    6,
    ...number(900),
    7,
    ...number(-900),
    6,
    14,
  ]
  const charStrings = indexOf(Array.from({ length: count }, (_, at) => (at === 0 ? [14] : square)))
  const names = indexOf([[...Buffer.from('Squares')]])
  const ofPrivate = [28, 1000 >> 8, 1000 & 255, 20]
  const charset = [0, ...Array.from({ length: count - 1 }, (_, at) => [0, at + 1]).flat()]
  const dictionary = (start: number) => [
    ...[...long(start), 15],
    ...[...long(start + charset.length), 17],
    ...[...long(ofPrivate.length), ...long(start + charset.length + charStrings.length), 18],
  ]
  const empty = [0, 0]
  const size = 4 + names.length + indexOf([dictionary(0)]).length + 2 * empty.length
  return Buffer.from([
    ...[1, 0, 4, 4],
    ...names,
    ...indexOf([dictionary(size)]),
    ...empty,
    ...empty,
    ...charset,
    ...charStrings,
    ...ofPrivate,
  ])
}

function indexOf(items: readonly (readonly number[])[]): number[] {
  const offsets = [1]
  for (const { length } of items) offsets.push((offsets.at(-1) as number) + length)
  return [
    items.length >> 8,
    items.length & 255,
    2,
    ...offsets.flatMap(at => [at >> 8, at & 255]),
    ...items.flat(),
  ]
}
