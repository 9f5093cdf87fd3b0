import { crc32, deflateSync } from 'node:zlib'

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)])
}

/** Makes a PNG that browsers show: a slope of two colours. */
export function png(width = 16, height = 9): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Array.from({ length: Math.min(height, 2000) }, (_, y) => {
    const row = Buffer.alloc(1 + 3 * Math.min(width, 2000))
    for (let x = 0; x < Math.min(width, 2000); x++)
      row.set([(40 + (160 * x) / width) | 0, (60 + (90 * y) / height) | 0, 150], 1 + 3 * x)
    return row
  })
  const [start, end] = [Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([start, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(rows))), end])
}

/** Makes the head of a JPEG, as far as a reader needs it: a comment, a frame, and a scan. */
export function jpeg(width = 1200, height = 630): Buffer {
  const frame = Buffer.from('ffc2000b080000000001011100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const parts = ['ffd8', 'fffe00046869', frame.toString('hex'), 'ffda0008010100003f00', '00ffd9']
  return Buffer.from(parts.join(''), 'hex')
}

/** Makes the head of a WebP of a kind, as far as a reader needs it. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width = 1200, height = 630): Buffer {
  const data = Buffer.alloc(18)
  if (kind === 'VP8 ') {
    data.set([0x10, 0, 0, 0x9d, 0x01, 0x2a])
    data.writeUInt16LE(width, 6)
    data.writeUInt16LE(height, 8)
  } else if (kind === 'VP8L') {
    data[0] = 0x2f
    data.writeUInt32LE(((height - 1) << 14) | (width - 1), 1)
  } else {
    data.writeUIntLE(width - 1, 4, 3)
    data.writeUIntLE(height - 1, 7, 3)
  }
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  const size = Buffer.alloc(4)
  size.writeUInt32LE(data.length, 0)
  head.writeUInt32LE(4 + 8 + data.length, 4)
  return Buffer.concat([head, Buffer.from(kind, 'latin1'), size, data])
}
