import type { Pixels } from './pixels.ts'

/** The first orientation of EXIF that swaps width and height. */
const ON_ITS_SIDE = 5

/** Returns whether an orientation of EXIF swaps width and height. */
export function isOnItsSide(orientation: number): boolean {
  return orientation >= ON_ITS_SIDE
}

/**
 * Applies an orientation of EXIF (EXIF 2.32, section 4.6.4), which says where the first row and the first column of the pixels
 * are shown.
 */
export function turn(pixels: Pixels, orientation: number): Pixels {
  if (orientation === 1) return pixels
  const { width: fromWidth, height: fromHeight } = pixels
  const [width, height] = isOnItsSide(orientation) ? [fromHeight, fromWidth] : [fromWidth, fromHeight]
  const from = new Uint32Array(pixels.data.buffer, pixels.data.byteOffset, fromWidth * fromHeight)
  const to = new Uint32Array(width * height)
  const [right, bottom] = [fromWidth - 1, fromHeight - 1]
  const placeOf = places[orientation] as Place
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = placeOf(x, y, right, bottom)
      to[y * width + x] = from[row * fromWidth + column] as number
    }
  }
  return { data: new Uint8ClampedArray(to.buffer), width, height }
}

/** Returns the column and row that is shown at a place. */
type Place = (x: number, y: number, right: number, bottom: number) => readonly [number, number]

const places: Readonly<Record<number, Place>> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
}
