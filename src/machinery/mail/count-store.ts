import type { ReadTx } from '../db/port.ts'
import type { Email } from './schemas.ts'

/** How many of a status there are, of an event, of no event where that is null, or of the account; `most` at most. */
export async function countStatus(
  tx: ReadTx,
  accountId: string,
  { event_id, status }: { event_id?: string | null | undefined; status: Email['status'] },
  most: number,
): Promise<number> {
  const isOfOne = typeof event_id === 'string'
  const ofEvent = event_id === undefined ? '' : isOfOne ? 'AND m.event_id = $4' : 'AND m.event_id IS NULL'
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM emails m WHERE m.account_id = $1 AND m.status = $2 ${ofEvent} LIMIT $3) AS slice`,
    [accountId, status, most, ...(isOfOne ? [event_id] : [])],
  )
  return row?.n ?? 0
}

/** The same of what is about one thing; no more of its mails are looked at than `most`. */
export async function countOfSubject(
  tx: ReadTx,
  accountId: string,
  { subject_id, status }: { subject_id: string; status: Email['status'] },
  most: number,
): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT m.status FROM emails m WHERE m.account_id = $1 AND m.subject_id = $2
       ORDER BY m.created_at, m.id LIMIT $3) AS slice WHERE slice.status = $4`,
    [accountId, subject_id, most, status],
  )
  return row?.n ?? 0
}

/** Of all accounts, as one server sends for all of them. */
export async function countWaiting(tx: ReadTx, most: number): Promise<number> {
  const row = await tx.one<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM emails m WHERE m.lane IN (1, 2, 3) AND m.next_attempt_at IS NOT NULL LIMIT $1) AS slice',
    [most],
  )
  return row?.n ?? 0
}
