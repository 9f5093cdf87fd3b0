import { ERASED_EMAIL, ERASED_NAME } from '#base/words.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'

const START: Position = { created_at: Number.MIN_SAFE_INTEGER, id: '' }

export interface EndedRow extends Position {
  title: string
  /** In milliseconds. */
  ended_at: number
}

/** Lists the events that were over before an instant, after `last`. One without an end was over when it began. */
export function listEnded(
  tx: ReadTx,
  before: number,
  last: Position | undefined,
  size: number,
): Promise<EndedRow[]> {
  const { created_at, id } = last ?? START
  return tx.all(
    `SELECT e.id, e.created_at, e.title, coalesce(e.ends_at, e.starts_at) AS ended_at FROM events e
     WHERE e.account_id = $1 AND coalesce(e.ends_at, e.starts_at) < $2 AND e.deleting_at IS NULL
       AND (e.created_at, e.id) > ($3, $4) ORDER BY e.created_at, e.id LIMIT $5`,
    [tx.accountId, before, created_at, id, size],
  )
}

export interface GuestRow extends Position {
  order_id: string | null
  /** Whether it still names its buyer, or a ticket its holder. */
  is_named: 0 | 1
}

/** Lists the registrations of an event after `last`, oldest first. */
export function listGuests(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  size: number,
): Promise<GuestRow[]> {
  const { created_at, id } = last ?? START
  return tx.all(
    `SELECT r.id, r.created_at, r.order_id, CASE WHEN r.erased_at IS NULL OR EXISTS (SELECT 1 FROM attendees a
         WHERE a.registration_id = r.id AND (a.email IS NOT NULL OR a.name <> $6)) THEN 1 ELSE 0 END AS is_named
     FROM registrations r WHERE r.account_id = $1 AND r.event_id = $2 AND (r.created_at, r.id) > ($3, $4)
     ORDER BY r.created_at, r.id LIMIT $5`,
    [tx.accountId, eventId, created_at, id, size, ERASED_NAME],
  )
}

export interface WaitingRow extends Position {
  email: string
  is_named: 0 | 1
}

/** Lists the entries of the waitlist of an event after `last`, oldest first, with whether they still name somebody. */
export function listWaiting(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  size: number,
): Promise<WaitingRow[]> {
  const { created_at, id } = last ?? START
  return tx.all(
    `SELECT w.id, w.created_at, w.email, CASE WHEN w.email <> $6 THEN 1 ELSE 0 END AS is_named
     FROM waitlist_entries w WHERE w.account_id = $1 AND w.event_id = $2 AND (w.created_at, w.id) > ($3, $4)
     ORDER BY w.created_at, w.id LIMIT $5`,
    [tx.accountId, eventId, created_at, id, size, ERASED_EMAIL],
  )
}

/**
 * Returns whether money of an order is still open: it waits for some, some is to go back, or a bank or a member has yet to decide
 * about some.
 */
export async function isOrderOpen(tx: ReadTx, orderId: string): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM orders o WHERE o.account_id = $1 AND o.id = $2 AND (o.status = 'pending'
       OR EXISTS (SELECT 1 FROM payments p WHERE p.account_id = $1 AND p.order_id = $2 AND p.ended_at IS NULL)
       OR EXISTS (SELECT 1 FROM refunds f WHERE f.account_id = $1 AND f.order_id = $2 AND f.status NOT IN ('done', 'dropped'))
       OR EXISTS (SELECT 1 FROM disputes d WHERE d.account_id = $1 AND d.order_id = $2
         AND (d.status IN ('warning', 'needs_response', 'under_review') OR (d.status = 'lost' AND d.decision IS NULL))))`,
    [tx.accountId, orderId],
  )
  return row !== undefined
}

/** Returns whether money of a registration without an order is still to go back. */
export async function isRegistrationOpen(tx: ReadTx, id: string): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM refunds f WHERE f.account_id = $1 AND f.registration_id = $2 AND f.status NOT IN ('done', 'dropped') LIMIT 1`,
    [tx.accountId, id],
  )
  return row !== undefined
}
