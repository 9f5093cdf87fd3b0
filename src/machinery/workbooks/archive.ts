import { createInflateRaw } from 'node:zlib'
import { makeFault } from '#base/faults.ts'
import { wrong } from '#machinery/tables/lines.ts'
import { unreadable } from './unreadable.ts'

/** The most bytes of all parts of a workbook together, unpacked. */
export const MAX_UNPACKED = 200 * 1024 * 1024
/** The most parts of a workbook. Each picture and each sheet is one. */
const MAX_PARTS = 10_000
/** A part is unpacked in pieces of at most this many bytes. */
const PIECE = 64 * 1024

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const END_SIZE = 22
const ENTRY_SIZE = 46
const HEADER_SIZE = 30
/** A comment at the end of a ZIP file has at most this many bytes. */
const MAX_COMMENT = 0xffff
/** This stands in place of a number that an extra field has in 64 bits. */
const IN_EXTRA = 0xffffffff
const EXTRA_OF_64_BITS = 1

interface Part {
  isDeflated: boolean
  /** The bytes of it in the file. */
  packed: number
  /** Where its local header is. */
  at: number
}

/**
 * Holds a ZIP file whose parts are unpacked one at a time (APPNOTE.TXT 6.3.10, sections 4.3 and 4.4). It believes the directory at
 * the end of the file for what is refused before anything is unpacked, and counts the bytes that really come out.
 */
export class Archive {
  readonly #bytes: Buffer
  readonly #parts = new Map<string, Part>()
  #unpacked = 0

  /** @throws Problem invalid_parameter for `file`, for what is no ZIP file, or would unpack to too much */
  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = this.#findEnd()
    const count = this.#bytes.readUInt16LE(end + 10)
    if (count > MAX_PARTS) throw unreadable()
    let at = this.#bytes.readUInt32LE(end + 16)
    let declared = 0
    for (let part = 0; part < count; part++) {
      const { name, next, size, ...entry } = this.#readEntry(at)
      this.#parts.set(name, entry)
      declared += size
      at = next
    }
    if (declared > MAX_UNPACKED) throw tooMuch()
  }

  /** Returns whether there is a part of this name. Case makes no difference. */
  has(name: string): boolean {
    return this.#parts.has(toKey(name))
  }

  /**
   * Unpacks a part, piece by piece.
   *
   * @throws Problem invalid_parameter for `file` if the part is missing or damaged, or the workbook unpacks to too much
   */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const part = this.#parts.get(toKey(name))
    if (part === undefined) throw unreadable()
    const packed = this.#packedBytes(part)
    try {
      for await (const piece of part.isDeflated ? inflate(packed) : slices(packed)) {
        this.#unpacked += piece.length
        if (this.#unpacked > MAX_UNPACKED) throw tooMuch()
        yield piece
      }
    } catch (error) {
      throw isOfInflate(error) ? unreadable() : error
    }
  }

  #findEnd(): number {
    const bytes = this.#bytes
    const first = Math.max(0, bytes.length - END_SIZE - MAX_COMMENT)
    for (let at = bytes.length - END_SIZE; at >= first; at--)
      if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at
    throw unreadable()
  }

  #readEntry(at: number): Part & { name: string; next: number; size: number } {
    const bytes = this.#bytes
    if (at + ENTRY_SIZE > bytes.length || bytes.readUInt32LE(at) !== DIRECTORY_ENTRY) throw unreadable()
    const method = bytes.readUInt16LE(at + 10)
    const extraAt = at + ENTRY_SIZE + bytes.readUInt16LE(at + 28)
    const commentAt = extraAt + bytes.readUInt16LE(at + 30)
    const next = commentAt + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw unreadable()
    const [size, packed, offset] = this.#inFull(
      [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)],
      bytes.subarray(extraAt, commentAt),
    )
    // The first bit says that the part is encrypted.
    if ((method !== 0 && method !== 8) || (bytes.readUInt16LE(at + 8) & 1) === 1) throw unreadable()
    const name = toKey(bytes.toString('utf8', at + ENTRY_SIZE, extraAt))
    return { name, next, size, packed, at: offset, isDeflated: method === 8 }
  }

  /** Returns numbers of a directory entry, each from the extra field where it does not fit into 32 bits. */
  #inFull(numbers: readonly [number, number, number], extra: Buffer): readonly [number, number, number] {
    if (!numbers.includes(IN_EXTRA)) return numbers
    let at = 0
    while (at + 4 <= extra.length && extra.readUInt16LE(at) !== EXTRA_OF_64_BITS)
      at += 4 + extra.readUInt16LE(at + 2)
    at += 4
    return numbers.map(number => {
      if (number !== IN_EXTRA) return number
      if (at + 8 > extra.length) throw unreadable()
      at += 8
      return Number(extra.readBigUInt64LE(at - 8))
    }) as [number, number, number]
  }

  #packedBytes({ at, packed }: Part): Buffer {
    const bytes = this.#bytes
    if (at + HEADER_SIZE > bytes.length || bytes.readUInt32LE(at) !== LOCAL_HEADER) throw unreadable()
    const start = at + HEADER_SIZE + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
    if (start + packed > bytes.length) throw unreadable()
    return bytes.subarray(start, start + packed)
  }
}

function toKey(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()
}

function tooMuch() {
  return wrong(makeFault('unpackedBytes', { max: MAX_UNPACKED }))
}

/** It unpacks no more than is asked for. */
function inflate(packed: Buffer): AsyncIterable<Buffer> {
  const stream = createInflateRaw({ chunkSize: PIECE })
  stream.end(packed)
  return stream
}

async function* slices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

function isOfInflate(error: unknown): boolean {
  return /^Z_/.test(String((error as NodeJS.ErrnoException).code))
}
