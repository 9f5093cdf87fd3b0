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

/** The whole of what is paid. */
export const MAX_BASIS_POINTS = 10_000

export interface ServiceFee {
  /** Hundredths of a percent of the amount paid. */
  basis_points: number
  /** Minor units. */
  per_ticket: number
}

/** What the first part of an address of pages means already. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  'v1 manage door orders tickets assets trust healthz setup'.split(' '),
)

export function isReserved(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

export interface Account extends NewAccount {
  id: string
  created_at: string
}

/** An account with what the command line does not tell of it. */
export interface AccountDetails extends Account {
  /** Its name in addresses; null until one is chosen. */
  slug: string | null
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

export function presentDetails(row: AccountRow): AccountDetails {
  return { ...presentAccount(row), slug: row.slug }
}
