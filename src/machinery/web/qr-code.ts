import { encode } from 'uqr'

/** How much of a code may be lost. With `Q` it is a quarter, as on a creased ticket. */
export type QrLevel = 'L' | 'M' | 'Q'

/** A code without the light area around it, row by row. A dark module is 1. */
export interface QrMatrix {
  size: number
  modules: Uint8Array
}

const MASKS = [0, 1, 2, 3, 4, 5, 6, 7] as const

/**
 * The changes that turn a code with the first mask into one with each of the masks, by size and level. They are the same for all
 * texts.
 */
const changes = new Map<string, readonly Uint8Array[]>()

/**
 * Returns the code of a text, with the mask that ISO/IEC 18004, section 7.8.3, prefers. The encoder could find it by drawing
 * every code eight times. That is most of the cost of a code, and a page shows dozens.
 */
export function encodeQr(text: string, ecc: QrLevel): QrMatrix {
  const { data, version, size } = encode(text, { ecc, border: 0, maskPattern: 0 })
  const first = flatten(data)
  let best = first
  let least = Number.POSITIVE_INFINITY
  for (const change of changesOf(version, ecc)) {
    const modules = combine(first, change)
    const penalty = penaltyOf(modules, size)
    if (penalty < least) [best, least] = [modules, penalty]
  }
  return { size, modules: best }
}

function changesOf(version: number, ecc: QrLevel): readonly Uint8Array[] {
  const name = `${version} ${ecc}`
  let found = changes.get(name)
  if (found === undefined) {
    const options = { ecc, border: 0, minVersion: version, maxVersion: version }
    const drawn = MASKS.map(maskPattern => flatten(encode('', { ...options, maskPattern }).data))
    const [first] = drawn as [Uint8Array]
    found = drawn.map(each => combine(each, first))
    changes.set(name, found)
  }
  return found
}

function combine(one: Uint8Array, other: Uint8Array): Uint8Array {
  const combined = new Uint8Array(one.length)
  for (let at = 0; at < one.length; at++) combined[at] = (one[at] as number) ^ (other[at] as number)
  return combined
}

function flatten(rows: readonly (readonly boolean[])[]): Uint8Array {
  const size = rows.length
  const modules = new Uint8Array(size * size)
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < size; x++) modules[y * size + x] = row[x] === true ? 1 : 0
  }
  return modules
}

// The weights of patterns that disturb readers: ISO/IEC 18004, table 11.
const [LONG_RUN, BLOCK, FINDER, UNEVEN] = [3, 3, 40, 10]
const LONG = 5

function penaltyOf(modules: Uint8Array, size: number): number {
  let penalty = 0
  for (let line = 0; line < size; line++) {
    penalty += penaltyOfLine(modules, size, line * size, 1) + penaltyOfLine(modules, size, line, size)
  }
  const total = size * size
  let dark = 0
  for (let at = 0; at < total; at++) dark += modules[at] as number
  for (let y = 1; y < size; y++) {
    // `before` is the sum of the two modules in the column before. It is 0 or 2 if they are alike.
    let before = 1
    for (let at = y * size; at < (y + 1) * size; at++) {
      const both = (modules[at] as number) + (modules[at - size] as number)
      if (both !== 1 && both === before) penalty += BLOCK
      before = both
    }
  }
  return penalty + (Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1) * UNEVEN
}

/** The lengths of the runs of a line, with the light ones at even indexes. The largest code has 177 modules. */
const runs = new Uint16Array(180)

/**
 * Returns the penalty of a row or a column: for long runs, and for patterns that look like the corner of a code. Everything
 * beyond both ends is light.
 */
function penaltyOfLine(modules: Uint8Array, size: number, from: number, step: number): number {
  let last = 0
  runs[0] = 0
  for (let module = 0; module < size; module++) {
    if (modules[from + module * step] !== last % 2) runs[++last] = 0
    runs[last] = (runs[last] as number) + 1
  }
  let penalty = 0
  for (let at = 0; at <= last; at++) {
    const length = runs[at] as number
    if (length >= LONG) penalty += LONG_RUN + length - LONG
  }
  runs[0] = (runs[0] as number) + size
  if (last % 2 === 1) runs[++last] = 0
  runs[last] = (runs[last] as number) + size
  for (let at = 6; at <= last; at += 2) penalty += findersBefore(at) * FINDER
  return penalty
}

/** Counts dark runs of 1 : 1 : 3 : 1 : 1 with light on both sides, of which one side has at least four times as much. */
function findersBefore(at: number): number {
  const one = runs[at - 1] as number
  if (runs[at - 2] !== one || runs[at - 3] !== one * 3 || runs[at - 4] !== one || runs[at - 5] !== one)
    return 0
  const [before, after] = [runs[at - 6] as number, runs[at] as number]
  return (after >= one * 4 && before >= one ? 1 : 0) + (before >= one * 4 && after >= one ? 1 : 0)
}
