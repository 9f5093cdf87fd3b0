import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'

export interface WaitlistRow {
  id: string
  reference: string
  name: string
  email: string
  quantity: number
  registration_type_id: string
  created_at: number
  notified_at: number | null
}

/** Lists the entries of a type after `after` that are not notified yet and want at most `most`, oldest first. */
export function listWaiting(
  tx: ReadTx,
  typeId: string,
  most: number,
  after: Position,
  limit: number,
): Promise<Pick<WaitlistRow, 'id' | 'quantity' | 'created_at'>[]> {
  return tx.all(
    `SELECT id, quantity, created_at FROM waitlist_entries
     WHERE account_id = $1 AND registration_type_id = $2 AND notified_at IS NULL AND quantity <= $3
       AND (created_at, id) > ($4, $5) ORDER BY created_at, id LIMIT $6`,
    [tx.accountId, typeId, most, after.created_at, after.id, limit],
  )
}

/** Counts the entries of a type that are not notified yet, no further than `most`. */
export async function countWaiting(tx: ReadTx, typeId: string, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM waitlist_entries
     WHERE account_id = $1 AND registration_type_id = $2 AND notified_at IS NULL LIMIT $3) AS slice`,
    [tx.accountId, typeId, most],
  )
  return row?.count ?? 0
}

/** The person to mail once an entry is notified. */
export interface NotifiedRow extends Pick<WaitlistRow, 'name' | 'email' | 'quantity'> {
  event_id: string
  language: Language
}

/** @param orderId the order that holds the places, or null if none are held */
export function markNotified(
  tx: WriteTx,
  id: string,
  orderId: string | null,
  now: number,
): Promise<NotifiedRow | undefined> {
  return tx.one(
    `UPDATE waitlist_entries SET notified_at = $4, order_id = $3, updated_at = $4 WHERE account_id = $1 AND id = $2
     RETURNING event_id, name, email, quantity, language`,
    [tx.accountId, id, orderId, now],
  )
}

/** Whether an order holds places for an entry. `join` then leaves the entry as it is, or it would be offered other places too. */
const HAS_OFFER = `EXISTS (SELECT 1 FROM orders o WHERE o.account_id = waitlist_entries.account_id
  AND o.id = waitlist_entries.order_id AND o.status = 'pending')`

/**
 * A person who already waits keeps their rank. A person who was notified waits again, behind all others, unless places are held
 * for them.
 *
 * @param erased the e-mail of people who were made anonymous. They get their own e-mail back, and others keep the one they wrote
 *   first
 */
export function join(
  tx: WriteTx,
  row: Omit<WaitlistRow, 'created_at' | 'notified_at'> & { event_id: string; language: Language },
  erased: string,
  now: number,
): Promise<{ id: string } | undefined> {
  return tx.one(
    `INSERT INTO waitlist_entries (id, account_id, event_id, registration_type_id, reference, name, email, quantity, language,
       created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
     ON CONFLICT (event_id, reference) DO UPDATE SET name = $6, quantity = $8, language = $9,
       email = CASE WHEN waitlist_entries.email = $11 THEN $7 ELSE waitlist_entries.email END,
       notified_at = CASE WHEN ${HAS_OFFER} THEN waitlist_entries.notified_at ELSE NULL END,
       created_at = CASE WHEN waitlist_entries.notified_at IS NULL OR ${HAS_OFFER} THEN waitlist_entries.created_at
         ELSE $10 END, updated_at = $10
     RETURNING id`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.registration_type_id,
      row.reference,
      row.name,
      row.email,
      row.quantity,
      row.language,
      now,
      erased,
    ],
  )
}

/** The entry with the order that was made for it, if there is one. See `orders`. */
export interface ListedRow extends WaitlistRow {
  order_id: string | null
  order_status: 'pending' | 'confirmed' | 'failed' | null
  waits_for: string | null
  expires_at: number | null
}

const SELECT = `SELECT w.id, w.reference, w.name, w.email, w.quantity, w.registration_type_id, w.created_at, w.notified_at,
    w.order_id, o.status AS order_status, o.waits_for, o.expires_at
  FROM waitlist_entries w LEFT JOIN orders o ON o.account_id = w.account_id AND o.id = w.order_id`

/** Lists the entries of an event, oldest first. */
export function listByEvent(tx: ReadTx, eventId: string): Promise<ListedRow[]> {
  return tx.all(`${SELECT} WHERE w.account_id = $1 AND w.event_id = $2 ORDER BY w.created_at, w.id`, [
    tx.accountId,
    eventId,
  ])
}

/** Lists a page of the entries of an event, or of one of its types, oldest first. */
export function listPage(
  tx: ReadTx,
  eventId: string,
  typeId: string | undefined,
  { limit, after }: Page,
): Promise<ListedRow[]> {
  const [column, id] = typeId === undefined ? ['event_id', eventId] : ['registration_type_id', typeId]
  return tx.all(
    `${SELECT} WHERE w.account_id = $1 AND w.${column} = $2 AND (w.created_at, w.id) > ($3, $4)
     ORDER BY w.created_at, w.id LIMIT $5`,
    [tx.accountId, id, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

export function find(tx: ReadTx, eventId: string, id: string): Promise<ListedRow | undefined> {
  return tx.one(`${SELECT} WHERE w.account_id = $1 AND w.event_id = $2 AND w.id = $3`, [
    tx.accountId,
    eventId,
    id,
  ])
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM waitlist_entries WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

export interface WaitingPersonRow extends Position {
  event_id: string
  email: string
}

/** Lists the people of an account after `last`, in the order of their events. */
export function listPeople(
  tx: ReadTx,
  last: WaitingPersonRow | undefined,
  size: number,
): Promise<WaitingPersonRow[]> {
  return tx.all(
    `SELECT w.id, w.created_at, w.event_id, w.email FROM waitlist_entries w
     WHERE w.account_id = $1 AND (w.event_id, w.created_at, w.id) > ($2, $3, $4)
     ORDER BY w.event_id, w.created_at, w.id LIMIT $5`,
    [tx.accountId, last?.event_id ?? '', last?.created_at ?? 0, last?.id ?? '', size],
  )
}

/** Removes the person's data from an entry, and ends its wait. */
export function erase(
  tx: WriteTx,
  id: string,
  person: { name: string; email: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE waitlist_entries SET name = $3, email = $4, notified_at = coalesce(notified_at, $5), updated_at = $5
     WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, person.name, person.email, now],
  )
}
