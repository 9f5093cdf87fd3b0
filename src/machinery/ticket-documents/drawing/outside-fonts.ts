import { type Coverage, covers, readCoverage } from './coverage.ts'
import type { Face, Weight } from './face.ts'
import {
  type FontEntry,
  hasPostScriptOutlines,
  outlinesOf,
  readOutlines,
  readShaping,
  readTable,
} from './font-file.ts'
import { describeFault, readFontFolder } from './font-folder.ts'
import type { Region } from './region.ts'
import type { Shaper } from './shaper.ts'

/** How families name the writing of a region. */
const NAMED: Record<Region, RegExp> = {
  china: /\b(SC|CN|GB)\b/,
  taiwan: /\b(TC|TW|HK|Big5)\b/,
  japan: /\b(JP|J)\b/,
  korea: /\b(KR|K)\b/,
}

const WEIGHTS: Record<Weight, number> = { regular: 400, bold: 700 }

/**
 * The fonts of the server's folder, for letters that no carried font has. The folder is read when such a letter is first met, and
 * a font when it has the letter: what shapes a text goes to the shaper, and outlines are read once they are embedded.
 */
export class OutsideFonts {
  readonly #shaper: Shaper
  readonly #folder: string
  readonly #warn: (sentence: string) => void
  #entries: FontEntry[] | undefined
  readonly #ordered = new Map<string, FontEntry[]>()
  readonly #coverages = new Map<string, Coverage>()
  readonly #faces = new Map<FontEntry, Face>()
  readonly #outlines = new Map<string, Uint8Array>()

  constructor(shaper: Shaper, folder: string, warn: (sentence: string) => void) {
    this.#shaper = shaper
    this.#folder = folder
    this.#warn = warn
  }

  /** Returns the font that has all these characters and fits best, or undefined if none has. */
  find(characters: readonly number[], weight: Weight, region: Region): Face | undefined {
    for (const entry of this.#inOrder(weight, region)) {
      try {
        const coverage = this.#coverageOf(entry)
        if (!characters.every(character => covers(coverage, character))) continue
        const face = this.#open(entry)
        if (characters.every(character => this.#shaper.hasGlyph(face.font, character))) return face
      } catch (error) {
        this.#giveUp(entry.path, error)
      }
    }
    return undefined
  }

  /** Uses a file no longer, because its outlines are broken. */
  drop({ name }: Face): void {
    this.#giveUp(name, undefined)
  }

  #giveUp(path: string, error: unknown): void {
    this.#warn(describeFault(path, error))
    this.#entries = this.#entries?.filter(entry => entry.path !== path)
    this.#ordered.clear()
  }

  #inOrder(weight: Weight, region: Region): FontEntry[] {
    this.#entries ??= readFontFolder(this.#folder).entries
    const name = `${weight} ${region}`
    let ordered = this.#ordered.get(name)
    if (ordered === undefined) {
      const rank = (entry: FontEntry) => rankOf(entry, weight, region)
      ordered = this.#entries.toSorted((a, b) => rank(a) - rank(b))
      this.#ordered.set(name, ordered)
    }
    return ordered
  }

  #coverageOf(entry: FontEntry): Coverage {
    const name = `${entry.path}:${entry.tables.get('cmap')?.offset}`
    let coverage = this.#coverages.get(name)
    if (coverage === undefined) {
      coverage = readCoverage(readTable(entry, 'cmap'))
      this.#coverages.set(name, coverage)
    }
    return coverage
  }

  #open(entry: FontEntry): Face {
    let face = this.#faces.get(entry)
    if (face === undefined) {
      face = {
        name: entry.path,
        isBold: entry.weight >= 600,
        isOutside: true,
        hasPostScriptOutlines: hasPostScriptOutlines(entry),
        font: this.#shaper.open(readShaping(entry)),
        outlines: outlinesOf(entry),
        file: () => this.#outlinesOf(entry),
      }
      this.#faces.set(entry, face)
    }
    return face
  }

  #outlinesOf(entry: FontEntry): Uint8Array {
    const name = outlinesOf(entry)
    let outlines = this.#outlines.get(name)
    if (outlines === undefined) {
      outlines = readOutlines(entry)
      this.#outlines.set(name, outlines)
    }
    return outlines
  }
}

/** Returns how badly a font fits: the region matters most, then that it has no serifs, then its weight. */
function rankOf({ family, weight }: FontEntry, wanted: Weight, region: Region): number {
  const isOfRegion = NAMED[region].test(family)
  const manner = /mono|code/i.test(family) ? 2 : /serif|song|ming|mincho/i.test(family) ? 1 : 0
  return (isOfRegion ? 0 : 10_000) + manner * 2_000 + Math.abs(weight - WEIGHTS[wanted])
}
