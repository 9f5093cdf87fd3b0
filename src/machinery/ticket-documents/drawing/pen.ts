import type PDFDocument from 'pdfkit'
import { EmbeddedFont, hexOfText } from './embedded-font.ts'
import type { Face } from './face.ts'
import { type Line, type Run, UNITS } from './lines.ts'
import type { ShapedGlyph, Shaper } from './shaper.ts'

type Document = InstanceType<typeof PDFDocument>

/** Red, green and blue, each up to 255. */
export type Colour = readonly [number, number, number]

/** Glyphs that together show a part of a text. */
interface Cluster {
  text: string
  glyphs: readonly ShapedGlyph[]
}

const number = (value: number) => String(Number(value.toFixed(3)))

/** Writes text into a document, with each glyph where the shaper puts it. */
export class Pen {
  readonly #document: Document
  readonly #shaper: Shaper
  /** By the names of their outlines. */
  readonly #fonts = new Map<string, EmbeddedFont>()

  constructor(document: Document, shaper: Shaper) {
    this.#document = document
    this.#shaper = shaper
  }

  /** Writes a line. @param x of its left end, and `baseline`, in points from the top left of the page */
  write(line: Line, size: number, colour: Colour, x: number, baseline: number): void {
    const { height } = this.#document.page
    const rgb = colour.map(part => number(part / 255)).join(' ')
    // PDFKit measures from the top of a page and has flipped it for that. This flips it back.
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
    // Programs put text from right to left into the order of reading. With this they would do it twice.
    const hasActualText = isSeveral && !run.isRightToLeft
    if (hasActualText) stroke.say(`/Span <</ActualText <feff${hexOfText(text)}>>> BDC`)
    const shown = spread(text, glyphs, run.isRightToLeft)
    for (const [at, { id, advance, dx, dy }] of glyphs.entries()) {
      const own = this.#shaper.advanceOf(run.face.font, id)
      const part = shown[at] as string
      stroke.glyph(font.encode(id, part), { own, advance, dx, dy, isLater: part === '' && !hasActualText })
    }
    if (hasActualText) stroke.say('EMC')
  }

  #embed(face: Face): EmbeddedFont {
    let font = this.#fonts.get(face.outlines)
    if (font === undefined) {
      font = new EmbeddedFont(this.#document, `F${this.#fonts.size + 1}`, face, this.#shaper)
      this.#fonts.set(face.outlines, font)
    }
    this.#document.page.fonts[font.name] = font.reference
    return font
  }

  /** Embeds the fonts, before the end of the document. */
  end(): void {
    for (const font of this.#fonts.values()) font.end()
  }
}

/** The shaper's result for a glyph, and the glyph's own advance in the font. */
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

/**
 * The operators that show a run (ISO 32000-1, section 9.4.3). Measures are in units of the font, from the beginning of the run.
 */
class Stroke {
  readonly #size: number
  readonly #x: number
  readonly #y: number
  readonly #operators: string[] = []
  /** The glyphs at one height, with the moves between them. */
  #parts: string[] = []
  #height = 0
  /** The position of the next glyph without a move. */
  #cursor = Number.NaN
  #pen = 0
  readonly #later: Placed[] = []

  /** Begins a run. @param x and `y` of its beginning, in points from the bottom left of the page */
  constructor(size: number, x: number, y: number) {
    this.#size = size
    this.#x = x
    this.#y = y
  }

  /** Adds a glyph. @param isLater for the dots of letters, in the middle of which programs would end a word */
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

  /** Adds an operator between those of glyphs. */
  say(operator: string): void {
    this.#flush()
    this.#operators.push(operator)
  }

  end(): string {
    for (const glyph of this.#later) this.#place(glyph)
    this.#flush()
    return this.#operators.join('\n')
  }

  /** Returns where the next run begins, in points. */
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

/** Returns the clusters in the order of sight. */
function clustersOf({ text, glyphs }: Run): Cluster[] {
  const clusters = new Map<number, ShapedGlyph[]>()
  for (const glyph of glyphs) {
    const others = clusters.get(glyph.cluster)
    if (others === undefined) clusters.set(glyph.cluster, [glyph])
    else others.push(glyph)
  }
  const starts = [...clusters.keys()].sort((a, b) => a - b)
  const ends = new Map(starts.map((start, at) => [start, starts[at + 1]]))
  return Array.from(clusters, ([start, own]) => ({
    text: text.slice(start, ends.get(start)).replace(/\p{Bidi_Control}/gu, ''),
    glyphs: own,
  }))
}

/**
 * Divides a text among its glyphs. For one letter, the glyph with a width shows it, and its dots show nothing. Several letters go
 * to the glyphs in turn.
 */
function spread(text: string, glyphs: readonly ShapedGlyph[], isRightToLeft: boolean): string[] {
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
