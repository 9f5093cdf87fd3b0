import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'

export interface VersionRow {
  /** The id of the registration. */
  id: string
  secret_version: number
}

const TO_APPROVE = `SELECT o.event_id FROM orders o WHERE o.account_id = $1 AND o.waits_for = 'approval'
  AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = o.event_id AND (e.archived_at IS NOT NULL OR e.deleting_at IS NOT NULL))`
const toApproveOf = keptTexts(ids => `${TO_APPROVE} AND o.event_id IN ${ids} LIMIT $2`)

/**
 * Lists the events of orders that wait for approval, for at most `most` orders in all, or of some 128 events. It leaves out orders of
 * archived events.
 *
 * @param eventIds limits it to these events; null for all
 */
export function listToApprove(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  most: number,
): Promise<{ event_id: string }[]> {
  return eventIds === null
    ? tx.all(`${TO_APPROVE} LIMIT $2`, [tx.accountId, most])
    : readInList(tx, eventIds, [tx.accountId, most], toApproveOf)
}

/**
 * Counts the orders of an event that wait under this e-mail, `most` at most. It leaves out offers, which their buyer has not
 * made.
 */
export async function countPendingOf(
  tx: ReadTx,
  eventId: string,
  key: string,
  most: number,
): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM orders o WHERE o.account_id = $1 AND o.buyer_email_key = $2
       AND o.event_id = $3 AND o.status = 'pending' AND o.waits_for <> 'answer' LIMIT $4) AS slice`,
    [tx.accountId, key, eventId, most],
  )
  return row?.n ?? 0
}

/** Counts the orders of an event that wait for payment, `most` at most. */
export async function countToPay(tx: ReadTx, eventId: string, most: number): Promise<number> {
  const row = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT 1 FROM orders o WHERE o.account_id = $1 AND o.event_id = $2
       AND o.waits_for = 'payment' LIMIT $3) AS slice`,
    [tx.accountId, eventId, most],
  )
  return row?.n ?? 0
}

/** Returns the version of the links to the tickets of each of these registrations: that of its order, or else its own. */
export function listVersions(tx: ReadTx, registrationIds: readonly string[]): Promise<VersionRow[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id, coalesce(o.secret_version, r.secret_version) AS secret_version FROM registrations r
       LEFT JOIN orders o ON o.account_id = r.account_id AND o.id = r.order_id
       WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

/**
 * Returns the orders of all accounts whose time is over, the longest overdue first, except those that wait for payment.
 *
 * @param now milliseconds of the clock
 */
export function listDue(
  tx: InstanceReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return tx.all(
    `SELECT o.id, o.account_id FROM orders o WHERE o.expires_at <= $1 AND o.waits_for <> 'payment'
       AND ${ofKeptEvent('o')}
     ORDER BY o.expires_at, o.id LIMIT $2`,
    [now, limit],
  )
}

/**
 * Returns the orders of all accounts whose time to be paid is over, the longest overdue first.
 *
 * @param now milliseconds of the clock
 */
export function listUnpaid(
  tx: InstanceReadTx,
  now: number,
  limit: number,
): Promise<{ id: string; account_id: string }[]> {
  return tx.all(
    `SELECT o.id, o.account_id FROM orders o WHERE o.expires_at <= $1 AND o.waits_for = 'payment'
       AND ${ofKeptEvent('o')}
     ORDER BY o.expires_at, o.id LIMIT $2`,
    [now, limit],
  )
}

/** Returns the orders that failed before this instant and still name their buyer, those that failed first coming first. */
export function listAbandoned(tx: ReadTx, before: number, limit: number): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.failed_at < $2 AND o.erased_at IS NULL
     ORDER BY o.failed_at, o.id LIMIT $3`,
    [tx.accountId, before, limit],
  )
}

/** Returns the orders from before this instant that still name the networks they came from, the oldest first. */
export function listPlaced(tx: ReadTx, before: number, limit: number): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.created_at < $2 AND o.placed_from IS NOT NULL
     ORDER BY o.created_at, o.id LIMIT $3`,
    [tx.accountId, before, limit],
  )
}

/** Returns the offers to somebody. @param key as e-mails are compared */
export function listOffered(tx: ReadTx, key: string): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.buyer_email_key = $2 AND o.waits_for = 'answer'`,
    [tx.accountId, key],
  )
}

/** Returns the latest orders of a status that somebody made for an event. @param key as e-mails are compared */
export function listLatestOf(
  tx: ReadTx,
  eventId: string,
  { key, status, limit }: { key: string; status: 'confirmed' | 'pending'; limit: number },
): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT o.id FROM orders o WHERE o.account_id = $1 AND o.buyer_email_key = $2 AND o.event_id = $3
       AND o.status = $4 ORDER BY o.created_at DESC, o.id DESC LIMIT $5`,
    [tx.accountId, key, eventId, status, limit],
  )
}
