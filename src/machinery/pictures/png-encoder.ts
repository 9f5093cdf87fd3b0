import { deflateSync } from 'node:zlib'
import type { Pixels } from './pixels.ts'
import { pngFile } from './png-file.ts'

/** Colours without transparency, with eight bits a channel (W3C PNG, section 11.2.1). */
const TRUECOLOUR_8_BIT = [8, 2, 0, 0, 0]
const CHANNELS = 3
/** The filters that are tried for each row (section 9): none, sub, up and average of both. */
const FILTERS = 4

/** Encodes pixels as PNG, without transparency. The same pixels give the same bytes. */
export function encodePng({ data, width, height }: Pixels): Buffer {
  const stride = CHANNELS * width
  const rows = Buffer.alloc((1 + stride) * height)
  let above = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(stride)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < CHANNELS; channel++)
        row[CHANNELS * x + channel] = data[4 * (y * width + x) + channel] as number
    rows.set(filtered(row, above), y * (1 + stride))
    above = row
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set(TRUECOLOUR_8_BIT, 8)
  return pngFile(header, deflateSync(rows, { level: 9 }))
}

/** Returns a row with the filter that leaves the least, which is what compresses best (section 12.8). */
function filtered(row: Uint8Array, above: Uint8Array): Uint8Array {
  let best: { sum: number; bytes: Uint8Array } | undefined
  for (let filter = 0; filter < FILTERS; filter++) {
    const bytes = new Uint8Array(1 + row.length)
    bytes[0] = filter
    let sum = 0
    for (let at = 0; at < row.length; at++) {
      const left = row[at - CHANNELS] ?? 0
      const up = above[at] as number
      const predicted = [0, left, up, (left + up) >> 1][filter] as number
      const rest = ((row[at] as number) - predicted) & 255
      bytes[at + 1] = rest
      sum += rest < 128 ? rest : 256 - rest
    }
    if (best === undefined || sum < best.sum) best = { sum, bytes }
  }
  return (best as { bytes: Uint8Array }).bytes
}
