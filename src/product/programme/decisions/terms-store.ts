import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/** What authors were told beside the decision about an abstract. Instants are in milliseconds. */
export interface TermsRow {
  event_id: string
  confirm_by: number | null
  comments_told_at: number | null
  registration_code_id: string | null
}

export function find(tx: ReadTx, abstractId: string): Promise<TermsRow | undefined> {
  return tx.one(
    `SELECT b.event_id, b.confirm_by, b.comments_told_at, b.registration_code_id FROM abstracts b
     WHERE b.account_id = $1 AND b.id = $2`,
    [tx.accountId, abstractId],
  )
}

/** Keeps what authors are told, and forgets which reminder they had. */
export function put(
  tx: WriteTx,
  abstractId: string,
  row: Omit<TermsRow, 'event_id'>,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE abstracts SET confirm_by = $3, comments_told_at = $4, registration_code_id = $5, confirm_reminded = NULL,
       updated_at = $6 WHERE account_id = $1 AND id = $2`,
    [tx.accountId, abstractId, row.confirm_by, row.comments_told_at, row.registration_code_id, now],
  )
}
