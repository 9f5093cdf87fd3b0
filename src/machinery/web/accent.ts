import { createHash } from 'node:crypto'
import { ASSETS_PATH } from './assets/assets.ts'
import { contrastOf, type Oklch, type Rgb, readHex, toHex, toOklch, toRgb } from './oklch.ts'

/** The least contrast of text with what is behind it (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5

/** The colours, each as `#rrggbb`, that an accent gives a page in one scheme. */
export interface AccentColours {
  /** Links, and the ground of buttons. */
  accent: string
  /** The text of buttons. */
  on: string
  /** The ground of what is chosen. */
  soft: string
}

export interface Accent {
  light: AccentColours
  dark: AccentColours
}

/** The grounds of the style sheet on which links and buttons stand, besides the soft one. */
const GROUNDS = {
  light: ['#ffffff', '#f9fafc', '#f1f4f7'],
  // Pages in the dark, and then mails.
  dark: ['#0d1116', '#161a20', '#1d2229', '#14161c', '#1d2027'],
} as const

const WHITE = '#ffffff'
/** The steps by which lightness moves. Nobody sees a smaller one. */
const STEP = 0.004

const kept = new Map<string, Accent>()
/** The most accents that are kept. An organizer has one, and few events have their own. */
const KEPT = 500

/**
 * Returns what an organizer's colour gives pages. It keeps its hue, and its chroma as far as screens show it. Its lightness moves
 * only until text in it, and text on it, can be read on every ground.
 *
 * @param colour `#rrggbb`
 */
export function accentOf(colour: string): Accent {
  let accent = kept.get(colour)
  if (accent === undefined) {
    const given = toOklch(readHex(colour))
    accent = { light: lightOf(given), dark: darkOf(given) }
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string)
    kept.set(colour, accent)
  }
  return accent
}

function lightOf(given: Oklch): AccentColours {
  const soft = toHex(toRgb({ ...given, lightness: 0.95, chroma: Math.min(given.chroma, 0.022) }))
  return { accent: moved(given, -STEP, [...GROUNDS.light, soft]), on: WHITE, soft }
}

function darkOf(given: Oklch): AccentColours {
  const soft = toHex(toRgb({ ...given, lightness: 0.29, chroma: Math.min(given.chroma, 0.055) }))
  const on = toHex(toRgb({ ...given, lightness: 0.19, chroma: Math.min(given.chroma, 0.03) }))
  return { accent: moved(given, STEP, [...GROUNDS.dark, soft, on]), on, soft }
}

/** Moves the lightness of a colour until it can be read on all grounds. Black or white can be read on all of them. */
function moved(given: Oklch, step: number, grounds: readonly string[]): string {
  const behind = grounds.map(readHex)
  for (let { lightness } = given; ; lightness += step) {
    const rgb: Rgb = toRgb({ ...given, lightness: Math.min(1, Math.max(0, lightness)) })
    const isRead = behind.every(ground => contrastOf(rgb, ground) >= LEAST_CONTRAST)
    if (isRead || lightness < 0 || lightness > 1) return toHex(rgb)
  }
}

/** Returns the style sheet that replaces the accent of style.css, which it must follow. */
export function accentSheet(colour: string): string {
  const { light, dark } = accentOf(colour)
  const names = { accent: '--accent', on: '--on-accent', soft: '--accent-soft' } as const
  const rules = (colourOf: (part: keyof AccentColours) => string) =>
    (Object.keys(names) as (keyof AccentColours)[]).map(part => `${names[part]}:${colourOf(part)}`).join(';')
  const both = rules(part => `light-dark(${light[part]},${dark[part]})`)
  const test = '(color: light-dark(#000, #fff)) and (color: oklch(0 0 0))'
  return `:root{${rules(part => light[part])}}\n@supports ${test}{:root{${both}}}\n`
}

/** The paths of these style sheets, below that of the assets. */
export const ACCENTS_PATH = '/accent'

/** Returns the address of the sheet of a colour. It has the hash of its content, which never changes. */
export function accentPath(colour: string): string {
  return `${ASSETS_PATH}${ACCENTS_PATH}/${accentFile(colour)}`
}

function accentFile(colour: string): string {
  const hash = createHash('sha256').update(accentSheet(colour)).digest('base64url').slice(0, 12)
  return `${colour.slice(1)}.${hash}.css`
}

/** Returns the sheet that a file name names, or undefined if no page has named it. */
export function findAccentSheet(file: string): string | undefined {
  const [hex = ''] = file.split('.')
  if (!/^[0-9a-f]{6}$/.test(hex)) return undefined
  return accentFile(`#${hex}`) === file ? accentSheet(`#${hex}`) : undefined
}
