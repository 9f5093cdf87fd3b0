import { isTimeZone } from '#base/time.ts'
import type { Texts } from '#texts/texts.ts'

/** The time zones that a form offers, by their IANA names. */
export const allZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** The parts of the world by which IANA names begin. */
const regions = [...new Set(allZones.flatMap(zone => (zone.includes('/') ? [zone.split('/', 1)[0]] : [])))]

/** No name of a place is longer, so a longer text is not searched for. */
const MAX_PLACE = 50
/** The most zones that are named to a person who has typed something that fits several. */
const MOST_NAMED = 5

/**
 * Returns the time zone that a typed text means: its IANA name, or a place whose name belongs to one zone alone. It is undefined
 * if the text means none, or more than one.
 */
export function findZone(typed: string): string | undefined {
  const text = typed.trim()
  if (isTimeZone(text)) return text
  const [only, ...others] = text.length > MAX_PLACE ? [] : findByPlace(text)
  return others.length === 0 ? only : undefined
}

/** Returns what to say about a text that `findZone` does not understand, if it is a part of the names of some zones. */
export function askWhichZone(typed: string): { say: (texts: Texts) => string } | undefined {
  const wanted = fold(typed.slice(0, MAX_PLACE))
  if (wanted === '' || findZone(typed) !== undefined) return undefined
  const similar = allZones.filter(zone => fold(zone).includes(wanted)).slice(0, MOST_NAMED)
  return similar.length === 0 ? undefined : { say: texts => texts.page.similarZones(similar.join(', ')) }
}

/** Finds zones by the name of their place. Names that a place got later are not in the list of zones, but they are zones. */
function findByPlace(text: string): readonly string[] {
  const wanted = fold(text)
  const listed = allZones.filter(zone => fold(zone.split('/').at(-1) as string) === wanted)
  if (listed.length > 0) return listed
  const place = wanted.replace(/ /g, '_').replace(/(^|_)./g, first => first.toUpperCase())
  return /^\w+$/.test(place) ? regions.map(region => `${region}/${place}`).filter(isTimeZone) : []
}

/** Returns a name as people may also type it: without accents, in small letters, with spaces. */
function fold(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .trim()
}
