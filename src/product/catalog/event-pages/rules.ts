import * as accounts from '../accounts/rules.ts'
import * as codes from '../codes/rules.ts'
import type { ReadTx } from '../db/port.ts'
import * as pictures from '../events/pictures.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { isPrivate } from '../events/states.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { TypeDetails } from '../registration-types/schemas.ts'
import { type CalendarMessage, calendarOf } from './calendar-file.ts'
import type { AsOf, EventPage, ListedEvent, Listing, OfferedType } from './schemas.ts'
import * as store from './store.ts'

/** Of a list: whoever has more shows the next ones. */
const MOST_LISTED = 200
/** So many tickets of a type, or fewer, are its last ones. */
const LAST_ONES = 10

/** An event that an address names. */
export interface Found {
  accountId: string
  eventId: string
  page: AsOf<EventPage>
}

/**
 * The event with these names in addresses, as its page shows it, for whoever may see it in any state.
 *
 * @param now milliseconds
 * @returns undefined where there is none
 */
export async function find(
  tx: ReadTx,
  account: string,
  slug: string,
  now: number,
): Promise<Found | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  return place && read(tx, place, account, now)
}

/** The same for everybody. @returns undefined also for a draft, and for what is private: neither takes longer than what there is not */
export async function findOpen(
  tx: ReadTx,
  account: string,
  slug: string,
  now: number,
): Promise<Found | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  return place && isOpen(place) ? read(tx, place, account, now) : undefined
}

/**
 * The same of a private event, for whoever has a code of it. A wrong code is asked for with the same statements as one of an event
 * that there is not.
 *
 * @param entered the code
 * @param isKnown whether somebody has been shown the event with a code already: they may go on when it has been used up meanwhile
 */
export async function findByCode(
  tx: ReadTx,
  { account, slug, entered }: { account: string; slug: string; entered: string },
  now: number,
  isKnown: (eventId: string) => boolean,
): Promise<(Found & { isValid: boolean }) | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  const { account_id: accountId, event_id: eventId } = place ?? { account_id: '', event_id: '' }
  const isValid = await codes.isValid(tx, accountId, eventId, entered, now)
  if (place === undefined || place.status === 'draft' || !isPrivate(place.visibility)) return undefined
  if (!isValid && !isKnown(eventId)) return undefined
  const { page } = await read(tx, place, account, now)
  return { accountId, eventId, isValid, page: { ...page, shown: { ...page.shown, code: entered } } }
}

/** Whether everybody sees it who has its address. */
function isOpen({ status, visibility }: store.PlaceRow): boolean {
  return status !== 'draft' && !isPrivate(visibility)
}

async function read(tx: ReadTx, place: store.PlaceRow, account: string, now: number): Promise<Found> {
  const { account_id: accountId, event_id: eventId, revision, updated_at: changed_at } = place
  const { online_url: onlineUrl, created_at: _, ...event } = await events.getDetails(tx, accountId, eventId)
  const types = await registrationTypes.listDetails(tx, accountId, eventId)
  const { name, legal_name, address, tax_id, imprint_url, privacy_url } = await accounts.getDetails(
    tx,
    accountId,
  )
  const isOver = now >= endOf(event)
  return {
    accountId,
    eventId,
    page: {
      until: next(now, [
        endOf(event),
        ...types.flatMap(({ sales_start, sales_end }) => [sales_start, sales_end]),
      ]),
      shown: {
        organizer: { name, slug: account, legal_name, address, tax_id, imprint_url, privacy_url },
        ...{ event, revision, changed_at, isOver, isOnline: onlineUrl !== null },
        hasCodes: (await codes.count(tx, accountId, eventId)) > 0,
        picture: (await pictures.find(tx, accountId, eventId)) ?? null,
        types: types.flatMap(type => offer(type, event.status, isOver, now)),
        code: null,
        // Said by whoever knows of ways to pay.
        isPayable: false,
      },
    },
  }
}

/**
 * The calendar file of an event, for whoever has a ticket of it.
 *
 * @param url of its page
 * @param message of one that a mail carries
 * @returns undefined while its date is open
 */
export async function readCalendar(
  tx: ReadTx,
  accountId: string,
  event: EventDetails,
  url: string,
  message?: CalendarMessage,
): Promise<string | undefined> {
  const found = await store.findRevision(tx, accountId, event.id)
  return (
    found && calendarOf({ ...event, revision: found.revision, changed_at: found.updated_at }, url, message)
  )
}

/** A type as it is offered: nothing where it is not to be seen. @param now milliseconds */
export function offer(
  type: TypeDetails,
  status: EventDetails['status'],
  isOver: boolean,
  now: number,
): OfferedType[] {
  const state = registrationTypes.saleStateOf(type, status, now)
  if (state === 'off' || type.hidden) return []
  const { id, name, description, price, available, sales_start, sales_end } = type
  const isSold = state === 'on' || state === 'ready'
  return [
    {
      ...{ id, name, description, price, sales_start, sales_end },
      hasTax: type.tax_basis_points > 0 && price > 0,
      min_per_order: type.min_per_order,
      max_per_order: type.max_per_order,
      state: isOver ? 'ended' : state,
      left: isSold && !isOver && available <= LAST_ONES ? available : null,
    },
  ]
}

/** When an event is over, in milliseconds; never, for one without a date. */
export function endOf({ starts_at, ends_at }: Pick<EventDetails, 'starts_at' | 'ends_at'>): number {
  if (starts_at === null) return Number.POSITIVE_INFINITY
  return ends_at === null ? Date.parse(starts_at) + store.UNSAID_LENGTH : Date.parse(ends_at)
}

/** The next of some instants. */
function next(now: number, instants: readonly (number | string | null)[]): number {
  const times = instants.map(each => (each === null ? Number.NaN : new Date(each).getTime()))
  return Math.min(Number.POSITIVE_INFINITY, ...times.filter(each => each > now))
}

/**
 * What an account has that is published, public and to come.
 *
 * @param now milliseconds
 * @returns undefined where no account has this name in addresses
 */
export async function listOfAccount(
  tx: ReadTx,
  slug: string,
  now: number,
): Promise<AsOf<Listing> | undefined> {
  const account = await store.findAccountBySlug(tx, slug)
  if (account === undefined) return undefined
  const { id, name } = account
  return listing(await store.listOfAccount(tx, id, now, MOST_LISTED), { name, slug }, now)
}

/** The same of all accounts. */
export async function listOfAll(tx: ReadTx, now: number): Promise<AsOf<Listing>> {
  return listing(await store.listOfAll(tx, now, MOST_LISTED), null, now)
}

function listing(
  rows: readonly store.ListedRow[],
  organizer: Listing['organizer'],
  now: number,
): AsOf<Listing> {
  const ends = rows.flatMap(({ starts_at: start, ends_at: end }) =>
    start === null ? [] : [end ?? start + store.UNSAID_LENGTH],
  )
  return { until: next(now, ends), shown: { organizer, events: rows.map(present) } }
}

function present(row: store.ListedRow): ListedEvent {
  const { account_name, account_slug, picture_hash: hash, picture_type: type, ...event } = row
  return {
    ...event,
    organizer: { name: account_name, slug: account_slug },
    picture: hash === null ? null : { hash, type: type as pictures.Picture['type'] },
  }
}

/** Where whoever opens the address of the service belongs. */
export type Entrance = { to: 'dashboard' } | { to: 'account'; slug: string } | { to: 'list' }

export async function findEntrance(tx: ReadTx): Promise<Entrance> {
  if (!(await store.hasPublic(tx))) return { to: 'dashboard' }
  const [first, ...others] = await store.listAccounts(tx)
  return first?.slug && others.length === 0 ? { to: 'account', slug: first.slug } : { to: 'list' }
}
