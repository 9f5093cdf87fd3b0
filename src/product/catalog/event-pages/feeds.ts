import type { InstanceReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import { type CalendarEntry, placesOf } from './calendar-file.ts'
import type { AsOf } from './schemas.ts'
import * as seriesStore from './series-store.ts'
import * as store from './store.ts'

/** The most events of a feed of either kind, those with a date and those without one. */
const MOST_FED = 200

/** The public events to come of an organizer, or of a series, as calendars and readers of feeds take them. */
export interface Feed {
  organizer: { id: string; name: string; slug: string }
  /** Null: it has those of all series and of none. */
  series: { id: string; name: string; slug: string } | null
  /** When the account, the series or any of these events was last changed, in milliseconds. */
  changedAt: number
  /** The next one comes first, and those without a date last. */
  events: store.FedRow[]
}

/**
 * Reads the feed of the account with this slug, or that of one of its series.
 *
 * @param seriesSlug undefined: the feed of the account
 * @param now in milliseconds
 * @returns null if no account has this slug, or no series of it that somebody could ever see has the other one
 */
export async function readFeed(
  tx: InstanceReadTx,
  { slug, seriesSlug }: { slug: string; seriesSlug?: string | undefined },
  now: number,
): Promise<AsOf<Feed | null>> {
  const nothing = { shown: null, until: Number.POSITIVE_INFINITY }
  const account = await store.findAccountBySlug(tx, slug)
  if (account === undefined) return nothing
  const of = tx.of(account.id)
  const series = seriesSlug === undefined ? null : await seriesStore.findSeenSeries(of, seriesSlug)
  if (series === undefined) return nothing
  const events = await store.feedOf(of, series?.id ?? null, now, MOST_FED)
  const ends = events.flatMap(({ starts_at: start, ends_at: end }) =>
    start === null ? [] : [end ?? start + UNSAID_LENGTH],
  )
  const { id, name, updated_at } = account
  const changedAt = Math.max(updated_at, series?.updated_at ?? 0, ...events.map(event => event.updated_at))
  return {
    until: Math.min(Number.POSITIVE_INFINITY, ...ends),
    shown: { organizer: { id, name, slug }, series, changedAt, events },
  }
}

/**
 * Returns the entries of a calendar that somebody subscribes to, of the events that have a date. Each has the same UID and
 * sequence as the file that a mail carries.
 *
 * @param pageOf returns the address of an event's page
 */
export function calendarEntriesOf(
  { events }: Feed,
  pageOf: (event: store.FedRow) => string,
): CalendarEntry[] {
  return events.flatMap(event => {
    if (event.starts_at === null) return []
    const place = placesOf(event)
    const page = pageOf(event)
    return {
      uid: event.id,
      sequence: event.revision,
      changedAt: event.updated_at,
      startsAt: event.starts_at,
      endsAt: event.ends_at,
      title: event.title,
      place: place.length === 0 ? null : place.join(', '),
      about: page,
      url: page,
      isCancelled: false,
    }
  })
}
