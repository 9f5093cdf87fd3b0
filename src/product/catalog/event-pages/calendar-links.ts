import { HOUR } from '#base/time.ts'
import { withQuery } from '#machinery/web/link.ts'
import { type CalendarEvent, placesOf } from './calendar-file.ts'

const GOOGLE = 'https://calendar.google.com/calendar/render'
const OUTLOOK = 'https://outlook.live.com/calendar/0/deeplink/compose'
/** An entry of an event without an end is this long in calendars that need one, in milliseconds. */
const SHORTEST = HOUR
/** The most characters of an address that such a calendar takes for sure. */
const MOST_PLACE = 500

/** The addresses at which two calendars on the web offer an event as a new entry. */
export interface CalendarLinks {
  google: string
  outlook: string
}

/**
 * Returns these addresses. They are plain links: nothing is told to anybody until a visitor follows one.
 *
 * @param page the address of its page, if everybody may see it
 * @returns undefined while its date is open
 */
export function calendarLinksOf(
  event: Pick<CalendarEvent, 'title' | 'starts_at' | 'ends_at' | 'venue' | 'address' | 'city'>,
  page: string | undefined,
): CalendarLinks | undefined {
  if (event.starts_at === null) return undefined
  const from = new Date(event.starts_at)
  const until = event.ends_at === null ? new Date(from.getTime() + SHORTEST) : new Date(event.ends_at)
  const location = placesOf(event).join(', ').replace(/\s+/g, ' ').slice(0, MOST_PLACE)
  const [start, end] = [from, until].map(each => each.toISOString().replace(/\.\d{3}/, '')) as [
    string,
    string,
  ]
  return {
    google: withQuery(GOOGLE, {
      ...{ action: 'TEMPLATE', text: event.title, location, details: page },
      dates: `${start}/${end}`.replace(/[-:]/g, ''),
    }),
    outlook: withQuery(OUTLOOK, {
      ...{ path: '/calendar/action/compose', rru: 'addevent', subject: event.title, location, body: page },
      ...{ startdt: start, enddt: end },
    }),
  }
}
