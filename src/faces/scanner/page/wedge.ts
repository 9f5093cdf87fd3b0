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

/** A pause of more milliseconds than this ends a burst. No person types that fast, and no scanner that slowly. */
const LONGEST_PAUSE = 100
/** Shorter texts are typed by hand. */
const SHORTEST = 12

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

export class Wedge {
  #strokes: Stroke[] = []

  /**
   * Takes a key that was pressed.
   *
   * @returns if it ends a burst, every text that the burst may mean, the likeliest first
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

  /** Returns whether a burst is under way, whose text is for no field. */
  get isBusy(): boolean {
    return this.#strokes.length >= 4
  }
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
