import type { ReadTx } from '../db/port.ts'
import type { EventDetails } from '../events/schemas.ts'
import { DAY, EARLIEST } from '../time.ts'

export interface PlaceRow {
  account_id: string
  event_id: string
  /** Grows with each change of the event. */
  revision: number
  updated_at: number
  status: EventDetails['status']
  visibility: EventDetails['visibility']
}

/** The event that has these names in addresses. */
export function findBySlugs(tx: ReadTx, account: string, event: string): Promise<PlaceRow | undefined> {
  return tx.one(
    `SELECT a.id AS account_id, e.id AS event_id, e.revision, e.updated_at, e.status, e.visibility
     FROM accounts a
     JOIN events e ON e.account_id = a.id WHERE a.slug = $1 AND e.slug = $2`,
    [account, event],
  )
}

/** How often an event has changed, and when it did last. */
export function findRevision(
  tx: ReadTx,
  accountId: string,
  eventId: string,
): Promise<Pick<PlaceRow, 'revision' | 'updated_at'> | undefined> {
  return tx.one('SELECT e.revision, e.updated_at FROM events e WHERE e.account_id = $1 AND e.id = $2', [
    accountId,
    eventId,
  ])
}

export interface AccountPlaceRow {
  id: string
  name: string
  slug: string
}

export function findAccountBySlug(tx: ReadTx, slug: string): Promise<AccountPlaceRow | undefined> {
  return tx.one('SELECT a.id, a.name, a.slug FROM accounts a WHERE a.slug = $1', [slug])
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
  picture_type: string | null
}

/** An event that nobody has said the end of is over so long after its beginning, in milliseconds. */
export const UNSAID_LENGTH = DAY

const LISTED = `SELECT a.name AS account_name, a.slug AS account_slug, e.id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone,
    e.venue, e.city, p.hash AS picture_hash, p.type AS picture_type
  FROM events e JOIN accounts a ON a.id = e.account_id LEFT JOIN event_pictures p ON p.event_id = e.id
  WHERE e.status = 'published' AND e.visibility = 'public'`
const DATED = `${LISTED} AND e.starts_at IS NOT NULL AND coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $1`
const UNDATED = `${LISTED} AND e.starts_at IS NULL`

/** What is published, public and to come of an account: the next first, then those without a date. @param now milliseconds */
export async function listOfAccount(
  tx: ReadTx,
  accountId: string,
  now: number,
  most: number,
): Promise<ListedRow[]> {
  const dated = `${DATED} AND e.account_id = $3 ORDER BY e.starts_at, e.id LIMIT $2`
  const undated = `${UNDATED} AND e.account_id = $1 ORDER BY e.id LIMIT $2`
  return [
    ...(await tx.all<ListedRow>(dated, [now, most, accountId])),
    ...(await tx.all<ListedRow>(undated, [accountId, most])),
  ]
}

/** The same of all accounts that have a name in addresses. */
export async function listOfAll(tx: ReadTx, now: number, most: number): Promise<ListedRow[]> {
  const dated = `${DATED} AND a.slug IS NOT NULL ORDER BY e.starts_at, e.id LIMIT $2`
  const undated = `${UNDATED} AND a.slug IS NOT NULL ORDER BY e.id LIMIT $1`
  return [...(await tx.all<ListedRow>(dated, [now, most])), ...(await tx.all<ListedRow>(undated, [most]))]
}

/** At most two, of all accounts: whether there is one alone. */
export function listAccounts(tx: ReadTx): Promise<{ slug: string | null }[]> {
  return tx.all('SELECT a.slug FROM accounts a ORDER BY a.created_at, a.id LIMIT 2')
}

/** Whether anything that has a date is published and public. */
export async function hasPublic(tx: ReadTx): Promise<boolean> {
  const query = `SELECT e.id FROM events e JOIN accounts a ON a.id = e.account_id
    WHERE e.status = 'published' AND e.visibility = 'public' AND e.starts_at > $1 AND a.slug IS NOT NULL LIMIT 1`
  return (await tx.one(query, [EARLIEST])) !== undefined
}
