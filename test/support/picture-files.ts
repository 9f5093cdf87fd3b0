import { pathToFileURL } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import { Codecs } from '#machinery/pictures/codecs.ts'
import type { Pixels } from '#machinery/pictures/pixels.ts'
import type { PictureFormatName } from '#machinery/pictures/sizing-task.ts'
import { readCarried } from '#machinery/threads/carried-thread.ts'

/** What the thread decodes and encodes with, here. */
export const codecs = new Codecs(readCarried(pathToFileURL('src/machinery/pictures/carried.json')))

export type Colour = readonly [red: number, green: number, blue: number, alpha?: number]

/** Pixels, each of the colour that is told for its place. */
export function paint(width: number, height: number, colourAt: (x: number, y: number) => Colour): Pixels {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue, alpha = 255] = colourAt(x, y)
      data.set([red, green, blue, alpha], 4 * (y * width + x))
    }
  }
  return { data, width, height }
}

/** Pixels that no encoder makes small, as a photo has them: waves with a grain. */
export function photo(width: number, height: number): Pixels {
  let seed = 1
  return paint(width, height, (x, y) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    const grain = (seed >> 16) % 40
    const wave = (of: number) => 110 + 100 * Math.sin(of / 90)
    return [wave(x) + grain, wave(x + y) + grain, wave(y) + grain]
  })
}

export const red = [200, 0, 0] as const
export const green = [0, 160, 0] as const
export const blue = [0, 0, 220] as const
export const white = [255, 255, 255] as const

/** A picture of four colours: two above, two below. */
export function quarters(width: number, height: number, colours: readonly Colour[]): Pixels {
  return paint(width, height, (x, y) => colours[(x < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)] as Colour)
}

/** The colours in the middle of its four quarters, by their names. */
export function namesOfQuarters({ data, width, height }: Pixels): string {
  const names = { red, green, blue, white }
  const places = [0.25, 0.75].flatMap(y => [0.25, 0.75].map(x => [x, y] as const))
  const found = places.map(([x, y]) => {
    const at = 4 * (Math.floor(y * height) * width + Math.floor(x * width))
    const isNear = ([, colour]: [string, Colour]) =>
      [0, 1, 2].every(channel => Math.abs((data[at + channel] as number) - (colour[channel] as number)) < 40)
    return Object.entries(names).find(isNear)?.[0] ?? `${data.slice(at, at + 4)}`
  })
  return found.join(' ')
}

export async function encode(pixels: Pixels, type: PictureFormatName): Promise<Buffer> {
  if (type === 'image/png') return pngOf(pixels)
  const encoder = await (type === 'image/jpeg' ? codecs.jpegEncoder() : codecs.webpEncoder())
  return Buffer.from(encoder(pixels))
}

export function decode(file: Uint8Array, type: PictureFormatName): Promise<Pixels> {
  return codecs.decode(file, type)
}

export function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

interface PngOptions {
  /** Bits of a channel. */
  depth?: 8 | 16
  isInterlaced?: boolean
  /** Chunks before the pixels. */
  extra?: readonly Buffer[]
}

/** The first column and row of each pass, and the steps (PNG, section 8.1). */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

export function pngOf(
  { data, width, height }: Pixels,
  { depth = 8, isInterlaced = false, extra = [] }: PngOptions = {},
): Buffer {
  const rows: Buffer[] = []
  for (const [left, top, across, down] of isInterlaced ? passes : [[0, 0, 1, 1] as const]) {
    for (let y = top; y < height && left < width; y += down) {
      const row = [0]
      for (let x = left; x < width; x += across) {
        const pixel = data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)
        row.push(...(depth === 8 ? pixel : [...pixel].flatMap(value => [value, value])))
      }
      rows.push(Buffer.from(row))
    }
  }
  return pngFile({ width, height, depth, isInterlaced, extra }, deflateSync(Buffer.concat(rows)))
}

/** A PNG with alpha of these compressed rows, whatever they are. */
export function pngFile(
  { width, height, depth = 8, isInterlaced = false, extra = [] }: PngOptions & Omit<Pixels, 'data'>,
  compressed: Buffer,
): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, 6, 0, 0, isInterlaced ? 1 : 0], 8)
  const chunks = [pngChunk('IHDR', head), ...extra, pngChunk('IDAT', compressed)]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, pngChunk('IEND', Buffer.alloc(0))])
}

export const SECRET = 'GPS 40.4168 N 3.7038 W, by Ada'

/** A picture as a camera writes it: with where it was taken, and how it was held. */
export function held(file: Buffer, orientation: number): Buffer {
  const tiff = Buffer.alloc(38)
  tiff.set(Buffer.from('49492a0008000000', 'hex'))
  tiff.writeUInt16LE(2, 8)
  tiff.set([0x0e, 0x01, 2, 0, SECRET.length, 0, 0, 0, 38, 0, 0, 0], 10)
  tiff.set([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0], 22)
  const exif = Buffer.concat([tiff, Buffer.from(SECRET)])
  if (file[0] === 0x52) return extendedWebp(file, exif)
  if (file[0] !== 0xff)
    return Buffer.concat([file.subarray(0, 33), pngChunk('eXIf', exif), file.subarray(33)])
  return intoJpeg(file, 0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif]))
}

/** A lossy WebP with EXIF (RFC 9649, section 2.7). */
function extendedWebp(file: Buffer, exif: Buffer): Buffer {
  const chunk = (name: string, body: Buffer) => {
    const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
  }
  const extended = Buffer.from([0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  extended.writeUIntLE(file.readUInt16LE(26) - 1, 4, 3)
  extended.writeUIntLE(file.readUInt16LE(28) - 1, 7, 3)
  const chunks = [chunk('VP8X', extended), file.subarray(12), chunk('EXIF', exif)]
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]))
}

/** A JPEG with one more segment behind its start. */
export function intoJpeg(file: Buffer, marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(2 + body.length, 2)
  return Buffer.concat([file.subarray(0, 2), head, body, file.subarray(2)])
}

/** An ICC profile as far as it is looked at: of a kind of colours, with a name. */
export function profileOf(name: string, colours = 'RGB ', length = 400): Buffer {
  const profile = Buffer.alloc(length)
  profile.write(colours, 16, 'latin1')
  profile.write(name, 200, 'latin1')
  return profile
}

interface PlainJpeg {
  width: number
  height: number
  /** 1 is grey, 3 has colours, 4 has those of print. */
  components: 1 | 3 | 4
  isProgressive?: boolean
  /** More passes over all pixels, which change nothing. */
  passes?: number
}

/** A JPEG of one grey, made by hand: each block of it is a bit, and a pass over thousands of blocks are some bytes. */
export function plainJpeg({
  width,
  height,
  components,
  isProgressive = false,
  passes = 0,
}: PlainJpeg): Buffer {
  const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
  const ids = Array.from({ length: components }, (_, at) => at + 1)
  const two = (value: number) => value.toString(16).padStart(2, '0')
  const frame = hex(
    `ff${isProgressive ? 'c2' : 'c0'} 00${two(8 + 3 * components)} 08 ${two(height >> 8)}${two(height & 255)}
     ${two(width >> 8)}${two(width & 255)} ${two(components)} ${ids.map(id => `${two(id)}1100`).join('')}`.replaceAll(
      /\s/g,
      '',
    ),
  )
  // One code of one bit each: no change of the mean, and of the rest that it ends, in a progressive picture for 16384 blocks.
  const tables = hex(
    `ffdb 0043 00 ${'01'.repeat(64)} ffc4 0014 00 01${'00'.repeat(15)} 00 ffc4 0014 10 01${'00'.repeat(15)} ${isProgressive ? 'e0' : '00'}`,
  )
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const means = hex(
    `ffda 00${two(6 + 2 * components)} ${two(components)} ${ids.map(id => `${two(id)}00`).join('')} ${isProgressive ? '000000' : '003f00'}`,
  )
  const bits = blocks * components * (isProgressive ? 1 : 2)
  const pass = Buffer.concat([
    hex('ffda 0008 01 0100 013f00'),
    Buffer.alloc(Math.ceil((15 * blocks) / 16_384 / 8) + 2),
  ])
  const all = [hex('ffd8'), tables, frame, means, Buffer.alloc(Math.ceil(bits / 8))]
  return Buffer.concat([...all, ...Array.from({ length: passes }, () => pass), hex('ffd9')])
}
