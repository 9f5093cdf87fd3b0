import { createHash } from 'node:crypto'

/** What a PDF begins with, and what stands in its end: ISO 32000-1, sections 7.5.2 and 7.5.5. */
const BEGINNING = Buffer.from('%PDF-')
const END = Buffer.from('%%EOF')
/** The end is looked for in so many last bytes, as readers do. */
const LAST = 1024

/** Looks at the bytes of a file as they pass. The file is never parsed. */
export class PdfBytes {
  readonly #hash = createHash('sha256')
  #last = Buffer.alloc(0)
  #size = 0
  #begins = false

  /** How many bytes have passed. */
  get size(): number {
    return this.#size
  }

  /** Takes the next bytes. The first have at least those that a PDF begins with. @returns whether it still may be a PDF */
  add(piece: Buffer): boolean {
    if (this.#size === 0) this.#begins = piece.subarray(0, BEGINNING.length).equals(BEGINNING)
    this.#hash.update(piece)
    this.#last = Buffer.concat([this.#last, piece.subarray(-LAST)]).subarray(-LAST)
    this.#size += piece.length
    return this.#begins
  }

  /** Returns the SHA-256 of all bytes in hex, once they have passed, or what is wrong with them. */
  end(): { sha256: string } | { fault: 'noPdf' | 'cutPdf' } {
    if (!this.#begins) return { fault: 'noPdf' }
    return this.#last.includes(END) ? { sha256: this.#hash.digest('hex') } : { fault: 'cutPdf' }
  }
}
