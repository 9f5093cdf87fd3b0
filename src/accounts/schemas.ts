import * as v from 'valibot'
import * as fields from '../fields.ts'
import { toIso } from '../time.ts'
import { webAddress } from '../web/web-address.ts'
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

/** Who sells, as the law asks for it; null where that was not said. */
export const sellerFields = {
  legal_name: v.nullable(fields.name()),
  /** In lines. */
  address: v.nullable(fields.text(500)),
  tax_id: v.nullable(fields.name(50)),
  imprint_url: v.nullable(webAddress),
  privacy_url: v.nullable(webAddress),
}

export type Seller = { [Name in keyof typeof sellerFields]: string | null }

export const NO_SELLER: Seller = {
  legal_name: null,
  address: null,
  tax_id: null,
  imprint_url: null,
  privacy_url: null,
}

/** What the first part of an address of pages means already. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  'v1 manage door orders tickets assets trust healthz metrics setup unsubscribe'.split(' '),
)

export function isReserved(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

export interface Account extends NewAccount {
  id: string
  created_at: string
}

/** An account with what the command line does not tell of it. */
export interface AccountDetails extends Account, Seller {
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
  const { slug, legal_name, address, tax_id, imprint_url, privacy_url } = row
  return { ...presentAccount(row), slug, legal_name, address, tax_id, imprint_url, privacy_url }
}
