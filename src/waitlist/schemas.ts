import { toIso, toIsoOrNull } from '../time.ts'
import type { WaitlistRow } from './store.ts'

export interface WaitlistEntry {
  id: string
  reference: string
  name: string
  email: string
  quantity: number
  registration_type_id: string
  created_at: string
  notified_at: string | null
}

export function presentWaitlistEntry(row: WaitlistRow): WaitlistEntry {
  return {
    id: row.id,
    reference: row.reference,
    name: row.name,
    email: row.email,
    quantity: row.quantity,
    registration_type_id: row.registration_type_id,
    created_at: toIso(row.created_at),
    notified_at: toIsoOrNull(row.notified_at),
  }
}
