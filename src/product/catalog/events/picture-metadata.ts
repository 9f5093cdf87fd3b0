import type { PictureType } from './picture-format.ts'

/**
 * A picture without what it says beside its pixels: where and when it was taken, with what and by whom, small copies of it, comments,
 * and whatever stands behind its end. Pixels, colours and which way is up stay, byte for byte. What is not known to be one of these
 * is left out. One pass, in which no length is believed that leads out of the file.
 *
 * @returns whether it is shown on its side, so that what is its width is its height then; undefined for what is not built as such a
 *   picture is
 */
export function withoutMetadata(
  data: Buffer,
  type: PictureType,
): { file: Buffer; isOnItsSide: boolean } | undefined {
  const walk = type === 'image/png' ? walkPng : type === 'image/jpeg' ? walkJpeg : walkWebp
  const walked = walk(data)
  if (walked === undefined) return undefined
  const { kept, orientation } = walked
  // That of WebP some browsers know, and others not.
  return { file: kept.bytes, isOnItsSide: type !== 'image/webp' && orientation >= ON_ITS_SIDE }
}

/** What is kept of a file, and which way is up in it. */
interface Walked {
  kept: Kept
  orientation: number
}

/** Of the one part that may be written longer than it was: which way is up. */
const SLACK = 64

/** What is kept, one part after the other. */
class Kept {
  readonly #all: Buffer
  #length = 0

  constructor({ length }: Buffer) {
    this.#all = Buffer.alloc(length + SLACK)
  }

  add(part: Buffer): void {
    this.#all.set(part, this.#length)
    this.#length += part.length
  }

  get bytes(): Buffer {
    return this.#all.subarray(0, this.#length)
  }
}

/** Of EXIF: as it stands, and from where on width and height change places. */
const UPRIGHT = 1
const ON_ITS_SIDE = 5

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const JFIF = Buffer.from('JFIF\0', 'latin1')
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1')
const ADOBE = Buffer.from('Adobe', 'latin1')
/** Bytes of what JFIF and Adobe say; behind them there may be a small copy of the picture. */
const JFIF_LENGTH = 14
const ADOBE_LENGTH = 12

const [EOI, SOS] = [0xd9, 0xda]
/** DHT, DAC, DQT, DNL, DRI: what a scan is decoded with. */
const TABLES = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd])

/** JPEG (ITU T.81, annex B): segments and scans up to the first end. */
function walkJpeg(data: Buffer): Walked | undefined {
  const kept = new Kept(data)
  kept.add(data.subarray(0, 2))
  let [frames, scans, at] = [0, 0, 2]
  let orientation: number | undefined
  while (at + 1 < data.length && data[at] === 0xff) {
    const marker = data[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === EOI) {
      kept.add(data.subarray(at, at + 2))
      return frames === 1 && scans > 0 ? { kept, orientation: orientation ?? UPRIGHT } : undefined
    }
    const end = at + 2 + (at + 3 < data.length ? data.readUInt16BE(at + 2) : 0)
    if (end < at + 4 || end > data.length) return undefined
    const body = data.subarray(at + 4, end)
    if (marker === SOS) {
      scans++
      const scanEnd = endOfScan(data, end)
      kept.add(data.subarray(at, scanEnd))
      at = scanEnd
      continue
    }
    if (isFrame(marker)) frames++
    if (isFrame(marker) || TABLES.has(marker)) kept.add(data.subarray(at, end))
    else if (marker === 0xe0 && startsWith(body, JFIF) && body.length >= JFIF_LENGTH)
      kept.add(segment(marker, Buffer.concat([body.subarray(0, JFIF_LENGTH - 2), Buffer.alloc(2)])))
    else if (marker === 0xe1 && orientation === undefined && startsWith(body, EXIF)) {
      orientation = readOrientation(body.subarray(EXIF.length))
      if (orientation !== UPRIGHT) kept.add(segment(marker, Buffer.concat([EXIF, exifOf(orientation)])))
    } else if (marker === 0xe2 && startsWith(body, ICC)) kept.add(data.subarray(at, end))
    else if (marker === 0xee && startsWith(body, ADOBE) && body.length >= ADOBE_LENGTH)
      kept.add(segment(marker, body.subarray(0, ADOBE_LENGTH)))
    else if (!isApplication(marker)) return undefined
    at = end
  }
  return undefined
}

/** SOF0 to SOF15, but for three markers among them that are no frames. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** APP0 to APP15, and comments. */
function isApplication(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
}

/** Where the next marker stands that is none of a scan: stuffed bytes and restarts are. */
function endOfScan(data: Buffer, from: number): number {
  for (let at = data.indexOf(0xff, from); at >= 0; at = data.indexOf(0xff, at + 1)) {
    const next = data[at + 1]
    if (next !== 0 && next !== 0xff && !(next !== undefined && next >= 0xd0 && next <= 0xd7)) return at
  }
  return data.length
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

const PNG_HEAD = 8
/** Of a chunk beside its data: length, name, check sum. */
const PNG_FRAME = 12
/** Pixels, colours and animations (PNG, section 11); any other that has to be understood makes it no picture. */
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** PNG, sections 5 and 11. */
function walkPng(data: Buffer): Walked | undefined {
  const kept = new Kept(data)
  kept.add(data.subarray(0, PNG_HEAD))
  let orientation: number | undefined
  for (let at = PNG_HEAD; at + PNG_FRAME <= data.length; ) {
    const end = at + PNG_FRAME + data.readUInt32BE(at)
    if (end > data.length) return undefined
    const name = data.toString('latin1', at + 4, at + 8)
    if (PNG_KEPT.has(name)) kept.add(data.subarray(at, end))
    else if (name === 'eXIf' && orientation === undefined) {
      orientation = readOrientation(data.subarray(at + 8, end - 4))
      if (orientation !== UPRIGHT) kept.add(pngChunk(name, exifOf(orientation)))
    } else if (!/^[a-z][A-Za-z]{3}$/.test(name)) return undefined
    if (name === 'IEND')
      return end === data.length ? { kept, orientation: orientation ?? UPRIGHT } : undefined
    at = end
  }
  return undefined
}

function pngChunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** PNG, annex D. Of Node.js there is one from 20.15 and 22.2 on alone. */
function crc32(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

const RIFF_HEAD = 12
const WEBP_KEPT = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
/** Where those of VP8X stand, which is the first chunk: that there is a chunk with EXIF, or with XMP. */
const FLAGS = 20
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04]

/** WebP (RFC 9649, section 2). */
function walkWebp(data: Buffer): Walked | undefined {
  const kept = new Kept(data)
  kept.add(data.subarray(0, RIFF_HEAD))
  let isExtended = false
  let orientation: number | undefined
  let hasPixels = false
  for (let at = RIFF_HEAD; at < data.length; ) {
    if (at + 8 > data.length) return undefined
    const name = data.toString('latin1', at, at + 4)
    const bodyEnd = at + 8 + data.readUInt32LE(at + 4)
    const end = bodyEnd + (bodyEnd & 1)
    if (end > data.length) return undefined
    hasPixels ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF'
    if (name === 'VP8X') {
      if (at !== RIFF_HEAD || bodyEnd < at + 18) return undefined
      isExtended = true
    }
    if (WEBP_KEPT.has(name)) kept.add(data.subarray(at, end))
    else if (name === 'EXIF') orientation ??= readOrientation(tiffOf(data.subarray(at + 8, bodyEnd)))
    at = end
  }
  // Without VP8X there is no chunk but the picture.
  const turned = isExtended ? (orientation ?? UPRIGHT) : UPRIGHT
  if (turned !== UPRIGHT) kept.add(webpChunk('EXIF', exifOf(turned)))
  const { bytes } = kept
  bytes.writeUInt32LE(bytes.length - 8, 4)
  if (isExtended) {
    const flags = (bytes[FLAGS] as number) & ~(HAS_EXIF | HAS_XMP)
    bytes[FLAGS] = turned === UPRIGHT ? flags : flags | HAS_EXIF
  }
  return hasPixels ? { kept, orientation: turned } : undefined
}

function webpChunk(name: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(name, 'latin1'), length, body, Buffer.alloc(body.length & 1)])
}

/** Some programs write it as in a JPEG. */
function tiffOf(body: Buffer): Buffer {
  return startsWith(body, EXIF) ? body.subarray(EXIF.length) : body
}

function startsWith(body: Buffer, text: Buffer): boolean {
  return body.subarray(0, text.length).equals(text)
}

const ORIENTATION = 0x0112
const SHORT = 3

/** What an EXIF says of which way is up, 1 to 8 (EXIF 2.32, section 4.6.4): as it stands, where it says nothing that counts. */
function readOrientation(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 14 || (order !== 'II' && order !== 'MM')) return UPRIGHT
  const isLittle = order === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const from = long(4)
  if (short(2) !== 42 || from + 2 > tiff.length) return UPRIGHT
  for (let at = from + 2, left = short(from); left > 0 && at + 12 <= tiff.length; left--, at += 12) {
    if (short(at) !== ORIENTATION) continue
    const value = short(at + 8)
    return short(at + 2) === SHORT && long(at + 4) === 1 && value >= 1 && value <= 8 ? value : UPRIGHT
  }
  return UPRIGHT
}

/** An EXIF that says nothing but which way is up. */
function exifOf(orientation: number): Buffer {
  const exif = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  exif.writeUInt16BE(orientation, 18)
  return exif
}
