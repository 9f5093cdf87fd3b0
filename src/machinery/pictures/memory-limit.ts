/** A page of WebAssembly in bytes. */
const PAGE = 64 * 1024
/** Where the first section is: behind the magic number and the version. */
const HEAD = 8
/** The section with the memory that a module makes for itself. */
const MEMORY_SECTION = 5

/**
 * Returns a WebAssembly module whose memory cannot grow over a limit. The module sees a growth beyond it fail, as on a machine
 * that has no more. (WebAssembly Core Specification 2.0, section 5.5.8)
 *
 * @throws Error if it has no memory of its own
 */
export function withMemoryLimit(wasm: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.from(wasm.buffer, wasm.byteOffset, wasm.length)
  for (let at = HEAD; at < file.length; ) {
    const size = readNumber(file, at + 1)
    const end = size.end + size.value
    if (file[at] === MEMORY_SECTION) {
      const count = readNumber(file, size.end)
      // The flag says whether there is a maximum.
      const flag = readNumber(file, count.end)
      const min = readNumber(file, flag.end)
      const body = [1, 1, ...numberOf(min.value), ...numberOf(Math.floor(maxBytes / PAGE))]
      const section = Buffer.from([MEMORY_SECTION, ...numberOf(body.length), ...body])
      return new Uint8Array(Buffer.concat([file.subarray(0, at), section, file.subarray(end)]))
    }
    at = end
  }
  throw new Error('The module has no memory.')
}

/** Reads an unsigned number in LEB128. */
function readNumber(file: Buffer, from: number): { value: number; end: number } {
  let value = 0
  let at = from
  let byte: number
  do {
    byte = file[at] as number
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    at++
  } while (byte >= 0x80)
  return { value, end: at }
}

function numberOf(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberOf(value >>> 7)]
}
