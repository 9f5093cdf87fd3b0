import type { ReadTx, WriteTx } from '../db/port.ts'
import type { RegistrationRow } from './store.ts'

/** What a registration has beside that which the API shows. */
export interface DetailRow {
  reference: string
  language: RegistrationRow['language']
  note: string | null
  refunded_at: number | null
  refunded_amount: number | null
  processor_fee: number | null
  erased_at: number | null
}

export function find(tx: ReadTx, accountId: string, id: string): Promise<DetailRow | undefined> {
  return tx.one(
    `SELECT r.reference, r.language, r.note, r.refunded_at, r.refunded_amount, r.processor_fee, r.erased_at
     FROM registrations r WHERE r.account_id = $1 AND r.id = $2`,
    [accountId, id],
  )
}

export function amend(
  tx: WriteTx,
  accountId: string,
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
      accountId,
      id,
      row.buyer_name,
      row.buyer_email,
      row.buyer_email_key,
      row.answers,
      row.language,
      row.note,
      now,
    ],
  )
}
