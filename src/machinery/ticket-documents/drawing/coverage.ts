/** The characters of a font, as ranges: first and last, in their order. */
export type Coverage = Uint32Array

/** The tables of characters by platform and encoding, the fullest first (OpenType, `cmap`). */
const WANTED = ['3.10', '0.6', '0.4', '3.1', '0.3', '0.2', '0.1', '0.0']

/**
 * Returns the characters for which a font may have a glyph. A few of them may have none, so the font itself decides.
 *
 * @param cmap the table of that name. One that is broken has no characters
 */
export function readCoverage(cmap: Buffer): Coverage {
  try {
    const table = findTable(cmap)
    const format = table?.readUInt16BE(0)
    if (table === undefined) return new Uint32Array()
    return format === 12 ? readGroups(table) : format === 4 ? readSegments(table) : new Uint32Array()
  } catch {
    return new Uint32Array()
  }
}

export function covers(ranges: Coverage, character: number): boolean {
  let [from, to] = [0, ranges.length / 2]
  while (from < to) {
    const middle = (from + to) >> 1
    if (character > (ranges[middle * 2 + 1] as number)) from = middle + 1
    else to = middle
  }
  return character >= (ranges[from * 2] ?? Number.POSITIVE_INFINITY)
}

function findTable(cmap: Buffer): Buffer | undefined {
  const offsets = new Map<string, number>()
  for (let at = 4; at < 4 + cmap.readUInt16BE(2) * 8; at += 8)
    offsets.set(`${cmap.readUInt16BE(at)}.${cmap.readUInt16BE(at + 2)}`, cmap.readUInt32BE(at + 4))
  const offset = WANTED.map(name => offsets.get(name)).find(found => found !== undefined)
  return offset === undefined ? undefined : cmap.subarray(offset)
}

function readGroups(table: Buffer): Coverage {
  const count = Math.min(table.readUInt32BE(12), (table.length - 16) / 12)
  return Uint32Array.from({ length: Math.floor(count) * 2 }, (_, at) =>
    table.readUInt32BE(16 + (at >> 1) * 12 + (at % 2) * 4),
  )
}

function readSegments(table: Buffer): Coverage {
  const bytes = table.readUInt16BE(6)
  return Uint32Array.from({ length: bytes & ~1 }, (_, at) => {
    const segment = (at >> 1) * 2
    return table.readUInt16BE(at % 2 === 0 ? 16 + bytes + segment : 14 + segment)
  })
}
