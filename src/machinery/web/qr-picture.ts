import { deflateSync } from 'node:zlib'
import { pngFile } from '#machinery/pictures/png-file.ts'
import { ByteCache } from './byte-cache.ts'
import { encodeQr, type QrLevel, type QrMatrix } from './qr-code.ts'

/** The modules of light around a code, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4
/** The least number of dots on each side of a picture. */
const MIN_SIDE = 300
/** Greyscale with one bit a dot (W3C PNG, section 11.2.1). */
const GREY_1_BIT = [1, 0, 0, 0, 0]

/** The bytes of pictures that are kept: about 6,000 tickets. */
const kept = new ByteCache(6 * 1024 * 1024)

/**
 * Returns a QR code as PNG. It is sharp, because each module is a whole number of dots.
 *
 * @param minSide the least number of dots on each side
 */
export function qrPng(text: string, level: QrLevel, minSide = MIN_SIDE): Buffer {
  const code = encodeQr(text, level)
  const width = code.size + 2 * QUIET_ZONE
  const dots = Math.ceil(minSide / width)
  const side = width * dots
  // Each row begins with its filter, which is none.
  const stride = 1 + Math.ceil(side / 8)
  const rows = Buffer.alloc(stride * side)
  for (let y = 0; y < width; y++) {
    const from = y * dots * stride
    for (let x = 0; x < side; x++) {
      if (isDark(code, Math.floor(x / dots) - QUIET_ZONE, y - QUIET_ZONE)) continue
      const byte = from + 1 + (x >> 3)
      rows[byte] = (rows[byte] as number) | (0x80 >> (x & 7))
    }
    for (let row = 1; row < dots; row++) rows.copyWithin(from + row * stride, from, from + stride)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set(GREY_1_BIT, 8)
  return pngFile(header, deflateSync(rows))
}

/** Returns a QR code as SVG, for print in any size. It is dark on light, with the area of light that readers need. */
export function qrSvg(text: string, level: QrLevel): string {
  const code = encodeQr(text, level)
  const width = code.size + 2 * QUIET_ZONE
  const rows: string[] = []
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.modules[y * code.size + x] !== 1) continue
      const from = x
      while (x + 1 < code.size && code.modules[y * code.size + x + 1] === 1) x++
      rows.push(`M${from + QUIET_ZONE} ${y + QUIET_ZONE}h${x - from + 1}v1h-${x - from + 1}z`)
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${rows.join('')}"/></svg>\n`
  )
}

/**
 * Returns the same picture and keeps it for the next look. It is for texts that may stay in memory: tickets may, and a second
 * factor may not.
 */
export function keptQrPng(text: string, level: QrLevel): Buffer {
  const name = level + text
  let picture = kept.get(name)
  if (picture === undefined) {
    picture = qrPng(text, level)
    kept.set(name, picture)
  }
  return picture
}

function isDark({ size, modules }: QrMatrix, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < size && y < size && modules[y * size + x] === 1
}
