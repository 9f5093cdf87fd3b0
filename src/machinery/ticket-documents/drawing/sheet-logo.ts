import type PDFDocument from 'pdfkit'
import type { Sheets } from './sheet.ts'

/** The room of a logo on a ticket, in points. */
const ROOM = { width: 130, height: 26 } as const

/** The logo of a document, which is embedded once for all its tickets or badges. */
export class SheetLogo {
  readonly #document: InstanceType<typeof PDFDocument>
  readonly #file: Buffer
  /** Both are in points, at a scale of 1. */
  readonly width: number
  readonly height: number
  #image: Buffer | undefined

  /** @param logo a PNG without transparency: others would be embedded only after the end of the document */
  constructor(
    document: InstanceType<typeof PDFDocument>,
    { file, width, height }: NonNullable<Sheets['logo']>,
  ) {
    const scale = Math.min(ROOM.width / width, ROOM.height / height)
    this.#document = document
    this.#file = Buffer.from(file)
    this.width = width * scale
    this.height = height * scale
  }

  draw(x: number, top: number, scale: number): void {
    // PDFKit takes an image that it has opened in the place of a file, which its types leave out.
    const opener = this.#document as unknown as { openImage(file: Buffer): Buffer }
    this.#image ??= opener.openImage(this.#file)
    this.#document.image(this.#image, x, top, { width: this.width * scale, height: this.height * scale })
  }
}
