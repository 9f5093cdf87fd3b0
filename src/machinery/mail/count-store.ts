import type { AnyReadTx, ReadTx } from '#machinery/db/port.ts'
import type { Email } from './schemas.ts'

/**
 * Counts the mails of a status, up to `most`: of an event, of no event if `event_id` is null, or of the whole account if it is
 * undefined.
 */
export async function countStatus(
  tx: ReadTx,
  { event_id, status }: { event_id?: string | null | undefined; status: Email['status'] },
  most: number,
): Promise<number> {
  const isOfOne = typeof event_id === 'string'
  const ofEvent = event_id === undefined ? '' : isOfOne ? 'AND m.event_id = $4' : 'AND m.event_id IS NULL'
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM emails m WHERE m.account_id = $1 AND m.status = $2 ${ofEvent} LIMIT $3) AS slice`,
    [tx.accountId, status, most, ...(isOfOne ? [event_id] : [])],
  )
  return row?.n ?? 0
}

/** The most mails of an event and a status to look through. */
const MOST_OF_STATUS = 5_000

/** Returns whether an event has a mail of a kind with this status. It looks at the newest of that status. */
export async function hasOfKind(
  tx: ReadTx,
  { event_id, kind, status }: { event_id: string; kind: string; status: Email['status'] },
): Promise<boolean> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT m.kind FROM emails m WHERE m.account_id = $1 AND m.event_id = $2 AND m.status = $3
       ORDER BY m.created_at DESC, m.id DESC LIMIT $4) AS slice WHERE slice.kind = $5`,
    [tx.accountId, event_id, status, MOST_OF_STATUS, kind],
  )
  return (row?.n ?? 0) > 0
}

/** Counts the mails of a status about one subject. It looks at no more than `most` of its mails. */
export async function countOfSubject(
  tx: ReadTx,
  { subject_id, status }: { subject_id: string; status: Email['status'] },
  most: number,
): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT m.status FROM emails m WHERE m.account_id = $1 AND m.subject_id = $2
       ORDER BY m.created_at, m.id LIMIT $3) AS slice WHERE slice.status = $4`,
    [tx.accountId, subject_id, most, status],
  )
  return row?.n ?? 0
}

/** The most mails of one subject to look through. */
const MOST_OF_ONE = 500

/** Counts the mails of a kind about one subject that were made at this instant or after it, up to `most`. */
export async function countSince(
  tx: ReadTx,
  { subject_id, kind, since }: { subject_id: string; kind: string; since: number },
  most: number,
): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT m.kind FROM emails m WHERE m.account_id = $1 AND m.subject_id = $2
       AND m.created_at >= $3 ORDER BY m.created_at DESC, m.id DESC LIMIT $4) AS slice WHERE slice.kind = $5`,
    [tx.accountId, subject_id, since, MOST_OF_ONE, kind],
  )
  return Math.min(row?.n ?? 0, most)
}

/** Counts the mails of a kind to one address that were made at this instant or after it, up to `most`. */
export async function countToSince(
  tx: ReadTx,
  { recipient_key, kind, since }: { recipient_key: string; kind: string; since: number },
  most: number,
): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT m.kind FROM emails m WHERE m.account_id = $1 AND m.recipient_key = $2
       AND m.created_at >= $3 ORDER BY m.created_at DESC, m.id DESC LIMIT $4) AS slice WHERE slice.kind = $5`,
    [tx.accountId, recipient_key, since, MOST_OF_ONE, kind],
  )
  return Math.min(row?.n ?? 0, most)
}

/** Counts the waiting mails of all accounts, as one server sends for all of them. */
export async function countWaiting(tx: AnyReadTx, most: number): Promise<number> {
  const row = await tx.one<{ n: number }>(
    'SELECT count(*) AS n FROM (SELECT 1 FROM emails m WHERE m.lane IN (1, 2, 3) AND m.next_attempt_at IS NOT NULL LIMIT $1) AS slice',
    [most],
  )
  return row?.n ?? 0
}
