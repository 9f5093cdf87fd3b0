import { readInList } from '#machinery/db/in-list.ts'
import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Method } from './processor.ts'

export interface PaymentRow {
  id: string
  account_id: string
  event_id: string
  order_id: string
  method: Method
  status: 'created' | 'pending' | 'confirmed' | 'failed' | 'cancelled'
  currency: string
  /** The minor units that are asked for. */
  amount: number
  /** The minor units that came. It is null until something does. */
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
  /** The method that the buyer pays with instead, once the processor has ended this payment. */
  next_method: Method | null
  /** Of an open one: the address of the page of the organizer's own site that the buyer came from. */
  back: string | null
  created_at: number
}

const SELECT = `SELECT p.id, p.account_id, p.event_id, p.order_id, p.method, p.status, p.currency, p.amount, p.received,
  p.reference, p.session_id, p.charge_id, p.call, p.url, p.expires_at, p.next_look_at, p.looks, p.trouble, p.ended_at,
  p.next_method, p.back, p.created_at FROM payments p`

export async function insert(tx: WriteTx, row: PaymentRow): Promise<void> {
  await tx.run(
    `INSERT INTO payments (id, account_id, event_id, order_id, method, status, currency, amount, received, reference, session_id,
       charge_id, call, url, expires_at, next_look_at, looks, trouble, ended_at, next_method, back,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $22)`,
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
      row.back,
      row.created_at,
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.id = $2`, [tx.accountId, id])
}

/** Returns the account of a payment, for the command line, which names no account. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT p.account_id FROM payments p WHERE p.id = $1', [id])
}

export interface PaymentFilters {
  status?: PaymentRow['status'] | undefined
}

/** Returns the newest first. */
export function listPage(tx: ReadTx, filters: PaymentFilters, page: Page): Promise<PaymentRow[]> {
  return readPage(tx, SELECT, 'p', { account_id: tx.accountId, ...filters }, page)
}

export function findBySession(tx: ReadTx, sessionId: string): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.session_id = $2`, [tx.accountId, sessionId])
}

export function findByCharge(tx: ReadTx, chargeId: string): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.charge_id = $2`, [tx.accountId, chargeId])
}

export function findByReference(tx: ReadTx, reference: string): Promise<PaymentRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.reference = $2`, [tx.accountId, reference])
}

/** Returns the oldest first. */
export function listByOrder(tx: ReadTx, orderId: string): Promise<PaymentRow[]> {
  return tx.all(`${SELECT} WHERE p.account_id = $1 AND p.order_id = $2 ORDER BY p.created_at, p.id`, [
    tx.accountId,
    orderId,
  ])
}

/**
 * Returns the payments of all accounts whose session is to be made, the longest overdue first.
 *
 * @param now milliseconds of the clock
 */
export function listToStart(tx: InstanceReadTx, now: number, limit: number): Promise<PaymentRow[]> {
  return tx.all(
    `${SELECT} WHERE p.status = 'created' AND p.session_id IS NULL AND p.next_look_at <= $1
     ORDER BY p.next_look_at, p.id LIMIT $2`,
    [now, limit],
  )
}

/** Returns the payments of all accounts that are due, the longest overdue first. @param now milliseconds of the clock */
export function listDue(tx: InstanceReadTx, now: number, limit: number): Promise<PaymentRow[]> {
  return tx.all(`${SELECT} WHERE p.next_look_at <= $1 ORDER BY p.next_look_at, p.id LIMIT $2`, [now, limit])
}

/** The fields of a payment to change. The others stay. */
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

/** Has a payment looked at now that would be looked at later. */
export function bringForward(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE payments SET next_look_at = $3, updated_at = $3 WHERE account_id = $1 AND id = $2 AND next_look_at > $3',
    [tx.accountId, id, now],
  )
}

/**
 * Changes a payment if its status is still the one that was read. Only a payment that is still `created` keeps its `next_method`,
 * and only an open one where its buyer came from.
 *
 * @returns 0 if the status is another
 */
export function update(tx: WriteTx, was: PaymentRow, changes: PaymentChanges, now: number): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE payments SET status = $4, received = $5, session_id = $6, charge_id = $7, call = $8, url = $9, expires_at = $10,
       next_look_at = $11, looks = $12, trouble = $13, ended_at = $14, updated_at = $15, amount = $16, next_method = $17,
       back = $18
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
      row.ended_at === null ? row.back : null,
    ],
  )
}

/**
 * It holds for a payment whose order no longer waits for this amount: the order no longer waits for payment, or a line was
 * cancelled.
 */
const IS_OUTDATED = `(coalesce(o.waits_for, '') <> 'payment' OR (p.received IS NULL AND p.amount <>
  (SELECT coalesce(sum(r.amount_total), 0) FROM registrations r
   WHERE r.account_id = p.account_id AND r.order_id = p.order_id AND r.status = 'pending')))`

/**
 * Returns payments of all accounts that will not be looked at soon, but whose order no longer waits for this amount. It also
 * returns open sessions of events that are cancelled.
 *
 * @param now milliseconds of the clock
 */
export async function listAbandoned(
  tx: InstanceReadTx,
  now: number,
  limit: number,
): Promise<{ order_id: string; account_id: string }[]> {
  // Each query follows an index. A single query would go through all open payments.
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

/** What an order is still to pay at the door, by one of its registrations. */
export interface DoorDueRow extends Pick<PaymentRow, 'currency' | 'amount' | 'received'> {
  registration_id: string
  /** The reference of the order. */
  reference: string
}

/** Returns what is to be paid at the door for those of these registrations whose orders are paid there. */
export function listDueAtDoor(tx: ReadTx, registrationIds: readonly string[]): Promise<DoorDueRow[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id AS registration_id, o.reference, p.currency, p.amount, p.received FROM registrations r
     JOIN orders o ON o.id = r.order_id JOIN payments p ON p.order_id = r.order_id AND p.ended_at IS NULL
     WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1
       AND p.method = 'door' AND o.waits_for = 'payment'`,
  )
}

/** Makes the open payment of an order due. */
export function makeOrderDue(tx: WriteTx, orderId: string, at: number): Promise<number> {
  return tx.run(
    `UPDATE payments SET next_look_at = $3 WHERE account_id = $1 AND order_id = $2 AND ended_at IS NULL
       AND (next_look_at IS NULL OR next_look_at > $3)`,
    [tx.accountId, orderId, at],
  )
}

/** Returns the payments that somebody has to look into, the newest first. */
export function listTroubled(tx: ReadTx, limit: number): Promise<PaymentRow[]> {
  return tx.all(
    `${SELECT} WHERE p.account_id = $1 AND p.trouble IS NOT NULL ORDER BY p.created_at DESC, p.id DESC LIMIT $2`,
    [tx.accountId, limit],
  )
}
