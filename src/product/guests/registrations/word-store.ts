import { isUuid } from '#base/ids.ts'
import { readInList } from '#machinery/db/in-list.ts'
import { keysetPage, type Page, type Position } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx, Value, WriteTx } from '#machinery/db/port.ts'
import { decodeTicket } from '#product/guests/attendees/ticket-code.ts'
import { conditionsOf, type RegistrationFilters, type RegistrationStatus } from './filter-store.ts'
import type { Numbers } from './store.ts'

/** One statement inserts at most this many rows. Each number of rows has its own text, which is prepared once and kept. */
const LONGEST_INSERT = 32

/**
 * Keeps the words that a registration is found by.
 *
 * @param createdAt the creation of the registration, in milliseconds
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
    const params = [account_number, createdAt, registration_number, event_number, now, ...some]
    await tx.run(insertionOf(some.length), params)
  }
}

/** Keeps the texts of the statements, by their number of rows. */
const insertions: string[] = []

function insertionOf(size: number): string {
  let text = insertions[size]
  if (text === undefined) {
    const rows = Array.from({ length: size }, (_, at) => `($1, $${at + 6}, $2, $3, $4, $5)`)
    text = `INSERT INTO registration_words (account_number, word, created_at, registration_number, event_number, updated_at)
       VALUES ${rows.join(', ')}`
    insertions[size] = text
  }
  return text
}

/** Keeps the words that a registration has now, and deletes those that it no longer has. */
export async function replaceWords(
  tx: WriteTx,
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
    [tx.accountId, id],
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

/** Finds the number of the account, and of an event if the account has it. */
export async function findNumbers(
  tx: ReadTx,
  eventId: string | undefined,
): Promise<{ account: number; event: number | null }> {
  const row = await tx.one<{ account: number; event: number | null }>(
    `SELECT a.number AS account, (SELECT e.number FROM events e WHERE e.account_id = $1 AND e.id = $2) AS event
     FROM accounts a WHERE a.id = $1`,
    [tx.accountId, eventId ?? ''],
  )
  return row as { account: number; event: number | null }
}

const BEGINS = 'w.account_number = $1 AND w.word >= $2 AND w.word < $3'

/** Returns a text after all words with this prefix, in the order of code points, by which UTF-8 and both databases compare. */
function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** Counts the rows of words with a prefix, up to `limit`. */
export async function countWords(
  tx: InstanceReadTx,
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

/** Selects the words with a prefix, of one event or of all. */
export interface Words {
  account: number
  prefix: string
  event: number | undefined
}

/** Names the row after which a slice begins. */
export interface WordEnd {
  word: string
  created_at: number
  registration_number: number
}

/**
 * Reads the numbers and instants of the registrations of the next words, in no particular order. It reads them as one text, which
 * takes a third of the time of rows.
 *
 * @returns them, and where the next slice begins; undefined at the end
 */
export async function readWords(
  tx: InstanceReadTx,
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

/** Holds the part of a registration that a search compares. */
export interface SearchedRow extends Position {
  event_id: string
  registration_type_id: string
  status: RegistrationStatus
  /** The number of its tickets. */
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

/** Lists those registrations with these numbers that have this status, in no particular order. */
export function listByNumbers(
  tx: ReadTx,
  numbers: readonly number[],
  status: RegistrationStatus | undefined,
): Promise<SearchedRow[]> {
  const params = status === undefined ? [tx.accountId] : [tx.accountId, status]
  const ofStatus = status === undefined ? '' : 'AND r.status = $2'
  return readInList(
    tx,
    numbers,
    params,
    list => `${SELECT} WHERE r.account_id = $1 AND r.number IN ${list} ${ofStatus}`,
  )
}

/** Lists registrations, newest first. */
export function listSearched(tx: ReadTx, filters: RegistrationFilters, page: Page): Promise<SearchedRow[]> {
  const { columns, condition } = conditionsOf(tx, filters)
  const { clause, params } = keysetPage('r', columns, page, condition)
  return tx.all(`${SELECT} ${clause}`, params)
}

/** Holds the part of a registration that decides what may be done with it. */
export type WalkedRow = Pick<
  SearchedRow,
  'id' | 'created_at' | 'registration_type_id' | 'status' | 'quantity' | 'amount_total'
>

/** Lists the same rows without the people, in two thirds of the time. */
export function listWalked(tx: ReadTx, filters: RegistrationFilters, page: Page): Promise<WalkedRow[]> {
  const { columns, condition } = conditionsOf(tx, filters)
  const { clause, params } = keysetPage('r', columns, page, condition)
  return tx.all(
    `SELECT r.id, r.created_at, r.registration_type_id, r.status, r.quantity, r.amount_total FROM registrations r ${clause}`,
    params,
  )
}

/** Lists the registrations of any event that have this reference. */
export function listByReference(tx: ReadTx, reference: string): Promise<SearchedRow[]> {
  // The query starts from the events, of which there are few, because a reference is looked up within one event.
  return tx.all(
    `SELECT ${COLUMNS} FROM events e JOIN registrations r ON r.event_id = e.id WHERE e.account_id = $1 AND r.reference = $2`,
    [tx.accountId, reference],
  )
}

/** Finds the registration with this id, or the one whose ticket has it. */
export function listById(tx: ReadTx, id: string): Promise<SearchedRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.id IN ($2, (SELECT a.registration_id FROM attendees a WHERE a.id = $2))`,
    [tx.accountId, id],
  )
}

/** Finds what the text identifies as a reference, id or code. Each event may have a registration with the same reference. */
export async function findExact(tx: ReadTx, text: string): Promise<SearchedRow[]> {
  const id = isUuid(text) ? text.toLowerCase() : decodeTicket(text)?.ticketId
  const exact = id === undefined ? [] : await listById(tx, id)
  return exact.length > 0 ? exact : listByReference(tx, text)
}
