import type PDFDocument from 'pdfkit'
import { ticketQr } from '../qr-png.ts'
import type { Paragraph, Typesetter } from './lines.ts'
import type { Colour, Pen } from './pen.ts'
import type { Fact, Sheet } from './sheet.ts'
import type { Weight } from './typefaces.ts'

type Document = InstanceType<typeof PDFDocument>

// All in points, of which an A4 page has 595 × 842.
const MARGIN = 56
const WIDTH = 595.28 - 2 * MARGIN
const FOOT = 841.89 - MARGIN
const QR_SIDE = 208
const QR_GAP = 28
const LINE_HEIGHT = 1.4

const INK: Colour = [27, 31, 39]
const QUIET: Colour = [77, 85, 100]
const ACCENT: Colour = [38, 71, 200]
const RULE: Colour = [214, 219, 228]

/** Of what is most of the page: the largest of the sizes in which it has few lines. */
const TITLE_SIZES = [26, 22, 18, 14]
const HOLDER_SIZES = [20, 17, 14, 11]
const FEW_LINES = 3

interface Text {
  text: string
  weight: Weight
  /** In the order of preference. */
  sizes: readonly number[]
  colour: Colour
}

const label = (text: string): Text => ({ text, weight: 'regular', sizes: [9], colour: QUIET })
const value = (text: string): Text => ({ text, weight: 'regular', sizes: [12], colour: INK })
const strong = (text: string, sizes: readonly number[]): Text => ({
  text,
  weight: 'bold',
  sizes,
  colour: INK,
})

/** Draws one page. What a screen reader is told of it is in the same order. */
export class SheetDrawer {
  readonly #document: Document
  readonly #typesetter: Typesetter
  readonly #pen: Pen
  #section: PDFKit.PDFStructureElement
  #isWhole = true

  constructor(document: Document, typesetter: Typesetter, pen: Pen) {
    this.#document = document
    this.#typesetter = typesetter
    this.#pen = pen
    this.#section = document.struct('Sect')
  }

  draw(sheet: Sheet): void {
    const document = this.#document
    document.addPage()
    this.#section = document.struct('Sect')
    document.addStructure(this.#section)
    this.#isWhole = true
    this.#band()
    let y = MARGIN + 8
    y = this.#text({ ...label(sheet.organizer), sizes: [11] }, MARGIN, y, WIDTH)
    y = this.#text(strong(sheet.title, TITLE_SIZES), MARGIN, y + 4, WIDTH, 'H1')
    y = this.#rule(y + 18) + 22
    const beside = this.#beside(sheet, y)
    y = Math.max(beside, y + QR_SIDE) + 26
    y = this.#rule(y) + 20
    y = this.#facts(sheet.facts, y)
    this.#foot(sheet)
    this.#section.end()
  }

  /** The code, and beside it whose ticket it is. @returns where that ends */
  #beside({ code, codeLabel, holder, type }: Sheet, top: number): number {
    const x = MARGIN + QR_SIDE + QR_GAP
    const width = WIDTH - QR_SIDE - QR_GAP
    let y = top
    for (const [fact, sizes] of [
      [holder, HOLDER_SIZES],
      [type, [14, 12, 10]],
    ] as const) {
      if (fact === null) continue
      y = this.#text(label(fact.label), x, y, width)
      for (const line of fact.lines) y = this.#text(strong(line, sizes), x, y + 1, width)
      y += 14
    }
    this.#qr(code, codeLabel, MARGIN, top)
    return y
  }

  /** In two columns. @returns where they end */
  #facts(facts: readonly Fact[], top: number): number {
    const width = (WIDTH - QR_GAP) / 2
    let y = top
    for (let at = 0; at < facts.length; at += 2) {
      const ends = facts.slice(at, at + 2).map((fact, column) => {
        const x = MARGIN + column * (width + QR_GAP)
        let end = this.#text(label(fact.label), x, y, width)
        for (const line of fact.lines) end = this.#text(value(line), x, end + 1, width)
        return end
      })
      y = Math.max(...ends) + 16
    }
    return y
  }

  /** From below: the page, then what is in small print above it. */
  #foot(sheet: Sheet): void {
    const small = (text: string): Text => ({ ...label(text), sizes: [9] })
    const { finePrint, leftOut, link, page } = sheet
    const notes = [small(finePrint), ...(this.#isWhole ? [] : [{ ...small(leftOut), colour: INK }])]
    const set = notes.map(note => this.#set(note, WIDTH))
    const heights = [...set, this.#set(small(page), WIDTH)].map(heightOf)
    let y = FOOT - heights.reduce((sum, height) => sum + height, 0) - 16
    for (const note of notes) y = this.#text(note, MARGIN, y, WIDTH)
    y = this.#rule(y + 6) + 8
    if (link !== null) {
      const end = this.#text({ ...small(link.text), colour: ACCENT }, MARGIN, y, WIDTH * 0.75, 'Link')
      this.#document.link(MARGIN, y, WIDTH * 0.75, end - y, link.url)
    }
    const right = this.#set(small(page), WIDTH)
    this.#text(small(page), MARGIN + WIDTH - (right.lines[0]?.width ?? 0), y, WIDTH)
  }

  #set({ text, weight, sizes }: Text, width: number): Paragraph {
    let paragraph: Paragraph | undefined
    for (const size of sizes) {
      paragraph = this.#typesetter.set(text, weight, size, width)
      if (paragraph.lines.length <= FEW_LINES) break
    }
    if (paragraph === undefined) throw new Error('A text has no size.')
    return paragraph
  }

  /** Lines of one text from right to left end where the longest of them does. @returns where it ends */
  #text(text: Text, x: number, top: number, width: number, tag = 'P'): number {
    const paragraph = this.#set(text, width)
    const { lines, size, isRightToLeft, isWhole } = paragraph
    this.#isWhole &&= isWhole
    const widest = Math.max(0, ...lines.map(line => line.width))
    const content = this.#document.markStructureContent(tag)
    for (const [at, line] of lines.entries()) {
      const left = isRightToLeft ? x + widest - line.width : x
      const baseline = top + at * size * LINE_HEIGHT + size * 1.07
      this.#pen.write(line, size, text.colour, left, baseline)
    }
    this.#document.endMarkedContent()
    this.#section.add(this.#document.struct(tag, {}, [content]))
    return top + heightOf(paragraph)
  }

  /** Modules side by side are one shape, and all of them one path: so no reader draws lines between them. */
  #qr(code: string, alt: string, left: number, top: number): void {
    const { data, size } = ticketQr(code)
    const module = QR_SIDE / size
    const content = this.#document.markStructureContent('Figure')
    for (const [y, row] of data.entries()) {
      for (let x = 0; x < size; x++) {
        let end = x
        while (row[end] === true) end++
        if (end > x) this.#document.rect(left + x * module, top + y * module, (end - x) * module, module)
        x = end
      }
    }
    this.#document.fill([0, 0, 0])
    this.#document.endMarkedContent()
    this.#section.add(this.#document.struct('Figure', { alt }, [content]))
  }

  #band(): void {
    this.#decorate(() => this.#document.rect(0, 0, 595.28, 8).fill([...ACCENT]))
  }

  #rule(y: number): number {
    this.#decorate(() => this.#document.rect(MARGIN, y, WIDTH, 0.75).fill([...RULE]))
    return y
  }

  /** Of which nobody is told who does not see it. */
  #decorate(draw: () => void): void {
    this.#document.markContent('Artifact', { type: 'Layout' })
    draw()
    this.#document.endMarkedContent()
  }
}

function heightOf({ lines, size }: Paragraph): number {
  return lines.length * size * LINE_HEIGHT
}
