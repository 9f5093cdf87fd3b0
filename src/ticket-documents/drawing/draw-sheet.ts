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

/** Above what is in small print. */
const LIMIT = FOOT - 106
const FACT_SIZES = [12, 10, 8]

interface Text {
  text: string
  weight: Weight
  /** In the order of preference. */
  sizes: readonly number[]
  colour: Colour
  /** What comes after so many lines is left out. */
  maxLines: number
}

const label = (text: string): Text => ({ text, weight: 'regular', sizes: [9], colour: QUIET, maxLines: 4 })
const value = (text: string, size: number): Text => ({
  ...label(text),
  sizes: [size],
  colour: INK,
  maxLines: 12,
})
const strong = (text: string, sizes: readonly number[]): Text => ({
  ...value(text, 0),
  weight: 'bold',
  sizes,
})

/** Draws one page. What a screen reader is told of it is in the same order. */
export class SheetDrawer {
  readonly #document: Document
  readonly #typesetter: Typesetter
  readonly #pen: Pen
  #section: PDFKit.PDFStructureElement | undefined
  #isWhole = true

  constructor(document: Document, typesetter: Typesetter, pen: Pen) {
    this.#document = document
    this.#typesetter = typesetter
    this.#pen = pen
  }

  draw(sheet: Sheet): void {
    const document = this.#document
    document.addPage()
    const section = document.struct('Sect')
    document.addStructure(section)
    this.#section = section
    this.#isWhole = true
    this.#band()
    let y = MARGIN + 8
    y = this.#text({ ...label(sheet.organizer), sizes: [11] }, MARGIN, y, WIDTH)
    y = this.#text(strong(sheet.title, TITLE_SIZES), MARGIN, y + 4, WIDTH, { tag: 'H1' })
    y = this.#rule(y + 18) + 22
    const beside = this.#beside(sheet, y)
    y = Math.max(beside, y + QR_SIDE) + 26
    y = this.#rule(y) + 20
    this.#facts(sheet.facts, y)
    this.#foot(sheet)
    section.end()
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

  /** In two columns, in the largest letters in which they have room. */
  #facts(facts: readonly Fact[], top: number): void {
    const columns = [0, 1].map(column => facts.filter((_, at) => at % 2 === column))
    const width = (WIDTH - QR_GAP) / 2
    const fits = (size: number) => this.#factsHeight(columns, size, width) <= LIMIT - top
    const size = FACT_SIZES.find(fits) ?? (FACT_SIZES.at(-1) as number)
    for (const [column, own] of columns.entries()) {
      const x = MARGIN + column * (width + QR_GAP)
      let y = top
      for (const fact of own) {
        y = this.#text(label(fact.label), x, y, width)
        for (const line of fact.lines) y = this.#text(value(line, size), x, y + 1, width)
        y += 16
      }
    }
  }

  #factsHeight(columns: readonly Fact[][], size: number, width: number): number {
    const ofFact = ({ label: name, lines }: Fact) =>
      heightOf(this.#set(label(name), width)) +
      lines.reduce((sum, line) => sum + 1 + heightOf(this.#set(value(line, size), width)), 0)
    return Math.max(...columns.map(facts => facts.reduce((sum, fact) => sum + 16 + ofFact(fact), 0) - 16))
  }

  /** What is in small print, and below it where the order is, and the page. */
  #foot({ finePrint, leftOut, link, page }: Sheet): void {
    const notes = [label(finePrint), ...(this.#isWhole ? [] : [{ ...label(leftOut), colour: INK }])]
    const below = FOOT - 14
    const height = notes.reduce((sum, note) => sum + heightOf(this.#set(note, WIDTH)), 0)
    let y = below - 14 - height
    for (const note of notes) y = this.#text(note, MARGIN, y, WIDTH, { isFoot: true })
    this.#rule(below - 7)
    if (link !== null) {
      const shown = { ...label(link.text), colour: ACCENT, maxLines: 2 }
      const end = this.#text(shown, MARGIN, below, WIDTH * 0.75, { isFoot: true, tag: 'Link' })
      this.#document.link(MARGIN, below, WIDTH * 0.75, end - below, link.url)
    }
    const [line] = this.#set(label(page), WIDTH).lines
    this.#text(label(page), MARGIN + WIDTH - (line?.width ?? 0), below, WIDTH, { isFoot: true })
  }

  #set({ text, weight, sizes, maxLines }: Text, width: number): Paragraph {
    const [size, ...smaller] = sizes as [number, ...number[]]
    let paragraph = this.#typesetter.set(text, weight, size, width)
    for (const next of smaller) {
      if (paragraph.lines.length <= FEW_LINES) break
      paragraph = this.#typesetter.set(text, weight, next, width)
    }
    if (paragraph.lines.length <= maxLines) return paragraph
    return { ...paragraph, lines: paragraph.lines.slice(0, maxLines), isWhole: false }
  }

  /** Lines of one text from right to left end where the longest of them does. @returns where it ends */
  #text(text: Text, x: number, top: number, width: number, { tag = 'P', isFoot = false } = {}): number {
    const paragraph = this.#set(text, width)
    const { lines, size, isRightToLeft } = paragraph
    const room = isFoot ? lines.length : Math.floor((LIMIT - top) / (size * LINE_HEIGHT))
    const shown = lines.slice(0, Math.max(0, room))
    if (!paragraph.isWhole || shown.length < lines.length) this.#isWhole = false
    const widest = Math.max(0, ...shown.map(line => line.width))
    const content = this.#document.markStructureContent(tag)
    for (const [at, line] of shown.entries()) {
      const left = isRightToLeft ? x + widest - line.width : x
      const baseline = top + at * size * LINE_HEIGHT + size * 1.07
      this.#pen.write(line, size, text.colour, left, baseline)
    }
    this.#document.endMarkedContent()
    this.#section?.add(this.#document.struct(tag, {}, [content]))
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
    this.#section?.add(this.#document.struct('Figure', { alt }, [content]))
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
