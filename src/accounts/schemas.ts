import { toIso } from '../time.ts'
import type { AccountRow } from './store.ts'

export interface NewAccount {
  name: string
  email: string
  /** An IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  service_fee: ServiceFee
}

export interface ServiceFee {
  /** Hundredths of a percent of the amount paid. */
  basis_points: number
  /** Minor units. */
  per_ticket: number
}

export interface Account extends NewAccount {
  id: string
  created_at: string
}

export function presentAccount(row: AccountRow): Account {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    timezone: row.timezone,
    currency: row.currency,
    service_fee: { basis_points: row.service_fee_basis_points, per_ticket: row.service_fee_per_ticket },
    created_at: toIso(row.created_at),
  }
}
