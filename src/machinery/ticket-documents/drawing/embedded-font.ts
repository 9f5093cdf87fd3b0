import { create, type Font } from 'fontkit'
import type PDFDocument from 'pdfkit'
import type { Shaper } from './shaper.ts'
import type { Face } from './typefaces.ts'

type Document = InstanceType<typeof PDFDocument>

/**
 * A code of a font has two bytes (ISO 32000-1, section 9.7.6.2). PDF says in hexadecimal which glyph and which text each code is.
 */
const hex = (number: number) => number.toString(16).padStart(4, '0')

/** Returns the text as UTF-16, big-endian, in hexadecimal. */
export function hexOfText(text: string): string {
  return Array.from({ length: text.length }, (_, at) => hex(text.charCodeAt(at))).join('')
}

const fonts = new WeakMap<Face, Font>()

/** Reads each font once, because that takes longer than embedding some of its glyphs. */
function opened(face: Face): Font {
  let font = fonts.get(face)
  if (font === undefined) {
    font = create(Buffer.from(face.file)) as Font
    fonts.set(face, font)
  }
  return font
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

  /** Writes the font into the document, once no more text is written with it. */
  end(): void {
    const font = opened(this.#face)
    const subset = font.createSubset() as unknown as {
      includeGlyph(id: number): number
      encode(): Uint8Array
    }
    const glyphs = [0, ...this.#used.map(({ glyph }) => subset.includeGlyph(glyph))]
    const file = this.#document.ref({})
    file.end(Buffer.from(subset.encode()))
    const map = this.#document.ref({})
    map.end(Buffer.from(glyphs.map(hex).join(''), 'hex'))
    const toUnicode = this.#document.ref({})
    toUnicode.end(this.#toUnicode())
    const name = `TICKET+${font.postscriptName}`
    const descendant = this.#document.ref({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: name,
      CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
      FontDescriptor: this.#descriptor(font, name, file),
      W: [1, this.#used.map(({ glyph }) => this.#shaper.advanceOf(this.#face.font, glyph))],
      CIDToGIDMap: map,
    })
    descendant.end(undefined)
    Object.assign(this.reference.data, {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: toUnicode,
    })
    this.reference.end(undefined)
  }

  #descriptor(font: Font, name: string, file: PDFKit.PDFKitReference): PDFKit.PDFKitReference {
    const { minX, minY, maxX, maxY } = font.bbox
    const descriptor = this.#document.ref({
      Type: 'FontDescriptor',
      FontName: name,
      Flags: SYMBOLIC,
      FontBBox: [minX, minY, maxX, maxY],
      ItalicAngle: 0,
      Ascent: font.ascent,
      Descent: font.descent,
      CapHeight: font.capHeight,
      StemV: this.#face.name.endsWith('bold') ? 140 : 80,
      FontFile2: file,
    })
    descriptor.end(undefined)
    return descriptor
  }

  #toUnicode(): string {
    const lines = this.#used.map(({ text }, at) => `<${hex(at + 1)}> <${hexOfText(text)}>`)
    const blocks = Array.from({ length: Math.ceil(lines.length / 100) }, (_, at) => {
      const block = lines.slice(at * 100, (at + 1) * 100)
      return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`
    })
    return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
  }
}
