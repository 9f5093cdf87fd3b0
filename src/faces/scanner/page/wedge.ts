/**
 * A scanner that types. It believes in one layout of keys and the phone or computer in another, and Caps Lock turns all letters
 * around: a burst is read in every way that is likely, and what verifies was meant.
 */
export interface Stroke {
  key: string
  code: string
  shift: boolean
  /** Milliseconds. */
  at: number
}

/** A longer pause ends a burst: nobody types that fast, and no scanner that slowly. Milliseconds. */
const LONGEST_PAUSE = 100
/** Fewer characters are typed by hand. */
const SHORTEST = 12

/** By physical key, plain and with Shift. */
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

export class Wedge {
  #strokes: Stroke[] = []

  /**
   * Takes a key that was pressed.
   *
   * @returns when it ends a burst, every text that it may have been, the likeliest first
   */
  take(stroke: Stroke): string[] | undefined {
    const last = this.#strokes.at(-1)
    if (last !== undefined && stroke.at - last.at > LONGEST_PAUSE) this.#strokes = []
    if (stroke.key === 'Enter' || stroke.key === 'Tab') {
      const strokes = this.#strokes
      this.#strokes = []
      return strokes.length < SHORTEST ? undefined : readings(strokes)
    }
    if (stroke.key.length === 1 || /^(Key|Digit|Numpad)/.test(stroke.code)) this.#strokes.push(stroke)
    return undefined
  }

  /** Whether a burst is under way: what it types is for no field. */
  get isBusy(): boolean {
    return this.#strokes.length >= 4
  }
}

/** Every text that keys may have meant, each once. */
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

/** As with Caps Lock. */
function turnCase(text: string): string {
  return [...text]
    .map(char => (char === char.toUpperCase() ? char.toLowerCase() : char.toUpperCase()))
    .join('')
}
