import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ListedRow } from './store.ts'

export interface WaitlistEntry {
  id: string
  reference: string
  name: string
  email: string
  quantity: number
  registration_type_id: string
  created_at: string
  notified_at: string | null
  /** The latest order that was made to hold places for the person. */
  offer: Offer | null
}

/**
 * `held` means that places wait for an answer until then. `taken` means that the person took them. `ended` means that they were
 * not taken.
 */
export type Offer = { order_id: string } & ({ state: 'held'; until: string } | { state: 'taken' | 'ended' })

export function presentWaitlistEntry(row: ListedRow): WaitlistEntry {
  return {
    id: row.id,
    reference: row.reference,
    name: row.name,
    email: row.email,
    quantity: row.quantity,
    registration_type_id: row.registration_type_id,
    created_at: toIso(row.created_at),
    notified_at: toIsoOrNull(row.notified_at),
    offer: offerOf(row),
  }
}

function offerOf({ order_id, order_status: status, waits_for, expires_at }: ListedRow): Offer | null {
  if (order_id === null || status === null) return null
  if (waits_for === 'answer') return { order_id, state: 'held', until: toIso(expires_at as number) }
  return { order_id, state: status === 'failed' ? 'ended' : 'taken' }
}
