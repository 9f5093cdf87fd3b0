import type { ReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from '#product/catalog/events/end.ts'
import type { PublicDate } from './schemas.ts'

const DATES = `SELECT e.id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone FROM events e
  WHERE e.account_id = $1 AND e.series_id = $2 AND e.status = 'published' AND e.visibility = 'public'
    AND e.starts_at IS NOT NULL AND coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}) > $3
  ORDER BY e.starts_at, e.id LIMIT $4`

/** Lists those that are not over, the next one first. @param now in milliseconds */
export function listToCome(tx: ReadTx, id: string, now: number, most: number): Promise<PublicDate[]> {
  return tx.all(DATES, [tx.accountId, id, now, most])
}

export interface SeenSeriesRow {
  id: string
  name: string
  slug: string
  updated_at: number
}

/** Finds the series of the account with this slug if everybody could see a date of it once, though that may be over or cancelled now. */
export function findSeenSeries(tx: ReadTx, slug: string): Promise<SeenSeriesRow | undefined> {
  return tx.one(
    `SELECT s.id, s.name, s.slug, s.updated_at FROM series s WHERE s.account_id = $1 AND s.slug = $2
       AND EXISTS (SELECT e.id FROM events e WHERE e.account_id = $1 AND e.series_id = s.id AND e.status <> 'draft'
         AND e.visibility = 'public' AND e.deleting_at IS NULL)`,
    [tx.accountId, slug],
  )
}
