import { Format } from '#machinery/web/format.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'

/**
 * Returns when an event takes place, by the clock of its place: `Wednesday, 23 December 2026, 09:00–18:00 (Madrid time)`. An event
 * that ends on another day has both days.
 */
export function describeTime(
  { starts_at: starts, ends_at: ends, timezone }: Pick<EventDetails, 'starts_at' | 'ends_at' | 'timezone'>,
  language: Language,
): string {
  if (starts === null) return textsIn(language).storefront.dateOpen
  const format = new Format(language, timezone)
  const dayAndTime = (instant: string) => `${format.weekday(instant)}, ${format.time(instant)}`
  const isOneDay = ends !== null && format.date(starts) === format.date(ends)
  const end = ends === null ? '' : isOneDay ? `–${format.time(ends)}` : ` – ${dayAndTime(ends)}`
  return `${dayAndTime(starts)}${end} (${describeClock(timezone, starts, language)})`
}

/** Returns an instant by the clock of an event's place, with its weekday. */
export function describeInstant(
  { timezone }: Pick<EventDetails, 'timezone'>,
  instant: string | number,
  language: Language,
): string {
  const format = new Format(language, timezone)
  return `${format.weekday(instant)}, ${format.time(instant)} (${describeClock(timezone, instant, language)})`
}

/** Returns `Madrid time`, or the name of a time zone that no city names, such as `UTC`. */
function describeClock(timezone: string, instant: string | number, language: Language): string {
  const { time, cities } = textsIn(language).orderMail
  const [area, ...parts] = timezone.split('/')
  const city = parts.at(-1)?.replaceAll('_', ' ')
  if (city === undefined || area === 'Etc') return new Format(language, timezone).zone(instant)
  return time(Object.hasOwn(cities, city) ? (cities[city] as string) : city)
}
