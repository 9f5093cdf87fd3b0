import { crc32 } from 'node:zlib'
import { isOnItsSide } from '#machinery/pictures/turn.ts'
import { MAX_PARTS, type PictureType } from './picture-format.ts'

/** A picture without metadata. */
export interface CleanedPicture {
  file: Buffer
  /** The orientation of EXIF, 1 to 8. */
  orientation: number
  /** Whether all browsers show the picture on its side, which swaps its width and height. Only some do so with WebP. */
  isOnItsSide: boolean
  isAnimated: boolean
}

/**
 * Returns a picture without the metadata beside its pixels: where and when it was taken, with what and by whom, thumbnails,
 * comments, and anything after its end. Pixels, colours and orientation stay, byte for byte. Any part that is not known to be one
 * of these is left out. It takes one pass over at most `MAX_PARTS` parts, and trusts no length that leads out of the file.
 *
 * @returns undefined if the file is malformed
 */
export function withoutMetadata(data: Buffer, type: PictureType): CleanedPicture | undefined {
  const walk = type === 'image/png' ? walkPng : type === 'image/jpeg' ? walkJpeg : walkWebp
  const walked = walk(data)
  if (walked === undefined) return undefined
  const { kept, orientation, isAnimated } = walked
  return {
    file: kept.bytes,
    orientation,
    isOnItsSide: type !== 'image/webp' && isOnItsSide(orientation),
    isAnimated,
  }
}

/** The parts of a file that are kept, and what they tell. */
interface Walked {
  kept: Kept
  orientation: number
  isAnimated: boolean
}

/** Bytes for the one part that may become longer than before, the orientation. */
const SLACK = 64

/** Collects the parts that are kept, one after the other. */
class Kept {
  readonly #all: Buffer
  #length = 0
  #parts = 0

  constructor({ length }: Buffer) {
    this.#all = Buffer.alloc(length + SLACK)
  }

  add(part: Buffer): void {
    this.#all.set(part, this.#length)
    this.#length += part.length
  }

  /** Counts a part of the file. @returns false if there are too many */
  count(): boolean {
    return ++this.#parts <= MAX_PARTS
  }

  get bytes(): Buffer {
    return this.#all.subarray(0, this.#length)
  }
}

/** The EXIF orientation of a picture that is shown as it is. */
export const UPRIGHT = 1

const EXIF = Buffer.from('Exif\0\0', 'latin1')
const JFIF = Buffer.from('JFIF\0', 'latin1')
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1')
const ADOBE = Buffer.from('Adobe', 'latin1')
/** The lengths of the JFIF and Adobe data in bytes. A thumbnail may follow them. */
const JFIF_LENGTH = 14
const ADOBE_LENGTH = 12

const [EOI, SOS] = [0xd9, 0xda]
/** DHT, DAC, DQT, DNL and DRI are the tables that a scan is decoded with. */
const TABLES = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd])

/** Walks a JPEG (ITU T.81, annex B): segments and scans up to the first end. */
function walkJpeg(data: Buffer): Walked | undefined {
  const kept = new Kept(data)
  kept.add(data.subarray(0, 2))
  let [frames, scans, at] = [0, 0, 2]
  let orientation: number | undefined
  while (at + 1 < data.length && data[at] === 0xff) {
    const marker = data[at + 1] as number
    if (!kept.count()) return undefined
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === EOI) {
      kept.add(data.subarray(at, at + 2))
      const isWhole = frames === 1 && scans > 0
      return isWhole ? { kept, orientation: orientation ?? UPRIGHT, isAnimated: false } : undefined
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

/** Frames are SOF0 to SOF15, except for three markers among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** These are APP0 to APP15, and comments. */
function isApplication(marker: number): boolean {
  return (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe
}

/** Returns where the next marker outside the scan is. Stuffed bytes and restarts belong to the scan. */
function endOfScan(data: Buffer, from: number): number {
  // This does not use `indexOf`, because half of a picture may be stuffed bytes.
  for (let at = from; at < data.length; at++) {
    if (data[at] !== 0xff) continue
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
/** The bytes of a chunk besides its data: length, name, checksum. */
const PNG_FRAME = 12
/**
 * Chunks for pixels, colours and animations (PNG, section 11). Any other chunk that must be understood makes the file no picture.
 */
const PNG_KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
)

/** Walks a PNG (sections 5 and 11). */
function walkPng(data: Buffer): Walked | undefined {
  const kept = new Kept(data)
  kept.add(data.subarray(0, PNG_HEAD))
  let orientation: number | undefined
  let isAnimated = false
  for (let at = PNG_HEAD; at + PNG_FRAME <= data.length; ) {
    const end = at + PNG_FRAME + data.readUInt32BE(at)
    if (end > data.length || !kept.count()) return undefined
    const name = data.toString('latin1', at + 4, at + 8)
    isAnimated ||= name === 'acTL'
    if (PNG_KEPT.has(name)) kept.add(data.subarray(at, end))
    else if (name === 'eXIf' && orientation === undefined) {
      orientation = readOrientation(data.subarray(at + 8, end - 4))
      if (orientation !== UPRIGHT) kept.add(pngChunk(name, exifOf(orientation)))
    } else if (!/^[a-z][A-Za-z]{3}$/.test(name)) return undefined
    if (name === 'IEND')
      return end === data.length ? { kept, orientation: orientation ?? UPRIGHT, isAnimated } : undefined
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

const RIFF_HEAD = 12
const WEBP_KEPT = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'])
/** Where the flags of VP8X are, which is the first chunk. They tell whether there is a chunk with EXIF or with XMP. */
const FLAGS = 20
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04]

/** Walks a WebP (RFC 9649, section 2). */
function walkWebp(data: Buffer): Walked | undefined {
  const kept = new Kept(data)
  kept.add(data.subarray(0, RIFF_HEAD))
  let isExtended = false
  let orientation: number | undefined
  let hasPixels = false
  let isAnimated = false
  for (let at = RIFF_HEAD; at < data.length; ) {
    if (at + 8 > data.length) return undefined
    const name = data.toString('latin1', at, at + 4)
    const bodyEnd = at + 8 + data.readUInt32LE(at + 4)
    const end = bodyEnd + (bodyEnd & 1)
    if (end > data.length || !kept.count()) return undefined
    hasPixels ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF'
    isAnimated ||= name === 'ANIM' || name === 'ANMF'
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
  return hasPixels ? { kept, orientation: turned, isAnimated } : undefined
}

function webpChunk(name: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(name, 'latin1'), length, body, Buffer.alloc(body.length & 1)])
}

/** Some programs write the EXIF as in a JPEG. */
function tiffOf(body: Buffer): Buffer {
  return startsWith(body, EXIF) ? body.subarray(EXIF.length) : body
}

function startsWith(body: Buffer, text: Buffer): boolean {
  return body.subarray(0, text.length).equals(text)
}

const ORIENTATION = 0x0112
const SHORT = 3

/** Reads the orientation from EXIF, 1 to 8 (EXIF 2.32, section 4.6.4). Without a valid value it is upright. */
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

/** Makes an EXIF with nothing but the orientation. */
function exifOf(orientation: number): Buffer {
  const exif = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  exif.writeUInt16BE(orientation, 18)
  return exif
}
