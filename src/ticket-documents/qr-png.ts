import { deflateSync } from 'node:zlib'
import { encode } from 'uqr'

/** Modules of light around it: what readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4
/** Dots, that a picture has at the least on each side. */
const MIN_SIDE = 300
/** Greyscale of one bit a dot (W3C PNG, section 11.2.1). */
const GREY_1_BIT = [1, 0, 0, 0, 0]
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The code of a ticket, as its matrix: `data[y][x]` says whether it is dark there. At level Q a quarter may be lost. */
export function ticketQr(text: string, border = 0): { data: boolean[][]; size: number } {
  return encode(text, { ecc: 'Q', border })
}

/** A QR code for mails, as PNG: sharp, as each module is a whole number of dots. */
export function qrPng(text: string, ecc: 'M' | 'Q' = 'Q'): Buffer {
  const { data, size } = encode(text, { ecc, border: QUIET_ZONE })
  const dots = Math.ceil(MIN_SIDE / size)
  const side = size * dots
  const rows = data.flatMap(row => {
    // Each row begins with its filter: none.
    const packed = Buffer.alloc(1 + Math.ceil(side / 8))
    for (let x = 0; x < side; x++) {
      const isLight = row[Math.floor(x / dots)] !== true
      if (isLight) packed[1 + (x >> 3)] = (packed[1 + (x >> 3)] as number) | (0x80 >> (x & 7))
    }
    return Array<Buffer>(dots).fill(packed)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set(GREY_1_BIT, 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}

/** Node has its own from 22.2 on. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
