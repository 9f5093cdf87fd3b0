import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as series from '#product/catalog/events/series.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  ALWAYS_PAYABLE,
  type FindPayable,
  mayCost,
  type Payable,
  type Sellability,
  sellabilityOf,
} from '#product/catalog/registration-types/sellability.ts'
import { readOrganizer } from './organizers.ts'
import {
  type AsOf,
  LAST_ONES,
  type OtherDates,
  type PublicDate,
  type SeriesDate,
  type SeriesPage,
} from './schemas.ts'
import * as store from './series-store.ts'

/** The most dates of the page of a series. If there are more, the page shows only the next ones. */
const MOST_DATES = 200
/** The most dates that the page of an event names beside its own. */
const MOST_OTHERS = 4
/**
 * Reads the page of the series with these slugs: its published, public dates to come, with what is left of each.
 *
 * @param now in milliseconds
 * @returns undefined if there is none, or nobody could ever see one of its dates
 */
export async function findSeries(
  tx: InstanceReadTx,
  account: string,
  slug: string,
  now: number,
  findPayable: FindPayable,
): Promise<AsOf<SeriesPage> | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  if (place === undefined) return undefined
  const of = tx.of(place.account_id)
  if (!(await store.wasPublic(of, place.id))) return undefined
  const rows = await store.listToCome(of, place.id, now, MOST_DATES)
  const instants: (number | string | null)[] = rows.map(endOf)
  const types = await registrationTypes.listOfEvents(
    of,
    rows.map(({ id }) => id),
  )
  const ways = new Map<string, Payable>()
  const dates: SeriesDate[] = []
  for (const row of rows) {
    const own = types.get(row.id) ?? []
    const details = await events.getDetails(of, row.id)
    const payable = own.some(mayCost)
      ? await payableOf(of, details, { ways, findPayable, now })
      : ALWAYS_PAYABLE
    instants.push(payable.until, ...own.flatMap(({ sales_start, sales_end }) => [sales_start, sales_end]))
    dates.push({ ...row, venue: details.venue, city: details.city, ...placesOf(own, details, payable, now) })
  }
  return {
    until: nextOf(now, instants),
    shown: {
      organizer: await readOrganizer(of, account),
      series: { id: place.id, name: place.name, slug: place.slug },
      dates,
    },
  }
}

const endOf = ({ starts_at, ends_at }: PublicDate) => ends_at ?? starts_at + UNSAID_LENGTH

/** Dates that are paid in the same ways are looked up once. */
async function payableOf(
  tx: ReadTx,
  event: EventDetails,
  { ways, findPayable, now }: { ways: Map<string, Payable>; findPayable: FindPayable; now: number },
): Promise<Payable> {
  const way = `${event.payment_ways} ${event.currency} ${event.requires_approval}`
  const found = ways.get(way) ?? (await findPayable(tx, event, now))
  ways.set(way, found)
  return found
}

/** From the best that can be said of a date to the worst. */
const ORDER = ['on_sale', 'later', 'sold_out', 'ended', 'no_way_to_pay'] as const satisfies Sellability[]

/** Returns what can be said of a date as a whole: it is as good as the best of its tickets. */
function placesOf(
  types: readonly TypeDetails[],
  event: EventDetails,
  payable: Payable,
  now: number,
): Pick<SeriesDate, 'state' | 'left'> {
  const tickets = types.filter(({ kind, hidden }) => kind === 'ticket' && !hidden)
  const states = tickets.map(type => [sellabilityOf(type, event, payable, now), type.available] as const)
  const state = ORDER.find(each => states.some(([of]) => of === each)) ?? 'off'
  if (state !== 'on_sale') return { state, left: null }
  // Types may share their places, so the sum of them would promise too many.
  const free = states.flatMap(([of, available]) => (of === 'on_sale' ? [available] : []))
  const left = free.length === 1 ? (free[0] as number) : null
  return { state, left: left !== null && left <= LAST_ONES ? left : null }
}

function nextOf(now: number, instants: readonly (number | string | null)[]): number {
  const times = instants.map(each => (each === null ? Number.NaN : new Date(each).getTime()))
  return Math.min(Number.POSITIVE_INFINITY, ...times.filter(each => each > now))
}

/** Reads the next dates of the series of an event, but for its own. @returns null if it is of none, or there is none */
export async function findOtherDates(
  tx: ReadTx,
  { id, series_id: seriesId }: Pick<EventDetails, 'id' | 'series_id'>,
  now: number,
): Promise<OtherDates | null> {
  if (seriesId === null) return null
  const rows = await store.listToCome(tx, seriesId, now, MOST_OTHERS + 1)
  const dates = rows.filter(row => row.id !== id).slice(0, MOST_OTHERS)
  if (dates.length === 0) return null
  const { name, slug } = await series.get(tx, seriesId)
  return { name, slug, dates, until: Math.min(...dates.map(endOf)) }
}
