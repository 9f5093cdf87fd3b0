import { inflateSync } from 'node:zlib'
import reader from 'jsqr'

/** Dots of a picture, one byte each: 0 is black. */
export interface Picture {
  width: number
  height: number
  grey: Uint8Array
}

/** Its types say that the function is a property of what is imported. */
const readQr = reader as unknown as typeof reader.default

/** The text of the QR code in a picture, read by a library that did not make it; undefined where there is none. */
export function readCode({ width, height, grey }: Picture): string | undefined {
  const colours = new Uint8ClampedArray(width * height * 4)
  for (const [at, value] of grey.entries()) colours.set([value, value, value, 255], at * 4)
  return readQr(colours, width, height)?.data
}

/** Reads PNG of one bit a dot and no filters, and looks at nothing but its dots. */
export function readPng(file: Buffer): Picture & { chunks: string[] } {
  const chunks: [type: string, data: Buffer][] = []
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + file.readUInt32BE(at)
    chunks.push([file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, end)])
    at = end + 4
  }
  const header = chunks[0]?.[1] as Buffer
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const rows = inflateSync(Buffer.concat(chunks.flatMap(([type, data]) => (type === 'IDAT' ? [data] : []))))
  const stride = 1 + Math.ceil(width / 8)
  const grey = Uint8Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    const byte = rows[y * stride + 1 + (x >> 3)] as number
    return byte & (0x80 >> (x & 7)) ? 255 : 0
  })
  return { width, height, grey, chunks: chunks.map(([type]) => type) }
}

/** Reads what `pdftoppm -gray` writes. */
export function readPgm(file: Buffer): Picture {
  const [header, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64)) ?? []
  if (header === undefined) throw new Error('This is no PGM.')
  return { width: Number(width), height: Number(height), grey: file.subarray(header.length) }
}
