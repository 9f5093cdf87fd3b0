import { type Page, readPage } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { Method } from './processor.ts'

export interface PaymentRow {
  id: string
  account_id: string
  event_id: string
  order_id: string
  method: Method
  status: 'created' | 'pending' | 'confirmed' | 'failed' | 'cancelled'
  currency: string
  /** Minor units that are asked for. */
  amount: number
  /** That came; null until something does. */
  received: number | null
  reference: string | null
  session_id: string | null
  charge_id: string | null
  /** A JSON object: the call that makes the session. */
  call: string | null
  url: string | null
  expires_at: number | null
  next_look_at: number | null
  looks: number
  trouble: string | null
  ended_at: number | null
  /** In which its buyer pays instead, once the processor has ended it. */
  next_method: Method | null
  created_at: number
}

const SELECT = `SELECT p.id, p.account_id, p.event_id, p.order_id, p.method, p.status, p.currency, p.amount, p.received,
  p.reference, p.session_id, p.charge_id, p.call, p.url, p.expires_at, p.next_look_at, p.looks, p.trouble, p.ended_at,
  p.next_method, p.created_at FROM payments p`

export async function insert(tx: WriteTx, row: PaymentRow): Promise<void> {
  await tx.run(
    `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, received, reference, session_id,
       charge_id, call, url, expires_at, next_look_at, looks, trouble, ended_at, next_method, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21)`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.order_id,
      row.method,
      row.status,
      row.currency,
      row.amount,
      row.received,
      row.reference,
      row.session_id,
      row.charge_id,
      row.call,
      row.url,
      row.expires_at,
      row.next_look_at,
      row.looks,
      row.trouble,
      row.ended_at,
      row.next_method,
      row.created_at,
    ],
  )
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.id = $2`, [accountId, id])
}

/** For the command line, which names no account. */
export function findOwner(tx: ReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT p.account_id FROM payments p WHERE p.id = $1', [id])
}

export interface PaymentFilters {
  status?: PaymentRow['status'] | undefined
}

/** Newest first. */
export function listPage(
  tx: ReadTx,
  accountId: string,
  filters: PaymentFilters,
  page: Page,
): Promise<PaymentRow[]> {
  return readPage(tx, SELECT, 'p', { account_id: accountId, ...filters }, page)
}

export function findBySession(
  tx: ReadTx,
  accountId: string,
  sessionId: string,
): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.session_id = $2`, [accountId, sessionId])
}

export function findByCharge(
  tx: ReadTx,
  accountId: string,
  chargeId: string,
): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.charge_id = $2`, [accountId, chargeId])
}

export function findByReference(
  tx: ReadTx,
  accountId: string,
  reference: string,
): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.reference = $2`, [accountId, reference])
}

/** The oldest first. */
export function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<PaymentRow[]> {
  return tx.all(`${SELECT} WHERE p.account_id = $1 AND p.order_id = $2 ORDER BY p.created_at, p.id`, [
    accountId,
    orderId,
  ])
}

/** Those whose session is to be made, of all accounts, the longest first. @param now milliseconds of the clock */
export function listToBegin(tx: ReadTx, now: number, limit: number): Promise<PaymentRow[]> {
  return tx.all(
    `${SELECT} WHERE p.status = 'created' AND p.session_id IS NULL AND p.next_look_at <= $1
     ORDER BY p.next_look_at, p.id LIMIT $2`,
    [now, limit],
  )
}

/** Those that are to be looked at, of all accounts, the longest first. @param now milliseconds of the clock */
export function listDue(tx: ReadTx, now: number, limit: number): Promise<PaymentRow[]> {
  return tx.all(`${SELECT} WHERE p.next_look_at <= $1 ORDER BY p.next_look_at, p.id LIMIT $2`, [now, limit])
}

/** What changes of a payment; what is left out stays. */
export type PaymentChanges = Partial<
  Pick<
    PaymentRow,
    | 'status'
    | 'amount'
    | 'received'
    | 'session_id'
    | 'charge_id'
    | 'call'
    | 'url'
    | 'expires_at'
    | 'next_look_at'
    | 'looks'
    | 'trouble'
    | 'ended_at'
    | 'next_method'
  >
>

/** Changes a payment that is as it was read; one that can be paid no more is left for no other. @returns 0 where it is not any more */
export function update(tx: WriteTx, was: PaymentRow, changes: PaymentChanges, now: number): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE payments SET status = $4, received = $5, session_id = $6, charge_id = $7, call = $8, url = $9, expires_at = $10,
       next_look_at = $11, looks = $12, trouble = $13, ended_at = $14, updated_at = $15, amount = $16, next_method = $17
     WHERE account_id = $1 AND id = $2 AND status = $3`,
    [
      was.account_id,
      was.id,
      was.status,
      row.status,
      row.received,
      row.session_id,
      row.charge_id,
      row.call,
      row.url,
      row.expires_at,
      row.next_look_at,
      row.looks,
      row.trouble,
      row.ended_at,
      now,
      row.amount,
      row.status === 'created' ? row.next_method : null,
    ],
  )
}

/** True where the order of a payment waits for as much no more: all of it is over, or a line was cancelled. */
const IS_OUTDATED = `(coalesce(o.waits_for, '') <> 'payment' OR (p.received IS NULL AND p.amount <>
  (SELECT coalesce(sum(r.amount_total), 0) FROM registrations r
   WHERE r.account_id = p.account_id AND r.order_id = p.order_id AND r.status = 'pending')))`

/**
 * Those that nobody looks at soon, and whose order waits for no money any more, or not for as much, of all accounts; also open
 * sessions of events that are cancelled.
 *
 * @param now milliseconds of the clock
 */
export async function listForsaken(
  tx: ReadTx,
  now: number,
  limit: number,
): Promise<{ order_id: string; account_id: string }[]> {
  // Each along the index: together they would go through all that are open.
  const later = await tx.all<{ order_id: string; account_id: string }>(
    `SELECT p.order_id, p.account_id FROM payments p JOIN orders o ON o.id = p.order_id JOIN events e ON e.id = p.event_id
     WHERE p.ended_at IS NULL AND p.next_look_at > $1 AND p.looks = 0
       AND (${IS_OUTDATED} OR (p.status = 'created' AND e.status = 'cancelled')) LIMIT $2`,
    [now, limit],
  )
  const never = await tx.all<{ order_id: string; account_id: string }>(
    `SELECT p.order_id, p.account_id FROM payments p JOIN orders o ON o.id = p.order_id
     WHERE p.ended_at IS NULL AND p.next_look_at IS NULL AND ${IS_OUTDATED} LIMIT $1`,
    [limit],
  )
  return [...later, ...never]
}

/** Has the open payment of an order looked at. */
export function lookAtOrder(tx: WriteTx, accountId: string, orderId: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE payments SET next_look_at = $3 WHERE account_id = $1 AND order_id = $2 AND ended_at IS NULL
       AND (next_look_at IS NULL OR next_look_at > $3)`,
    [accountId, orderId, at],
  )
}

/** Payments that somebody has to look into, the newest first. */
export function listTroubled(tx: ReadTx, accountId: string, limit: number): Promise<PaymentRow[]> {
  return tx.all(
    `${SELECT} WHERE p.account_id = $1 AND p.trouble IS NOT NULL ORDER BY p.created_at DESC, p.id DESC LIMIT $2`,
    [accountId, limit],
  )
}
