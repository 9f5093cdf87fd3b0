import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { QuestionKind, questionScopes } from './kinds.ts'

export interface QuestionRow {
  id: string
  event_id: string
  key: string
  label: string
  help: string | null
  kind: QuestionKind
  /** A JSON array of strings. */
  choices: string
  required: 0 | 1
  asked_for: (typeof questionScopes)[number]
  for_reviewers: 0 | 1
  /** Since when an abstract that was sent has an answer. */
  answered_at: number | null
  /** A JSON array of ids. It is null for all types. */
  registration_type_ids: string | null
  position: number
  retired_at: number | null
}

/** Lists the questions of an event, oldest first. */
export function listByEvent(tx: ReadTx, eventId: string): Promise<QuestionRow[]> {
  return tx.all(
    `SELECT q.id, q.event_id, q.key, q.label, q.help, q.kind, q.choices, q.required, q.asked_for, q.for_reviewers, q.answered_at,
       q.registration_type_ids, q.position, q.retired_at
     FROM questions q WHERE q.account_id = $1 AND q.event_id = $2 ORDER BY q.created_at, q.id`,
    [tx.accountId, eventId],
  )
}

export function insert(tx: WriteTx, row: QuestionRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO questions (id, account_id, event_id, key, label, help, kind, choices, required, asked_for,
       registration_type_ids, position, retired_at, for_reviewers, answered_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.key,
      row.label,
      row.help,
      row.kind,
      row.choices,
      row.required,
      row.asked_for,
      row.registration_type_ids,
      row.position,
      row.retired_at,
      row.for_reviewers,
      row.answered_at,
      now,
    ],
  )
}

export function update(tx: WriteTx, row: QuestionRow, now: number): Promise<number> {
  return tx.run(
    `UPDATE questions SET key = $3, label = $4, help = $5, kind = $6, choices = $7, required = $8, asked_for = $9,
       registration_type_ids = $10, position = $11, retired_at = $12, for_reviewers = $13, updated_at = $14 WHERE account_id = $1 AND id = $2`,
    [
      tx.accountId,
      row.id,
      row.key,
      row.label,
      row.help,
      row.kind,
      row.choices,
      row.required,
      row.asked_for,
      row.registration_type_ids,
      row.position,
      row.retired_at,
      row.for_reviewers,
      now,
    ],
  )
}

export function place(tx: WriteTx, id: string, position: number, now: number): Promise<number> {
  return tx.run('UPDATE questions SET position = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    id,
    position,
    now,
  ])
}

export function remove(tx: WriteTx, id: string): Promise<number> {
  return tx.run('DELETE FROM questions WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

/** Notes that an abstract which was sent answers a question. */
export function markAnswered(tx: WriteTx, id: string, now: number): Promise<number> {
  return tx.run(
    'UPDATE questions SET answered_at = $3, updated_at = $3 WHERE account_id = $1 AND id = $2 AND answered_at IS NULL',
    [tx.accountId, id, now],
  )
}
