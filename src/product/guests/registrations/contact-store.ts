import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'

export interface ContactRow extends Position {
  registration_type_id: string
  quantity: number
  buyer_name: string
  buyer_email: string
  language: Language
  /** The order it belongs to. It is null for a registration that came through the API or from a file. */
  order_id: string | null
  /** Null while it is pending. */
  confirmed_at: number | null
  /** 1 if its buyer has not verified the order yet. */
  is_unverified: 0 | 1
  is_extra: 0 | 1
}

const SELECT = `SELECT r.id, r.created_at, r.registration_type_id, r.quantity, r.buyer_name, r.buyer_email, r.language,
  r.order_id, r.confirmed_at,
  CASE WHEN EXISTS (SELECT 1 FROM orders o WHERE o.account_id = r.account_id AND o.id = r.order_id AND o.verified_at IS NULL)
    THEN 1 ELSE 0 END AS is_unverified,
  CASE WHEN EXISTS (SELECT 1 FROM registration_types x WHERE x.id = r.registration_type_id AND x.kind = 'extra')
    THEN 1 ELSE 0 END AS is_extra FROM registrations r`

/** Lists the confirmed registrations of an event, oldest first. */
export function listConfirmed(tx: ReadTx, eventId: string, { limit, after }: Page): Promise<ContactRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 AND r.status = 'confirmed' AND (r.created_at, r.id) > ($3, $4)
     ORDER BY r.created_at, r.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/**
 * Lists pending and confirmed registrations. It excludes the other states, because no index holds two states together in its
 * order.
 */
export function listStanding(tx: ReadTx, eventId: string, { limit, after }: Page): Promise<ContactRow[]> {
  return tx.all(
    `${SELECT} WHERE r.account_id = $1 AND r.event_id = $2 AND r.status <> 'failed' AND r.status <> 'cancelled'
       AND r.status <> 'refunded' AND (r.created_at, r.id) > ($3, $4)
     ORDER BY r.created_at, r.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}
