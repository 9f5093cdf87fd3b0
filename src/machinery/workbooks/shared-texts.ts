import { unreadable } from './unreadable.ts'

/** The most texts that cells share: each cell of 100,000 lines of 20 columns may have one of its own. */
const MAX_TEXTS = 2_000_000
/** The most bytes of all of them. */
const MAX_BYTES = 64 * 1024 * 1024
const FIRST_SIZE = 64 * 1024

/**
 * Holds the texts that the cells of a workbook share. They are bytes outside the heap of the thread: millions of short texts would
 * fill it, and a text that is cut out of a piece of XML keeps the piece.
 */
export class SharedTexts {
  #bytes = Buffer.allocUnsafe(FIRST_SIZE)
  #ends = new Uint32Array(1024)
  #size = 0
  #count = 0

  /** @throws Problem invalid_parameter for `file` if there are too many */
  add(text: string): void {
    const length = Buffer.byteLength(text)
    if (this.#count >= MAX_TEXTS || this.#size + length > MAX_BYTES) throw unreadable()
    if (this.#size + length > this.#bytes.length) this.#bytes = grown(this.#bytes, this.#size + length)
    if (this.#count === this.#ends.length) {
      const more = new Uint32Array(this.#ends.length * 2)
      more.set(this.#ends)
      this.#ends = more
    }
    this.#size += this.#bytes.write(text, this.#size)
    this.#ends[this.#count++] = this.#size
  }

  /** Returns a text by its number. It is empty if there is none. */
  at(number: number): string {
    const end = this.#ends[number]
    if (end === undefined || number >= this.#count) return ''
    return this.#bytes.toString('utf8', this.#ends[number - 1] ?? 0, end)
  }
}

function grown(bytes: Buffer, least: number): Buffer<ArrayBuffer> {
  const more = Buffer.allocUnsafeSlow(Math.max(least, bytes.length * 2))
  bytes.copy(more)
  return more
}
