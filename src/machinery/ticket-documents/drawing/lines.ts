import bidiFactory, { type Bidi } from 'bidi-js'
import { type Letter, type Letters, lettersOf } from './letters.ts'
import type { ShapedGlyph, Shaper } from './shaper.ts'
import type { Face, Typefaces, Weight } from './typefaces.ts'

/** A part of a line in one font and direction. */
export interface Run {
  text: string
  face: Face
  isRightToLeft: boolean
  glyphs: ShapedGlyph[]
}

/** In the order of sight, from left to right. */
export interface Line {
  runs: Run[]
  /** In points. */
  width: number
}

/** A text in lines. */
export interface Paragraph {
  lines: Line[]
  size: number
  isRightToLeft: boolean
  /** Whether all of the text could be printed. */
  isWhole: boolean
}

/** Of all fonts here, to the em. */
export const UNITS = 1000

/** Its types say that the function is a property of what is imported. */
const bidi = (bidiFactory as unknown as () => Bidi)()
/** Thai has no spaces between words: where they end is in a dictionary. */
const words = new Intl.Segmenter('th', { granularity: 'word' })

/** Puts texts into lines, each by the Unicode Bidirectional Algorithm (UAX #9). */
export class Typesetter {
  readonly #typefaces: Typefaces
  readonly #shaper: Shaper

  constructor(typefaces: Typefaces, shaper: Shaper) {
    this.#typefaces = typefaces
    this.#shaper = shaper
  }

  /** @param size and `width` in points */
  set(text: string, weight: Weight, size: number, width: number): Paragraph {
    const { letters, isWhole } = lettersOf(this.#typefaces, text, weight)
    const { levels, paragraphs } = bidi.getEmbeddingLevels(
      letters.map(letter => letter.text).join(''),
      'auto',
    )
    const source = new Source(letters, levels)
    const lines = this.#break(source, (width * UNITS) / size).map(([from, to]) => {
      const runs = inOrderOfSight(source.runs(from, to)).map(run => this.#shape(run))
      return { runs, width: (widthOf(runs) * size) / UNITS }
    })
    return { lines, size, isWhole, isRightToLeft: (paragraphs[0]?.level ?? 0) % 2 === 1 }
  }

  /** @returns the first letter of each line, and the one after its last: spaces at its end are in none */
  #break(source: Source, width: number): [from: number, to: number][] {
    const { letters } = source
    const lines: [number, number][] = []
    let from = 0
    let to = 0
    const end = () => {
      let last = to
      while (last > from && letters[last - 1]?.text === ' ') last--
      lines.push([from, last])
      from = to
    }
    for (const next of source.breaks) {
      if (to > from && this.#measure(source, from, next) > width) end()
      while (this.#measure(source, from, next) > width) {
        to = this.#fit(source, from, next, width)
        end()
      }
      to = next
    }
    if (to > from) end()
    return lines
  }

  /** Where a word is cut that is wider than a line: after one letter at the least. */
  #fit(source: Source, from: number, end: number, width: number): number {
    let fits = from + 1
    let tooWide = end
    while (tooWide - fits > 1) {
      const middle = (fits + tooWide) >> 1
      if (this.#measure(source, from, middle) > width) tooWide = middle
      else fits = middle
    }
    return fits
  }

  /** Without the spaces at the end. */
  #measure(source: Source, from: number, to: number): number {
    let last = to
    while (last > from && source.letters[last - 1]?.text === ' ') last--
    return widthOf(source.runs(from, last).map(run => this.#shape(run)))
  }

  #shape({ letters, level }: LetterRun): Run {
    const { face } = letters[0] as Letter
    const text = letters.map(letter => letter.text).join('')
    const isRightToLeft = level % 2 === 1
    const glyphs = this.#shaper.shape(face.font, text, isRightToLeft ? 'rtl' : 'ltr')
    return { text, face, isRightToLeft, glyphs }
  }
}

/** Of one font, script and level. */
interface LetterRun {
  letters: Letter[]
  level: number
}

class Source {
  readonly letters: Letters['letters']
  /** After which letters a line may end, in their order, and the end. */
  readonly breaks: readonly number[]
  readonly #levels: readonly number[]

  /** @param levels of each character */
  constructor(letters: Letters['letters'], levels: Uint8Array) {
    this.letters = letters
    let at = 0
    const starts = letters.map(({ text }) => {
      at += text.length
      return at - text.length
    })
    this.#levels = starts.map(start => levels[start] as number)
    const ends = wordEnds(letters.map(({ text }) => text).join(''))
    this.breaks = starts.flatMap((start, index) => (index > 0 && ends.has(start) ? [index] : []))
    if (letters.length > 0) this.breaks = [...this.breaks, letters.length]
  }

  runs(from: number, to: number): LetterRun[] {
    const runs: LetterRun[] = []
    let script: string | undefined
    for (let at = from; at < to; at++) {
      const letter = this.letters[at] as Letter
      const level = this.#levels[at] as number
      const run = runs.at(-1)
      const isOther = letter.script !== undefined && script !== undefined && letter.script !== script
      if (run === undefined || run.level !== level || run.letters[0]?.face !== letter.face || isOther) {
        runs.push({ letters: [letter], level })
        script = letter.script
      } else {
        run.letters.push(letter)
        script ??= letter.script
      }
    }
    return runs
  }
}

/** A line may end after a space or a hyphen, and between two words of Thai. */
function wordEnds(text: string): Set<number> {
  const ends = new Set<number>()
  for (const { index, segment } of words.segment(text)) {
    const end = index + segment.length
    if (/[\s\-\u2010\u2013\u2014]$/u.test(segment)) ends.add(end)
    else if (/\p{sc=Thai}$/u.test(segment) && /^\p{sc=Thai}/u.test(text.slice(end))) ends.add(end)
  }
  return ends
}

/** Rule L2 of UAX #9. */
function inOrderOfSight(runs: readonly LetterRun[]): LetterRun[] {
  const ordered = [...runs]
  for (let level = Math.max(0, ...runs.map(run => run.level)); level > 0; level--) {
    for (let at = 0; at < ordered.length; at++) {
      const from = at
      while (at < ordered.length && (ordered[at] as LetterRun).level >= level) at++
      if (at > from) ordered.splice(from, at - from, ...ordered.slice(from, at).reverse())
    }
  }
  return ordered
}

/** In units. */
function widthOf(runs: readonly Run[]): number {
  let width = 0
  for (const { glyphs } of runs) for (const { advance } of glyphs) width += advance
  return width
}
