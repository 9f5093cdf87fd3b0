import type PDFDocument from 'pdfkit'
import { EmbeddedFont, hexOfText } from './embedded-font.ts'
import { type Line, type Run, UNITS } from './lines.ts'
import type { Shaper } from './shaper.ts'
import type { Face } from './typefaces.ts'

type Document = InstanceType<typeof PDFDocument>

/** Red, green and blue, of 255. */
export type Colour = readonly [number, number, number]

/** Glyphs that show a part of a text together. */
interface Cluster {
  text: string
  glyphs: Run['glyphs']
}

const number = (value: number) => String(Number(value.toFixed(3)))

/** Writes text into a document: each glyph where the shaper has it. */
export class Pen {
  readonly #document: Document
  readonly #shaper: Shaper
  readonly #fonts = new Map<Face, EmbeddedFont>()

  constructor(document: Document, shaper: Shaper) {
    this.#document = document
    this.#shaper = shaper
  }

  /** @param x of the left, and `baseline` of the line, in points from the top left of the page */
  write(line: Line, size: number, colour: Colour, x: number, baseline: number): void {
    const { height } = this.#document.page
    const rgb = colour.map(part => number(part / 255)).join(' ')
    // PDFKit measures from the top of a page, and has turned it over for that: this turns it back.
    this.#document.addContent(`q\n1 0 0 -1 0 ${number(height)} cm\nBT\n${rgb} rg`)
    let from = x
    for (const run of line.runs) {
      const font = this.#embed(run.face)
      const stroke = new Stroke(size, from, height - baseline)
      for (const cluster of clustersOf(run)) this.#cluster(cluster, run, font, stroke)
      this.#document.addContent(`/${font.name} ${number(size)} Tf\n${stroke.end()}`)
      from = stroke.reached
    }
    this.#document.addContent('ET\nQ')
  }

  #cluster({ text, glyphs }: Cluster, run: Run, font: EmbeddedFont, stroke: Stroke): void {
    const isSeveral = glyphs.length > 1
    // Programs put what is written from right to left into the order of reading: this would be put there twice.
    const isTold = isSeveral && !run.isRightToLeft
    if (isTold) stroke.say(`/Span <</ActualText <feff${hexOfText(text)}>>> BDC`)
    const shown = spread(text, glyphs, run.isRightToLeft)
    for (const [at, { id, advance, dx, dy }] of glyphs.entries()) {
      const own = this.#shaper.advanceOf(run.face.font, id)
      const part = shown[at] as string
      stroke.glyph(font.encode(id, part), { own, advance, dx, dy, isLater: part === '' && !isTold })
    }
    if (isTold) stroke.say('EMC')
  }

  #embed(face: Face): EmbeddedFont {
    let font = this.#fonts.get(face)
    if (font === undefined) {
      font = new EmbeddedFont(this.#document, `F${this.#fonts.size + 1}`, face, this.#shaper)
      this.#fonts.set(face, font)
    }
    this.#document.page.fonts[font.name] = font.reference
    return font
  }

  /** Before the end of the document. */
  end(): void {
    for (const font of this.#fonts.values()) font.end()
  }
}

/** What the shaper made of a glyph, and its own advance in the font. */
interface Moved {
  own: number
  advance: number
  dx: number
  dy: number
  isLater: boolean
}

interface Placed {
  code: string
  own: number
  x: number
  y: number
}

/** The operators that show a run (ISO 32000-1, section 9.4.3). In units of the font, from where the run begins. */
class Stroke {
  readonly #size: number
  readonly #x: number
  readonly #y: number
  readonly #operators: string[] = []
  /** Of glyphs on one height, with what moves those after it. */
  #parts: string[] = []
  #height = 0
  /** Where the next glyph would come by itself. */
  #cursor = Number.NaN
  #pen = 0
  readonly #later: Placed[] = []

  /** @param x and `y` of its beginning, in points from the bottom left of the page */
  constructor(size: number, x: number, y: number) {
    this.#size = size
    this.#x = x
    this.#y = y
  }

  /** @param isLater for dots of letters, in the midst of which programs would end a word */
  glyph(code: string, { own, advance, dx, dy, isLater }: Moved): void {
    const glyph = { code, own, x: this.#pen + dx, y: dy }
    if (isLater) this.#later.push(glyph)
    else this.#place(glyph)
    this.#pen += advance
  }

  #place({ code, own, x, y }: Placed): void {
    if (Number.isNaN(this.#cursor) || y !== this.#height) {
      this.#flush()
      this.#height = y
      const place = `${number(this.#x + this.#points(x))} ${number(this.#y + this.#points(y))}`
      this.#operators.push(`1 0 0 1 ${place} Tm`)
    } else if (x !== this.#cursor) {
      this.#parts.push(String(this.#cursor - x))
    }
    this.#parts.push(`<${code}>`)
    this.#cursor = x + own
  }

  /** An operator between those of glyphs. */
  say(operator: string): void {
    this.#flush()
    this.#operators.push(operator)
  }

  end(): string {
    for (const glyph of this.#later) this.#place(glyph)
    this.#flush()
    return this.#operators.join('\n')
  }

  /** Where the next run begins, in points. */
  get reached(): number {
    return this.#x + this.#points(this.#pen)
  }

  #points(units: number): number {
    return (units * this.#size) / UNITS
  }

  #flush(): void {
    if (this.#parts.length > 0) this.#operators.push(`[${this.#parts.join(' ').replaceAll('> <', '')}] TJ`)
    this.#parts = []
  }
}

/** In the order of sight. */
function clustersOf({ text, glyphs }: Run): Cluster[] {
  const seen = [...new Set(glyphs.map(({ cluster }) => cluster))]
  const starts = [...seen].sort((a, b) => a - b)
  return seen.map(start => ({
    text: text.slice(start, starts[starts.indexOf(start) + 1]).replace(/\p{Bidi_Control}/gu, ''),
    glyphs: glyphs.filter(({ cluster }) => cluster === start),
  }))
}

/** Of one letter, the glyph that takes room shows it, and the dots with it nothing; several letters are shared out in turn. */
function spread(text: string, glyphs: Run['glyphs'], isRightToLeft: boolean): string[] {
  const characters = [...text]
  if (characters.length === 1 && glyphs.length > 1) {
    const base = Math.max(
      0,
      glyphs.findIndex(({ advance }) => advance > 0),
    )
    return glyphs.map((_, at) => (at === base ? text : ''))
  }
  const over = Math.max(0, characters.length - glyphs.length + 1)
  const shares = [characters.slice(0, over).join(''), ...characters.slice(over)]
  while (shares.length < glyphs.length) shares.push('')
  return isRightToLeft ? shares.reverse() : shares
}
