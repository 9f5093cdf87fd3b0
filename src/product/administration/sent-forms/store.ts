import type { CleaningBatch } from '#machinery/db/batches.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export function find(tx: ReadTx, userId: string, formId: string): Promise<{ location: string } | undefined> {
  return tx.one(
    'SELECT f.location FROM form_receipts f WHERE f.account_id = $1 AND f.user_id = $2 AND f.form_id = $3',
    [tx.accountId, userId, formId],
  )
}

export interface ReceiptRow {
  accountId: string
  userId: string
  formId: string
  location: string
}

export function insert(tx: WriteTx, row: ReceiptRow, now: number): Promise<number> {
  return tx.run(
    `INSERT INTO form_receipts (account_id, user_id, form_id, location, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [row.accountId, row.userId, row.formId, row.location, now],
  )
}

/** Returns whether the account has a receipt that is older than `before`. */
export async function hasOlder(tx: ReadTx, before: number): Promise<boolean> {
  const older = 'SELECT 1 FROM form_receipts WHERE account_id = $1 AND created_at < $2 LIMIT 1'
  return (await tx.one(older, [tx.accountId, before])) !== undefined
}

/** Deletes a batch of the receipts of an account that are older than `before`. @returns how many it deleted */
export function deleteOlder(tx: WriteTx, before: number, batch: CleaningBatch): Promise<number> {
  return tx.run(
    `DELETE FROM form_receipts WHERE (account_id, user_id, form_id) IN
       (SELECT account_id, user_id, form_id FROM form_receipts WHERE account_id = $1 AND created_at < $2
        ORDER BY created_at, user_id, form_id LIMIT $3)`,
    [tx.accountId, before, batch.rows],
  )
}
