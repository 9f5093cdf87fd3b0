import type { Page, Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { Language } from '../web/texts/languages.ts'

export interface ContactRow extends Position {
  registration_type_id: string
  quantity: number
  buyer_name: string
  buyer_email: string
  language: Language
  /** What it was ordered with; null for one of the API or a file. */
  order_id: string | null
  /** Null while it is pending. */
  confirmed_at: number | null
}

const SELECT = `SELECT r.id, r.created_at, r.registration_type_id, r.quantity, r.buyer_name, r.buyer_email, r.language,
  r.order_id, r.confirmed_at FROM registrations r`

/** The confirmed registrations of an event, oldest first. */
export function listConfirmed(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { limit, after }: Page,
): Promise<ContactRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 AND r.status = 'confirmed' AND (r.created_at, r.id) > ($3, $4)
     ORDER BY r.created_at, r.id LIMIT $5`,
    [accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Those that are pending or confirmed: two states together have no index that is in their order, and so the others are left out. */
export function listStanding(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { limit, after }: Page,
): Promise<ContactRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 AND r.status <> 'failed' AND r.status <> 'cancelled'
       AND r.status <> 'refunded' AND (r.created_at, r.id) > ($3, $4)
     ORDER BY r.created_at, r.id LIMIT $5`,
    [accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}
