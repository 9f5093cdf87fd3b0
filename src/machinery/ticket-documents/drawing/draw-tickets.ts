import type PDFDocument from 'pdfkit'
import { ACCENT, Drawer, INK, label, type Standing, strong, type Text, value } from './drawer.ts'
import type { Typesetter } from './lines.ts'
import type { Colour, Pen } from './pen.ts'
import {
  type About,
  type Fact,
  PAPERS,
  type Paper,
  type Sheets,
  SLIPS_A_PAGE,
  type Slip,
  type TicketPage,
} from './sheet.ts'
import { SheetLogo } from './sheet-logo.ts'

// All measures are in points.
const MILLIMETRE = 72 / 25.4
/** People cut three tickets apart that are as high as a third of the paper: 99 mm of A4. */
const MARGIN = 15 * MILLIMETRE
const PADDING = 20
const QR_SIDE = 45 * MILLIMETRE
const QR_GAP = 22
const COLUMN_GAP = 14

/** How large letters are, and the most lines of a text. The first with which all of it fits is taken. */
const SIZES = [
  [1.1, 100],
  [1, 100],
  [0.92, 100],
  [0.84, 100],
  [0.76, 100],
  [0.68, 100],
  [0.6, 100],
  [0.6, 2],
] as const
const ABOUT_SIZES = [9.5, 8.5, 7.5]
const SMALL = 7
const NO_LIMIT = { limit: Number.POSITIVE_INFINITY }

/** Draws pages of tickets, and what is said once below the last of them. */
export class TicketDrawer extends Drawer {
  readonly #width: number
  readonly #height: number
  /** The room of a ticket that is beside its code. */
  readonly #left: number
  readonly #beside: number
  readonly #accent: Colour
  readonly #logo: SheetLogo | undefined
  #scale: number = SIZES[0][0]
  #maxLines: number = SIZES[0][1]
  #limit = 0
  /** True while the drawer only measures and draws nothing. */
  #isDry = false

  constructor(
    document: InstanceType<typeof PDFDocument>,
    typesetter: Typesetter,
    pen: Pen,
    { paper, accent = ACCENT, logo }: { paper: Paper } & Pick<Sheets, 'accent' | 'logo'>,
  ) {
    super(document, typesetter, pen)
    this.#accent = accent
    this.#logo = logo && new SheetLogo(document, logo)
    const [width, height] = PAPERS[paper]
    this.#width = width - 2 * MARGIN
    this.#height = height
    this.#left = MARGIN + QR_SIDE + QR_GAP
    this.#beside = this.#width - QR_SIDE - QR_GAP
  }

  draw({ slips, about }: TicketPage): void {
    this.document.addPage()
    const third = this.#height / SLIPS_A_PAGE
    for (const [at, slip] of slips.entries()) {
      this.section(() => this.#slip(slip, at * third, third))
      if (at + 1 < SLIPS_A_PAGE) this.#cutLine((at + 1) * third)
    }
    if (about !== null) this.#about(about, slips.length * third)
  }

  #slip(slip: Slip, top: number, height: number): void {
    const foot = this.#footOf(slip, top + height - PADDING)
    this.#limit = foot - 4
    this.#chooseSize(slip, top + PADDING)
    this.#body(slip, top + PADDING)
    this.#code(slip, top + PADDING)
    this.#foot(slip, foot)
  }

  #chooseSize(slip: Slip, top: number): void {
    this.#isDry = true
    for (const [scale, maxLines] of SIZES) {
      this.#scale = scale
      this.#maxLines = maxLines
      if (this.#body(slip, top) <= this.#limit) break
    }
    this.#isDry = false
  }

  /** Draws or measures what is beside the code. @returns where it ends */
  #body({ organizer, title, holder, type, facts, count }: Slip, top: number): number {
    const { columns, width } = this.#columns()
    const [first, second] = columns
    const named = this.#organizer(organizer, top)
    this.#put({ ...this.#label(count), maxLines: 1 }, this.#left, top, this.#beside, { isAtEnd: true })
    let y = this.#put(this.#strong(title, 17), this.#left, named + 1, this.#beside, { tag: 'H1' })
    if (!this.#isDry) this.rule(y + 5, this.#left, this.#beside)
    y += 12
    const held = holder === null ? y : this.#fact(holder, first, y, width, 13)
    y = Math.max(held, this.#fact(type, holder === null ? first : second, y, width, 11))
    const ends = [y, y]
    for (const fact of facts) {
      // The next fact goes where there is more room.
      const column = (ends[0] as number) <= (ends[1] as number) ? 0 : 1
      ends[column] = this.#fact(fact, columns[column] as number, ends[column] as number, width)
    }
    return Math.max(...ends) - this.#gap
  }

  /** Draws who gives the event: the logo, or else the name. @returns where it ends */
  #organizer(name: string, top: number): number {
    const logo = this.#logo
    if (logo === undefined) return this.#put(this.#label(name), this.#left, top, this.#beside * 0.72)
    const scale = Math.min(1, this.#scale)
    if (!this.#isDry) this.figure(name, () => logo.draw(this.#left, top, scale))
    return top + logo.height * scale + 3
  }

  #columns(): { columns: readonly [number, number]; width: number } {
    const width = (this.#beside - COLUMN_GAP) / 2
    return { columns: [this.#left, this.#left + width + COLUMN_GAP], width }
  }

  get #gap(): number {
    return 9 * this.#scale
  }

  #fact({ label: name, lines }: Fact, x: number, top: number, width: number, size?: number): number {
    let y = this.#put(this.#label(name), x, top, width)
    for (const line of lines)
      y = this.#put(size === undefined ? this.#value(line) : this.#strong(line, size), x, y, width)
    return y + this.#gap
  }

  #put(text: Text, x: number, top: number, width: number, standing: Standing = {}): number {
    if (this.#isDry) return top + this.heightOf(text, width)
    return this.text(text, x, top, width, { limit: this.#limit, ...standing })
  }

  #label(text: string): Text {
    return { ...label(text), sizes: [Math.max(8 * this.#scale, 5.5)], maxLines: this.#maxLines }
  }

  #value(text: string): Text {
    return { ...value(text, 9.5 * this.#scale), maxLines: this.#maxLines }
  }

  #strong(text: string, size: number): Text {
    return { ...strong(text, [size * this.#scale]), maxLines: this.#maxLines }
  }

  /** Draws the code with the small print below it, or says why there is none. */
  #code({ code, codeLabel, noCode, finePrint }: Slip, top: number): void {
    if (code === null) {
      const inner = QR_SIDE - 2 * COLUMN_GAP
      const title = strong(noCode.title, [18, 14, 11])
      this.frame(MARGIN, top, QR_SIDE, QR_SIDE)
      const end = this.text(title, MARGIN + COLUMN_GAP, top + 34, inner, NO_LIMIT)
      this.text(value(noCode.text, 8.5), MARGIN + COLUMN_GAP, end + 4, inner, NO_LIMIT)
      return
    }
    this.qr(code, codeLabel, { left: MARGIN, top, side: QR_SIDE })
    const small = { ...label(finePrint), sizes: [SMALL], maxLines: 6 }
    this.text(small, MARGIN, top + QR_SIDE + 7, QR_SIDE, { limit: this.#limit })
  }

  /** Returns where the foot of a ticket begins, with room for the sentence that something was left out. */
  #footOf({ leftOut, link }: Slip, bottom: number): number {
    const texts = [leftOut, ...(link === null ? [] : [link.text])]
    return bottom - Math.max(...texts.map(text => this.heightOf(this.#small(text), this.#width)))
  }

  #small(text: string): Text {
    return { ...label(text), sizes: [SMALL], maxLines: 2 }
  }

  /** Draws the link to the ticket's own page, or where something was left out the sentence that has it. */
  #foot({ leftOut, link }: Slip, top: number): void {
    const { isComplete } = this
    const text = isComplete ? link?.text : leftOut
    if (text === undefined) return
    const shown = { ...this.#small(text), colour: isComplete ? this.#accent : INK }
    if (link === null) this.text(shown, MARGIN, top, this.#width, NO_LIMIT)
    else this.#link(shown, link.url, top, MARGIN, this.#width)
  }

  #link(
    text: Text,
    url: string,
    top: number,
    x: number,
    width: number,
    limit = Number.POSITIVE_INFINITY,
  ): number {
    const end = this.text(text, x, top, width, { limit, tag: 'Link' })
    this.document.link(x, top, width, end - top, url)
    return end
  }

  /** Draws what is said once. It gets a page of its own where the rest of the last one is too small for it. */
  #about(about: About, from: number): void {
    const room = this.#height - 2 * PADDING
    const fits = (size: number, top: number) => this.#heightOfAbout(about, size) <= room - top
    let top = from
    let size = ABOUT_SIZES.find(each => fits(each, from))
    if (size === undefined || from >= this.#height) {
      this.document.addPage()
      top = 0
      size = ABOUT_SIZES.find(each => fits(each, 0)) ?? (ABOUT_SIZES.at(-1) as number)
    }
    this.section(() => this.#aboutAt(about, size, top + PADDING + 4))
  }

  #heightOfAbout({ columns, leftOut }: About, size: number): number {
    const { width } = this.#thirds(columns.length)
    const heights = columns.map(({ label: name, lines, link }) =>
      [
        this.#heading(name),
        ...lines.map(line => this.#plain(line, size)),
        ...(link === null ? [] : [this.#plain(link.text, size)]),
      ].reduce((sum, text) => sum + this.heightOf(text, width), 0),
    )
    return Math.max(0, ...heights) + this.heightOf(this.#small(leftOut), this.#width) + 8
  }

  #aboutAt({ columns, leftOut }: About, size: number, top: number): void {
    const limit = this.#height - PADDING
    const { width, step } = this.#thirds(columns.length)
    let lowest = top
    for (const [at, { label: name, lines, link }] of columns.entries()) {
      const x = MARGIN + at * step
      let y = this.text(this.#heading(name), x, top, width, { tag: 'H2', limit })
      for (const line of lines) y = this.text(this.#plain(line, size), x, y, width, { limit })
      if (link !== null)
        y = this.#link(
          { ...this.#plain(link.text, size), colour: this.#accent },
          link.url,
          y,
          x,
          width,
          limit,
        )
      lowest = Math.max(lowest, y)
    }
    if (this.isComplete) return
    this.text({ ...this.#small(leftOut), colour: INK }, MARGIN, lowest + 6, this.#width, NO_LIMIT)
  }

  #thirds(count: number): { width: number; step: number } {
    const width = (this.#width - 2 * QR_GAP) / Math.max(3, count)
    return { width, step: width + QR_GAP }
  }

  #heading(text: string): Text {
    return { ...strong(text, [10]), maxLines: 2 }
  }

  #plain(text: string, size: number): Text {
    return { ...value(text, size), maxLines: 100 }
  }

  /** Draws a line across the paper, along which people cut. */
  #cutLine(y: number): void {
    this.decorate(() => {
      const { document } = this
      document.save().lineWidth(0.6).dash(4, { space: 4 })
      document
        .moveTo(0, y)
        .lineTo(this.#width + 2 * MARGIN, y)
        .stroke([140, 146, 158])
        .restore()
    })
  }
}
