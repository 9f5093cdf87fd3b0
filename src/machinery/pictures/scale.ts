import type { Pixels } from './pixels.ts'

/**
 * Scales pixels down. Each new pixel is the mean of the area that it covers, as browsers do it, and transparent parts give it
 * none of their colour. It takes memory for the result alone. @param width as `height`, at most that of the pixels
 */
export function scaleDown({ data, ...from }: Pixels, width: number, height: number): Pixels {
  const scaled = new Uint8ClampedArray(4 * width * height)
  const [columns, rows] = [sharesOf(from.width, width), sharesOf(from.height, height)]
  /** Red, green and blue by alpha, and alpha, of one new row. */
  const sums = new Float64Array(4 * width)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let row = rows.first[y] as number; row <= (rows.last[y] as number); row++)
      addRow(sums, data.subarray(4 * row * from.width), columns, rows.shareOf(row, y))
    writeRow(scaled.subarray(4 * y * width), sums, (from.width / width) * (from.height / height))
  }
  return { data: scaled, width, height }
}

/** Which old columns or rows each new one covers. */
interface Shares {
  first: Int32Array
  last: Int32Array
  /** Returns how much of an old one a new one covers, from 0 to 1. */
  shareOf: (old: number, at: number) => number
}

function sharesOf(from: number, to: number): Shares {
  const [first, last] = [new Int32Array(to), new Int32Array(to)]
  const step = from / to
  for (let at = 0; at < to; at++) {
    first[at] = Math.min(from - 1, Math.floor(at * step))
    last[at] = Math.min(from - 1, Math.ceil((at + 1) * step) - 1)
  }
  const shareOf = (old: number, at: number) => Math.min(old + 1, (at + 1) * step) - Math.max(old, at * step)
  return { first, last, shareOf }
}

function addRow(sums: Float64Array, row: Uint8ClampedArray, columns: Shares, share: number): void {
  const { first, last, shareOf } = columns
  for (let x = 0; x < first.length; x++) {
    let [red, green, blue, alpha] = [0, 0, 0, 0]
    const end = last[x] as number
    for (let column = first[x] as number; column <= end; column++) {
      const at = 4 * column
      const covered = shareOf(column, x) * (row[at + 3] as number)
      red += covered * (row[at] as number)
      green += covered * (row[at + 1] as number)
      blue += covered * (row[at + 2] as number)
      alpha += covered
    }
    const sum = 4 * x
    sums[sum] = (sums[sum] as number) + share * red
    sums[sum + 1] = (sums[sum + 1] as number) + share * green
    sums[sum + 2] = (sums[sum + 2] as number) + share * blue
    sums[sum + 3] = (sums[sum + 3] as number) + share * alpha
  }
}

/** @param area the old pixels of a new one */
function writeRow(row: Uint8ClampedArray, sums: Float64Array, area: number): void {
  for (let at = 0; at < sums.length; at += 4) {
    const alpha = sums[at + 3] as number
    if (alpha === 0) continue
    for (let channel = 0; channel < 3; channel++) row[at + channel] = (sums[at + channel] as number) / alpha
    row[at + 3] = alpha / area
  }
}
