import type PDFDocument from 'pdfkit'
import { barOf, codeSideOf, paddingOf } from '#machinery/ticket-documents/badge-formats.ts'
import { Drawer, heightOf, INK, LINE_HEIGHT, label, strong, type Text, value } from './drawer.ts'
import type { Typesetter } from './lines.ts'
import type { Pen } from './pen.ts'
import type { Badge, BadgePage, Sheets } from './sheet.ts'
import { SheetLogo } from './sheet-logo.ts'

// All measures are in points.
/** A name below this size may break within a word, and have more than two lines. */
const SMALLEST = 9
/** The sizes of a name, from the largest. Each is a little smaller than the one before. */
const sizesFrom = (largest: number, count: number) =>
  Array.from({ length: count }, (_, at) => largest * 0.94 ** at)
const LARGE_SIZES = sizesFrom(84, 64).filter(size => size >= SMALLEST)
const SMALL_SIZES = sizesFrom(SMALLEST * 1.5, 17)
const FEW_LINES = 2
/** A logo is as high as so many lines of the event's title, in whose place it stands. */
const LOGO_LINES = 1.8
const NO_LIMIT = { limit: Number.POSITIVE_INFINITY }
const WHITE = [255, 255, 255] as const
/** A text is measured in this size without a limit to its width. */
const MEASURED = 100

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Draws pages of badges. */
export class BadgeDrawer extends Drawer {
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

  draw({ badges }: BadgePage): void {
    this.document.addPage()
    for (const badge of badges) this.section(() => this.#badge(badge))
  }

  #badge(badge: Badge): void {
    const { x, y, width, height, code, codeLabel } = badge
    const padding = paddingOf(width, height)
    const bar = barOf(width, height)
    const inner = { x: x + padding, y: y + padding, width: width - 2 * padding }
    const barTop = y + height - padding - bar
    // A reader needs white around the code, four of its modules wide.
    const gap = padding * 0.6
    const box: Box = { ...inner, height: barTop - gap - inner.y }
    const side = codeSideOf(width, height)
    const isWide = width >= height
    if (code !== null && isWide) box.width -= side + padding
    if (code !== null && !isWide) box.height -= side + gap
    this.#texts(badge, box)
    if (code !== null) {
      const left = isWide ? inner.x + inner.width - side : x + (width - side) / 2
      this.qr(code, codeLabel, { left, top: barTop - gap - side, side })
    }
    this.#type(badge, { ...inner, y: barTop, height: bar })
  }

  /** Draws the name as large as it fits, with the event above and the answer below. */
  #texts({ title, name, answer, leftOut }: Badge, box: Box): void {
    const small = Math.min(11, Math.max(5, box.height * 0.09))
    const head = small * LINE_HEIGHT * (this.#logo === undefined ? 1 : LOGO_LINES)
    const below = answer === null ? 0 : Math.min(18, Math.max(6, box.height * 0.14)) * LINE_HEIGHT
    const room = { ...box, y: box.y + head, height: box.height - head - below }
    const shown = this.#fit(name, room.width, room.height)
    const set = this.set(shown, room.width)
    const top = room.y + Math.max(0, (room.height - heightOf(set)) / 2)
    const centred = { limit: room.y + room.height + 0.01, isCentred: true }
    this.text(shown, room.x, top, room.width, { ...centred, tag: 'H1' })
    if (answer !== null) this.#oneLine(value(answer, 0), { ...box, y: room.y + room.height, height: below })
    this.#head(title, leftOut, { ...box, height: head })
  }

  /** Draws the logo, or else the event's title, or that some of the text could not be printed. */
  #head(title: string, leftOut: string, box: Box): void {
    const logo = this.#logo
    if (!this.isComplete || logo === undefined) {
      const text = this.isComplete ? label(title) : { ...label(leftOut), colour: INK }
      this.#oneLine(text, box)
      return
    }
    const scale = Math.min(box.width / logo.width, (box.height * 0.9) / logo.height)
    this.figure(title, () => logo.draw(box.x + (box.width - logo.width * scale) / 2, box.y, scale))
  }

  /** Returns the name in the largest size in which it has two lines at most, none of them within a word. */
  #fit(name: string, width: number, height: number): Text {
    const words = name.split(/\s+/u).map(word => this.#widthOf(word))
    const most = (MEASURED * width) / Math.max(1, ...words)
    const fits = (size: number, lines: number) => {
      const set = this.set({ ...strong(name, [size]), maxLines: 100 }, width)
      return set.lines.length <= lines && heightOf(set) <= height
    }
    const size =
      findFirst(LARGE_SIZES, each => each <= most && fits(each, FEW_LINES)) ??
      findFirst(SMALL_SIZES, each => fits(each, 100)) ??
      SMALL_SIZES.at(-1) ??
      SMALLEST
    return { ...strong(name, [size]), maxLines: 100 }
  }

  /** Returns the width of a text in bold letters, on one line. */
  #widthOf(text: string): number {
    const { lines } = this.set(strong(text, [MEASURED]), Number.MAX_SAFE_INTEGER)
    return lines[0]?.width ?? 0
  }

  /** Draws a text in the middle of one line, in smaller letters if it is long. What is too long even then is cut. */
  #oneLine(text: Text, { x, y, width, height }: Box): void {
    const most = (MEASURED * width) / Math.max(1, this.#widthOf(text.text))
    const size = Math.max(Math.min(height / LINE_HEIGHT, most * 0.99), 5)
    const shown = { ...text, sizes: [size], maxLines: 1 }
    const top = y + (height - heightOf(this.set(shown, width))) / 2
    this.text(shown, x, top, width, { ...NO_LIMIT, isCentred: true })
  }

  #type({ type, colour }: Badge, box: Box): void {
    const { x, y, width, height } = box
    this.decorate(() => this.document.rect(x, y, width, height).fill([...colour]))
    const line = height * 0.73
    const shown = { ...strong(type, []), colour: WHITE }
    this.#oneLine(shown, {
      x: x + width * 0.03,
      y: y + (height - line) / 2,
      width: width * 0.94,
      height: line,
    })
  }
}

/** Returns the first size that fits, if those after it fit too. */
function findFirst(sizes: readonly number[], fits: (size: number) => boolean): number | undefined {
  let [from, to] = [0, sizes.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (fits(sizes[middle] as number)) to = middle
    else from = middle + 1
  }
  return sizes[from]
}
