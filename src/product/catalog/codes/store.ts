import { readInList } from '#machinery/db/in-list.ts'
import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface CodeRow {
  id: string
  event_id: string
  code: string
  /** The form of the code that is compared. */
  code_key: string
  percent: number | null
  amount: number | null
  /** A JSON array. Null means all types. */
  registration_type_ids: string | null
  valid_from: number | null
  valid_until: number | null
  max_tickets: number | null
  used: number
  active: 0 | 1
  note: string | null
  created_at: number
}

const SELECT = `SELECT c.id, c.event_id, c.code, c.code_key, c.percent, c.amount, c.registration_type_ids, c.valid_from,
  c.valid_until, c.max_tickets, c.used, c.active, c.note, c.created_at FROM codes c`

export function find(tx: ReadTx, eventId: string, id: string): Promise<CodeRow | undefined> {
  return tx.one(`${SELECT} WHERE c.account_id = $1 AND c.event_id = $2 AND c.id = $3`, [
    tx.accountId,
    eventId,
    id,
  ])
}

export function findByKey(tx: ReadTx, eventId: string, key: string): Promise<CodeRow | undefined> {
  return tx.one(`${SELECT} WHERE c.account_id = $1 AND c.event_id = $2 AND c.code_key = $3`, [
    tx.accountId,
    eventId,
    key,
  ])
}

/** Lists the codes of an event, newest first. */
export function listPage(tx: ReadTx, eventId: string, page: Page): Promise<CodeRow[]> {
  return readPage(tx, SELECT, 'c', { account_id: tx.accountId, event_id: eventId }, page)
}

/** Lists the codes of an event, oldest first. */
export function listByEvent(tx: ReadTx, eventId: string): Promise<CodeRow[]> {
  return tx.all(`${SELECT} WHERE c.account_id = $1 AND c.event_id = $2 ORDER BY c.created_at, c.id`, [
    tx.accountId,
    eventId,
  ])
}

/** Lists the codes of an event that have one of these keys. */
export function listByKeys(tx: ReadTx, eventId: string, keys: readonly string[]): Promise<CodeRow[]> {
  return readInList(
    tx,
    keys,
    [tx.accountId, eventId],
    list => `${SELECT} WHERE c.event_id = $2 AND c.code_key IN ${list}
      AND CASE WHEN c.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}

/** Counts the codes of an event, no further than `most`. */
export async function count(tx: ReadTx, eventId: string, most: number): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT c.id FROM codes c WHERE c.account_id = $1 AND c.event_id = $2
       LIMIT $3) AS slice`,
    [tx.accountId, eventId, most],
  )
  return row?.count ?? 0
}

export function insert(tx: WriteTx, row: Omit<CodeRow, 'created_at'>, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO codes (id, account_id, event_id, code, code_key, percent, amount, registration_type_ids, valid_from,
       valid_until, max_tickets, used, active, note, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.code,
      row.code_key,
      row.percent,
      row.amount,
      row.registration_type_ids,
      row.valid_from,
      row.valid_until,
      row.max_tickets,
      row.used,
      row.active,
      row.note,
      now,
    ],
  )
}

/** Changes everything except the number of uses. */
export function update(tx: WriteTx, row: Omit<CodeRow, 'used' | 'created_at'>, now: number): Promise<number> {
  return tx.run(
    `UPDATE codes SET code = $3, code_key = $4, percent = $5, amount = $6, registration_type_ids = $7, valid_from = $8,
       valid_until = $9, max_tickets = $10, active = $11, note = $12, updated_at = $13 WHERE account_id = $1 AND id = $2`,
    [
      tx.accountId,
      row.id,
      row.code,
      row.code_key,
      row.percent,
      row.amount,
      row.registration_type_ids,
      row.valid_from,
      row.valid_until,
      row.max_tickets,
      row.active,
      row.note,
      now,
    ],
  )
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM codes WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

/** Returns whether tickets have the code, including void ones. */
export async function hasTickets(tx: ReadTx, id: string): Promise<boolean> {
  const row = await tx.one(
    `SELECT c.id FROM codes c WHERE c.account_id = $1 AND c.id = $2
       AND EXISTS (SELECT 1 FROM attendees a WHERE a.code_id = c.id)`,
    [tx.accountId, id],
  )
  return row !== undefined
}

/** Counts tickets in one statement. It changes no row if there would be too many. */
export function reserve(tx: WriteTx, id: string, tickets: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE codes SET used = used + $3, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND (max_tickets IS NULL OR used + $3 <= max_tickets)`,
    [tx.accountId, id, tickets, now],
  )
}

export function release(tx: WriteTx, id: string, tickets: number, now: number): Promise<number> {
  return tx.run('UPDATE codes SET used = used - $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    tickets,
    now,
  ])
}

/** Counts the tickets of these registrations by code, either the valid ones or the void ones. */
export async function countTickets(
  tx: ReadTx,
  registrationIds: readonly string[],
  voided: 0 | 1 = 0,
  isMeant: (ticketId: string) => boolean = () => true,
): Promise<{ id: string; tickets: number }[]> {
  const rows = await readInList<{ id: string; ticket_id: string }>(
    tx,
    registrationIds,
    [tx.accountId, voided],
    // The account is compared, not looked up, because a planner would otherwise go through all rows of the account.
    list => `SELECT a.code_id AS id, a.id AS ticket_id FROM registrations r JOIN attendees a ON a.registration_id = r.id
       WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1
         AND a.code_id IS NOT NULL AND a.voided = $2`,
  )
  const counts = new Map<string, number>()
  for (const { id, ticket_id } of rows) if (isMeant(ticket_id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts].sort().map(([id, tickets]) => ({ id, tickets }))
}

const TICKETS = '(SELECT count(*) FROM attendees a WHERE a.code_id = codes.id AND a.voided = 0)'

/** Corrects the number of uses of each code by its tickets. It leaves out a code that would have too many. */
export function recount(tx: WriteTx, eventId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE codes SET used = ${TICKETS}, updated_at = $3 WHERE account_id = $1 AND event_id = $2 AND used <> ${TICKETS}
       AND (max_tickets IS NULL OR max_tickets >= ${TICKETS})`,
    [tx.accountId, eventId, now],
  )
}

/** Finds a code whose number of uses differs from the number of its tickets. */
export function findMiscounted(tx: ReadTx, eventId: string): Promise<{ id: string } | undefined> {
  return tx.one(
    `SELECT id FROM codes WHERE account_id = $1 AND event_id = $2 AND used <> ${TICKETS} LIMIT 1`,
    [tx.accountId, eventId],
  )
}

/** Lists the tickets of these registrations that have a code, with that code. */
export function listTickets(
  tx: ReadTx,
  registrationIds: readonly string[],
): Promise<{ id: string; code: string }[]> {
  return readInList(
    tx,
    registrationIds,
    [tx.accountId],
    // CASE keeps the planner from going through all codes of the account.
    list => `SELECT a.id, c.code FROM attendees a JOIN codes c ON c.id = a.code_id WHERE a.registration_id IN ${list}
       AND CASE WHEN c.account_id = $1 THEN 1 ELSE 0 END = 1`,
  )
}
