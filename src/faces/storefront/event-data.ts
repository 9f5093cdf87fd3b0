import { toDecimal } from '#base/money.ts'
import { plainText } from '#machinery/web/components/markdown.tsx'
import type { EventPage, OfferedType } from '#product/catalog/event-pages/schemas.ts'
import { coverOf, pathOf, paths } from './paths.ts'

const SCHEMA = 'https://schema.org/'
/** Other services show about this many characters of a summary. */
const MAX_SUMMARY = 200

export function summaryOf({ event }: EventPage): string | null {
  const text = event.description === null ? '' : plainText(event.description, MAX_SUMMARY)
  return text === '' ? null : text
}

const AVAILABILITY: Readonly<Record<OfferedType['state'], string>> = {
  on: 'InStock',
  ready: 'InStock',
  soldOut: 'SoldOut',
  later: 'PreOrder',
  ended: 'Discontinued',
}

/** Returns the event as data for search engines: https://schema.org/Event. @param baseUrl has no slash at its end */
export function eventData(page: EventPage, baseUrl: string): object {
  const { event, organizer, types } = page
  const url = baseUrl + pathOf(page)
  const cover = coverOf(page)
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    url,
    startDate: event.starts_at ?? undefined,
    endDate: event.ends_at ?? undefined,
    eventStatus: `${SCHEMA}${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    ...locationOf(page, url),
    image: cover === undefined ? undefined : [baseUrl + cover],
    description: summaryOf(page) ?? undefined,
    organizer: {
      '@type': 'Organization',
      name: organizer.name,
      url: baseUrl + paths.account(organizer.slug),
    },
    offers: types.map(({ name, price, state, sales_start }) => ({
      '@type': 'Offer',
      name,
      price: toDecimal(price, event.currency),
      priceCurrency: event.currency,
      availability: SCHEMA + AVAILABILITY[state],
      validFrom: sales_start ?? undefined,
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
