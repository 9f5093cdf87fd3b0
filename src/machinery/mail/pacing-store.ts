import type { CleaningBatch } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface SlotRow {
  id: string
  account_id: string
  /** The hash of the network. */
  network: string
  pace: 'buyers' | 'others' | 'confirmed'
  subject_id: string
  due_at: number
  created_at: number
}

export type OfNetwork = Pick<SlotRow, 'account_id' | 'network' | 'pace'>

/** Returns the due time of the turn that `before` others follow. The latest turn comes first. */
export function findLater(
  tx: ReadTx,
  { account_id, network, pace }: OfNetwork,
  before: number,
): Promise<{ due_at: number } | undefined> {
  return tx.one(
    `SELECT t.due_at FROM mail_turns t WHERE t.account_id = $1 AND t.network = $2 AND t.pace = $3
     ORDER BY t.due_at DESC, t.id DESC LIMIT 1 OFFSET $4`,
    [account_id, network, pace, before],
  )
}

export async function insert(tx: WriteTx, row: SlotRow, now: number): Promise<void> {
  await tx.run(
    `INSERT INTO mail_turns (id, account_id, network, pace, subject_id, due_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.id, row.account_id, row.network, row.pace, row.subject_id, row.due_at, row.created_at, now],
  )
}

/** Removes the turns that no longer count: from before this instant, or made by a clock that was ahead. */
export async function removeOver(
  tx: WriteTx,
  { account_id, network, pace }: OfNetwork,
  { before, now }: { before: number; now: number },
): Promise<void> {
  await tx.run(
    `DELETE FROM mail_turns WHERE account_id = $1 AND network = $2 AND pace = $3
     AND (due_at <= $4 OR created_at > $5)`,
    [account_id, network, pace, before, now],
  )
}

/** Removes the turns of a subject. @returns how many it had */
export function removeOf(tx: WriteTx, of: OfNetwork, subjectId: string): Promise<number> {
  return tx.run(
    'DELETE FROM mail_turns WHERE account_id = $1 AND network = $2 AND pace = $3 AND subject_id = $4',
    [of.account_id, of.network, of.pace, subjectId],
  )
}

/** Returns the first turn that has not come yet. */
export function findNext(
  tx: ReadTx,
  { account_id, network, pace }: OfNetwork,
  now: number,
): Promise<Pick<SlotRow, 'subject_id'> | undefined> {
  return tx.one(
    `SELECT t.subject_id FROM mail_turns t WHERE t.account_id = $1 AND t.network = $2 AND t.pace = $3 AND t.due_at > $4
     ORDER BY t.due_at, t.id LIMIT 1`,
    [account_id, network, pace, now],
  )
}

export async function setDue(
  tx: WriteTx,
  of: OfNetwork,
  { subjectId, due }: { subjectId: string; due: number },
  now: number,
): Promise<void> {
  await tx.run(
    `UPDATE mail_turns SET due_at = $5, updated_at = $6
     WHERE account_id = $1 AND network = $2 AND pace = $3 AND subject_id = $4`,
    [of.account_id, of.network, of.pace, subjectId, due, now],
  )
}

export async function hasOlder(tx: ReadTx, before: number): Promise<boolean> {
  const found = await tx.one('SELECT 1 FROM mail_turns t WHERE t.account_id = $1 AND t.due_at < $2 LIMIT 1', [
    tx.accountId,
    before,
  ])
  return found !== undefined
}

/** Deletes a batch of old turns. @returns how many */
export function deleteOlder(
  tx: WriteTx,
  before: number,
  { rows }: Pick<CleaningBatch, 'rows'>,
): Promise<number> {
  return tx.run(
    `DELETE FROM mail_turns WHERE id IN (SELECT t.id FROM mail_turns t WHERE t.account_id = $1 AND t.due_at < $2
       ORDER BY t.due_at, t.id LIMIT $3)`,
    [tx.accountId, before, rows],
  )
}
