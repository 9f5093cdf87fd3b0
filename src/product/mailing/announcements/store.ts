import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface AnnouncementRow {
  id: string
  event_id: string
  subject: string
  body: string
  audience: string
  job_id: string | null
  sent_at: number | null
  stopped_at: number | null
  origin_id: string | null
  created_at: number
}

const SELECT = `SELECT n.id, n.event_id, n.subject, n.body, n.audience, n.job_id, n.sent_at, n.stopped_at, n.origin_id,
  n.created_at
  FROM announcements n`

export function find(tx: ReadTx, id: string): Promise<AnnouncementRow | undefined> {
  return tx.one(`${SELECT} WHERE n.account_id = $1 AND n.id = $2`, [tx.accountId, id])
}

/** Lists the announcements of an event, newest first. */
export function listPage(tx: ReadTx, eventId: string, page: Page): Promise<AnnouncementRow[]> {
  return readPage(tx, SELECT, 'n', { account_id: tx.accountId, event_id: eventId }, page)
}

/** Lists the announcements of other dates that were sent with one. */
export function listSentWith(tx: ReadTx, originId: string, most: number): Promise<AnnouncementRow[]> {
  return tx.all(`${SELECT} WHERE n.account_id = $1 AND n.origin_id = $2 ORDER BY n.id LIMIT $3`, [
    tx.accountId,
    originId,
    most,
  ])
}

export interface NewRow
  extends Pick<AnnouncementRow, 'id' | 'event_id' | 'subject' | 'body' | 'audience' | 'origin_id'> {
  created_by: string
}

export function insert(
  tx: WriteTx,
  { id, event_id, subject, body, audience, created_by, origin_id }: NewRow,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO announcements (id, account_id, event_id, subject, body, audience, created_by, job_id, sent_at, stopped_at,
       origin_id, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL, NULL, $9, $8, $8)`,
    [id, tx.accountId, event_id, subject, body, audience, created_by, now, origin_id],
  )
}

export function update(
  tx: WriteTx,
  id: string,
  { subject, body, audience }: Pick<AnnouncementRow, 'subject' | 'body' | 'audience'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE announcements SET subject = $3, body = $4, audience = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2 AND sent_at IS NULL`,
    [tx.accountId, id, subject, body, audience, now],
  )
}

/** @returns 0 for an announcement that was sent already */
export function markSent(tx: WriteTx, id: string, jobId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE announcements SET job_id = $3, sent_at = $4, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND sent_at IS NULL`,
    [tx.accountId, id, jobId, now],
  )
}

export function markStopped(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE announcements SET stopped_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND sent_at IS NOT NULL AND stopped_at IS NULL`,
    [tx.accountId, id, now],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM announcements WHERE account_id = $1 AND id = $2 AND sent_at IS NULL', [
    tx.accountId,
    id,
  ])
}
