import { brotliDecompressSync } from 'node:zlib'
import type { Shaper } from './shaper.ts'

export const weights = ['regular', 'bold'] as const
export type Weight = (typeof weights)[number]

/** One weight of one font. */
export interface Face {
  name: string
  /** The number by which the shaper knows it. */
  font: number
  file: Uint8Array
}

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
  readonly #open = new Map<string, Face>()

  /** Makes the fonts. @param files by names such as `sans-regular`, compressed with Brotli */
  constructor(shaper: Shaper, files: ReadonlyMap<string, Uint8Array>) {
    this.#shaper = shaper
    this.#files = files
  }

  /** Returns the font that has a whole letter with its marks, or undefined if none has. */
  find(letter: string, weight: Weight): Face | undefined {
    const shown = [...letter].filter(char => !IGNORABLE.test(char))
    for (const [name, script] of written) {
      if (!shown.every(char => script.test(char))) continue
      const face = this.#face(`${name}-${weight}`)
      if (shown.every(char => this.#shaper.hasGlyph(face.font, char.codePointAt(0) as number))) return face
    }
    return undefined
  }

  #face(name: string): Face {
    let face = this.#open.get(name)
    if (face === undefined) {
      const file = brotliDecompressSync(this.#files.get(name) as Uint8Array)
      face = { name, file, font: this.#shaper.open(file) }
      this.#open.set(name, face)
    }
    return face
  }
}
