import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import type { PublicDate } from './schemas.ts'

export interface SeriesPlaceRow {
  account_id: string
  id: string
  name: string
  slug: string
}

/** Finds the series with these slugs. */
export function findBySlugs(
  tx: InstanceReadTx,
  account: string,
  series: string,
): Promise<SeriesPlaceRow | undefined> {
  return tx.one(
    `SELECT s.account_id, s.id, s.name, s.slug FROM accounts a JOIN series s ON s.account_id = a.id
     WHERE a.slug = $1 AND s.slug = $2`,
    [account, series],
  )
}

const DATES = `SELECT e.id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone FROM events e
  WHERE e.account_id = $1 AND e.series_id = $2 AND e.status = 'published' AND e.visibility = 'public'
    AND e.starts_at IS NOT NULL AND coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $3
  ORDER BY e.starts_at, e.id LIMIT $4`

/** Lists those that are not over, the next one first. @param now in milliseconds */
export function listToCome(tx: ReadTx, id: string, now: number, most: number): Promise<PublicDate[]> {
  return tx.all(DATES, [tx.accountId, id, now, most])
}

/** Returns whether everybody could see a date of a series once, though it may be over or cancelled now. */
export async function wasPublic(tx: ReadTx, id: string): Promise<boolean> {
  const query = `SELECT e.id FROM events e WHERE e.account_id = $1 AND e.series_id = $2 AND e.status <> 'draft'
    AND e.visibility = 'public' AND e.deleting_at IS NULL LIMIT 1`
  return (await tx.one(query, [tx.accountId, id])) !== undefined
}
