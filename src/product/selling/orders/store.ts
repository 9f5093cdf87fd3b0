import { type Page, readPage } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import { emailKey } from '../fields.ts'
import type { Language } from '../web/texts/languages.ts'
import type { Invoice } from './invoice.ts'

export interface OrderRow {
  id: string
  account_id: string
  event_id: string
  reference: string
  status: 'pending' | 'confirmed' | 'failed'
  /** `answer`: of somebody on the waitlist, for whom its places are held; `payment`: of its buyer. */
  waits_for: 'approval' | 'answer' | 'payment' | null
  /**
   * `undecided`: not approved in time; `unpaid`: not paid in time; `withdrawn`: by its buyer, while it waited; an offer was `turned_down`, or
   * `lapsed` without an answer; `cancelled`: one by one, each of its registrations was.
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
  /** Its registrations that are neither cancelled nor refunded. */
  standing: number
}

const SELECT = `SELECT o.id, o.account_id, o.event_id, o.reference, o.status, o.waits_for, o.failed_for, o.buyer_name,
  o.buyer_email, o.buyer_email_key, o.language, o.currency, o.amount_total, o.terms, o.form_id, o.secret_version,
  o.expires_at, o.confirmed_at, o.failed_at, o.created_at, o.buyer_company, o.buyer_address, o.buyer_vat_id,
  (SELECT count(*) FROM registrations r WHERE r.account_id = o.account_id AND r.order_id = o.id
     AND r.status IN ('pending', 'confirmed')) AS standing FROM orders o`

export async function insert(tx: WriteTx, row: Omit<OrderRow, 'standing'>): Promise<void> {
  await tx.run(
    `INSERT INTO orders (id, account_id, event_id, reference, status, waits_for, failed_for, buyer_name, buyer_email,
       buyer_email_key, language, currency, amount_total, terms, form_id, secret_version, expires_at, confirmed_at, failed_at,
       created_at, updated_at, buyer_company, buyer_address, buyer_vat_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $20, $21, $22, $23)`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.reference,
      row.status,
      row.waits_for,
      row.failed_for,
      row.buyer_name,
      row.buyer_email,
      row.buyer_email_key,
      row.language,
      row.currency,
      row.amount_total,
      row.terms,
      row.form_id,
      row.secret_version,
      row.expires_at,
      row.confirmed_at,
      row.failed_at,
      row.created_at,
      row.buyer_company,
      row.buyer_address,
      row.buyer_vat_id,
    ],
  )
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<OrderRow | undefined> {
  return tx.one(`${SELECT} WHERE o.account_id = $1 AND o.id = $2`, [accountId, id])
}

export function findByForm(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  formId: string,
): Promise<OrderRow | undefined> {
  return tx.one(`${SELECT} WHERE o.account_id = $1 AND o.event_id = $2 AND o.form_id = $3`, [
    accountId,
    eventId,
    formId,
  ])
}

export function findByReference(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  reference: string,
): Promise<OrderRow | undefined> {
  return tx.one(`${SELECT} WHERE o.account_id = $1 AND o.event_id = $2 AND o.reference = $3`, [
    accountId,
    eventId,
    reference,
  ])
}

/** @param key as e-mails are compared */
export function listByBuyer(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  key: string,
  limit: number,
): Promise<OrderRow[]> {
  return tx.all(`${SELECT} WHERE o.account_id = $1 AND o.buyer_email_key = $2 AND o.event_id = $3 LIMIT $4`, [
    accountId,
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

/** Newest first. */
export function listPage(
  tx: ReadTx,
  accountId: string,
  filters: OrderFilters,
  page: Page,
): Promise<OrderRow[]> {
  return readPage(tx, SELECT, 'o', { account_id: accountId, ...filters }, page)
}

/** What the registrations of an order come to that are pending. */
export function sumPending(tx: ReadTx, accountId: string, id: string): Promise<{ due: number } | undefined> {
  return tx.one(
    `SELECT coalesce(sum(r.amount_total), 0) AS due FROM registrations r
     WHERE r.account_id = $1 AND r.order_id = $2 AND r.status = 'pending'`,
    [accountId, id],
  )
}

export function markConfirmed(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'confirmed', waits_for = NULL, expires_at = NULL, confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [accountId, id, now],
  )
}

export function markFailed(
  tx: WriteTx,
  accountId: string,
  id: string,
  reason: OrderRow['failed_for'],
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'failed', waits_for = NULL, expires_at = NULL, failed_for = $4, failed_at = $3,
       updated_at = $3 WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [accountId, id, now, reason],
  )
}

/** The buyer has taken what was offered, under these terms. */
export function acceptTerms(
  tx: WriteTx,
  accountId: string,
  id: string,
  terms: string | null,
  now: number,
): Promise<number> {
  return tx.run('UPDATE orders SET terms = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    terms,
    now,
  ])
}

/** Has a pending order wait for something else from now on, or for the same until another time. */
export function setWaiting(
  tx: WriteTx,
  accountId: string,
  id: string,
  waitsFor: 'approval' | 'payment',
  until: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET waits_for = $3, expires_at = $4, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [accountId, id, waitsFor, until, now],
  )
}

/** Confirms an order that had come to nothing. */
export function markRevived(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'confirmed', failed_for = NULL, failed_at = NULL, confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND status = 'failed'`,
    [accountId, id, now],
  )
}

/** Ends the order of a registration that was cancelled, where it is pending and no other of its registrations stands. */
export function endCancelled(
  tx: WriteTx,
  accountId: string,
  registrationId: string,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET status = 'failed', waits_for = NULL, expires_at = NULL, failed_for = 'cancelled', failed_at = $3,
       updated_at = $3
     WHERE account_id = $1 AND status = 'pending'
       AND id = (SELECT r.order_id FROM registrations r WHERE r.account_id = $1 AND r.id = $2)
       AND NOT EXISTS (SELECT 1 FROM registrations s WHERE s.account_id = $1 AND s.order_id = orders.id
         AND s.status IN ('pending', 'confirmed'))`,
    [accountId, registrationId, now],
  )
}

/** Gives its links new secrets: the old ones lead nowhere. */
export function renewSecret(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE orders SET secret_version = secret_version + 1, updated_at = $3
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, now],
  )
}

export function setBuyer(
  tx: WriteTx,
  accountId: string,
  id: string,
  { name, email }: { name: string; email: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET buyer_name = $3, buyer_email = $4, buyer_email_key = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, name, email, emailKey(email), now],
  )
}

/** Whom the receipt is made out to. */
export function setInvoice(
  tx: WriteTx,
  accountId: string,
  id: string,
  { company, address, vat_id }: Invoice,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET buyer_company = $3, buyer_address = $4, buyer_vat_id = $5, updated_at = $6
     WHERE account_id = $1 AND id = $2`,
    [accountId, id, company, address, vat_id, now],
  )
}

/**
 * Names no buyer any more of one order, or of all of an e-mail, and ends the links to them. Of those that are not confirmed, the
 * holders go later, with the order by its id: only then are they noted as anonymous.
 */
export function eraseBuyer(
  tx: WriteTx,
  accountId: string,
  [column, value]: ['id' | 'buyer_email_key', string],
  { name, email }: { name: string; email: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE orders SET buyer_name = $3, buyer_email = $4, buyer_email_key = $4, buyer_company = NULL, buyer_address = NULL,
       buyer_vat_id = NULL, secret_version = secret_version + 1,
       erased_at = CASE WHEN status = 'confirmed' OR id = $2 THEN $5 ELSE erased_at END, updated_at = $5
     WHERE account_id = $1 AND ${column} = $2`,
    [accountId, value, name, email, now],
  )
}
