import { type Page, type Position, readPage, readThinnedPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import type { Language } from '#texts/languages.ts'
import { conditionsOf, type RegistrationFilters, type RegistrationStatus } from './filter-store.ts'
import type { registrationSources } from './states.ts'

export type { RegistrationFilters, RegistrationStatus } from './filter-store.ts'

export interface RegistrationRow {
  id: string
  event_id: string
  registration_type_id: string
  registration_type_name: string
  reference: string
  status: RegistrationStatus
  source: (typeof registrationSources)[number]
  buyer_name: string
  buyer_email: string
  buyer_email_key: string
  quantity: number
  amount_subtotal: number
  amount_total: number
  currency: string
  processor_fee: number | null
  refunded_amount: number | null
  answers: string
  language: Language
  confirmed_at: number | null
  cancelled_at: number | null
  refunded_at: number | null
  created_at: number
}

/**
 * Holds a row to insert, with the order that it is a line of, the ticket whose place it takes or that it stands beside, and what its
 * organizer reads.
 */
export type NewRow = Omit<RegistrationRow, 'registration_type_name'> &
  Record<'order_id' | 'exchanged_for' | 'beside' | 'note', string | null>

/** Describes a registration as lists read it. They leave out long answers, which can be megabytes. */
export interface ListedRow extends Omit<RegistrationRow, 'answers'> {
  /** This is null for long answers, which have to be read separately. */
  answers: string | null
  /** The length of the answers, in bytes. */
  answers_size: number
}

/** Answers of up to this many bytes are read with their registration, so that a page does not fill the memory. */
const SHORT_ANSWERS = 8192

/** Lists the columns of a registration. The name comes from a subquery, so that no planner starts a list from the types. */
export const columns = (answers: string) => `r.id, r.event_id, r.registration_type_id,
  (SELECT t.name FROM registration_types t WHERE t.id = r.registration_type_id) AS registration_type_name,
  r.reference, r.status, r.source, r.buyer_name, r.buyer_email, r.buyer_email_key, r.quantity, r.amount_subtotal,
  r.amount_total, r.currency, r.processor_fee, r.refunded_amount, ${answers}, r.language, r.confirmed_at, r.cancelled_at,
  r.refunded_at, r.created_at`
const SELECT = `SELECT ${columns('r.answers')} FROM registrations r`
const SELECT_LISTED = `SELECT ${columns(`CASE WHEN octet_length(r.answers) <= ${SHORT_ANSWERS} THEN r.answers END AS answers,
  octet_length(r.answers) AS answers_size`)} FROM registrations r`

// Nobody sees what belongs to an event that is being deleted. Hardly ever is one, so whether there is one is looked up first: that
// takes half of the time of looking up the event of the registration.
const OF_KEPT_EVENT = ofKeptEvent('r')
const IS_SEEN = `(NOT EXISTS (SELECT 1 FROM events d WHERE d.account_id = $1 AND d.deleting_at IS NOT NULL) OR ${OF_KEPT_EVENT})`
const FIND = `${SELECT} WHERE r.account_id = $1 AND r.id = $2 AND ${IS_SEEN}`
const FIND_LISTED = `${SELECT_LISTED} WHERE r.account_id = $1 AND r.id = $2 AND ${IS_SEEN}`

export function find(tx: ReadTx, id: string): Promise<RegistrationRow | undefined> {
  return tx.one(FIND, [tx.accountId, id])
}

/** Finds a registration even if its event is being deleted. Whoever is to be made anonymous does not wait for that. */
export function findStored(tx: ReadTx, id: string): Promise<RegistrationRow | undefined> {
  return tx.one(`${SELECT} WHERE r.account_id = $1 AND r.id = $2`, [tx.accountId, id])
}

/** Lists the lines of an order, in their order, each with the ticket whose place it took. */
export function listByOrder(
  tx: ReadTx,
  orderId: string,
): Promise<(RegistrationRow & Pick<NewRow, 'exchanged_for'> & { is_extra: 0 | 1 })[]> {
  return tx.all(
    `SELECT ${columns('r.answers, r.exchanged_for')}, CASE WHEN EXISTS (SELECT 1 FROM registration_types x
       WHERE x.id = r.registration_type_id AND x.kind = 'extra') THEN 1 ELSE 0 END AS is_extra
     FROM registrations r WHERE r.account_id = $1 AND r.order_id = $2 ORDER BY r.created_at, r.id`,
    [tx.accountId, orderId],
  )
}

/** Lists those of these registrations that still have the status, in their order. It may have changed since they were found. */
export async function listStanding(
  tx: ReadTx,
  ids: readonly string[],
  status: RegistrationStatus | undefined,
): Promise<ListedRow[]> {
  const standing: ListedRow[] = []
  for (const id of ids) {
    const row = await tx.one<ListedRow>(FIND_LISTED, [tx.accountId, id])
    if (row !== undefined && (status ?? row.status) === row.status) standing.push(row)
  }
  return standing
}

export function listPage(tx: ReadTx, filters: RegistrationFilters, page: Page): Promise<ListedRow[]> {
  const { columns, condition } = conditionsOf(tx, filters)
  return readPage(tx, SELECT_LISTED, 'r', columns, page, condition)
}

/** Lists a page while an event is being deleted, without what belongs to it. The page may have fewer rows than its limit. */
export function listKeptPage(
  tx: ReadTx,
  filters: RegistrationFilters,
  page: Page,
): Promise<{ rows: ListedRow[]; end: Position | undefined }> {
  const { columns, condition } = conditionsOf(tx, filters)
  const of = { select: SELECT_LISTED, from: 'registrations r', alias: 'r', kept: OF_KEPT_EVENT }
  return readThinnedPage(tx, of, columns, page, condition)
}

/** Lists a page of the registrations of an event, oldest first. */
export function listOldestFirst(
  tx: ReadTx,
  eventId: string,
  { limit, after }: Page,
): Promise<RegistrationRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 AND (r.created_at, r.id) > ($3, $4)
     ORDER BY r.created_at, r.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Holds a row as it was read. A write that builds on it checks that it has not changed. */
export type VersionedRow = RegistrationRow & { updated_at: number; order_id: string | null }

/** Holds the numbers that replace ids in tables with many rows. */
export interface Numbers {
  account_number: number
  event_number: number
  registration_number: number
}

export async function insert(tx: WriteTx, row: NewRow, now: number): Promise<Numbers> {
  const numbers = await tx.one<Numbers>(
    `INSERT INTO registrations (id, account_id, event_id, registration_type_id, reference, status, source, buyer_name,
       buyer_email, buyer_email_key, quantity, amount_subtotal, amount_total, currency, processor_fee, refunded_amount,
       answers, language, confirmed_at, cancelled_at, refunded_at, created_at, updated_at, order_id, exchanged_for, beside, note,
       number)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
       $27,
       (SELECT coalesce(max(n.number), 0) + 1 FROM registrations n WHERE n.account_id = $2))
     RETURNING number AS registration_number, (SELECT a.number FROM accounts a WHERE a.id = $2) AS account_number,
       (SELECT e.number FROM events e WHERE e.id = $3) AS event_number`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.registration_type_id,
      row.reference,
      row.status,
      row.source,
      row.buyer_name,
      row.buyer_email,
      row.buyer_email_key,
      row.quantity,
      row.amount_subtotal,
      row.amount_total,
      row.currency,
      row.processor_fee,
      row.refunded_amount,
      row.answers,
      row.language,
      row.confirmed_at,
      row.cancelled_at,
      row.refunded_at,
      row.created_at,
      ...[now, row.order_id, row.exchanged_for, row.beside, row.note],
    ],
  )
  return numbers as Numbers
}

/** Changes nothing if another write has changed the registration since it was read. */
export function completeHistory(
  tx: WriteTx,
  was: Pick<VersionedRow, 'id' | 'status' | 'updated_at'>,
  history: Pick<
    RegistrationRow,
    'status' | 'processor_fee' | 'refunded_amount' | 'refunded_at' | 'cancelled_at'
  >,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE registrations SET status = $3, processor_fee = $4, refunded_amount = $5, refunded_at = $6, cancelled_at = $7,
       updated_at = $8 WHERE account_id = $1 AND id = $2 AND status = $9 AND updated_at = $10`,
    [
      ...[tx.accountId, was.id, history.status, history.processor_fee, history.refunded_amount],
      ...[history.refunded_at, history.cancelled_at, now, was.status, was.updated_at],
    ],
  )
}

/**
 * Ends a registration, because none of its tickets is valid any more.
 *
 * @param refunded the minor units that go back in all; null if nothing does
 */
export function markCancelled(
  tx: WriteTx,
  id: string,
  now: number,
  refunded: number | null = null,
): Promise<number> {
  const isBack = refunded !== null
  const back = `status = 'refunded', refunded_amount = $4, refunded_at = coalesce(refunded_at, $3)`
  return tx.run(
    `UPDATE registrations SET ${isBack ? back : "status = 'cancelled', cancelled_at = $3"}, updated_at = $3
     WHERE account_id = $1 AND id = $2`,
    isBack ? [tx.accountId, id, now, refunded] : [tx.accountId, id, now],
  )
}

export function amend(
  tx: WriteTx,
  id: string,
  row: Pick<RegistrationRow, 'buyer_name' | 'buyer_email' | 'buyer_email_key' | 'answers' | 'language'> & {
    note: string | null
  },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE registrations SET buyer_name = $3, buyer_email = $4, buyer_email_key = $5, answers = $6, language = $7, note = $8,
       updated_at = $9 WHERE account_id = $1 AND id = $2`,
    [
      ...[tx.accountId, id, row.buyer_name, row.buyer_email, row.buyer_email_key],
      ...[row.answers, row.language, row.note, now],
    ],
  )
}

/**
 * Removes the buyer's name and e-mail, and everything that the buyer or the organizer has written, and ends the links to the
 * tickets.
 */
export function eraseBuyer(
  tx: WriteTx,
  id: string,
  { name, email }: { name: string; email: string },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE registrations SET buyer_name = $3, buyer_email = $4, buyer_email_key = $4, answers = '{}', note = NULL,
       secret_version = secret_version + 1, erased_at = $5, updated_at = $5 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, id, name, email, now],
  )
}

/** Gives the links to its tickets new secrets. The old links lead nowhere. */
export function renewSecret(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE registrations SET secret_version = secret_version + 1, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND order_id IS NULL`,
    [tx.accountId, id, now],
  )
}

/** Confirms a pending registration, or marks it as failed. */
export function settle(
  tx: WriteTx,
  id: string,
  status: 'confirmed' | 'failed',
  now: number,
  was: 'pending' | 'failed' = 'pending',
): Promise<number> {
  return tx.run(
    `UPDATE registrations SET status = $3, confirmed_at = $4, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND status = $6`,
    [tx.accountId, id, status, status === 'confirmed' ? now : null, now, was],
  )
}

export function setFee(tx: WriteTx, id: string, fee: number | null, now: number): Promise<number> {
  return tx.run(
    'UPDATE registrations SET processor_fee = $3, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, fee, now],
  )
}
