import { closeSync, openSync, writeSync } from 'node:fs'
import { encode } from 'uqr'

/** Describes what a camera sees for a while: a code, or nothing. */
export interface Seen {
  text: string | undefined
  frames: number
}

export const FRAMES_A_SECOND = 10
const WIDTH = 640
const HEIGHT = 480
const LIGHT = 200
const DARK = 30
const FLOOR = 110

/** Writes a film that Chromium takes for a camera, over and over (YUV4MPEG2): a code is held up on paper before a grey wall. */
export function writeFilm(path: string, scenes: readonly Seen[]): void {
  const file = openSync(path, 'w')
  writeSync(file, `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`)
  const grey = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  for (const { text, frames } of scenes) {
    const picture = text === undefined ? Buffer.alloc(WIDTH * HEIGHT, FLOOR) : draw(text)
    for (let frame = 0; frame < frames; frame++) {
      writeSync(file, 'FRAME\n')
      writeSync(file, picture)
      writeSync(file, grey)
    }
  }
  closeSync(file)
}

/**
 * Writes a film of pictures, each there for `held` frames and followed by `between` of nothing. Its number, from 1, stands in the upper
 * left corner as ten squares, the highest bit first: bright is 1.
 */
export function writeFrames(
  path: string,
  pictures: readonly Buffer[],
  { shownFrames, between }: { shownFrames: number; between: number },
): void {
  const file = openSync(path, 'w')
  writeSync(file, `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_A_SECOND}:1 Ip A1:1 C420jpeg\n`)
  const grey = Buffer.alloc((WIDTH * HEIGHT) / 2, 128)
  for (const [at, picture] of pictures.entries()) {
    for (let frame = 0; frame < shownFrames + between; frame++) {
      const shown = frame < shownFrames ? Buffer.from(picture) : Buffer.alloc(WIDTH * HEIGHT, FLOOR)
      mark(shown, frame < shownFrames ? at + 1 : 0)
      writeSync(file, 'FRAME\n')
      writeSync(file, shown)
      writeSync(file, grey)
    }
  }
  closeSync(file)
}

function mark(picture: Buffer, number: number): void {
  for (let y = 0; y < SQUARE; y++) {
    for (let x = 0; x < 10 * SQUARE; x++) {
      picture[y * WIDTH + x] = (number >> (9 - Math.floor(x / SQUARE))) & 1 ? 235 : 20
    }
  }
}

const SQUARE = 16

/** Returns the brightness of each dot. */
function draw(text: string): Buffer {
  const { data, size } = encode(text, { ecc: 'Q', border: 4 })
  const picture = Buffer.alloc(WIDTH * HEIGHT, FLOOR)
  const dots = Math.floor((HEIGHT * 0.8) / size)
  const left = Math.floor((WIDTH - dots * size) / 2)
  const top = Math.floor((HEIGHT - dots * size) / 2)
  for (let y = 0; y < dots * size; y++) {
    for (let x = 0; x < dots * size; x++) {
      const isDark = data[Math.floor(y / dots)]?.[Math.floor(x / dots)] === true
      picture[(top + y) * WIDTH + left + x] = isDark ? DARK : LIGHT
    }
  }
  return picture
}
