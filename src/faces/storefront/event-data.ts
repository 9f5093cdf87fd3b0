import { toDecimal } from '#base/money.ts'
import { toLocalIso } from '#base/time.ts'
import { plainText } from '#machinery/web/components/markdown.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { EventPage, OfferedType } from '#product/catalog/event-pages/schemas.ts'
import { whenIn } from './dates.tsx'
import { coverOf, paths } from './paths.ts'

const SCHEMA = 'https://schema.org/'
/** Other services show about this many characters of a summary. */
const MAX_SUMMARY = 200

/**
 * Returns what an event is about, in one line. It is the beginning of the description, or else the date and the place in the
 * language of the page. It is null if there is none of them.
 */
export function summaryOf(page: EventPage, { texts, format }: Voice): string | null {
  const { event, isOnline } = page
  const text = event.description === null ? '' : plainText(event.description, MAX_SUMMARY)
  if (text !== '') return text
  const from = event.starts_at === null ? null : Date.parse(event.starts_at)
  const until = event.ends_at === null ? null : Date.parse(event.ends_at)
  const place =
    placesOf(event).join(', ').replace(/\s+/gu, ' ').trim() || (isOnline ? texts.storefront.online : '')
  if (from === null && place === '') return null
  const when = from === null ? texts.storefront.dateOpen : whenIn(from, until, format)
  return cut(place === '' ? when : `${when} · ${place}`)
}

/** Cuts between two characters, never inside one. */
function cut(text: string): string {
  const characters = [...text]
  return characters.length <= MAX_SUMMARY ? text : `${characters.slice(0, MAX_SUMMARY - 1).join('')}…`
}

const AVAILABILITY: Readonly<Record<OfferedType['state'], string>> = {
  on_sale: 'InStock',
  draft: 'InStock',
  no_way_to_pay: 'OutOfStock',
  sold_out: 'SoldOut',
  later: 'PreOrder',
  ended: 'Discontinued',
}

/**
 * Returns the event as data for search engines: https://schema.org/Event. Its times are those of the event's own clocks, with
 * their offset, because search engines show the day and hour as they stand there.
 *
 * @param url of the page
 * @param baseUrl has no slash at its end
 */
export function eventData(page: EventPage, voice: Voice, url: string, baseUrl: string): object {
  const { event, organizer, picture, types } = page
  const localOrNone = (instant: string | null) =>
    instant === null ? undefined : toLocalIso(Date.parse(instant), event.timezone)
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    url,
    startDate: localOrNone(event.starts_at),
    endDate: localOrNone(event.ends_at),
    eventStatus: `${SCHEMA}${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    ...locationOf(page, url),
    image: picture === null ? undefined : [baseUrl + coverOf(page, picture)],
    description: summaryOf(page, voice) ?? undefined,
    organizer: {
      '@type': 'Organization',
      name: organizer.name,
      url: baseUrl + paths.account(organizer.slug),
    },
    offers: types
      .filter(({ kind }) => kind === 'ticket')
      .map(({ name, price, state, sales_start }) => ({
        '@type': 'Offer',
        name,
        price: toDecimal(price, event.currency),
        priceCurrency: event.currency,
        availability: SCHEMA + AVAILABILITY[state],
        // Tickets without a start of their sale are offered for as long as there is the event.
        validFrom: localOrNone(sales_start ?? event.created_at),
        url,
      })),
  }
}

function locationOf({ event: { venue, address, city }, isOnline }: EventPage, url: string): object {
  const isSomewhere = venue !== null || address !== null || city !== null
  const place = {
    '@type': 'Place',
    name: venue ?? city ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: address?.replace(/\s*[\r\n]+\s*/g, ', '),
      addressLocality: city ?? undefined,
    },
  }
  // Only ticket holders get the link itself.
  const online = { '@type': 'VirtualLocation', url }
  const mode = isSomewhere && isOnline ? 'Mixed' : isOnline ? 'Online' : 'Offline'
  const locations = [...(isSomewhere ? [place] : []), ...(isOnline ? [online] : [])]
  return {
    eventAttendanceMode: `${SCHEMA}${mode}EventAttendanceMode`,
    location: locations.length > 1 ? locations : locations[0],
  }
}
