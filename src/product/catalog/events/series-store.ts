import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface SeriesRow {
  id: string
  name: string
  slug: string
  created_at: number
}

const SELECT = 'SELECT s.id, s.name, s.slug, s.created_at FROM series s'

export function find(tx: ReadTx, id: string): Promise<SeriesRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.id = $2`, [tx.accountId, id])
}

export function findBySlug(tx: ReadTx, slug: string): Promise<SeriesRow | undefined> {
  return tx.one(`${SELECT} WHERE s.account_id = $1 AND s.slug = $2`, [tx.accountId, slug])
}

/** Lists all series of the account, oldest first. */
export function list(tx: ReadTx): Promise<SeriesRow[]> {
  return tx.all(`${SELECT} WHERE s.account_id = $1 ORDER BY s.created_at, s.id`, [tx.accountId])
}

export function insert(tx: WriteTx, { id, name, slug, created_at }: SeriesRow): Promise<number> {
  return tx.run(
    `INSERT INTO series (id, account_id, name, slug, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
    [id, tx.accountId, name, slug, created_at],
  )
}

export function update(tx: WriteTx, { id, name, slug }: SeriesRow, now: number): Promise<number> {
  return tx.run('UPDATE series SET name = $3, slug = $4, updated_at = $5 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    name,
    slug,
    now,
  ])
}

/** Deletes a series if no event belongs to it. */
export function removeEmpty(tx: WriteTx, id: string): Promise<number> {
  return tx.run(
    `DELETE FROM series WHERE account_id = $1 AND id = $2
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.account_id = $1 AND e.series_id = $2)`,
    [tx.accountId, id],
  )
}

/** A date of a series. */
export interface DateRow {
  id: string
  slug: string
  title: string
  starts_at: number | null
  status: 'draft' | 'published' | 'cancelled' | 'completed'
}

const DATES = `SELECT e.id, e.slug, e.title, e.starts_at, e.status FROM events e
  WHERE e.account_id = $1 AND e.series_id = $2 AND e.deleting_at IS NULL`

/** Lists the events of a series, the first to begin before others. Those without a date come last. */
export async function listDates(tx: ReadTx, id: string, most: number): Promise<DateRow[]> {
  const dated = `${DATES} AND e.starts_at IS NOT NULL ORDER BY e.starts_at, e.id LIMIT $3`
  const undated = `${DATES} AND e.starts_at IS NULL ORDER BY e.id LIMIT $3`
  return [
    ...(await tx.all<DateRow>(dated, [tx.accountId, id, most])),
    ...(await tx.all<DateRow>(undated, [tx.accountId, id, most])),
  ]
}

export async function countDates(tx: ReadTx, id: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    'SELECT count(*) AS count FROM events e WHERE e.account_id = $1 AND e.series_id = $2 AND e.deleting_at IS NULL',
    [tx.accountId, id],
  )
  return row?.count ?? 0
}

/** A date of a series that comes after another, with what its own times and prices are counted in. */
export interface LaterRow {
  id: string
  starts_at: number
  timezone: string
  currency: string
}

/** Lists the dates of a series that begin after `start`, in milliseconds, and are not cancelled, the first to begin before others. */
export function listLater(tx: ReadTx, id: string, start: number, most: number): Promise<LaterRow[]> {
  return tx.all(
    `SELECT e.id, e.starts_at, e.timezone, e.currency FROM events e
     WHERE e.account_id = $1 AND e.series_id = $2 AND e.deleting_at IS NULL AND e.status <> 'cancelled'
       AND e.starts_at > $3 ORDER BY e.starts_at, e.id LIMIT $4`,
    [tx.accountId, id, start, most],
  )
}
