import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import { mapOutlines } from '#product/catalog/events/outlines.ts'
import type { EventDetails, EventOutline } from '#product/catalog/events/schemas.ts'
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
import { findAccountBySlug } from './store.ts'

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
  const place = await findAccountBySlug(tx, account)
  if (place === undefined) return undefined
  const of = tx.of(place.id)
  const found = await store.findSeenSeries(of, slug)
  if (found === undefined) return undefined
  const rows = await store.listToCome(of, found.id, now, MOST_DATES)
  const { dates, until } = await rateDates(of, rows, now, findPayable)
  return {
    until,
    shown: {
      organizer: await readOrganizer(of, account),
      series: { id: found.id, name: found.name, slug: found.slug },
      dates,
    },
  }
}

/** Says what is left of each date. @returns also when that changes by itself, in milliseconds */
async function rateDates(
  of: ReadTx,
  rows: readonly PublicDate[],
  now: number,
  findPayable: FindPayable,
): Promise<{ dates: SeriesDate[]; until: number }> {
  const ids = rows.map(({ id }) => id)
  const instants: (number | string | null)[] = rows.map(endOf)
  const types = await registrationTypes.listOfEvents(of, ids)
  const outlines = await mapOutlines(of, ids)
  const isPaid = [...types.values()].some(own => own.some(mayCost))
  const payableOf = isPaid ? await findPayable(of, now) : () => ALWAYS_PAYABLE
  const dates = rows.map((row): SeriesDate => {
    const own = types.get(row.id) ?? []
    const event = outlines.get(row.id) as EventOutline
    const payable = own.some(mayCost) ? payableOf(event) : ALWAYS_PAYABLE
    instants.push(payable.until, ...own.flatMap(({ sales_start, sales_end }) => [sales_start, sales_end]))
    return { ...row, venue: event.venue, city: event.city, ...placesOf(own, event, payable, now) }
  })
  return { dates, until: nextOf(now, instants) }
}

/** Returns whether the series of the account with this slug has a page, because everybody could see a date of it once. */
export async function hasPage(tx: ReadTx, slug: string): Promise<boolean> {
  return (await store.findSeenSeries(tx, slug)) !== undefined
}

const endOf = ({ starts_at, ends_at }: PublicDate) => ends_at ?? starts_at + UNSAID_LENGTH

/** From the best that can be said of a date to the worst. */
const ORDER = ['on_sale', 'later', 'sold_out', 'ended', 'no_way_to_pay'] as const satisfies Sellability[]

/** Returns what can be said of a date as a whole: it is as good as the best of its tickets. */
function placesOf(
  types: readonly TypeDetails[],
  event: EventOutline,
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

/** Reads the next dates of the series of an event, but for its own, with what is left. @returns null if there is none */
export async function findOtherDates(
  tx: ReadTx,
  { id, series_id: seriesId }: Pick<EventDetails, 'id' | 'series_id'>,
  now: number,
  findPayable: FindPayable,
): Promise<OtherDates | null> {
  if (seriesId === null) return null
  const rows = await store.listToCome(tx, seriesId, now, MOST_OTHERS + 1)
  const others = rows.filter(row => row.id !== id).slice(0, MOST_OTHERS)
  if (others.length === 0) return null
  const { name, slug } = await series.get(tx, seriesId)
  return { name, slug, ...(await rateDates(tx, others, now, findPayable)) }
}
