import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { findCodePage } from './code-page.ts'

/** Bytes that are read part by part, for example from a file. */
export interface Source {
  size: number
  /** Returns the bytes from `start` on, up to `end` or the end of the source. */
  read(start: number, end: number): Promise<Uint8Array>
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1252'

export interface Encoded {
  encoding: Encoding
  /** True if the bytes do not show the encoding and the letters decide. This is the last resort, and it takes any bytes. */
  guessed: boolean
}

const MARKS: readonly [mark: readonly number[], encoding: Encoding][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The bytes at the beginning that show whether a file is text. */
const SAMPLE = 4096
const SLICE = 1024 * 1024

/** Finds the encoding of a text: by its byte order mark, or by what its bytes can be. The event loop turns between the parts. */
export async function findEncoding(source: Source): Promise<Encoded> {
  const sample = await source.read(0, SAMPLE)
  for (const [mark, encoding] of MARKS) {
    if (mark.every((byte, at) => sample[at] === byte)) return { encoding, guessed: false }
  }
  const wide = source.size % 2 === 1 ? undefined : findWide(sample)
  if (wide !== undefined) return { encoding: wide, guessed: false }
  return (await isAllUtf8(source))
    ? { encoding: 'utf-8', guessed: false }
    : { encoding: await findCodePage(source), guessed: true }
}

/** Finds UTF-16 without a mark. Latin letters have a zero in one of their two bytes, and separators always do. */
function findWide(sample: Uint8Array): Encoding | undefined {
  if (sample.length < 2) return undefined
  const zeros = [0, 0]
  const end = sample.length
  for (let at = 0; at < end; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1
  const [first, second] = zeros as [number, number]
  if (second > end / 8 && first < second / 16) return 'utf-16le'
  if (first > end / 8 && second < first / 16) return 'utf-16be'
  return undefined
}

async function isAllUtf8({ size, read }: Source): Promise<boolean> {
  for (let start = 0; start < size; ) {
    // The next byte tells whether the slice ends in the middle of a character, which has four bytes at most.
    const slice = await read(start, start + SLICE + 1)
    let end = Math.min(SLICE, slice.length)
    for (let back = 0; back < 3 && end < slice.length && isContinued(slice[end]); back++) end--
    if (!isUtf8(slice.subarray(0, end))) return false
    start += end
    await nextTurn()
  }
  return true
}

function isContinued(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

const WORKBOOKS: readonly (readonly number[])[] = [
  // The marks of Excel and LibreOffice, whose files are ZIP files, and of older versions of Excel.
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** Returns whether a file is a workbook. @param beginning of a file */
export function isWorkbook(beginning: Uint8Array): boolean {
  return WORKBOOKS.some(mark => mark.every((byte, at) => beginning[at] === byte))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0e-\x1f]/g

/**
 * Returns whether a decoded beginning is not text. In a picture, one character in ten is a control character. A text may have a
 * stray one.
 */
export function isBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE)
  return (sample.match(CONTROLS)?.length ?? 0) > sample.length / 20
}
