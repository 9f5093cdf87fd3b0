import { deflateSync, inflateSync } from 'node:zlib'
import { pngChunk } from './png-file.ts'
import type { PictureFormatName, WantedSize } from './sizing-task.ts'

/** Profiles of screens and cameras have a few kilobytes, and this one must fit into one segment of a JPEG. */
const MAX_PROFILE_BYTES = 65_000
/** Where a profile says of which kind of colours it is (ICC.1, section 7.2), and the kind of pixels that were decoded. */
const [COLOURS, RGB] = [16, 'RGB ']
/** A profile names itself. That of the web is what browsers assume without one. */
const OF_THE_WEB = 'sRGB'

/**
 * Returns the ICC profile of the colours of a picture, which its sizes need to have the same colours.
 *
 * @param file has passed the checks of an upload, so that every length in it leads to the next part
 * @returns undefined if browsers show the same colours without it
 * @throws Error if the colours cannot be passed on
 */
export function readProfile(file: Uint8Array, type: PictureFormatName): Uint8Array | undefined {
  const data = Buffer.from(file.buffer, file.byteOffset, file.length)
  const read = type === 'image/png' ? readOfPng : type === 'image/jpeg' ? readOfJpeg : readOfWebp
  const profile = read(data)
  if (profile === undefined || profile.length < COLOURS + RGB.length) return undefined
  if (profile.toString('latin1', COLOURS, COLOURS + RGB.length) !== RGB) return undefined
  // Names are in ASCII or in UTF-16.
  if (profile.toString('latin1').replaceAll('\0', '').includes(OF_THE_WEB)) return undefined
  if (profile.length > MAX_PROFILE_BYTES) throw new Error('Its profile of colours is too long.')
  return profile
}

const SEGMENT = Buffer.from('ICC_PROFILE\0', 'latin1')
/** Behind the name of a segment: its number, and how many there are. */
const SEGMENT_HEAD = SEGMENT.length + 2
const [APP2, SOS] = [0xe2, 0xda]

/** Reads the segments of a JPEG (ICC.1, annex B.4) up to its first scan. */
function readOfJpeg(data: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = 2; at + 4 <= data.length && data[at] === 0xff; ) {
    const marker = data[at + 1] as number
    if (marker === SOS) break
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + data.readUInt16BE(at + 2)
    const body = data.subarray(at + 4, end)
    if (marker === APP2 && body.subarray(0, SEGMENT.length).equals(SEGMENT))
      parts[body[SEGMENT.length] as number] = body.subarray(SEGMENT_HEAD)
    at = end
  }
  const found = parts.filter(part => part !== undefined)
  return found.length === 0 ? undefined : Buffer.concat(found)
}

/** Reads the chunks of a PNG (section 11.3.2) up to its pixels. */
function readOfPng(data: Buffer): Buffer | undefined {
  for (let at = 8; at + 12 <= data.length; at += 12 + data.readUInt32BE(at)) {
    const name = data.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT') break
    // A size has 8 bits a channel, which are too few for the range of these colours.
    if (name === 'cICP') throw new Error('Its colours are those of no profile.')
    if (name !== 'iCCP') continue
    const body = data.subarray(at + 8, at + 8 + data.readUInt32BE(at))
    // A name that ends with 0, the method of compression, and the compressed profile.
    const compressed = body.subarray(body.indexOf(0) + 2)
    return inflateSync(compressed, { maxOutputLength: 8 * MAX_PROFILE_BYTES })
  }
  return undefined
}

const RIFF_HEAD = 12

function readOfWebp(data: Buffer): Buffer | undefined {
  return chunksOf(data).find(({ name }) => name === 'ICCP')?.body
}

interface Chunk {
  name: string
  body: Buffer
}

/** Lists the chunks of a WebP (RFC 9649, section 2.3). */
function chunksOf(data: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = RIFF_HEAD; at + 8 <= data.length; ) {
    const end = at + 8 + data.readUInt32LE(at + 4)
    chunks.push({ name: data.toString('latin1', at, at + 4), body: data.subarray(at + 8, end) })
    at = end + (end & 1)
  }
  return chunks
}

/** Returns a size with a profile. The encoder has made it without one. */
export function withProfile(file: Uint8Array, profile: Uint8Array, size: WantedSize): Uint8Array {
  const data = Buffer.from(file.buffer, file.byteOffset, file.length)
  if (size.type === 'image/png') return intoPng(data, profile)
  return size.type === 'image/jpeg' ? intoJpeg(data, profile) : intoWebp(data, profile, size)
}

/** The bytes of a PNG up to the end of its header, which the profile follows (W3C PNG, section 11.3.2.3). */
const PNG_HEAD = 33

function intoPng(data: Buffer, profile: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)])
  return Buffer.concat([data.subarray(0, PNG_HEAD), pngChunk('iCCP', body), data.subarray(PNG_HEAD)])
}

function intoJpeg(data: Buffer, profile: Uint8Array): Buffer {
  const head = Buffer.from([0xff, APP2, 0, 0])
  head.writeUInt16BE(2 + SEGMENT_HEAD + profile.length, 2)
  const segment = Buffer.concat([head, SEGMENT, Buffer.from([1, 1]), profile])
  // The segment that names the format is the first one.
  const at = 4 + data.readUInt16BE(4)
  return Buffer.concat([data.subarray(0, at), segment, data.subarray(at)])
}

const [HAS_PROFILE, HAS_ALPHA] = [0x20, 0x10]

/** Puts it into the extended format (RFC 9649, section 2.7). */
function intoWebp(data: Buffer, profile: Uint8Array, { width, height }: WantedSize): Buffer {
  const pixels = chunksOf(data).filter(({ name }) => name !== 'VP8X')
  const extended = Buffer.alloc(10)
  extended[0] = HAS_PROFILE | (pixels.some(({ name }) => name === 'ALPH') ? HAS_ALPHA : 0)
  extended.writeUIntLE(width - 1, 4, 3)
  extended.writeUIntLE(height - 1, 7, 3)
  const chunks = [{ name: 'VP8X', body: extended }, { name: 'ICCP', body: Buffer.from(profile) }, ...pixels]
  const written = chunks.map(({ name, body }) => riffChunk(name, body))
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...written]))
}

function riffChunk(name: string, body: Buffer): Buffer {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length & 1)])
}
