import * as v from 'valibot'
import { says } from '#base/faults.ts'
import * as fields from '#base/fields.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import { type LegalKind, legalKinds, legalLinkFields } from './legal.ts'
import { presentOrigins } from './origins.ts'
import type { AccountRow, StoredAccount } from './store.ts'

export interface NewAccount {
  name: string
  email: string
  /** An IANA name of a time zone. */
  timezone: string
  /** A code of ISO 4217. */
  currency: string
  service_fee: ServiceFee
}

/** The service fee may be at most the whole amount paid. */
export const MAX_BASIS_POINTS = 10_000

export interface ServiceFee {
  /** Hundredths of a percent of the amount paid. */
  basis_points: number
  /** Minor units. */
  per_ticket: number
}

/** The fields of the seller that the law asks for. Each is null until it is filled in. */
export const sellerFields = {
  legal_name: v.nullable(fields.name()),
  /** It may have several lines. */
  address: v.nullable(fields.text(500)),
  tax_id: v.nullable(fields.name(50)),
  ...legalLinkFields,
}

export type Seller = { [Name in keyof typeof sellerFields]: string | null }

export const NO_SELLER: Seller = {
  legal_name: null,
  address: null,
  tax_id: null,
  imprint_url: null,
  privacy_url: null,
  terms_url: null,
}

export const MAX_INVOICE_FROM = 1_000_000

/** The settings for the receipts of an account. */
export const receiptFields = {
  /** The numbers of the receipts begin with this, so that nobody takes them for those of another till. */
  receipt_prefix: v.nullable(
    v.pipe(v.string(says('string')), v.regex(/^[A-Za-z0-9_-]{1,10}$/, says('code', { min: 1, max: 10 }))),
  ),
  /** How many years receipts keep the names of people, counted from the end of their calendar year. */
  receipt_years: fields.integer(6, 12),
  /** Receipts print this text if what was sold has no tax. It may have several lines. */
  tax_exemption: v.nullable(fields.text(300)),
  /**
   * From such an order on, in whole units of the account's currency, its invoice needs the postal address of the buyer. It is null
   * if none does.
   */
  invoice_from: v.nullable(fields.integer(0, MAX_INVOICE_FROM)),
}

export type ReceiptSettings = {
  [Name in keyof typeof receiptFields]: v.InferOutput<(typeof receiptFields)[Name]>
}

/** Returns the settings that an account has until somebody changes them. */
export function receiptDefaults(currency: string): ReceiptSettings {
  return {
    receipt_prefix: null,
    receipt_years: 10,
    tax_exemption: null,
    // In Germany a simplified invoice is of 250 euros at most (§ 33 UStDV), and in most of the euro area of no less.
    invoice_from: currency === 'EUR' ? 250 : null,
  }
}

/** The settings for how long the guests of an account are known. */
export const forgettingFields = {
  /** So many days after the end of an event, its guests are made anonymous. It is null if they never are. */
  forget_after_days: v.nullable(fields.integer(30, 3650)),
}

export interface ForgettingSettings {
  forget_after_days: number | null
}

export const NO_FORGETTING = { forget_after_days: null, forget_told_at: null }

/**
 * Returns when the owners were told of the forgetting, for a setting that may have changed. They are told anew if it begins, or
 * begins earlier.
 */
export function toldOf(
  was: ForgettingSettings & { forget_told_at: number | null },
  days: number | null,
): number | null {
  const isEarlier = days === null || was.forget_after_days === null || days < was.forget_after_days
  return isEarlier ? null : was.forget_told_at
}

/** These words already have a meaning as the first part of an address of a page. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  'v1 manage door orders tickets abstracts submitters assets trust healthz metrics setup unsubscribe'.split(
    ' ',
  ),
)

export function isReserved(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

export interface Account extends NewAccount {
  id: string
  created_at: string
}

/** An account with the fields that the command line does not show. */
export interface AccountDetails extends Account, Seller, ReceiptSettings, ForgettingSettings {
  /** The name of the account in addresses. It is null until somebody chooses one. */
  slug: string | null
  /** The origins of its own sites, which may show its pages in a frame. */
  embed_origins: readonly string[]
  /** The legal texts that are written here. */
  written: readonly LegalKind[]
  /** When the owners were told that guests will be forgotten. */
  forget_told_at: string | null
}

export function presentAccount(row: AccountRow | StoredAccount): Account {
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
  const { slug, legal_name, address, tax_id, imprint_url, privacy_url, terms_url } = row
  const { receipt_prefix, receipt_years, tax_exemption, invoice_from, forget_after_days } = row
  return {
    ...presentAccount(row),
    ...{ slug, legal_name, address, tax_id, imprint_url, privacy_url, terms_url },
    ...{ receipt_prefix, receipt_years, tax_exemption, invoice_from, forget_after_days },
    embed_origins: presentOrigins(row.embed_origins),
    forget_told_at: toIsoOrNull(row.forget_told_at),
    written: legalKinds.filter(kind => row[`has_${kind}_text`] === 1),
  }
}
