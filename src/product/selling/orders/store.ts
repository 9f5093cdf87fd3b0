import { emailKey } from '#base/fields.ts'
import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import type { Language } from '#texts/languages.ts'
import type { Invoice } from './invoice.ts'

export interface OrderRow {
  id: string
  account_id: string
  event_id: string
  reference: string
  status: 'pending' | 'confirmed' | 'failed'
  /** `answer`: somebody on the waitlist has to answer, and places are held for them. `payment`: the buyer has to pay. */
  waits_for: 'approval' | 'answer' | 'payment' | null
  /**
   * `undecided`: the organizer did not decide in time. `unpaid`: the buyer did not pay in time. `withdrawn`: the buyer ended it
   * while it waited. `turned_down`: the buyer refused the offer. `lapsed`: nobody answered the offer. `cancelled`: its
   * registrations were all cancelled one by one.
   */
  failed_for:
    | 'declined'
    | 'undecided'
    | 'unpaid'
    | 'withdrawn'
    | 'turned_down'
    | 'lapsed'
    | 'cancelled'
    | null
  buyer_name: string
  buyer_email: string
  buyer_email_key: string
  language: Language
  currency: string
  amount_total: number
  terms: string | null
  form_id: string
  secret_version: number
  expires_at: number | null
  confirmed_at: number | null
  failed_at: number | null
  created_at: number
  buyer_company: string | null
  buyer_address: string | null
  buyer_vat_id: string | null
  /** When it was noted that its buyer wants it. */
  verified_at: number | null
  /** The hashed networks that an unverified order came from, separated by spaces. */
  placed_from: string | null
  /** How many of its registrations are neither cancelled nor refunded. */
  standing: number
}

const SELECT = `SELECT o.id, o.account_id, o.event_id, o.reference, o.status, o.waits_for, o.failed_for, o.buyer_name,
  o.buyer_email, o.buyer_email_key, o.language, o.currency, o.amount_total, o.terms, o.form_id, o.secret_version,
  o.expires_at, o.confirmed_at, o.failed_at, o.created_at, o.buyer_company, o.buyer_address, o.buyer_vat_id, o.verified_at,
  o.placed_from,
  (SELECT count(*) FROM registrations r WHERE r.account_id = o.account_id AND r.order_id = o.id
     AND r.status IN ('pending', 'confirmed')) AS standing FROM orders o`

export async function insert(tx: WriteTx, row: Omit<OrderRow, 'standing'>): Promise<void> {
  await tx.run(
    `INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, failed_for, buyer_name, buyer_email,
       buyer_email_key, language, currency, amount_total, terms, form_id, secret_version, expires_at, confirmed_at, failed_at,
       created_at, updated_at, buyer_company, buyer_address, buyer_vat_id, verified_at, placed_from)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20, $21, $22, $23,
       $24, $25)`,
    [
      ...[row.id, row.account_id, row.event_id, row.reference, row.status, row.waits_for, row.failed_for],
      ...[row.buyer_name, row.buyer_email, row.buyer_email_key, row.language, row.currency, row.amount_total],
      ...[row.terms, row.form_id, row.secret_version, row.expires_at, row.confirmed_at, row.failed_at],
      ...[row.created_at, row.buyer_company, row.buyer_address, row.buyer_vat_id, row.verified_at],
      row.placed_from,
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<OrderRow | undefined> {
  // Nobody sees what belongs to an event that is being deleted.
  return tx.one(
    `${SELECT} WHERE o.account_id = $1 AND o.id = $2
       AND ${ofKeptEvent('o')}`,
    [tx.accountId, id],
  )
}

export function findByForm(tx: ReadTx, eventId: string, formId: string): Promise<OrderRow | undefined> {
  return tx.one(`${SELECT} WHERE o.account_id = $1 AND o.event_id = $2 AND o.form_id = $3`, [
    tx.accountId,
    eventId,
    formId,
  ])
}

export function findByReference(
  tx: ReadTx,
  eventId: string,
  reference: string,
): Promise<OrderRow | undefined> {
  return tx.one(`${SELECT} WHERE o.account_id = $1 AND o.event_id = $2 AND o.reference = $3`, [
    tx.accountId,
    eventId,
    reference,
  ])
}

/** @param key as e-mails are compared */
export function listByBuyer(tx: ReadTx, eventId: string, key: string, limit: number): Promise<OrderRow[]> {
  return tx.all(`${SELECT} WHERE o.account_id = $1 AND o.buyer_email_key = $2 AND o.event_id = $3 LIMIT $4`, [
    tx.accountId,
    key,
    eventId,
    limit,
  ])
}

export interface OrderFilters {
  event_id: string
  status?: OrderRow['status'] | undefined
  waits_for?: OrderRow['waits_for'] | undefined
}

/** Returns the newest first. */
export function listPage(tx: ReadTx, filters: OrderFilters, page: Page): Promise<OrderRow[]> {
  return readPage(tx, SELECT, 'o', { account_id: tx.accountId, ...filters }, page)
}

export function markConfirmed(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'confirmed', waits_for = NULL, expires_at = NULL, confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [tx.accountId, id, now],
  )
}

export function markFailed(
  tx: WriteTx,
  id: string,
  reason: OrderRow['failed_for'],
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'failed', waits_for = NULL, expires_at = NULL, failed_for = $4, failed_at = $3,
       updated_at = $3 WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [tx.accountId, id, now, reason],
  )
}

/** Keeps the terms that the buyer has accepted with an offer. */
export function acceptTerms(tx: WriteTx, id: string, terms: string | null, now: number): Promise<number> {
  return tx.run('UPDATE orders SET terms = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    terms,
    now,
  ])
}

/** Returns what tells when the terms of an order were accepted. An order without a form was an offer. */
export function findAcceptance(
  tx: ReadTx,
  id: string,
): Promise<Pick<OrderRow, 'form_id' | 'created_at' | 'verified_at'> | undefined> {
  return tx.one(
    'SELECT o.form_id, o.created_at, o.verified_at FROM orders o WHERE o.account_id = $1 AND o.id = $2',
    [tx.accountId, id],
  )
}

/** Has a pending order wait for something else from now on, or for the same until another time. */
export function setWaiting(
  tx: WriteTx,
  id: string,
  waitsFor: 'approval' | 'payment',
  until: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET waits_for = $3, expires_at = $4, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [tx.accountId, id, waitsFor, until, now],
  )
}

/** Notes that the buyer wants the order. If that was noted before, nothing changes. @returns how many rows changed */
export function markVerified(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET verified_at = $3, placed_from = NULL, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND verified_at IS NULL`,
    [tx.accountId, id, now],
  )
}

export function forgetNetworks(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run('UPDATE orders SET placed_from = NULL, updated_at = $3 WHERE account_id = $1 AND id = $2', [
    ...[tx.accountId, id, now],
  ])
}

/** Confirms an order that had failed. */
export function markRevived(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'confirmed', failed_for = NULL, failed_at = NULL, confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND status = 'failed'`,
    [tx.accountId, id, now],
  )
}

/** Ends the order of a cancelled registration if it is pending and none of its other registrations stands. */
export function endCancelled(tx: WriteTx, registrationId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'failed', waits_for = NULL, expires_at = NULL, failed_for = 'cancelled', failed_at = $3,
       updated_at = $3
     WHERE account_id = $1 AND status = 'pending'
       AND id = (SELECT r.order_id FROM registrations r WHERE r.account_id = $1 AND r.id = $2)
       AND NOT EXISTS (SELECT 1 FROM registrations s WHERE s.account_id = $1 AND s.order_id = orders.id
         AND s.status IN ('pending', 'confirmed'))`,
    [tx.accountId, registrationId, now],
  )
}

/** Gives the order's links new secrets. The old links lead nowhere. */
export function renewSecret(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET secret_version = secret_version + 1, updated_at = $3
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, now],
  )
}

export function setBuyer(
  tx: WriteTx,
  id: string,
  { name, email }: { name: string; email: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET buyer_name = $3, buyer_email = $4, buyer_email_key = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, name, email, emailKey(email), now],
  )
}

/** Sets whom the receipt is made out to. */
export function setInvoice(
  tx: WriteTx,
  id: string,
  { company, address, vat_id }: Invoice,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET buyer_company = $3, buyer_address = $4, buyer_vat_id = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, company, address, vat_id, now],
  )
}

/**
 * Removes the buyer from one order, or from all orders of an e-mail, and ends the links to them. The holders of an unconfirmed
 * order go later, when the order is erased by its id. Only then is it noted as anonymous.
 */
export function eraseBuyer(
  tx: WriteTx,
  [column, value]: ['id' | 'buyer_email_key', string],
  { name, email }: { name: string; email: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET buyer_name = $3, buyer_email = $4, buyer_email_key = $4, buyer_company = NULL, buyer_address = NULL,
       buyer_vat_id = NULL, placed_from = NULL, secret_version = secret_version + 1,
       erased_at = CASE WHEN status = 'confirmed' OR id = $2 THEN $5 ELSE erased_at END, updated_at = $5
     WHERE account_id = $1 AND ${column} = $2`,
    [tx.accountId, value, name, email, now],
  )
}
