import type { AnyReadTx, InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { listLegalPages } from '#product/administration/accounts/legal.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { endOf, UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import type { Picture } from '#product/catalog/events/picture-sizes.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { isPrivate } from '#product/catalog/events/states.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  ALWAYS_PAYABLE,
  type FindPayable,
  mayCost,
  type Payable,
  sellabilityOf,
} from '#product/catalog/registration-types/sellability.ts'
import { type CalendarMessage, calendarOf } from './calendar-file.ts'
import { readOrganizer } from './organizers.ts'
import {
  type AsOf,
  type EventPage,
  LAST_ONES,
  type ListedEvent,
  type Listing,
  type OfferedType,
} from './schemas.ts'
import { findOtherDates } from './series-pages.ts'
import * as store from './store.ts'

export { endOf } from '#product/catalog/events/end.ts'

/** The most events of a list. If there are more, the list shows only the next ones. */
const MOST_LISTED = 200
/** An event that an address names. */
export interface Found {
  accountId: string
  eventId: string
  page: AsOf<EventPage>
}

/**
 * Finds the event with these slugs as its page shows it, in any state, for visitors who may see every state.
 *
 * @param now in milliseconds
 * @returns undefined if there is none
 */
export async function find(
  tx: InstanceReadTx,
  account: string,
  slug: string,
  now: number,
  findPayable: FindPayable,
): Promise<Found | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  return place && read(tx.of(place.account_id), place, { account, now, findPayable })
}

/**
 * Does the same for all visitors.
 *
 * @returns undefined also for a draft or a private event, in the same time as for an event that does not exist
 */
export async function findOpen(
  tx: InstanceReadTx,
  account: string,
  slug: string,
  now: number,
  findPayable: FindPayable,
): Promise<Found | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  if (place === undefined || !isOpen(place)) return undefined
  return read(tx.of(place.account_id), place, { account, now, findPayable })
}

/**
 * Does the same for a private event, for a visitor who has a code of it. A wrong code runs the same statements as an event that
 * does not exist.
 *
 * @param entered the code
 * @param hasShown whether the visitor was already shown the event by a code. They may continue if the code has been used up
 *   meanwhile
 */
export async function findByCode(
  tx: InstanceReadTx,
  { account, slug, entered }: { account: string; slug: string; entered: string },
  now: number,
  hasShown: (eventId: string) => boolean,
  findPayable: FindPayable,
): Promise<(Found & { isValid: boolean }) | undefined> {
  const place = await store.findBySlugs(tx, account, slug)
  const { account_id: accountId, event_id: eventId } = place ?? { account_id: '', event_id: '' }
  const isValid = await codes.isValid(tx.of(accountId), eventId, entered, now)
  if (place === undefined || place.status === 'draft' || !isPrivate(place.visibility)) return undefined
  if (!isValid && !hasShown(eventId)) return undefined
  const { page } = await read(tx.of(place.account_id), place, { account, now, findPayable })
  return { accountId, eventId, isValid, page: { ...page, shown: { ...page.shown, code: entered } } }
}

/** Returns whether everybody who has the address may see the event. */
function isOpen({ status, visibility }: Pick<store.PlaceRow, 'status' | 'visibility'>): boolean {
  return status !== 'draft' && !isPrivate(visibility)
}

/**
 * Returns the address of an event's page, to pass on to others. It is the same for everybody, so whoever receives it can do no
 * more than any visitor.
 *
 * @param account the slug of the account, or null if it has none
 * @returns undefined if not everybody may see the page, because a code would have to be passed on too
 */
export function pageForAll(
  baseUrl: string,
  account: string | null,
  event: Pick<EventDetails, 'slug' | 'status' | 'visibility'>,
): string | undefined {
  return account === null || !isOpen(event) ? undefined : `${baseUrl}/${account}/${event.slug}/`
}

interface Reading {
  /** The slug of the account. */
  account: string
  now: number
  findPayable: FindPayable
}

async function read(
  tx: ReadTx,
  place: store.PlaceRow,
  { account, now, findPayable }: Reading,
): Promise<Found> {
  const { account_id: accountId, event_id: eventId, revision, updated_at: changed_at } = place
  const details = await events.getDetails(tx, eventId)
  const { online_url: onlineUrl, ...event } = details
  const types = await registrationTypes.listDetailsOf(tx, details)
  const payable = types.some(mayCost) ? (await findPayable(tx, now))(details) : ALWAYS_PAYABLE
  const organizer = await accounts.getDetails(tx)
  const { name, legal_name, address, embed_origins: origins } = organizer
  const look = await looks.find(tx, eventId)
  const others = await findOtherDates(tx, details, now, findPayable)
  return {
    accountId,
    eventId,
    page: {
      until: next(now, [
        endOf(event),
        payable.until,
        others?.until ?? null,
        ...types.flatMap(({ sales_start, sales_end }) => [sales_start, sales_end]),
      ]),
      shown: {
        organizer: {
          ...{ name, slug: account, legal: listLegalPages(organizer), look, origins },
          ...{ legal_name, address },
        },
        ...{ event, revision, changed_at, isOver: now >= endOf(event), isOnline: onlineUrl !== null },
        hasCodes: (await codes.count(tx, eventId)) > 0,
        picture: (await pictures.find(tx, eventId)) ?? null,
        types: types.flatMap(type => offer(type, event, payable, now)),
        ...{ code: null, others },
        isPaused: payable.isPaused,
      },
    },
  }
}

/**
 * Returns the calendar file of an event, for holders of its tickets.
 *
 * @param page the address of its page, if everybody may see it
 * @param message for a file that a mail carries
 * @returns undefined while its date is open
 */
export async function readCalendar(
  tx: ReadTx,
  event: EventDetails,
  page: string | undefined,
  message?: CalendarMessage,
): Promise<string | undefined> {
  const found = await store.findRevision(tx, event.id)
  return (
    found && calendarOf({ ...event, revision: found.revision, changed_at: found.updated_at }, page, message)
  )
}

/** Returns a type as it is offered, or nothing if it is not shown. @param now in milliseconds */
export function offer(
  type: TypeDetails,
  event: Pick<EventDetails, 'status' | 'starts_at' | 'ends_at'>,
  payable: Payable,
  now: number,
): OfferedType[] {
  const state = sellabilityOf(type, event, payable, now)
  if (state === 'off' || state === 'hidden' || type.hidden) return []
  const { id, kind, name, description, price, open_price, available, sales_start, sales_end } = type
  const isSold = state === 'on_sale' || state === 'draft'
  return [
    {
      ...{ id, kind, name, description, price, open_price, sales_start, sales_end },
      hasTax: type.tax_basis_points > 0 && mayCost(type),
      min_per_order: type.min_per_order,
      max_per_order: type.max_per_order,
      state,
      left: isSold && available <= LAST_ONES ? available : null,
    },
  ]
}

/** Returns the earliest of some instants after `now`. */
function next(now: number, instants: readonly (number | string | null)[]): number {
  const times = instants.map(each => (each === null ? Number.NaN : new Date(each).getTime()))
  return Math.min(Number.POSITIVE_INFINITY, ...times.filter(each => each > now))
}

/**
 * Lists the published, public events of an account that are not over.
 *
 * @param now in milliseconds
 * @returns undefined if no account has this slug
 */
export async function listOfAccount(
  tx: InstanceReadTx,
  slug: string,
  now: number,
): Promise<AsOf<Listing> | undefined> {
  const account = await store.findAccountBySlug(tx, slug)
  if (account === undefined) return undefined
  const ofAccount = tx.of(account.id)
  const organizer = await readOrganizer(ofAccount, slug)
  return listing(ofAccount, await store.listOfAccount(ofAccount, now, MOST_LISTED), organizer, now)
}

/** Does the same for all accounts. */
export async function listOfAll(tx: InstanceReadTx, now: number): Promise<AsOf<Listing>> {
  return listing(tx, await store.listOfAll(tx, now, MOST_LISTED), null, now)
}

async function listing(
  tx: AnyReadTx,
  rows: readonly store.ListedRow[],
  organizer: Listing['organizer'],
  now: number,
): Promise<AsOf<Listing>> {
  const ends = rows.flatMap(({ starts_at: start, ends_at: end }) =>
    start === null ? [] : [end ?? start + UNSAID_LENGTH],
  )
  const withPicture = rows.filter(({ picture_hash }) => picture_hash !== null).map(({ id }) => id)
  const sizes = Map.groupBy(await store.listSizes(tx, withPicture), ({ event_id }) => event_id)
  const events = rows.map(row => present(row, sizes.get(row.id) ?? []))
  return { until: next(now, ends), shown: { organizer, events } }
}

function present(row: store.ListedRow, sizes: readonly store.ListedSizeRow[]): ListedEvent {
  const { account_name, account_slug, picture_hash, picture_type, picture_width, picture_height, ...rest } =
    row
  const { series_name: name, series_slug: slug, ...event } = rest
  const picture = {
    hash: picture_hash as string,
    type: picture_type as Picture['type'],
    width: picture_width as number,
    height: picture_height as number,
    sizes: sizes.map(({ event_id, ...size }) => size),
  }
  return {
    ...event,
    organizer: { name: account_name, slug: account_slug },
    picture: picture_hash === null ? null : picture,
    series: name === null || slug === null ? null : { name, slug },
  }
}

/** Where a visitor of the service's own address is sent. */
export type Entrance = { to: 'dashboard' } | { to: 'account'; slug: string } | { to: 'list' }

export async function findEntrance(tx: InstanceReadTx): Promise<Entrance> {
  if (!(await store.hasPublic(tx))) return { to: 'dashboard' }
  const [first, ...others] = await store.listAccounts(tx)
  return first?.slug && others.length === 0 ? { to: 'account', slug: first.slug } : { to: 'list' }
}
