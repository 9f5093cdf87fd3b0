import type { Stroke } from '#faces/scanner/page/wedge.ts'

const PLACES: Record<string, string> = {
  '.': 'Period',
  ' ': 'Space',
  '-': 'Minus',
  ':': 'Semicolon',
  '/': 'Slash',
}

/**
 * Returns what a scanner types, a millisecond a key: the places of keys on an American keyboard, and what the system makes of
 * each.
 */
export function strokes(
  text: string,
  seen: (char: string) => string = char => char,
  place: (char: string) => string = char => char,
): Stroke[] {
  return [...text].map((char, at) => {
    const placed = place(char)
    const code = PLACES[placed] ?? (/\d/.test(placed) ? `Digit${placed}` : `Key${placed.toUpperCase()}`)
    return { key: seen(char), code, shift: /[A-Z]/.test(char), at }
  })
}
