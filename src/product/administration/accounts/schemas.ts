import * as v from 'valibot'
import { says } from '../faults.ts'
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

/** What is said of the receipts of an account. */
export const receiptFields = {
  /** What their numbers begin with, so that nobody takes them for those of another till. */
  receipt_prefix: v.nullable(
    v.pipe(v.string(says('string')), v.regex(/^[A-Za-z0-9_-]{1,10}$/, says('code', { min: 1, max: 10 }))),
  ),
  /** How long they name their people, after the calendar year that they are of. */
  receipt_years: fields.integer(6, 12),
  /** Printed where there is no tax in what was sold, in lines. */
  tax_exemption: v.nullable(fields.text(300)),
}

export type ReceiptSettings = {
  [Name in keyof typeof receiptFields]: v.InferOutput<(typeof receiptFields)[Name]>
}

export const RECEIPT_DEFAULTS: ReceiptSettings = {
  receipt_prefix: null,
  receipt_years: 10,
  tax_exemption: null,
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
export interface AccountDetails extends Account, Seller, ReceiptSettings {
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
  const { receipt_prefix, receipt_years, tax_exemption } = row
  return {
    ...presentAccount(row),
    ...{ slug, legal_name, address, tax_id, imprint_url, privacy_url },
    ...{ receipt_prefix, receipt_years, tax_exemption },
  }
}
