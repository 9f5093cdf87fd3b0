import { readInList } from '#machinery/db/in-list.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'

/** A registration with fewer tickets never has more words than are kept. See `MAX_WORDS` and the index. */
export const MANY_TICKETS = 24

/** Holds the part of a registration that tells whether somebody is its buyer, and how to search it. */
export interface BuyerRow extends Position {
  buyer_email_key: string
  quantity: number
}

const SELECT = 'SELECT r.id, r.created_at, r.buyer_email_key, r.quantity FROM registrations r'
const ORDER = 'ORDER BY r.created_at, r.id'
const START: Position = { created_at: Number.MIN_SAFE_INTEGER, id: '' }

/** Lists the registrations of a buyer after `last`, oldest first. */
export function listByBuyer(
  tx: ReadTx,
  key: string,
  last: Position | undefined,
  size: number,
): Promise<BuyerRow[]> {
  const { created_at, id } = last ?? START
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.buyer_email_key = $2 AND (r.created_at, r.id) > ($3, $4) ${ORDER} LIMIT $5`,
    [tx.accountId, key, created_at, id, size],
  )
}

/** Lists the registrations with many tickets. */
export function listWithManyTickets(
  tx: ReadTx,
  last: Position | undefined,
  size: number,
): Promise<BuyerRow[]> {
  const { created_at, id } = last ?? START
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.quantity >= ${MANY_TICKETS} AND (r.created_at, r.id) > ($2, $3) ${ORDER} LIMIT $4`,
    [tx.accountId, created_at, id, size],
  )
}

export function listAll(tx: ReadTx, last: Position | undefined, size: number): Promise<BuyerRow[]> {
  const { created_at, id } = last ?? START
  return tx.all(`${SELECT} WHERE r.account_id = $1 AND (r.created_at, r.id) > ($2, $3) ${ORDER} LIMIT $4`, [
    tx.accountId,
    created_at,
    id,
    size,
  ])
}

/** Gives the position of a word of a registration. */
export interface WordPosition {
  created_at: number
  registration_number: number
}

const OF_WORD = 'w.account_number = $1 AND w.word = $2'

/** Counts the registrations that have a word, up to `limit`. */
export async function countWord(
  tx: InstanceReadTx,
  accountNumber: number,
  word: string,
  limit: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM registration_words w WHERE ${OF_WORD} LIMIT $3) AS slice`,
    [accountNumber, word, limit],
  )
  return row?.count ?? 0
}

export function listWord(
  tx: InstanceReadTx,
  accountNumber: number,
  word: string,
  last: WordPosition | undefined,
  size: number,
): Promise<WordPosition[]> {
  return tx.all(
    `SELECT w.created_at, w.registration_number FROM registration_words w
     WHERE ${OF_WORD} AND (w.created_at, w.registration_number) > ($3, $4)
     ORDER BY w.created_at, w.registration_number LIMIT $5`,
    [accountNumber, word, last?.created_at ?? START.created_at, last?.registration_number ?? 0, size],
  )
}

export function listByNumbers(tx: ReadTx, numbers: readonly number[]): Promise<BuyerRow[]> {
  return readInList(
    tx,
    numbers,
    [tx.accountId],
    list => `${SELECT} WHERE r.account_id = $1 AND r.number IN ${list}`,
  )
}

/** Lists those of these registrations whose buyers were made anonymous. */
export function listErased(tx: ReadTx, ids: readonly string[]): Promise<{ id: string }[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.id FROM registrations r WHERE r.id IN ${list} AND r.erased_at IS NOT NULL
       AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}
