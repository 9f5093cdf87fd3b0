import type PDFDocument from 'pdfkit'
import { encodeQr } from '#machinery/web/qr-code.ts'
import type { Weight } from './face.ts'
import type { Paragraph, Typesetter } from './lines.ts'
import type { Colour, Pen } from './pen.ts'

type Document = InstanceType<typeof PDFDocument>

// All measures are in points. An A4 page has 595 × 842.
export const MARGIN = 56
export const WIDTH = 595.28 - 2 * MARGIN
export const FOOT = 841.89 - MARGIN
export const LINE_HEIGHT = 1.4

export const INK: Colour = [27, 31, 39]
export const QUIET: Colour = [77, 85, 100]
export const ACCENT: Colour = [38, 71, 200]
const RULE: Colour = [214, 219, 228]

/** A text gets the largest of its sizes in which it has at most this many lines. */
const FEW_LINES = 3

export interface Text {
  text: string
  weight: Weight
  /** In the order of preference. */
  sizes: readonly number[]
  colour: Colour
  /** Lines after this many are left out. */
  maxLines: number
}

export const label = (text: string): Text => ({
  ...{ text, weight: 'regular', sizes: [9] },
  ...{ colour: QUIET, maxLines: 4 },
})
export const value = (text: string, size: number): Text => ({
  ...label(text),
  sizes: [size],
  colour: INK,
  maxLines: 12,
})
export const strong = (text: string, sizes: readonly number[]): Text => ({
  ...value(text, 0),
  weight: 'bold',
  sizes,
})

/** The position of a text in its page. */
export interface Standing {
  /** The tag in the structure for screen readers. */
  tag?: string
  /** Nothing is drawn below this. The default is the margin. */
  limit?: number
  /** True if the text ends where its width does. */
  isAtEnd?: boolean
  /** True if each line stands in the middle of the width. */
  isCentred?: boolean
}

/** Draws texts and rules on a page. A screen reader reads them in the same order. */
export class Drawer {
  protected readonly document: Document
  readonly #typesetter: Typesetter
  readonly #pen: Pen
  #section: PDFKit.PDFStructureElement | undefined
  /** True while all texts of the page or part could be printed. */
  protected isComplete = true

  constructor(document: Document, typesetter: Typesetter, pen: Pen) {
    this.document = document
    this.#typesetter = typesetter
    this.#pen = pen
  }

  /** Adds a page, and lets `draw` fill it. */
  protected page(draw: () => void): void {
    this.document.addPage()
    this.section(draw)
  }

  /** Lets `draw` fill a part of a page. */
  protected section(draw: () => void): void {
    const section = this.document.struct('Sect')
    this.document.addStructure(section)
    this.#section = section
    this.isComplete = true
    draw()
    section.end()
  }

  protected set({ text, weight, sizes, maxLines }: Text, width: number): Paragraph {
    const [size, ...smaller] = sizes as [number, ...number[]]
    let paragraph = this.#typesetter.set(text, weight, size, width)
    for (const next of smaller) {
      if (paragraph.lines.length <= FEW_LINES) break
      paragraph = this.#typesetter.set(text, weight, next, width)
    }
    if (paragraph.lines.length <= maxLines) return paragraph
    return { ...paragraph, lines: paragraph.lines.slice(0, maxLines), isComplete: false }
  }

  protected heightOf(text: Text, width: number): number {
    return heightOf(this.set(text, width))
  }

  /** Draws a text. Its lines from right to left end where the longest of them does. @returns where the text ends */
  protected text(
    text: Text,
    x: number,
    top: number,
    width: number,
    { tag = 'P', limit = FOOT, isAtEnd = false, isCentred = false }: Standing = {},
  ): number {
    const paragraph = this.set(text, width)
    const { lines, size, isRightToLeft } = paragraph
    const most = Math.floor((limit - top) / (size * LINE_HEIGHT))
    const shown = lines.slice(0, Math.max(0, most))
    if (!paragraph.isComplete || shown.length < lines.length) this.isComplete = false
    const widest = Math.max(0, ...shown.map(line => line.width))
    const content = this.document.markStructureContent(tag)
    for (const [at, line] of shown.entries()) {
      const room = width - line.width
      const own = isAtEnd ? room : isRightToLeft ? widest - line.width : 0
      const left = x + (isCentred ? room / 2 : own)
      const baseline = top + at * size * LINE_HEIGHT + size * 1.07
      this.#pen.write(line, size, text.colour, left, baseline)
    }
    this.document.endMarkedContent()
    this.add(this.document.struct(tag, {}, [content]))
    return top + heightOf(paragraph)
  }

  protected add(element: PDFKit.PDFStructureElement): void {
    this.#section?.add(element)
  }

  protected band(): void {
    this.decorate(() => this.document.rect(0, 0, 595.28, 8).fill([...ACCENT]))
  }

  protected rule(y: number, x = MARGIN, width = WIDTH): number {
    this.decorate(() => this.document.rect(x, y, width, 0.75).fill([...RULE]))
    return y
  }

  protected frame(x: number, y: number, width: number, height: number): void {
    this.decorate(() =>
      this.document
        .rect(x, y, width, height)
        .lineWidth(0.8)
        .stroke([...QUIET]),
    )
  }

  /** Draws a square to be ticked, or one that is crossed. */
  protected box(x: number, y: number, side: number, isCrossed: boolean): void {
    this.decorate(() => {
      const { document } = this
      document.rect(x, y, side, side)
      if (isCrossed) {
        document.moveTo(x, y).lineTo(x + side, y + side)
        document.moveTo(x + side, y).lineTo(x, y + side)
      }
      document.lineWidth(0.8).stroke([...INK])
    })
  }

  /** Draws the code. Modules side by side are one shape, and all shapes are one path, so no reader draws lines between them. */
  protected qr(
    code: string,
    alt: string,
    { left, top, side }: { left: number; top: number; side: number },
  ): void {
    const { modules, size } = encodeQr(code, 'Q')
    const module = side / size
    const shapes: string[] = []
    for (let y = 0; y < size; y++) {
      const row = modules.subarray(y * size, (y + 1) * size)
      for (let x = row.indexOf(1); x >= 0; ) {
        const light = row.indexOf(0, x)
        const end = light < 0 ? size : light
        shapes.push(`${x} ${y} ${end - x} 1 re`)
        x = light < 0 ? -1 : row.indexOf(1, light)
      }
    }
    this.figure(alt, () => {
      const { document } = this
      document.save().transform(module, 0, 0, module, left, top).addContent(shapes.join('\n'))
      document.fill([0, 0, 0]).restore()
    })
  }

  /** Lets `draw` draw a picture. @param alt is read to people who do not see it */
  protected figure(alt: string, draw: () => void): void {
    const { document } = this
    const content = document.markStructureContent('Figure')
    draw()
    document.endMarkedContent()
    this.add(document.struct('Figure', { alt }, [content]))
  }

  /** Draws a decoration, which screen readers skip. */
  protected decorate(draw: () => void): void {
    this.document.markContent('Artifact', { type: 'Layout' })
    draw()
    this.document.endMarkedContent()
  }
}

export function heightOf({ lines, size }: Paragraph): number {
  return lines.length * size * LINE_HEIGHT
}
