import { makeFault, tell } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'

/** Bytes. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024

/** The most that a picture may have. */
export interface PictureLimits {
  bytes: number
  /** The pixels of a side, and all of them. */
  side: number
  all: number
}

/** Of each pixel, a browser keeps four bytes. */
const OF_PAGES: PictureLimits = { bytes: MAX_PICTURE_BYTES, side: 8_000, all: 40_000_000 }
/**
 * The most chunks or segments. No program writes so many of a few bytes each, and going through half a million takes a tenth of a
 * second.
 */
export const MAX_PARTS = 20_000

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp'

/** The format that the bytes of a picture show. Sizes are in pixels. */
export interface PictureFormat {
  type: PictureType
  width: number
  height: number
}

/**
 * Detects the format of a file from its bytes, whatever its name is. It decodes nothing. It refuses a file that is no picture, or
 * that would exhaust the memory of a browser.
 *
 * @throws Problem invalid_parameter for `picture`, with `details.fault`
 */
export function readPicture(bytes: Uint8Array, limits = OF_PAGES): PictureFormat {
  if (bytes.length > limits.bytes) throw refusal(makeFault('pictureTooHeavy', { max: limits.bytes }))
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = readPng(data) ?? readJpeg(data) ?? readWebp(data)
  if (found === undefined || found.width === 0 || found.height === 0) throw refusal(makeFault('noPicture'))
  const { width, height } = found
  const { side, all } = limits
  if (Math.max(width, height) > side || width * height > all)
    throw refusal(makeFault('pictureTooLarge', { side, all }))
  return found
}

export function refusal(fault: Parameters<typeof tell>[1]): Problem {
  const message = tell('picture', fault)
  return new Problem('invalid_parameter', { param: 'picture', message, details: { fault } })
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
/** The bytes of a chunk besides its data: length, type, checksum. */
const PNG_FRAME = 12

/** Reads PNG (sections 5 and 11): chunks from IHDR to IEND, and nothing after them. */
function readPng(data: Buffer): PictureFormat | undefined {
  if (!data.subarray(0, 8).equals(PNG) || chunkName(data, 12) !== 'IHDR') return undefined
  let hasData = false
  let parts = 0
  for (let at = 8; at + PNG_FRAME <= data.length; at += PNG_FRAME + data.readUInt32BE(at)) {
    if (++parts > MAX_PARTS) return undefined
    const name = chunkName(data, at + 4)
    hasData ||= name === 'IDAT'
    if (name !== 'IEND') continue
    if (!hasData || at + PNG_FRAME !== data.length) return undefined
    return { type: 'image/png', width: data.readUInt32BE(16), height: data.readUInt32BE(20) }
  }
  return undefined
}

/** Reads JPEG (ITU T.81, annex B): segments up to the first scan, one of which is the frame with the size. */
function readJpeg(data: Buffer): PictureFormat | undefined {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return undefined
  let size: Pick<PictureFormat, 'width' | 'height'> | undefined
  let at = 2
  let parts = 0
  while (at + 9 < data.length && data[at] === 0xff) {
    const marker = data[at + 1] as number
    if (++parts > MAX_PARTS) return undefined
    if (marker === 0xff) {
      // Several of these bytes may come before a marker.
      at++
      continue
    }
    if (marker === 0xda) return size && { type: 'image/jpeg', ...size }
    if (isFrame(marker)) size = { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) }
    at += 2 + data.readUInt16BE(at + 2)
  }
  return undefined
}

/** Frames are SOF0 to SOF15, except for three markers among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Reads WebP (RFC 9649, section 2): one RIFF that is the whole file, and whose first chunk has the size. */
function readWebp(data: Buffer): PictureFormat | undefined {
  if (data.length < 30 || chunkName(data, 0) !== 'RIFF' || chunkName(data, 8) !== 'WEBP') return undefined
  if (data.readUInt32LE(4) + 8 !== data.length) return undefined
  const size = webpSize(data)
  return size && { type: 'image/webp', ...size }
}

function webpSize(data: Buffer): Pick<PictureFormat, 'width' | 'height'> | undefined {
  switch (chunkName(data, 12)) {
    case 'VP8 ':
      if (data.readUIntBE(23, 3) !== 0x9d012a) return undefined
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      if (data[20] !== 0x2f) return undefined
      const bits = data.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 }
    default:
      return undefined
  }
}

function chunkName(data: Buffer, at: number): string {
  return data.toString('latin1', at, at + 4)
}
