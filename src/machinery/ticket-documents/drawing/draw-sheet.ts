import { encodeQr } from '#machinery/web/qr-code.ts'
import { ACCENT, Drawer, FOOT, INK, label, MARGIN, strong, value, WIDTH } from './drawer.ts'
import type { Fact, Sheet } from './sheet.ts'

const QR_SIDE = 208
const QR_GAP = 28

/** The sizes of the largest texts on the page. The largest size in which a text has few lines is taken. */
const TITLE_SIZES = [26, 22, 18, 14]
const HOLDER_SIZES = [20, 17, 14, 11]

/** The limit above the small print. */
const LIMIT = FOOT - 106
const FACT_SIZES = [12, 10, 8]
/** The small print has all the room it takes. */
const IN_FOOT = { limit: Number.POSITIVE_INFINITY }

/** Draws the page of a ticket. */
export class SheetDrawer extends Drawer {
  draw(sheet: Sheet): void {
    this.page(() => {
      this.band()
      let y = MARGIN + 8
      y = this.text({ ...label(sheet.organizer), sizes: [11] }, MARGIN, y, WIDTH, { limit: LIMIT })
      y = this.text(strong(sheet.title, TITLE_SIZES), MARGIN, y + 4, WIDTH, { tag: 'H1', limit: LIMIT })
      y = this.rule(y + 18) + 22
      const beside = this.#beside(sheet, y)
      y = Math.max(beside, y + QR_SIDE) + 26
      y = this.rule(y) + 20
      this.#facts(sheet.facts, y)
      this.#foot(sheet)
    })
  }

  /** Draws the code, and beside it whose ticket it is. @returns where that ends */
  #beside({ code, codeLabel, holder, type }: Sheet, top: number): number {
    const x = MARGIN + QR_SIDE + QR_GAP
    const width = WIDTH - QR_SIDE - QR_GAP
    let y = top
    for (const [fact, sizes] of [
      [holder, HOLDER_SIZES],
      [type, [14, 12, 10]],
    ] as const) {
      if (fact === null) continue
      y = this.text(label(fact.label), x, y, width, { limit: LIMIT })
      for (const line of fact.lines) y = this.text(strong(line, sizes), x, y + 1, width, { limit: LIMIT })
      y += 14
    }
    this.#qr(code, codeLabel, MARGIN, top)
    return y
  }

  /** Draws the facts in two columns, in the largest letters in which they fit. */
  #facts(facts: readonly Fact[], top: number): void {
    const columns = [0, 1].map(column => facts.filter((_, at) => at % 2 === column))
    const width = (WIDTH - QR_GAP) / 2
    const fits = (size: number) => this.#factsHeight(columns, size, width) <= LIMIT - top
    const size = FACT_SIZES.find(fits) ?? (FACT_SIZES.at(-1) as number)
    for (const [column, own] of columns.entries()) {
      const x = MARGIN + column * (width + QR_GAP)
      let y = top
      for (const fact of own) {
        y = this.text(label(fact.label), x, y, width, { limit: LIMIT })
        for (const line of fact.lines) y = this.text(value(line, size), x, y + 1, width, { limit: LIMIT })
        y += 16
      }
    }
  }

  #factsHeight(columns: readonly Fact[][], size: number, width: number): number {
    const ofFact = ({ label: name, lines }: Fact) =>
      this.heightOf(label(name), width) +
      lines.reduce((sum, line) => sum + 1 + this.heightOf(value(line, size), width), 0)
    return Math.max(...columns.map(facts => facts.reduce((sum, fact) => sum + 16 + ofFact(fact), 0) - 16))
  }

  /** Draws the small print, and below it the link to the order and the page number. */
  #foot({ finePrint, leftOut, link, page }: Sheet): void {
    const notes = [label(finePrint), ...(this.isComplete ? [] : [{ ...label(leftOut), colour: INK }])]
    const below = FOOT - 14
    const height = notes.reduce((sum, note) => sum + this.heightOf(note, WIDTH), 0)
    let y = below - 14 - height
    for (const note of notes) y = this.text(note, MARGIN, y, WIDTH, IN_FOOT)
    this.rule(below - 7)
    if (link !== null) {
      const shown = { ...label(link.text), colour: ACCENT, maxLines: 2 }
      const end = this.text(shown, MARGIN, below, WIDTH * 0.75, { ...IN_FOOT, tag: 'Link' })
      this.document.link(MARGIN, below, WIDTH * 0.75, end - below, link.url)
    }
    const [line] = this.set(label(page), WIDTH).lines
    this.text(label(page), MARGIN + WIDTH - (line?.width ?? 0), below, WIDTH, IN_FOOT)
  }

  /** Draws the code. Modules side by side are one shape, and all shapes are one path, so no reader draws lines between them. */
  #qr(code: string, alt: string, left: number, top: number): void {
    const { modules, size } = encodeQr(code, 'Q')
    const module = QR_SIDE / size
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
    const { document } = this
    const content = document.markStructureContent('Figure')
    document.save().transform(module, 0, 0, module, left, top).addContent(shapes.join('\n'))
    document.fill([0, 0, 0]).restore()
    document.endMarkedContent()
    this.add(document.struct('Figure', { alt }, [content]))
  }
}
