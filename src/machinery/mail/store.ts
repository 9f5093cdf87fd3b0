import type { CleaningBatch } from '#machinery/db/batches.ts'
import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, InstanceWriteTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Email } from './schemas.ts'

const COLUMNS = `m.id, m.account_id, m.event_id, m.kind, m.cause, m.subject_id, m.recipient, m.language, m.status,
  m.attempts, m.next_attempt_at, m.sent_at, m.answer, m.subject, m.body, m.created_at`

export interface NewRow
  extends Pick<
    Email,
    'id' | 'account_id' | 'event_id' | 'kind' | 'cause' | 'subject_id' | 'recipient' | 'language'
  > {
  recipient_key: string
  details: string
  lane: number
}

/** Inserts a mail. @param due milliseconds of the clock, on which mails are due. @param now of the write */
export function insert(tx: WriteTx, row: NewRow, due: number, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO emails (id, account_id, event_id, kind, cause, subject_id, recipient, recipient_key, language, details, lane,
       status, attempts, next_attempt_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'waiting', 0, $12, $13, $13)
     ON CONFLICT (account_id, kind, cause, recipient_key) DO NOTHING`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.kind,
      row.cause,
      row.subject_id,
      row.recipient,
      row.recipient_key,
      row.language,
      row.details,
      row.lane,
      due,
      now,
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<Email | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM emails m WHERE m.account_id = $1 AND m.id = $2`, [tx.accountId, id])
}

/** Returns the account of a mail. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT m.account_id FROM emails m WHERE m.id = $1', [id])
}

export interface EmailFilters {
  /** Null for mails of no event. */
  event_id?: string | null | undefined
  status?: Email['status'] | undefined
  recipient_key?: string | undefined
  subject_id?: string | undefined
}

/** Lists a page, newest first. */
export function listPage(tx: ReadTx, filters: EmailFilters, page: Page): Promise<Email[]> {
  return readPage(tx, `SELECT ${COLUMNS} FROM emails m`, 'm', { account_id: tx.accountId, ...filters }, page)
}

/** The mail that somebody gets for one cause. */
export interface OfCause {
  kind: string
  cause: string
  recipient_key: string
}

export function findOfCause(
  tx: ReadTx,
  { kind, cause, recipient_key }: OfCause,
): Promise<Pick<DetailedRow, 'id' | 'status' | 'details'> | undefined> {
  return tx.one(
    `SELECT m.id, m.status, m.details FROM emails m
     WHERE m.account_id = $1 AND m.kind = $2 AND m.cause = $3 AND m.recipient_key = $4`,
    [tx.accountId, kind, cause, recipient_key],
  )
}

/** The most mails about one subject that are looked through. */
const MOST_ABOUT = 500

/** Lists the mails that somebody was to get about a subject, in no order. It looks at the newest of the subject. */
export function listAbout(
  tx: ReadTx,
  { subject_id, recipient_key }: { subject_id: string; recipient_key: string },
): Promise<(Pick<DetailedRow, 'id' | 'kind' | 'status'> & { created_at: number })[]> {
  return tx.all(
    `SELECT slice.id, slice.kind, slice.status, slice.created_at
     FROM (SELECT m.id, m.kind, m.status, m.recipient_key, m.created_at FROM emails m
       WHERE m.account_id = $1 AND m.subject_id = $2
       ORDER BY m.created_at DESC, m.id DESC LIMIT $3) AS slice WHERE slice.recipient_key = $4`,
    [tx.accountId, subject_id, MOST_ABOUT, recipient_key],
  )
}

/** Sets the details of a mail that waits. */
export function setDetails(tx: WriteTx, id: string, details: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE emails SET details = $3, updated_at = $4 WHERE account_id = $1 AND id = $2 AND status = 'waiting'`,
    [tx.accountId, id, details, now],
  )
}

/** Makes a withdrawn mail wait again. It was not sent, because it was not needed. */
export function revive(
  tx: WriteTx,
  id: string,
  { details, due }: { details: string; due: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE emails SET status = 'waiting', attempts = 0, next_attempt_at = $4, answer = NULL, details = $3, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND status = 'withdrawn'`,
    [tx.accountId, id, details, due, now],
  )
}

/** Returns the last of the next `size` mails of a cause, or undefined if there are no more than these. */
export function findNth(
  tx: ReadTx,
  { kind, cause, recipient_key: after }: OfCause,
  size: number,
): Promise<{ recipient_key: string } | undefined> {
  return tx.one(
    `SELECT m.recipient_key FROM emails m
     WHERE m.account_id = $1 AND m.kind = $2 AND m.cause = $3 AND m.recipient_key > $4
     ORDER BY m.recipient_key LIMIT 1 OFFSET $5`,
    [tx.accountId, kind, cause, after, size - 1],
  )
}

/** Makes the mails of a cause due soon that wait until exactly this instant. A mail that is being sent has another instant. */
export function release(
  tx: WriteTx,
  { kind, cause, recipient_key: after }: OfCause,
  { last, until, due }: { last: string | undefined; until: number; due: number },
  now: number,
): Promise<number> {
  const ofSome = last === undefined ? '' : 'AND recipient_key <= $8'
  return tx.run(
    `UPDATE emails SET next_attempt_at = $6, updated_at = $7
     WHERE account_id = $1 AND kind = $2 AND cause = $3 AND recipient_key > $4 AND next_attempt_at = $5 ${ofSome}`,
    [tx.accountId, kind, cause, after, until, due, now, ...(last === undefined ? [] : [last])],
  )
}

export interface DueRow {
  id: string
  account_id: string
  next_attempt_at: number
}

/** Lists the due mails of one lane for all accounts, the longest waiting first. @param now milliseconds of the clock */
export function listDue(tx: InstanceReadTx, lane: number, now: number, limit: number): Promise<DueRow[]> {
  return tx.all(
    `SELECT m.id, m.account_id, m.next_attempt_at FROM emails m
     WHERE m.lane = $1 AND m.next_attempt_at <= $2 ORDER BY m.next_attempt_at, m.id LIMIT $3`,
    [lane, now, limit],
  )
}

/** Claims a mail that is still due as it was seen. @returns 0 if another server has it, or it has ended */
export function claim(
  tx: InstanceWriteTx,
  { account_id, id, next_attempt_at }: DueRow,
  until: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE emails SET next_attempt_at = $4, updated_at = $5
     WHERE account_id = $1 AND id = $2 AND next_attempt_at = $3`,
    [account_id, id, next_attempt_at, until, now],
  )
}

/** A mail with a JSON object of the data that no other table keeps. */
export type DetailedRow = Email & { details: string }

export function findDetails(tx: ReadTx, id: string): Promise<DetailedRow | undefined> {
  return tx.one(`SELECT ${COLUMNS}, m.details FROM emails m WHERE m.account_id = $1 AND m.id = $2`, [
    tx.accountId,
    id,
  ])
}

/** The result of an attempt, or of a mail that was not attempted. */
export interface Conclusion {
  status: Email['status']
  attempts: number
  next_attempt_at: number | null
  sent_at: number | null
  answer: string | null
  subject: string | null
  body: string | null
  /** True for a failed mail that may be sent again and needs its details. */
  keepsDetails?: boolean
}

/** Concludes a mail. @param until of the claim: a conclusion under a claim that has passed changes nothing */
export function conclude(
  tx: InstanceWriteTx,
  { account_id, id }: Pick<DueRow, 'account_id' | 'id'>,
  until: number,
  as: Conclusion,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE emails SET status = $4, attempts = $5, next_attempt_at = $6, sent_at = $7, answer = $8,
       subject = COALESCE($9, subject), body = COALESCE($10, body),
       details = CASE WHEN $4 = 'waiting' OR $12 = 1 THEN details ELSE '{}' END, updated_at = $11
     WHERE account_id = $1 AND id = $2 AND next_attempt_at = $3`,
    [
      account_id,
      id,
      until,
      as.status,
      as.attempts,
      as.next_attempt_at,
      as.sent_at,
      as.answer,
      as.subject,
      as.body,
      now,
      as.keepsDetails ? 1 : 0,
    ],
  )
}

/** Makes a mail due soon. A failed mail begins anew. Whoever sends it at this moment holds it for longer than that takes. */
export function makeDue(tx: WriteTx, id: string, due: number, now: number): Promise<number> {
  return tx.run(
    `UPDATE emails SET status = 'waiting', next_attempt_at = $3, updated_at = $4,
       attempts = CASE WHEN status = 'failed' THEN 0 ELSE attempts END
     WHERE account_id = $1 AND id = $2 AND status IN ('waiting', 'failed')`,
    [tx.accountId, id, due, now],
  )
}

export function removeOfRecipient(tx: WriteTx, key: string, most: number): Promise<number> {
  return tx.run(
    `DELETE FROM emails WHERE account_id = $1 AND id IN
       (SELECT m.id FROM emails m WHERE m.account_id = $1 AND m.recipient_key = $2 LIMIT $3)`,
    [tx.accountId, key, most],
  )
}

/** The condition for an ended mail of the account from before this instant. A mail that waits stays, however old. */
const OLDER = `m.account_id = $1 AND m.status IN ('sent', 'failed', 'withdrawn') AND m.created_at < $2`

/** Removes all mails about one subject, sent or not. @returns how many */
export function removeOfSubject(tx: WriteTx, subjectId: string): Promise<number> {
  return tx.run('DELETE FROM emails WHERE account_id = $1 AND subject_id = $2', [tx.accountId, subjectId])
}

export function removeOfEvent(tx: WriteTx, eventId: string, recipientKey: string): Promise<number> {
  return tx.run('DELETE FROM emails WHERE account_id = $1 AND recipient_key = $2 AND event_id = $3', [
    tx.accountId,
    recipientKey,
    eventId,
  ])
}

export async function hasOlder(tx: ReadTx, before: number): Promise<boolean> {
  return (await tx.one(`SELECT 1 FROM emails m WHERE ${OLDER} LIMIT 1`, [tx.accountId, before])) !== undefined
}

/** Deletes a batch of the ended mails of an account from before this instant. @returns how many */
export function deleteOlder(tx: WriteTx, before: number, { rows }: CleaningBatch): Promise<number> {
  return tx.run(
    `DELETE FROM emails WHERE id IN (SELECT m.id FROM emails m WHERE ${OLDER} ORDER BY m.created_at, m.id LIMIT $3)`,
    [tx.accountId, before, rows],
  )
}
