import { readInList } from '../db/in-list.ts'
import type { ReadTx } from '../db/port.ts'

export interface VersionRow {
  /** Of the registration. */
  id: string
  secret_version: number
}

/** The events of orders that wait for the organizer, `most` orders at most. @param eventId of one event alone */
export function listToApprove(
  tx: ReadTx,
  accountId: string,
  eventId: string | undefined,
  most: number,
): Promise<{ event_id: string }[]> {
  const ofEvent = eventId === undefined ? '' : 'AND o.event_id = $3'
  return tx.all(
    `SELECT o.event_id FROM orders o WHERE o.account_id = $1 AND o.waits_for = 'approval' ${ofEvent} LIMIT $2`,
    [accountId, most, ...(eventId === undefined ? [] : [eventId])],
  )
}

/** How many orders of an event wait under this e-mail, `most` at most; what is offered to it is none that it has made. */
export async function countPendingOf(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  key: string,
  most: number,
): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM orders o WHERE o.account_id = $1 AND o.buyer_email_key = $2
       AND o.event_id = $3 AND o.status = 'pending' AND o.waits_for <> 'answer' LIMIT $4) AS slice`,
    [accountId, key, eventId, most],
  )
  return row?.n ?? 0
}

/** The versions of the links to what these registrations were ordered with. */
export function listVersions(
  tx: ReadTx,
  accountId: string,
  registrationIds: readonly string[],
): Promise<VersionRow[]> {
  return readInList(
    tx,
    registrationIds,
    [accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, o.secret_version FROM registrations r JOIN orders o ON o.id = r.order_id
       WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

/** Those whose time is over, of all accounts, the longest first; but for those that wait for money. @param now milliseconds of the clock */
export function listDue(
  tx: ReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return tx.all(
    `SELECT o.id, o.account_id FROM orders o WHERE o.expires_at <= $1 AND o.waits_for <> 'payment'
     ORDER BY o.expires_at, o.id LIMIT $2`,
    [now, limit],
  )
}

/** The same of those that wait for money. */
export function listUnpaid(
  tx: ReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return tx.all(
    `SELECT o.id, o.account_id FROM orders o WHERE o.expires_at <= $1 AND o.waits_for = 'payment'
     ORDER BY o.expires_at, o.id LIMIT $2`,
    [now, limit],
  )
}

/** Those that came to nothing before this instant and still name their buyer, the longest ago first. */
export function listAbandoned(
  tx: ReadTx,
  accountId: string,
  before: number,
  limit: number,
): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.failed_at < $2 AND o.erased_at IS NULL
     ORDER BY o.failed_at, o.id LIMIT $3`,
    [accountId, before, limit],
  )
}

/** What is offered to somebody. @param key as e-mails are compared */
export function listOffered(tx: ReadTx, accountId: string, key: string): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.buyer_email_key = $2 AND o.waits_for = 'answer'`,
    [accountId, key],
  )
}
