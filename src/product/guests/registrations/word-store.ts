import { decodeTicket } from '../attendees/ticket-code.ts'
import { readInList } from '../db/in-list.ts'
import { keysetPage, type Page, type Position } from '../db/keyset.ts'
import type { ReadTx, Value, WriteTx } from '../db/port.ts'
import { isUuid } from '../ids.ts'
import type { Numbers, RegistrationFilters, RegistrationStatus } from './store.ts'

/** Rows of one statement: there is a text for each number of them, prepared once and kept. */
const LONGEST_INSERT = 32

/**
 * Keeps the words that a registration is found by.
 *
 * @param createdAt of the registration, in milliseconds
 */
export async function insertWords(
  tx: WriteTx,
  { account_number, event_number, registration_number }: Numbers,
  words: ReadonlySet<string>,
  createdAt: number,
  now: number,
): Promise<void> {
  const all = [...words]
  for (let start = 0; start < all.length; start += LONGEST_INSERT) {
    const some = all.slice(start, start + LONGEST_INSERT)
    const rows = some.map((_, at) => `($1, $${at + 6}, $2, $3, $4, $5)`)
    await tx.run(
      `INSERT INTO registration_words (account_number, word, created_at, registration_number, event_number, updated_at)
       VALUES ${rows.join(', ')}`,
      [account_number, createdAt, registration_number, event_number, now, ...some],
    )
  }
}

/** Keeps the words that a registration has now, and no longer those that it had. */
export async function replaceWords(
  tx: WriteTx,
  accountId: string,
  id: string,
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const added = new Set([...after].filter(word => !before.has(word)))
  const removed = [...before].filter(word => !after.has(word))
  if (added.size + removed.length === 0) return
  const row = await tx.one<Numbers & { created_at: number }>(
    `SELECT r.number AS registration_number, r.created_at,
       (SELECT a.number FROM accounts a WHERE a.id = r.account_id) AS account_number,
       (SELECT e.number FROM events e WHERE e.id = r.event_id) AS event_number
     FROM registrations r WHERE r.account_id = $1 AND r.id = $2`,
    [accountId, id],
  )
  const numbers = row as Numbers & { created_at: number }
  for (const word of removed) {
    await tx.run(
      `DELETE FROM registration_words WHERE account_number = $1 AND word = $2 AND created_at = $3
         AND registration_number = $4`,
      [numbers.account_number, word, numbers.created_at, numbers.registration_number],
    )
  }
  await insertWords(tx, numbers, added, numbers.created_at, now)
}

/** The numbers of the account and, where it has that event, of an event. */
export async function findNumbers(
  tx: ReadTx,
  accountId: string,
  eventId: string | undefined,
): Promise<{ account: number; event: number | null }> {
  const row = await tx.one<{ account: number; event: number | null }>(
    `SELECT a.number AS account, (SELECT e.number FROM events e WHERE e.account_id = $1 AND e.id = $2) AS event
     FROM accounts a WHERE a.id = $1`,
    [accountId, eventId ?? ''],
  )
  return row as { account: number; event: number | null }
}

const BEGINS = 'w.account_number = $1 AND w.word >= $2 AND w.word < $3'

/** After all words that begin so, in the order of code points, which UTF-8 and both databases compare by. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** How many words begin so; counts no further than `limit`. */
export async function countWords(
  tx: ReadTx,
  accountNumber: number,
  prefix: string,
  limit: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM registration_words w WHERE ${BEGINS} LIMIT $4) AS slice`,
    [accountNumber, prefix, endOf(prefix), limit],
  )
  return row?.count ?? 0
}

/** The words that begin so, of one event or of all. */
export interface Words {
  account: number
  prefix: string
  event: number | undefined
}

/** A row after which a slice begins. */
export interface WordEnd {
  word: string
  created_at: number
  registration_number: number
}

/**
 * The numbers and instants of the registrations of the next words, in no order: as one text, which takes a third of the time
 * of rows.
 *
 * @returns where the next slice begins too; undefined at the end
 */
export async function readWords(
  tx: ReadTx,
  { account, prefix, event }: Words,
  last: WordEnd | undefined,
  size: number,
): Promise<{ found: [number, number][]; end: WordEnd | undefined }> {
  const params: Value[] = [account, prefix, endOf(prefix), size]
  const after = last === undefined ? '' : 'AND (w.word, w.created_at, w.registration_number) > ($5, $6, $7)'
  if (last !== undefined) params.push(last.word, last.created_at, last.registration_number)
  const rest = `FROM registration_words w WHERE ${BEGINS} ${after} ORDER BY w.word, w.created_at, w.registration_number`
  const end = await tx.one<WordEnd>(
    `SELECT w.word, w.created_at, w.registration_number ${rest} LIMIT 1 OFFSET $4 - 1`,
    params,
  )
  const withEvent = event === undefined ? params : [...params, event]
  const ofEvent = event === undefined ? '' : ` WHERE slice.event_number = $${withEvent.length}`
  const text = await tx.one<{ found: string | null }>(
    `SELECT string_agg('[' || slice.registration_number || ',' || slice.created_at || ']', ',') AS found
     FROM (SELECT w.registration_number, w.created_at, w.event_number ${rest} LIMIT $4) AS slice${ofEvent}`,
    withEvent,
  )
  return { found: JSON.parse(`[${text?.found ?? ''}]`), end }
}

/** What of a registration is held against a search. */
export interface SearchedRow extends Position {
  event_id: string
  registration_type_id: string
  status: RegistrationStatus
  /** Its tickets. */
  quantity: number
  /** In minor units. */
  amount_total: number
  buyer_name: string
  buyer_email: string
  buyer_email_key: string
}

const COLUMNS = `r.id, r.created_at, r.event_id, r.registration_type_id, r.status, r.quantity, r.amount_total, r.buyer_name,
  r.buyer_email, r.buyer_email_key`
const SELECT = `SELECT ${COLUMNS} FROM registrations r`

/** Those of these numbers that have this status, in no order. */
export function listByNumbers(
  tx: ReadTx,
  accountId: string,
  numbers: readonly number[],
  status: RegistrationStatus | undefined,
): Promise<SearchedRow[]> {
  const params = status === undefined ? [accountId] : [accountId, status]
  const ofStatus = status === undefined ? '' : 'AND r.status = $2'
  return readInList(
    tx,
    numbers,
    params,
    list => `${SELECT} WHERE r.account_id = $1 AND r.number IN ${list} ${ofStatus}`,
  )
}

/** Newest first. */
export function listSearched(
  tx: ReadTx,
  accountId: string,
  filters: RegistrationFilters,
  page: Page,
): Promise<SearchedRow[]> {
  const { clause, params } = keysetPage('r', { account_id: accountId, ...filters }, page)
  return tx.all(`${SELECT} ${clause}`, params)
}

/** As much of a registration as decides what may be done with it. */
export type WalkedRow = Pick<
  SearchedRow,
  'id' | 'created_at' | 'registration_type_id' | 'status' | 'quantity' | 'amount_total'
>

/** The same without the people, in two thirds of the time. */
export function listWalked(
  tx: ReadTx,
  accountId: string,
  filters: RegistrationFilters,
  page: Page,
): Promise<WalkedRow[]> {
  const { clause, params } = keysetPage('r', { account_id: accountId, ...filters }, page)
  return tx.all(
    `SELECT r.id, r.created_at, r.registration_type_id, r.status, r.quantity, r.amount_total FROM registrations r ${clause}`,
    params,
  )
}

/** How many pass these filters; counts no further than `limit`. */
export async function countOf(
  tx: ReadTx,
  accountId: string,
  filters: RegistrationFilters,
  limit: number,
): Promise<number> {
  const { clause, params } = keysetPage('r', { account_id: accountId, ...filters }, { limit })
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM registrations r ${clause}) AS slice`,
    params,
  )
  return row?.count ?? 0
}

/** Those of any event that have this reference. */
export function listByReference(tx: ReadTx, accountId: string, reference: string): Promise<SearchedRow[]> {
  // From the events, of which there are few: a reference is looked up within one.
  return tx.all(
    `SELECT ${COLUMNS} FROM events e JOIN registrations r ON r.event_id = e.id WHERE e.account_id = $1 AND r.reference = $2`,
    [accountId, reference],
  )
}

/** The one that this is the id of, or of a ticket of it. */
export function listById(tx: ReadTx, accountId: string, id: string): Promise<SearchedRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.id IN ($2, (SELECT a.registration_id FROM attendees a WHERE a.id = $2))`,
    [accountId, id],
  )
}

/** What stands for itself: what this is the reference, id or code of. There is one of a reference in each event. */
export async function findExact(tx: ReadTx, accountId: string, text: string): Promise<SearchedRow[]> {
  const id = isUuid(text) ? text.toLowerCase() : decodeTicket(text)?.ticketId
  const exact = id === undefined ? [] : await listById(tx, accountId, id)
  return exact.length > 0 ? exact : listByReference(tx, accountId, text)
}
