import { Drawer, FOOT, INK, label, MARGIN, strong, type Text, value, WIDTH } from './drawer.ts'
import { ROWS_A_PAGE } from './rows-a-page.ts'
import type { ListRow, ListSheet } from './sheet.ts'

// All measures are in points.
const BOX = 10
const NAME_X = MARGIN + BOX + 8
const NAME_WIDTH = 270
const WHAT_X = NAME_X + NAME_WIDTH + 12
const WHAT_WIDTH = MARGIN + WIDTH - WHAT_X
const HEAD = MARGIN + 44
/** The height of a row, so that a page has all its rows above the foot. A row has one line, or two in smaller letters. */
const ROW = (FOOT - 24 - HEAD) / (ROWS_A_PAGE + 1)
const [ONE_LINE, TWO_LINES] = [9.5, 6]

/** Draws a page of a list that people tick by hand. */
export class ListDrawer extends Drawer {
  draw(sheet: ListSheet): void {
    this.page(() => {
      this.band()
      const { title, about, columns, rows, nobody } = sheet
      const end = this.text({ ...strong(title, [13]), maxLines: 1 }, MARGIN, MARGIN - 8, WIDTH, { tag: 'H1' })
      this.text({ ...label(about), maxLines: 1 }, MARGIN, end + 1, WIDTH)
      this.text(label(columns[0]), NAME_X, HEAD, NAME_WIDTH)
      this.text(label(columns[1]), WHAT_X, HEAD, WHAT_WIDTH)
      if (rows.length === 0) this.text(value(nobody, 11), MARGIN, HEAD + ROW, WIDTH)
      for (const [at, row] of rows.entries()) this.#row(row, HEAD + ROW * (at + 1))
      this.#foot(sheet)
    })
  }

  #row({ name, note, what, isTicked }: ListRow, y: number): void {
    this.rule(y)
    this.box(MARGIN, y + 4, BOX, isTicked)
    this.#cell(
      { ...value(note === null ? name : `${name} · ${note}`, 0), weight: 'bold' },
      NAME_X,
      y,
      NAME_WIDTH,
    )
    this.#cell(value(what, 0), WHAT_X, y, WHAT_WIDTH)
  }

  #cell(text: Text, x: number, y: number, width: number): void {
    const large = { ...text, sizes: [ONE_LINE] }
    const isOne = this.set(large, width).lines.length <= 1
    const shown = isOne ? large : { ...text, sizes: [TWO_LINES], maxLines: 2 }
    this.text(shown, x, y + (isOne ? 2.5 : 1), width)
  }

  #foot({ page, leftOut }: ListSheet): void {
    const y = FOOT - 12
    const limit = Number.POSITIVE_INFINITY
    if (!this.isComplete)
      this.text({ ...label(leftOut), colour: INK, maxLines: 1 }, MARGIN, y, WIDTH * 0.75, { limit })
    this.text(label(page), MARGIN, y, WIDTH, { limit, isAtEnd: true })
  }
}
