import { brotliDecompressSync } from 'node:zlib'
import type { Shaper } from './shaper.ts'

export const weights = ['regular', 'bold'] as const
export type Weight = (typeof weights)[number]

/** One weight of one font. */
export interface Face {
  name: string
  /** As the shaper knows it. */
  font: number
  file: Uint8Array
}

/** The fonts, and what is written in each: in this order, so that a digit is one of the first wherever it stands. */
const written = [
  [
    'sans',
    /\p{scx=Latin}|\p{scx=Greek}|\p{scx=Cyrillic}|\p{scx=Devanagari}|\p{scx=Common}|\p{scx=Inherited}/u,
  ],
  ['arabic', /\p{scx=Arabic}/u],
  ['hebrew', /\p{scx=Hebrew}/u],
  ['thai', /\p{scx=Thai}/u],
] as const

/** Not drawn, and in no need of a glyph: marks of direction, joiners, soft hyphens. */
export const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u

/** Of all that is printed, with each opened when it is first needed. */
export class Typefaces {
  readonly #shaper: Shaper
  readonly #files: ReadonlyMap<string, Uint8Array>
  readonly #open = new Map<string, Face>()

  /** @param files by `sans-regular` and so on, compressed with Brotli */
  constructor(shaper: Shaper, files: ReadonlyMap<string, Uint8Array>) {
    this.#shaper = shaper
    this.#files = files
  }

  /** The font that has all of a letter with its marks; undefined where none has. */
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
