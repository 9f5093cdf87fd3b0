import { create, type Font } from 'fontkit'
import type PDFDocument from 'pdfkit'
import type { Face } from './face.ts'
import type { Shaper } from './shaper.ts'

type Document = InstanceType<typeof PDFDocument>

/**
 * A code of a font has two bytes (ISO 32000-1, section 9.7.6.2). PDF says in hexadecimal which glyph and which text each code is.
 */
const hex = (number: number) => number.toString(16).padStart(4, '0')

/** Returns the text as UTF-16, big-endian, in hexadecimal. */
export function hexOfText(text: string): string {
  return Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join('')
}

const fonts = new WeakMap<Uint8Array, Font>()

/** Reads each font once, because that takes longer than embedding some of its glyphs. */
function opened(face: Face): Font {
  const file = face.file()
  let font = fonts.get(file)
  if (font === undefined) {
    font = create(Buffer.from(file.buffer, file.byteOffset, file.length)) as Font
    fonts.set(file, font)
  }
  return font
}

/** A font of the server's folder whose glyphs cannot be embedded. */
export class BrokenFace extends Error {
  readonly face: Face

  constructor(face: Face, cause: unknown) {
    super('A font cannot be embedded.', { cause })
    this.face = face
  }
}

/** The flag of a font with glyphs beyond those of Latin (ISO 32000-1, table 123). */
const SYMBOLIC = 4

/**
 * The glyphs of a font that a document uses. PDFKit's own embedding lets a glyph mean one text everywhere. Here a glyph has a
 * code for each text that it shows, so copying and searching give the text that was written.
 */
export class EmbeddedFont {
  /** The name in the resources of pages. */
  readonly name: string
  readonly reference: PDFKit.PDFKitReference
  readonly #document: Document
  readonly #face: Face
  readonly #shaper: Shaper
  readonly #codes = new Map<string, number>()
  /** The uses by code, from 1 on. 0 is the glyph for a missing one. */
  readonly #used: { glyph: number; text: string }[] = []

  constructor(document: Document, name: string, face: Face, shaper: Shaper) {
    this.name = name
    this.reference = document.ref({})
    this.#document = document
    this.#face = face
    this.#shaper = shaper
  }

  /** Returns the code of a glyph for a text. @returns hexadecimal */
  encode(glyph: number, text: string): string {
    const use = `${glyph} ${text}`
    let code = this.#codes.get(use)
    if (code === undefined) {
      code = this.#used.push({ glyph, text })
      this.#codes.set(use, code)
    }
    return hex(code)
  }

  /** Writes the font into the document, once no more text is written with it. @throws BrokenFace */
  end(): void {
    const { font, glyphs, bytes } = this.#subset()
    const isPostScript = this.#face.hasPostScriptOutlines
    const file = this.#document.ref(isPostScript ? { Subtype: 'CIDFontType0C' } : {})
    file.end(bytes)
    const codes = isPostScript ? this.#encoding(glyphs) : this.#map(glyphs)
    const toUnicode = this.#document.ref({})
    toUnicode.end(this.#toUnicode())
    const name = `TICKET+${font.postscriptName ?? 'Font'}`
    const descendant = this.#document.ref({
      Type: 'Font',
      Subtype: isPostScript ? 'CIDFontType0' : 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
      FontDescriptor: this.#descriptor(font, name, file),
      W: [1, isPostScript ? this.#widthsByGlyph(glyphs) : this.#widths()],
      ...(isPostScript ? {} : { CIDToGIDMap: codes }),
    })
    descendant.end(undefined)
    Object.assign(this.reference.data, {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: isPostScript ? codes : 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: toUnicode,
    })
    this.reference.end(undefined)
  }

  /** Returns the outlines of the used glyphs, and by code which of them it is. */
  #subset(): { font: Font; glyphs: number[]; bytes: Buffer } {
    try {
      const font = opened(this.#face)
      const subset = font.createSubset() as unknown as Subset
      if (this.#face.hasPostScriptOutlines) emptyUnused(subset)
      const glyphs = [0, ...this.#used.map(({ glyph }) => subset.includeGlyph(glyph))]
      return { font, glyphs, bytes: Buffer.from(subset.encode()) }
    } catch (error) {
      throw this.#face.isOutside ? new BrokenFace(this.#face, error) : error
    }
  }

  #map(glyphs: readonly number[]): PDFKit.PDFKitReference {
    const map = this.#document.ref({})
    map.end(Buffer.from(glyphs.map(hex).join(''), 'hex'))
    return map
  }

  /** PostScript outlines have no map from codes to glyphs, so the encoding leads to them (ISO 32000-1, section 9.7.5). */
  #encoding(glyphs: readonly number[]): PDFKit.PDFKitReference {
    const system = { Registry: new String('Adobe'), Ordering: new String('Turnout'), Supplement: 0 }
    const encoding = this.#document.ref({ Type: 'CMap', CMapName: 'Turnout', CIDSystemInfo: system })
    const lines = glyphs.slice(1).map((glyph, at) => `<${hex(at + 1)}> ${glyph}`)
    encoding.end(cmapOf('Turnout', 'Turnout', 1, blocksOf(lines, 'cidchar')))
    return encoding
  }

  #widths(): number[] {
    return this.#used.map(({ glyph }) => this.#shaper.advanceOf(this.#face.font, glyph))
  }

  /** Returns the widths of the glyphs in their order in the subset, where each is once. */
  #widthsByGlyph(glyphs: readonly number[]): number[] {
    const widths: number[] = []
    for (const [at, width] of this.#widths().entries()) widths[(glyphs[at + 1] as number) - 1] = width
    return widths
  }

  #descriptor(font: Font, name: string, file: PDFKit.PDFKitReference): PDFKit.PDFKitReference {
    const scale = (units: number) => Math.round((units * 1000) / font.unitsPerEm)
    const { minX, minY, maxX, maxY } = font.bbox
    const descriptor = this.#document.ref({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: SYMBOLIC,
      FontBBox: [minX, minY, maxX, maxY].map(scale),
      ItalicAngle: 0,
      Ascent: scale(font.ascent),
      Descent: scale(font.descent),
      CapHeight: scale(font.capHeight),
      StemV: this.#face.isBold ? 140 : 80,
      [this.#face.hasPostScriptOutlines ? 'FontFile3' : 'FontFile2']: file,
    })
    descriptor.end(undefined)
    return descriptor
  }

  #toUnicode(): string {
    const lines = this.#used.map(({ text }, at) => `<${hex(at + 1)}> <${hexOfText(text)}>`)
    return cmapOf('Adobe-Identity-UCS', 'UCS', 2, blocksOf(lines, 'bfchar'))
  }
}

/** What fontkit does beyond its types. */
interface Subset {
  includeGlyph(id: number): number
  encode(): Uint8Array
  /** It is there for PostScript outlines: returns the parts that glyphs share, in their places. */
  subsetSubrs(parts: readonly object[], used: Readonly<Record<number, boolean>>): Uint8Array[]
}

/**
 * Leaves the places of unused parts empty. Each would be a byte, and their growing positions, which compress badly, would be most
 * of a file: a font of Chinese has thousands of parts, and a name uses a few. The first keeps its byte, as readers refuse a table
 * without any.
 */
function emptyUnused(subset: Subset): void {
  const subsetSubrs = subset.subsetSubrs.bind(subset)
  subset.subsetSubrs = (parts, used) =>
    subsetSubrs(parts, used).map((part, at) => (used[at] || at === 0 ? part : new Uint8Array()))
}

/** A block has at most a hundred lines. */
function blocksOf(lines: readonly string[], kind: 'bfchar' | 'cidchar'): string {
  const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, at) => {
    const block = lines.slice(at * 100, (at + 1) * 100)
    return `${block.length} begin${kind}\n${block.join('\n')}\nend${kind}`
  })
  return blocks.join('\n')
}

function cmapOf(name: string, ordering: string, type: 1 | 2, blocks: string): string {
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >> def
/CMapName /${name} def
/CMapType ${type} def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
