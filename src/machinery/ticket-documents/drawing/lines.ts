import bidiFactory, { type Bidi } from 'bidi-js'
import type { Face, Weight } from './face.ts'
import { type Letter, Lettering, type Letters } from './letters.ts'
import type { ShapedGlyph, Shaper } from './shaper.ts'
import type { Typefaces } from './typefaces.ts'

/** A part of a line in one font and direction. */
export interface Run {
  text: string
  face: Face
  isRightToLeft: boolean
  glyphs: ShapedGlyph[]
}

/** The runs are in the order of sight, from left to right. */
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
  /** True if all of the text could be printed. */
  isComplete: boolean
}

/** The units of an em, the same for all fonts: the shaper gives those of other fonts in these. */
export const UNITS = 1000

/** Its types say that the function is a property of the import. */
const bidi = (bidiFactory as unknown as () => Bidi)()
/** Thai has no spaces between words. A dictionary knows where they end. */
const words = new Intl.Segmenter('th', { granularity: 'word' })

/** The most texts that are kept as they were set. Those of one sheet come again on the next. */
const MOST_SET = 300
/** The most parts of lines that are kept as they were shaped. */
const MOST_SHAPED = 3_000

/** Breaks texts into lines, and orders each by the Unicode Bidirectional Algorithm (UAX #9). */
export class Typesetter {
  readonly #shaper: Shaper
  readonly #lettering: Lettering
  readonly #sources = new Map<string, Source>()
  readonly #set = new Map<string, Paragraph>()
  readonly #shaped = new Map<string, ShapedGlyph[]>()

  constructor(typefaces: Typefaces, shaper: Shaper) {
    this.#shaper = shaper
    this.#lettering = new Lettering(typefaces)
  }

  /** Sets a text. @param size and `width` in points */
  set(text: string, weight: Weight, size: number, width: number): Paragraph {
    return keptIn(this.#set, MOST_SET, `${weight} ${size} ${width} ${text}`, () => {
      const source = this.#read(text, weight)
      const { isComplete, isRightToLeft } = source
      const lines = this.#break(source, (width * UNITS) / size).map(([from, to]) => {
        const runs = inOrderOfSight(source.runs(from, to)).map(run => this.#shape(run))
        return { runs, width: (widthOf(runs) * size) / UNITS }
      })
      return { lines, size, isComplete, isRightToLeft }
    })
  }

  /** Reads a text. It is set in several sizes until one fits, so everything that does not depend on the size is made once. */
  #read(text: string, weight: Weight): Source {
    return keptIn(this.#sources, MOST_SET, `${weight} ${text}`, () => {
      const letters = this.#lettering.lettersOf(text, weight)
      const source = new Source(letters)
      source.measure(run => this.#shape(run).glyphs)
      return source
    })
  }

  /**
   * Breaks a text into lines.
   *
   * @returns the first letter of each line, and the one after its last. Spaces at its end belong to no line
   */
  #break(source: Source, width: number): [from: number, to: number][] {
    const lines: [number, number][] = []
    const { breaks } = source
    const end = breaks.at(-1) ?? 0
    let at = 0
    for (let from = 0; from < end; ) {
      while ((breaks[at] as number) <= from) at++
      const fits = this.#last(source, from, width, [at - 1, breaks.length - 1], each => breaks[each] ?? from)
      // A word wider than a line is cut, after one letter at the least.
      const to =
        fits >= at
          ? (breaks[fits] as number)
          : this.#last(source, from, width, [from + 1, (breaks[at] as number) - 1], letter => letter)
      lines.push([from, source.withoutSpaces(from, to)])
      from = to
    }
    return lines
  }

  /**
   * Returns the last place up to which a line fits. Letters that the end of a line separates may have other shapes. So the width
   * in the whole text finds the place, and the width of the line itself decides.
   *
   * @param between the first of these is returned if no other fits
   * @param toLetter returns the letter before which a place is
   */
  #last(
    source: Source,
    from: number,
    width: number,
    [first, end]: readonly [number, number],
    toLetter: (place: number) => number,
  ): number {
    let fits = first
    let tooWide = end + 1
    while (tooWide - fits > 1) {
      const middle = (fits + tooWide) >> 1
      if (source.estimate(from, toLetter(middle)) > width) tooWide = middle
      else fits = middle
    }
    while (fits > first && this.#measure(source, from, toLetter(fits)) > width) fits--
    while (fits < end && this.#measure(source, from, toLetter(fits + 1)) <= width) fits++
    return fits
  }

  /** Measures a line without the spaces at its end. */
  #measure(source: Source, from: number, to: number): number {
    return widthOf(source.runs(from, source.withoutSpaces(from, to)).map(run => this.#shape(run)))
  }

  #shape({ letters, level }: LetterRun): Run {
    const { face } = letters[0] as Letter
    const text = letters.map(letter => letter.text).join('')
    const isRightToLeft = level % 2 === 1
    const direction = isRightToLeft ? 'rtl' : 'ltr'
    const glyphs = keptIn(this.#shaped, MOST_SHAPED, `${face.font} ${direction} ${text}`, () =>
      this.#shaper.shape(face.font, text, direction),
    )
    return { text, face, isRightToLeft, glyphs }
  }
}

/** Keeps what was made. It forgets everything once there is too much, as texts that come again are soon kept again. */
function keptIn<Value>(kept: Map<string, Value>, most: number, name: string, make: () => Value): Value {
  let found = kept.get(name)
  if (found === undefined) {
    found = make()
    if (kept.size >= most) kept.clear()
    kept.set(name, found)
  }
  return found
}

/** Letters of one font, script and level. */
interface LetterRun {
  letters: Letter[]
  level: number
}

/** A text that is put into lines. */
class Source {
  readonly isComplete: boolean
  readonly isRightToLeft: boolean
  /** The letters before which a line may break, in their order, and the end. */
  readonly breaks: readonly number[]
  readonly #letters: readonly Letter[]
  readonly #levels: readonly number[]
  /** The width in units of everything before each letter, if all of the text is on one line. */
  readonly #widths: Float64Array

  constructor({ letters, isComplete }: Letters) {
    const text = letters.map(letter => letter.text).join('')
    const { levels, paragraphs } = bidi.getEmbeddingLevels(text, 'auto')
    this.isComplete = isComplete
    this.isRightToLeft = (paragraphs[0]?.level ?? 0) % 2 === 1
    this.#letters = letters
    this.#widths = new Float64Array(letters.length + 1)
    let at = 0
    const starts = letters.map(letter => {
      at += letter.text.length
      return at - letter.text.length
    })
    this.#levels = starts.map(start => levels[start] as number)
    const ends = wordEnds(text)
    const breaks = starts.flatMap((start, index) => (index > 0 && ends.has(start) ? [index] : []))
    this.breaks = letters.length > 0 ? [...breaks, letters.length] : breaks
  }

  /** Shapes all of the text on one line, to measure it. */
  measure(shape: (run: LetterRun) => readonly ShapedGlyph[]): void {
    let first = 0
    for (const run of this.runs(0, this.#letters.length)) {
      const letterAt = run.letters.flatMap(({ text }, at) => Array<number>(text.length).fill(first + at))
      for (const { cluster, advance } of shape(run)) {
        const letter = letterAt[cluster] as number
        this.#widths[letter + 1] = (this.#widths[letter + 1] as number) + advance
      }
      first += run.letters.length
    }
    for (let letter = 1; letter < this.#widths.length; letter++) {
      this.#widths[letter] = (this.#widths[letter] as number) + (this.#widths[letter - 1] as number)
    }
  }

  /** Returns the width in units, approximately. */
  estimate(from: number, to: number): number {
    return (this.#widths[this.withoutSpaces(from, to)] as number) - (this.#widths[from] as number)
  }

  /** Returns where a line ends, before the spaces at its end. */
  withoutSpaces(from: number, to: number): number {
    let last = to
    while (last > from && this.#letters[last - 1]?.text === ' ') last--
    return last
  }

  runs(from: number, to: number): LetterRun[] {
    const runs: LetterRun[] = []
    let script: string | undefined
    for (let at = from; at < to; at++) {
      const letter = this.#letters[at] as Letter
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

/** Ends of words that have no space behind them: of Chinese and Japanese, and their punctuation. */
const IDEOGRAPHIC_END =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3001\u3002\uff0c\uff0e\uff1a\uff1b\uff01\uff1f\u300d\u300f\uff09]$/u
/** No line begins with these: punctuation, small letters and marks that belong to the letter before. */
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}\p{M}\u30fc\u3005\p{Zs}]/u

/** Returns where a line may end: after a space or a hyphen, and between two words of Thai, Chinese or Japanese. */
function wordEnds(text: string): Set<number> {
  const ends = new Set<number>()
  for (const { index, segment } of words.segment(text)) {
    const end = index + segment.length
    if (/[\s\-\u2010\u2013\u2014]$/u.test(segment)) ends.add(end)
    else if (/\p{sc=Thai}$/u.test(segment) && /^\p{sc=Thai}/u.test(text.slice(end))) ends.add(end)
    else if (IDEOGRAPHIC_END.test(segment) && !NEVER_FIRST.test(text.slice(end))) ends.add(end)
  }
  return ends
}

/** Orders the runs by rule L2 of UAX #9. */
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

/** Returns the width in units. */
function widthOf(runs: readonly Run[]): number {
  let width = 0
  for (const { glyphs } of runs) for (const { advance } of glyphs) width += advance
  return width
}
