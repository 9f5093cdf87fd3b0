import type { ReadTx } from '#machinery/db/port.ts'
import type { RegistrationRow } from './store.ts'

/** Holds what a registration has beyond what the API shows. */
export interface DetailRow {
  reference: string
  language: RegistrationRow['language']
  note: string | null
  order_id: string | null
  secret_version: number
  refunded_at: number | null
  refunded_amount: number | null
  processor_fee: number | null
  erased_at: number | null
}

export function find(tx: ReadTx, id: string): Promise<DetailRow | undefined> {
  return tx.one(
    `SELECT r.reference, r.language, r.note, r.refunded_at, r.refunded_amount, r.processor_fee, r.erased_at,
       r.order_id, r.secret_version
     FROM registrations r WHERE r.account_id = $1 AND r.id = $2`,
    [tx.accountId, id],
  )
}
