import { brotliDecompressSync } from 'node:zlib'
import type { Face, Weight } from './face.ts'
import type { OutsideFonts } from './outside-fonts.ts'
import type { Region } from './region.ts'
import type { Shaper } from './shaper.ts'

/** The fonts, and the scripts of each. The order matters: a digit takes the first font, wherever it is. */
const written = [
  [
    'sans',
    /\p{scx=Latin}|\p{scx=Greek}|\p{scx=Cyrillic}|\p{scx=Devanagari}|\p{scx=Common}|\p{scx=Inherited}/u,
  ],
  ['arabic', /\p{scx=Arabic}/u],
  ['hebrew', /\p{scx=Hebrew}/u],
  ['thai', /\p{scx=Thai}/u],
] as const

/** Matches characters that are not drawn and need no glyph: marks of direction, joiners, soft hyphens. */
export const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u

/** The fonts for everything that is printed. Each is opened when it is first needed. */
export class Typefaces {
  readonly #shaper: Shaper
  readonly #files: ReadonlyMap<string, Uint8Array>
  readonly #outside: OutsideFonts | undefined
  readonly #open = new Map<string, Face>()

  /** Makes the fonts. @param files by names such as `sans-regular`, compressed with Brotli */
  constructor(shaper: Shaper, files: ReadonlyMap<string, Uint8Array>, outside?: OutsideFonts) {
    this.#shaper = shaper
    this.#files = files
    this.#outside = outside
  }

  /** Returns the font that has a whole letter with its marks, or undefined if none has. */
  find(letter: string, weight: Weight, region: Region): Face | undefined {
    const shown = [...letter].filter(char => !IGNORABLE.test(char))
    const characters = shown.map(char => char.codePointAt(0) as number)
    for (const [name, script] of written) {
      if (!shown.every(char => script.test(char))) continue
      const face = this.#face(name, weight)
      if (characters.every(character => this.#shaper.hasGlyph(face.font, character))) return face
    }
    return this.#outside?.find(characters, weight, region)
  }

  #face(family: string, weight: Weight): Face {
    const name = `${family}-${weight}`
    let face = this.#open.get(name)
    if (face === undefined) {
      const file = brotliDecompressSync(this.#files.get(name) as Uint8Array)
      face = {
        ...{ name, isBold: weight === 'bold', isOutside: false, hasPostScriptOutlines: false },
        ...{ font: this.#shaper.open(file), outlines: name, file: () => file },
      }
      this.#open.set(name, face)
    }
    return face
  }
}
