import { Format } from '#machinery/web/format.ts'
import type { Language } from '#texts/languages.ts'
import type { EventDetails } from './schemas.ts'

/** Returns an instant in the time zone of an event. It is empty if there is no instant. */
export function momentOf(
  { timezone }: Pick<EventDetails, 'timezone'>,
  instant: string | null,
  language: Language,
): string {
  return instant === null ? '' : `${new Format(language, timezone).dateTime(instant)} (${timezone})`
}

/** Returns where an event is, in a line. It is empty for one without a place. */
export function placeOf({ venue, city }: Pick<EventDetails, 'venue' | 'city'>): string {
  return [venue, city].filter(Boolean).join(', ')
}
