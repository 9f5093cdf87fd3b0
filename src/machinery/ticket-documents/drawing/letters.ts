import type { Face, Weight } from './face.ts'
import { type Region, regionOf } from './region.ts'
import type { Typefaces } from './typefaces.ts'
import { IGNORABLE } from './typefaces.ts'

/** A unit that a reader takes for one letter, with its marks. */
export interface Letter {
  text: string
  face: Face
  /** The script of the letter. It is undefined for what any script has, such as a digit. */
  script: string | undefined
}

export interface Letters {
  letters: Letter[]
  /** True if the letters contain all of the text. */
  isComplete: boolean
}

/** The text in place of letters that no font has. */
const OMISSION = '[…]'
/** The most marks on one letter. More would grow over other lines. */
const MAX_MARKS = 3

/** The fonts that are carried have the scripts of the first line, and the others may be those of a server. */
const scripts = [
  ...['Latin', 'Greek', 'Cyrillic', 'Devanagari', 'Arabic', 'Hebrew', 'Thai'],
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo', 'Armenian', 'Georgian', 'Bengali', 'Gujarati'],
  ...['Gurmukhi', 'Kannada', 'Malayalam', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Khmer', 'Lao', 'Myanmar'],
  ...['Ethiopic', 'Tibetan', 'Mongolian', 'Thaana', 'Syriac'],
].map(name => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The printable form of one letter of a text. */
interface Printed {
  letter: Letter | undefined
  isVisible: boolean
  /** True if the form contains the whole letter. */
  isComplete: boolean
  /** True if the missing letter is marked in print. */
  isMissed: boolean
}

/** The most letters that are kept. The names of a whole document use a few hundred. */
const MOST_CACHED = 10_000

/** Turns texts into letters that can be printed. */
export class Lettering {
  readonly #typefaces: Typefaces
  readonly #cached = new Map<string, Printed>()

  constructor(typefaces: Typefaces) {
    this.#typefaces = typefaces
  }

  /**
   * Returns a text as letters that can be printed. A letter that no font has is left out, and its place is marked if it is more
   * than a picture or a sign. Control characters are left out without a mark.
   */
  lettersOf(text: string, weight: Weight): Letters {
    const letters: Letter[] = []
    let isComplete = true
    let isOmitting = false
    const printed = text
      .toWellFormed()
      .normalize('NFC')
      .replace(/\s+/gu, ' ')
      .replace(/\p{Cc}/gu, '')
      .trim()
    const region = regionOf(printed)
    for (const { segment } of graphemes.segment(printed)) {
      const found = this.#find(segment, weight, region)
      if (!found.isComplete) isComplete = false
      if (found.letter !== undefined) {
        letters.push(found.letter)
        if (found.isVisible) isOmitting = false
      } else if (found.isMissed && !isOmitting) {
        isOmitting = true
        letters.push(...this.#omission(weight, region))
      }
    }
    if (!isComplete && letters.length === 0) letters.push(...this.#omission(weight, region))
    return { letters: withoutOuterSpace(letters), isComplete }
  }

  #omission(weight: Weight, region: Region): Letter[] {
    return [...OMISSION].flatMap(char => this.#find(char, weight, region).letter ?? [])
  }

  #find(segment: string, weight: Weight, region: Region): Printed {
    const name = `${weight} ${region} ${segment}`
    let found = this.#cached.get(name)
    if (found === undefined) {
      found = this.#print(segment, weight, region)
      if (this.#cached.size >= MOST_CACHED) this.#cached.clear()
      this.#cached.set(name, found)
    }
    return found
  }

  #print(segment: string, weight: Weight, region: Region): Printed {
    const text = limitMarks(segment)
    const isUncut = text === segment
    if (isInvisible(text)) {
      const letter = /\p{Bidi_Control}/u.test(text) ? this.#letter(text, weight, region) : undefined
      return { letter, isVisible: false, isComplete: isUncut, isMissed: false }
    }
    const letter = /[\p{Co}\ufffd]/u.test(text) ? undefined : this.#letter(text, weight, region)
    if (letter !== undefined) return { letter, isVisible: true, isComplete: isUncut, isMissed: false }
    const isMissed = /[\p{L}\p{N}\p{Co}\p{Cn}\ufffd]/u.test(text)
    return { letter, isVisible: true, isComplete: false, isMissed }
  }

  #letter(text: string, weight: Weight, region: Region): Letter | undefined {
    const face = this.#typefaces.find(text, weight, region)
    return face && { text, face, script: scriptOf(text) }
  }
}

function isInvisible(part: string): boolean {
  return [...part].every(char => IGNORABLE.test(char))
}

function limitMarks(part: string): string {
  let marks = 0
  return [...part].filter(char => !/\p{Mn}/u.test(char) || ++marks <= MAX_MARKS).join('')
}

function scriptOf(part: string): string | undefined {
  return scripts.find(([, pattern]) => pattern.test(part))?.[0]
}

/** Removes spaces at the ends and double spaces, which remain when a letter is left out. */
function withoutOuterSpace(letters: readonly Letter[]): Letter[] {
  const isSpace = (letter: Letter | undefined) => letter?.text === ' '
  return letters.filter(
    (letter, at) => !(isSpace(letter) && (at === 0 || at === letters.length - 1 || isSpace(letters[at - 1]))),
  )
}
