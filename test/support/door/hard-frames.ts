import { encode } from 'uqr'

/** A picture in grey: one byte a dot. */
export interface Frame {
  width: number
  height: number
  dots: Buffer
  kind: Kind
  text: string
}

export const KINDS = ['blurred', 'tilted', 'dark', 'cracked', 'small', 'glare'] as const
export type Kind = (typeof KINDS)[number]

const WIDTH = 640
const HEIGHT = 480
const FLOOR = 110
const QUIET = 4

/** Returns numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * Draws tickets as cameras see them at a door, each spoiled in one of six ways, from hardly to beyond reading.
 *
 * @param texts one for each picture
 */
export function* hardFrames(texts: readonly string[], seed = 15): Generator<Frame> {
  const rounds = Math.ceil(texts.length / KINDS.length)
  for (const [at, text] of texts.entries()) {
    const kind = KINDS[at % KINDS.length] as Kind
    const round = Math.floor(at / KINDS.length)
    // The order differs from that of the kinds, so that a film is not easy first and hard last.
    const harm = ((round * 17) % rounds) / rounds
    yield { width: WIDTH, height: HEIGHT, kind, text, dots: spoil(text, kind, harm, seeded(seed + at)) }
  }
}

function spoil(text: string, kind: Kind, harm: number, random: () => number): Buffer {
  const width = kind === 'small' ? 230 - 130 * harm : 380
  const turn = kind === 'tilted' ? (random() - 0.5) * 2 * Math.PI : (random() - 0.5) * 0.2
  const lean = kind === 'tilted' ? harm * 0.0022 : 0
  const light = kind === 'dark' ? 1 - 0.9 * harm : 1
  const noise = kind === 'dark' ? 14 : 5
  const dots = draw(text, width, turn, lean)
  if (kind === 'cracked') crack(dots, 1 + Math.round(harm * 14), random)
  if (kind === 'glare') glare(dots, 40 + harm * 110, random)
  const seen = kind === 'blurred' ? blur(dots, Math.round(1 + harm * 5)) : dots
  for (let at = 0; at < seen.length; at++) {
    const grain = (random() + random() + random() - 1.5) * noise
    seen[at] = Math.max(0, Math.min(255, (seen[at] as number) * light + grain))
  }
  return seen
}

/** Draws a code on paper before a floor, turned, and leaning away. */
function draw(text: string, width: number, turn: number, lean: number): Buffer {
  const { data, size } = encode(text, { ecc: 'Q', border: QUIET })
  const dots = Buffer.alloc(WIDTH * HEIGHT, FLOOR)
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      let sum = 0
      // Each dot is the mean of four places, because a lens has no sharp edges.
      for (const [dx, dy] of SHIFTS) {
        const [left, top] = [x + dx - WIDTH / 2, y + dy - HEIGHT / 2]
        const far = 1 + lean * top
        const [u, v] = [(left * cos + top * sin) / far, (top * cos - left * sin) / far]
        const column = Math.floor((u / width + 0.5) * size)
        const row = Math.floor((v / width + 0.5) * size)
        sum += data[row]?.[column] === undefined ? FLOOR : data[row][column] ? 35 : 205
      }
      dots[y * WIDTH + x] = sum / SHIFTS.length
    }
  }
  return dots
}

const SHIFTS = [
  [0.25, 0.25],
  [0.75, 0.25],
  [0.25, 0.75],
  [0.75, 0.75],
] as const

/** Draws lines across the glass. */
function crack(dots: Buffer, lines: number, random: () => number): void {
  for (let line = 0; line < lines; line++) {
    let [x, y] = [random() * WIDTH, random() * HEIGHT]
    let way = random() * 2 * Math.PI
    for (let step = 0; step < 700; step++) {
      way += (random() - 0.5) * 0.3
      x += Math.cos(way)
      y += Math.sin(way)
      for (let wide = -2; wide <= 2; wide++) {
        const at = Math.round(y) * WIDTH + Math.round(x) + wide
        if (at >= 0 && at < dots.length) dots[at] = 235
      }
    }
  }
}

/** Draws a lamp in the glass: white within its radius, and fading around. */
function glare(dots: Buffer, radius: number, random: () => number): void {
  const [left, top] = [WIDTH / 2 + (random() - 0.5) * 240, HEIGHT / 2 + (random() - 0.5) * 240]
  for (let at = 0; at < dots.length; at++) {
    const away = Math.hypot((at % WIDTH) - left, Math.floor(at / WIDTH) - top) / radius
    const share = Math.exp(-away * away)
    dots[at] = Math.min(255, (dots[at] as number) + 230 * share)
  }
}

/** Blurs twice by a box, across and down. */
function blur(dots: Buffer, radius: number): Buffer {
  let seen = dots
  for (let pass = 0; pass < 2; pass++) seen = box(box(seen, radius, 1), radius, WIDTH)
  return seen
}

function box(dots: Buffer, radius: number, step: number): Buffer {
  const out = Buffer.alloc(dots.length)
  for (let at = 0; at < dots.length; at++) {
    let sum = 0
    for (let away = -radius; away <= radius; away++) sum += dots[at + away * step] ?? FLOOR
    out[at] = sum / (2 * radius + 1)
  }
  return out
}
