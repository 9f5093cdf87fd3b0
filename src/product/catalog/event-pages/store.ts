import { EARLIEST } from '#base/time.ts'
import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { AnyReadTx, InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import type { Picture, PictureSize } from '#product/catalog/events/picture-sizes.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'

export interface PlaceRow {
  account_id: string
  event_id: string
  /** Grows with each change of the event. */
  revision: number
  updated_at: number
  status: EventDetails['status']
  visibility: EventDetails['visibility']
}

/** Finds the event with these slugs. */
export function findBySlugs(
  tx: InstanceReadTx,
  account: string,
  event: string,
): Promise<PlaceRow | undefined> {
  return tx.one(
    `SELECT a.id AS account_id, e.id AS event_id, e.revision, e.updated_at, e.status, e.visibility
     FROM accounts a
     JOIN events e ON e.account_id = a.id WHERE a.slug = $1 AND e.slug = $2 AND e.deleting_at IS NULL`,
    [account, event],
  )
}

/** Returns the revision of an event and when it last changed. */
export function findRevision(
  tx: ReadTx,
  eventId: string,
): Promise<Pick<PlaceRow, 'revision' | 'updated_at'> | undefined> {
  return tx.one('SELECT e.revision, e.updated_at FROM events e WHERE e.account_id = $1 AND e.id = $2', [
    tx.accountId,
    eventId,
  ])
}

export interface AccountPlaceRow {
  id: string
  name: string
  slug: string
  updated_at: number
}

export function findAccountBySlug(tx: InstanceReadTx, slug: string): Promise<AccountPlaceRow | undefined> {
  return tx.one('SELECT a.id, a.name, a.slug, a.updated_at FROM accounts a WHERE a.slug = $1', [slug])
}

export interface ListedRow {
  id: string
  account_name: string
  account_slug: string
  slug: string
  title: string
  starts_at: number | null
  ends_at: number | null
  timezone: string
  venue: string | null
  city: string | null
  picture_hash: string | null
  picture_type: Picture['type'] | null
  picture_width: number | null
  picture_height: number | null
  series_name: string | null
  series_slug: string | null
}

const LISTED = `SELECT a.name AS account_name, a.slug AS account_slug, e.id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone,
    e.venue, e.city, p.hash AS picture_hash, p.type AS picture_type, p.width AS picture_width, p.height AS picture_height,
    s.name AS series_name, s.slug AS series_slug
  FROM events e JOIN accounts a ON a.id = e.account_id LEFT JOIN event_pictures p ON p.event_id = e.id
    LEFT JOIN series s ON s.id = e.series_id
  WHERE e.status = 'published' AND e.visibility = 'public'`
const DATED = `${LISTED} AND e.starts_at IS NOT NULL AND coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $1`
const UNDATED = `${LISTED} AND e.starts_at IS NULL`

/**
 * Lists the published, public events of an account that are not over, the next one first. Those without a date come last.
 *
 * @param now in milliseconds
 */
export async function listOfAccount(tx: ReadTx, now: number, most: number): Promise<ListedRow[]> {
  const dated = `${DATED} AND e.account_id = $3 ORDER BY e.starts_at, e.id LIMIT $2`
  const undated = `${UNDATED} AND e.account_id = $1 ORDER BY e.id LIMIT $2`
  return [
    ...(await tx.all<ListedRow>(dated, [now, most, tx.accountId])),
    ...(await tx.all<ListedRow>(undated, [tx.accountId, most])),
  ]
}

/** Does the same for all accounts that have a slug. */
export async function listOfAll(tx: InstanceReadTx, now: number, most: number): Promise<ListedRow[]> {
  const dated = `${DATED} AND a.slug IS NOT NULL ORDER BY e.starts_at, e.id LIMIT $2`
  const undated = `${UNDATED} AND a.slug IS NOT NULL ORDER BY e.id LIMIT $1`
  return [...(await tx.all<ListedRow>(dated, [now, most])), ...(await tx.all<ListedRow>(undated, [most]))]
}

/** A published, public event to come, as calendars and readers of feeds take it. */
export interface FedRow {
  id: string
  slug: string
  title: string
  starts_at: number | null
  ends_at: number | null
  timezone: string
  venue: string | null
  address: string | null
  city: string | null
  description: string | null
  /** Grows with each change of the event. */
  revision: number
  created_at: number
  updated_at: number
}

const FED = `SELECT e.id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone, e.venue, e.address, e.city, e.description,
    e.revision, e.created_at, e.updated_at FROM events e WHERE e.status = 'published' AND e.visibility = 'public'`

/**
 * Lists such events of an account: those with a date, the next one first, and then those without one.
 *
 * @param seriesId of a series: its dates alone; null: all
 * @param now in milliseconds
 */
export async function feedOf(
  tx: ReadTx,
  seriesId: string | null,
  now: number,
  most: number,
): Promise<FedRow[]> {
  const of = (place: string) => (seriesId === null ? '' : ` AND e.series_id = ${place}`)
  const values = seriesId === null ? [] : [seriesId]
  const dated = `${FED} AND e.starts_at IS NOT NULL AND coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $1
    AND e.account_id = $3${of('$4')} ORDER BY e.starts_at, e.id LIMIT $2`
  const undated = `${FED} AND e.starts_at IS NULL AND e.account_id = $1${of('$3')} ORDER BY e.id LIMIT $2`
  return [
    ...(await tx.all<FedRow>(dated, [now, most, tx.accountId, ...values])),
    ...(await tx.all<FedRow>(undated, [tx.accountId, most, ...values])),
  ]
}

export interface ListedSizeRow extends PictureSize {
  event_id: string
}

const sizesTexts = keptTexts(
  events => `SELECT s.event_id, s.use, s.hash, s.type, s.width, s.height FROM event_picture_sizes s
     WHERE s.use = $1 AND s.event_id IN ${events} ORDER BY s.event_id, s.width`,
)

/** Lists what pages show of the pictures of listed events, the smallest of each first. */
export function listSizes(tx: AnyReadTx, eventIds: readonly string[]): Promise<ListedSizeRow[]> {
  return readInList(tx, eventIds, ['page'], sizesTexts)
}

/** A published, public event of a map for search engines. */
export interface MappedRow {
  account_slug: string
  slug: string
  updated_at: number
}

const TO_COME = `coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $1`
const MAPPED = `FROM events e JOIN accounts a ON a.id = e.account_id
  WHERE e.status = 'published' AND e.visibility = 'public' AND a.slug IS NOT NULL`
const MAPPED_COLUMNS = 'SELECT a.slug AS account_slug, e.slug, e.updated_at'
const MAPPED_DATED = `${MAPPED} AND e.starts_at IS NOT NULL AND ${TO_COME}`
const MAPPED_UNDATED = `${MAPPED} AND e.starts_at IS NULL`

/** A part of the published, public events of all accounts with a slug that are not over. */
export interface Slice {
  most: number
  /** How many events come before it. */
  after: number
}

/** Lists those with a date. @param now in milliseconds */
export function mapDated(tx: InstanceReadTx, now: number, { most, after }: Slice): Promise<MappedRow[]> {
  return tx.all(`${MAPPED_COLUMNS} ${MAPPED_DATED} ORDER BY e.starts_at, e.id LIMIT $2 OFFSET $3`, [
    now,
    most,
    after,
  ])
}

/** Lists those without a date. */
export function mapUndated(tx: InstanceReadTx, { most, after }: Slice): Promise<MappedRow[]> {
  return tx.all(`${MAPPED_COLUMNS} ${MAPPED_UNDATED} ORDER BY e.id LIMIT $1 OFFSET $2`, [most, after])
}

/** Counts both, each at most up to `most`. @param now in milliseconds */
export async function countMapped(
  tx: InstanceReadTx,
  now: number,
  most: number,
): Promise<{ dated: number; undated: number }> {
  const count = (part: string) => `SELECT count(*) AS count FROM (SELECT e.id ${part}) AS slice`
  const dated = await tx.one<{ count: number }>(count(`${MAPPED_DATED} LIMIT $2`), [now, most])
  const undated = await tx.one<{ count: number }>(count(`${MAPPED_UNDATED} LIMIT $1`), [most])
  return { dated: dated?.count ?? 0, undated: undated?.count ?? 0 }
}

/** An account with such an event, and which of its legal texts are written here. */
export interface MappedAccountRow {
  slug: string
  has_imprint: 0 | 1
  has_privacy: 0 | 1
  has_terms: 0 | 1
}

/** Lists the accounts that have such an event. @param now in milliseconds */
export function mapAccounts(tx: InstanceReadTx, now: number, most: number): Promise<MappedAccountRow[]> {
  const event = `SELECT e.id FROM events e WHERE e.account_id = a.id AND e.status = 'published' AND e.visibility = 'public'`
  const has = (column: string) => `CASE WHEN a.${column} IS NULL THEN 0 ELSE 1 END`
  return tx.all(
    `SELECT a.slug, ${has('imprint_text')} AS has_imprint, ${has('privacy_text')} AS has_privacy,
       ${has('terms_text')} AS has_terms FROM accounts a WHERE a.slug IS NOT NULL
       AND (EXISTS (${event} AND e.starts_at IS NOT NULL AND ${TO_COME}) OR EXISTS (${event} AND e.starts_at IS NULL))
     ORDER BY a.slug LIMIT $2`,
    [now, most],
  )
}

export interface MappedSeriesRow {
  account_slug: string
  slug: string
}

/** Lists the series that have such an event with a date, those of an account together. @param now in milliseconds */
export function mapSeries(tx: InstanceReadTx, now: number, most: number): Promise<MappedSeriesRow[]> {
  return tx.all(
    `SELECT a.slug AS account_slug, s.slug FROM series s JOIN accounts a ON a.id = s.account_id WHERE s.account_id > '' AND a.slug IS NOT NULL
       AND EXISTS (SELECT e.id FROM events e WHERE e.account_id = s.account_id AND e.series_id = s.id
         AND e.status = 'published' AND e.visibility = 'public' AND e.starts_at IS NOT NULL AND ${TO_COME})
     ORDER BY s.account_id, s.slug LIMIT $2`,
    [now, most],
  )
}

/** Lists at most two of all accounts, which tells whether there is only one. */
export function listAccounts(tx: InstanceReadTx): Promise<{ slug: string | null }[]> {
  return tx.all('SELECT a.slug FROM accounts a ORDER BY a.created_at, a.id LIMIT 2')
}

/** Returns whether an event with a date is published and public, and its account has a slug. */
export async function hasPublic(tx: InstanceReadTx): Promise<boolean> {
  const query = `SELECT e.id FROM events e JOIN accounts a ON a.id = e.account_id
    WHERE e.status = 'published' AND e.visibility = 'public' AND e.starts_at > $1 AND a.slug IS NOT NULL LIMIT 1`
  return (await tx.one(query, [EARLIEST])) !== undefined
}
