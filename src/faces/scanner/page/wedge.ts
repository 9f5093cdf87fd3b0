import { CODE_LENGTH, CODE_PREFIX, isFragment } from './codes.ts'

/**
 * A keyboard scanner assumes one layout of keys, the phone or computer may have another, and Caps Lock swaps the case of all
 * letters. So a burst is read in every likely way, and the text that verifies was meant.
 */
export interface Stroke {
  key: string
  code: string
  shift: boolean
  /** In milliseconds. */
  at: number
}

/** A text that is not a code ends with a longer pause than these milliseconds. No person types that fast. */
const LONGEST_PAUSE = 100
/** A cheap scanner stops within a code, so a code waits this many milliseconds for its next key. */
export const CODE_PAUSE = 1000
/** A person takes longer than this many milliseconds for a key, over a whole text. */
const LONGEST_MEAN = 35
/** Shorter texts that are not codes are typed by hand. */
const SHORTEST = 12
/** The rest of a code is ignored for this many milliseconds after its beginning was said to be incomplete. */
const REST = 5000
/** No code of any kind has more keys. */
const MOST_KEPT = 1000
/** After these keys a text is another one than what the keys say. */
const EDITING = /^(Backspace|Delete|Home|End|Arrow)/

/** A layout has the characters of each physical key, plain and with Shift. */
type Layout = Readonly<Record<string, readonly [string, string]>>

const letters: [string, readonly [string, string]][] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map(letter => [
  `Key${letter}`,
  [letter.toLowerCase(), letter],
])
const digitsWithShift = [...')!@#$%^&*('].map((shifted, digit): [string, [string, string]] => [
  `Digit${digit}`,
  [String(digit), shifted],
])
const us: Layout = Object.fromEntries([
  ...letters,
  ...digitsWithShift,
  ['Period', ['.', '>']],
  ['Comma', [',', '<']],
  ['Minus', ['-', '_']],
  ['Equal', ['=', '+']],
  ['Slash', ['/', '?']],
  ['Semicolon', [';', ':']],
])
const german: Layout = {
  ...us,
  KeyY: ['z', 'Z'],
  KeyZ: ['y', 'Y'],
  Digit0: ['0', '='],
  Digit7: ['7', '/'],
  Period: ['.', ':'],
  Slash: ['-', '_'],
  Backslash: ['#', "'"],
}
const french: Layout = {
  ...us,
  ...Object.fromEntries([...'0123456789'].map(digit => [`Digit${digit}`, ['', digit]])),
  KeyA: ['q', 'Q'],
  KeyQ: ['a', 'A'],
  KeyW: ['z', 'Z'],
  KeyZ: ['w', 'W'],
  Semicolon: ['m', 'M'],
  KeyM: [',', '?'],
  Comma: [';', '.'],
  Period: [':', '/'],
}
const layouts = [us, german, french]

/** Keys that belong together. */
export interface Burst {
  /** Everything that the keys may mean, the likeliest first. It is empty if the keys only follow what was taken already. */
  texts: string[]
  /** Whether the keys came as slowly as a person presses them. Then they are for the field that has the focus. */
  isByHand: boolean
}

/**
 * Tells a scanner's keys from a person's. A text that begins like a code is one, however much the scanner stops within it, and
 * is taken when it is complete. Any other text is a scanner's if it came fast and ended with Enter or Tab.
 */
export class Wedge {
  #strokes: Stroke[] = []
  #isCode = false
  /** When a complete code was taken, whose Enter may follow. */
  #takenAt: number | undefined
  /** When the beginning of a code was given up, whose rest may follow. */
  #gaveUpAt: number | undefined

  /** Whether `expire` has to be called if no key follows for `CODE_PAUSE`. */
  get isPending(): boolean {
    return this.#isCode || this.#strokes.length >= SHORTEST
  }

  /** Takes a key that was pressed, and returns what it ends, if it ends something. */
  take(stroke: Stroke): Burst | undefined {
    const last = this.#strokes.at(-1)
    if (last !== undefined && stroke.at - last.at > CODE_PAUSE) this.#clear()
    if (stroke.key === 'Enter' || stroke.key === 'Tab') return this.#end(stroke)
    if (EDITING.test(stroke.key)) this.#clear()
    if (stroke.key.length !== 1 && !/^(Key|Digit|Numpad)/.test(stroke.code)) return undefined
    this.#takenAt = undefined
    this.#strokes = [...this.#strokes.slice(1 - MOST_KEPT), stroke]
    const begin = this.#strokes.slice(-CODE_PREFIX.length)
    if (readings(begin).some(text => text.toUpperCase() === CODE_PREFIX)) {
      // What a person typed before, or what is left of an incomplete code, does not belong to it.
      this.#strokes = begin
      this.#isCode = true
    }
    if (!this.#isCode || this.#strokes.length < CODE_LENGTH) return undefined
    const texts = readings(this.#strokes)
    this.#clear()
    this.#takenAt = stroke.at
    return { texts, isByHand: false }
  }

  /**
   * Ends what no key has followed for `CODE_PAUSE`, because some scanners send no Enter.
   *
   * @param at in milliseconds
   */
  expire(at: number): Burst | undefined {
    const strokes = this.#strokes
    const isRest = this.#isRest()
    const isIncomplete = this.#isCode || readings(strokes).some(isFragment)
    this.#clear()
    if (!isIncomplete || isRest) return undefined
    const isByHand = isSlow(strokes)
    if (!isByHand) this.#gaveUpAt = at
    return { texts: readings(strokes), isByHand }
  }

  #end({ at }: Stroke): Burst | undefined {
    if (this.#takenAt !== undefined && at - this.#takenAt <= CODE_PAUSE) return { texts: [], isByHand: false }
    const [strokes, isCode, isRest] = [this.#strokes, this.#isCode, this.#isRest()]
    this.#clear()
    if (isRest) return { texts: [], isByHand: isSlow(strokes) }
    if (isCode) return { texts: readings(strokes), isByHand: isSlow(strokes) }
    const fast = lastRun(strokes, at)
    if (fast.length < SHORTEST) return undefined
    const took = at - (fast[0]?.at ?? at)
    return { texts: readings(fast), isByHand: took > LONGEST_MEAN * fast.length }
  }

  #isRest(): boolean {
    const [first] = this.#strokes
    if (first === undefined || this.#gaveUpAt === undefined || this.#isCode) return false
    return first.at - this.#gaveUpAt <= REST
  }

  #clear(): void {
    this.#strokes = []
    this.#isCode = false
  }
}

/** Returns the last keys without a long pause between them, up to a key at an instant. */
function lastRun(strokes: readonly Stroke[], end: number): readonly Stroke[] {
  const isLate = (stroke: Stroke, at: number) => (strokes[at + 1]?.at ?? end) - stroke.at > LONGEST_PAUSE
  return strokes.slice(strokes.findLastIndex(isLate) + 1)
}

/** A scanner stops now and then, a person at nearly every key. */
function isSlow(strokes: readonly Stroke[]): boolean {
  const long = strokes.filter(({ at }, next) => at - (strokes[next - 1]?.at ?? at) > LONGEST_PAUSE)
  return long.length > strokes.length / 2
}

/** Returns every text that the keys may mean, each once. */
export function readings(strokes: readonly Stroke[]): string[] {
  const typed = strokes.map(({ key }) => (key.length === 1 ? key : '')).join('')
  const byPlace = layouts.map(layout => strokes.map(stroke => at(layout, stroke)).join(''))
  return [...new Set([typed, ...byPlace, turnCase(typed), ...byPlace.map(turnCase)])].filter(
    text => text !== '',
  )
}

function at(layout: Layout, { code, shift, key }: Stroke): string {
  const numpad = /^Numpad(\d)$/.exec(code)?.[1]
  if (numpad !== undefined) return numpad
  return layout[code]?.[shift ? 1 : 0] ?? (key.length === 1 ? key : '')
}

/** Swaps the case, as Caps Lock does. */
function turnCase(text: string): string {
  return [...text]
    .map(char => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()))
    .join('')
}
