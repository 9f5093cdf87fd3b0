import type { Face, Typefaces, Weight } from './typefaces.ts'
import { IGNORABLE } from './typefaces.ts'

/** What a reader takes for one letter, with its marks. */
export interface Letter {
  text: string
  face: Face
  /** Of its writing; undefined for what any writing has, such as a digit. */
  script: string | undefined
}

export interface Letters {
  letters: Letter[]
  /** Whether all of the text is there. */
  isWhole: boolean
}

/** Stands for letters that no font has. */
const OMISSION = '[…]'
/** On one letter: more would grow over other lines. */
const MAX_MARKS = 3

const scripts = ['Latin', 'Greek', 'Cyrillic', 'Devanagari', 'Arabic', 'Hebrew', 'Thai'].map(
  name => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const,
)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A text as letters that can be printed. What no font has is left out, and marked where it is more than a picture or a sign; control
 * characters are left out without a word.
 */
export function lettersOf(typefaces: Typefaces, text: string, weight: Weight): Letters {
  const letters: Letter[] = []
  let isWhole = true
  let isOmitting = false
  const add = (part: string) => {
    const face = typefaces.find(part, weight)
    if (face === undefined) return false
    letters.push({ text: part, face, script: scriptOf(part) })
    return true
  }
  const printed = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
  for (const { segment } of graphemes.segment(printed)) {
    const part = limitMarks(segment)
    if (part !== segment) isWhole = false
    if (isInvisible(part)) {
      if (/\p{Bidi_Control}/u.test(part)) add(part)
    } else if (!/[\p{Co}\ufffd]/u.test(part) && add(part)) {
      isOmitting = false
    } else {
      isWhole = false
      if (!isOmitting && /[\p{L}\p{N}\p{Co}\p{Cn}\ufffd]/u.test(part)) {
        isOmitting = true
        for (const char of OMISSION) add(char)
      }
    }
  }
  if (!isWhole && letters.length === 0) for (const char of OMISSION) add(char)
  return { letters: withoutOuterSpace(letters), isWhole }
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

/** What is left out may have stood between two spaces, or at an end. */
function withoutOuterSpace(letters: readonly Letter[]): Letter[] {
  const isSpace = (letter: Letter | undefined) => letter?.text === ' '
  return letters.filter(
    (letter, at) => !(isSpace(letter) && (at === 0 || at === letters.length - 1 || isSpace(letters[at - 1]))),
  )
}
