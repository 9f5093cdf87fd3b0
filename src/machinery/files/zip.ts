import { crc32 } from 'node:zlib'

/** A file to be packed. Its bytes are read twice: for their sum, which stands before them, and to be written. */
export interface ZippedFile {
  /** ASCII, and no other file has it. */
  name: string
  /** Bytes. */
  size: number
  /** Milliseconds. */
  changedAt: number
  read: () => AsyncIterable<Uint8Array>
}

/** What this writes has no sizes of 64 bits. */
const MAX_SIZE = 0xffff_ffff
const MAX_FILES = 0xffff

const LOCAL_HEADER = 0x04034b50
const DIRECTORY_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const VERSION = 20

/**
 * Packs files into a ZIP file while it is sent, as they are: PDFs are compressed already (APPNOTE.TXT 6.3.10, section 4.3). Nothing
 * waits in memory but a piece of one file.
 *
 * @throws Error if a file has other bytes than it says, and for more than a ZIP file without 64 bits takes
 */
export async function* zip(files: Iterable<ZippedFile> | AsyncIterable<ZippedFile>): AsyncGenerator<Buffer> {
  const entries: Buffer[] = []
  let at = 0
  for await (const file of files) {
    const sum = await sumOf(file)
    const name = Buffer.from(file.name, 'latin1')
    const common = commonOf(file, sum, name)
    const header = Buffer.concat([numbers([LOCAL_HEADER, 4]), common, numbers([0, 2]), name])
    yield header
    for await (const piece of file.read()) yield Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    entries.push(entryOf(common, name, at))
    at += header.length + file.size
    if (at > MAX_SIZE || entries.length > MAX_FILES) throw new Error('A ZIP file cannot take so much.')
  }
  const directory = Buffer.concat(entries)
  const count = entries.length
  yield directory
  yield numbers(
    [END_OF_DIRECTORY, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [directory.length, 4],
    [at, 4],
    [0, 2],
  )
}

async function sumOf({ name, size, read }: ZippedFile): Promise<number> {
  let sum = 0
  let passed = 0
  for await (const piece of read()) {
    sum = crc32(piece, sum)
    passed += piece.length
  }
  if (passed !== size) throw new Error(`${name} has ${passed} bytes instead of ${size}.`)
  return sum
}

/** Returns what stands in the header of a file and in its entry of the directory. */
function commonOf({ size, changedAt }: ZippedFile, sum: number, name: Buffer): Buffer {
  const at = new Date(Math.max(changedAt, Date.UTC(1980, 0, 1)))
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return numbers(
    [VERSION, 2],
    [0, 2],
    [0, 2],
    [time, 2],
    [day, 2],
    [sum, 4],
    [size, 4],
    [size, 4],
    [name.length, 2],
  )
}

/** @param at where the header of the file begins */
function entryOf(common: Buffer, name: Buffer, at: number): Buffer {
  const rest = numbers([0, 2], [0, 2], [0, 2], [0, 2], [0, 4], [at, 4])
  return Buffer.concat([numbers([DIRECTORY_ENTRY, 4], [VERSION, 2]), common, rest, name])
}

/** Writes whole numbers, the last byte first. */
function numbers(...parts: [value: number, bytes: 2 | 4][]): Buffer {
  const written = Buffer.alloc(parts.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of parts) at = written.writeUIntLE(value, at, bytes)
  return written
}
