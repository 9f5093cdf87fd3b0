import type PDFDocument from 'pdfkit'
import {
  ACCENT,
  Drawer,
  FOOT,
  INK,
  label,
  MARGIN,
  type Standing,
  strong,
  type Text,
  value,
  WIDTH,
} from './drawer.ts'
import type { Typesetter } from './lines.ts'
import type { Pen } from './pen.ts'
import type { ReceiptSheet, Sheets } from './sheet.ts'
import { SheetLogo } from './sheet-logo.ts'

const GAP = 20
const HALF = (WIDTH - GAP) / 2
/** The widths of the columns, from the first: shares of the whole width. */
const LINES = [0.44, 0.1, 0.16, 0.12, 0.18]
const RATES = [0.16, 0.28, 0.28, 0.28]
/** The sizes in points, and how many lines a name may have. The first pair with which everything fits on one page is taken. */
const SIZES = [
  [10, 6],
  [9, 6],
  [8, 4],
  [7, 3],
  [6, 2],
  [5.5, 1],
] as const

/** Draws a receipt on one page. */
export class ReceiptDrawer extends Drawer {
  #size: number = SIZES[0][0]
  #maxLines: number = SIZES[0][1]
  /** The limit above the small print. */
  #limit = FOOT
  /** True while the drawer only measures and draws nothing. */
  #isDry = false
  readonly #logo: SheetLogo | undefined

  constructor(
    document: InstanceType<typeof PDFDocument>,
    typesetter: Typesetter,
    pen: Pen,
    logo: Sheets['logo'],
  ) {
    super(document, typesetter, pen)
    this.#logo = logo && new SheetLogo(document, logo)
  }

  draw(receipt: ReceiptSheet): void {
    this.page(() => {
      this.band()
      const notes = [...receipt.notes, receipt.leftOut].map(note => this.heightOf(label(note), WIDTH))
      this.#limit = FOOT - 26 - notes.reduce((sum, height) => sum + height, 0)
      this.#chooseSize(receipt)
      this.#body(receipt)
      this.#foot(receipt)
    })
  }

  #chooseSize(receipt: ReceiptSheet): void {
    this.#isDry = true
    for (const [size, maxLines] of SIZES) {
      this.#size = size
      this.#maxLines = maxLines
      if (this.#body(receipt) <= this.#limit) break
    }
    this.#isDry = false
  }

  /** Draws or measures the content. @returns where it ends */
  #body(receipt: ReceiptSheet): number {
    let y = this.#head(receipt, MARGIN + 4)
    y = this.#parties(receipt, y + GAP)
    y = this.#lines(receipt, y + GAP)
    return this.#rates(receipt, y + GAP)
  }

  #put(text: Text, x: number, top: number, width: number, standing: Standing = {}): number {
    if (this.#isDry) return top + this.heightOf(text, width)
    return this.text(text, x, top, width, { limit: this.#limit, ...standing })
  }

  #rule(y: number, width = WIDTH): void {
    if (!this.#isDry && y < this.#limit) this.rule(y, MARGIN + WIDTH - width, width)
  }

  #value(text: string): Text {
    return { ...value(text, this.#size), maxLines: this.#maxLines }
  }

  #note(text: string): Text {
    return { ...label(text), sizes: [Math.max(this.#size - 1.5, 5.5)], maxLines: 2 }
  }

  /** Draws the seller, with the logo above, and the kind of the document. */
  #head({ seller, kind, number }: ReceiptSheet, top: number): number {
    const logo = this.#logo
    // The seller's name stands below it, so that screen readers need nothing of it.
    if (logo !== undefined && !this.#isDry) this.decorate(() => logo.draw(MARGIN, top, 1))
    const below = logo === undefined ? top : top + logo.height + 8
    const x = MARGIN + HALF + GAP
    const title = this.#put(strong(kind, [20, 16]), x, top, HALF, { tag: 'H1' })
    const end = this.#put({ ...label(number), sizes: [11] }, x, title, HALF)
    return Math.max(end, this.#party(seller, MARGIN, below, HALF))
  }

  #party({ label: name, lines }: ReceiptSheet['seller'], x: number, top: number, width: number): number {
    let y = this.#put(this.#note(name), x, top, width)
    for (const [at, line] of lines.entries()) {
      const text = this.#value(line)
      y = this.#put(at === 0 ? { ...text, weight: 'bold' } : text, x, y, width)
    }
    return y
  }

  /** Draws the buyer, with the other facts beside it. */
  #parties({ buyer, facts }: ReceiptSheet, top: number): number {
    const end = this.#party(buyer, MARGIN, top, HALF)
    const x = MARGIN + HALF + GAP
    const [names, values] = [HALF * 0.38, HALF * 0.58]
    let y = top
    for (const fact of facts) {
      const named = this.#put(this.#note(fact.label), x, y + 1, names)
      y = Math.max(named, this.#put(this.#value(fact.value), x + HALF - values, y, values)) + 2
    }
    return Math.max(end, y)
  }

  #lines({ columns, lines, total }: ReceiptSheet, top: number): number {
    const gap = this.#size / 2
    const heads = columns.map(column => this.#note(column))
    let y = this.#row(heads, LINES, top, WIDTH) + gap
    for (const { name, note, quantity, price, rate, amount } of lines) {
      this.#rule(y - gap / 2)
      const cells = [name, quantity, price, rate, amount].map(text => this.#value(text))
      y = this.#row(cells, LINES, y, WIDTH)
      if (note !== null) y = this.#put(this.#note(note), MARGIN, y, WIDTH * 0.44)
      y += gap
    }
    this.#rule(y - gap / 2)
    const sizes = [this.#size + 3]
    const stated = [total.label, total.value].map(text => strong(text, sizes))
    return this.#row(stated, [0.5, 0.5], y + 2, WIDTH)
  }

  #rates({ rates }: ReceiptSheet, top: number): number {
    if (rates === null) return top
    const width = WIDTH * 0.6
    const gap = this.#size / 2
    let y = this.#row(
      rates.columns.map(column => this.#note(column)),
      RATES,
      top,
      width,
    )
    for (const row of rates.rows) {
      this.#rule(y + gap / 2, width)
      const cells = row.map(cell => this.#value(cell))
      y = this.#row(cells, RATES, y + gap, width)
    }
    return y
  }

  /** Draws cells side by side up to the margin. All but the first end with their column. @returns where the longest ends */
  #row(cells: readonly Text[], shares: readonly number[], top: number, width: number): number {
    let x = MARGIN + WIDTH - width
    let end = top
    for (const [at, cell] of cells.entries()) {
      const room = width * (shares[at] as number)
      const gap = at === 0 ? 8 : 0
      if (cell.text !== '') end = Math.max(end, this.#put(cell, x, top, room - gap, { isAtEnd: at > 0 }))
      x += room
    }
    return end
  }

  #foot({ notes, leftOut, link }: ReceiptSheet): void {
    const limit = Number.POSITIVE_INFINITY
    const stated = [...notes.map(label), ...(this.isComplete ? [] : [{ ...label(leftOut), colour: INK }])]
    const below = FOOT - 6
    let y = below - 10 - stated.reduce((sum, note) => sum + this.heightOf(note, WIDTH), 0)
    for (const note of stated) y = this.text(note, MARGIN, y, WIDTH, { limit })
    if (link === null) return
    this.rule(below - 5)
    const shown = { ...label(link.text), sizes: [8], colour: ACCENT, maxLines: 1 }
    const end = this.text(shown, MARGIN, below, WIDTH, { limit, tag: 'Link' })
    this.document.link(MARGIN, below, WIDTH, end - below, link.url)
  }
}
