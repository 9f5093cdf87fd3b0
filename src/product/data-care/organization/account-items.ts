import * as v from 'valibot'
import { amount, closedObject, currency, email, integer, name, slug, timezone } from '#base/fields.ts'
import { legalTextFields } from '#product/administration/accounts/legal.ts'
import { originsSchema } from '#product/administration/accounts/origins.ts'
import * as accounts from '#product/administration/accounts/schemas.ts'
import { colourSchema } from '#product/catalog/looks/schemas.ts'

/** Fields that are left out keep their values on an existing account. */
export const accountSchema = closedObject({
  name: name(),
  email,
  timezone: v.optional(timezone),
  currency: v.optional(currency),
  slug: v.optional(v.nullable(slug)),
  legal_name: v.optional(accounts.sellerFields.legal_name),
  address: v.optional(accounts.sellerFields.address),
  tax_id: v.optional(accounts.sellerFields.tax_id),
  imprint_url: v.optional(accounts.sellerFields.imprint_url),
  privacy_url: v.optional(accounts.sellerFields.privacy_url),
  terms_url: v.optional(accounts.sellerFields.terms_url),
  /** A text takes the place of the link, and a link that of the text. */
  imprint_text: v.optional(legalTextFields.imprint_text),
  privacy_text: v.optional(legalTextFields.privacy_text),
  terms_text: v.optional(legalTextFields.terms_text),
  receipt_prefix: v.optional(accounts.receiptFields.receipt_prefix),
  receipt_years: v.optional(accounts.receiptFields.receipt_years),
  tax_exemption: v.optional(accounts.receiptFields.tax_exemption),
  invoice_from: v.optional(accounts.receiptFields.invoice_from),
  /** The sites that may show its pages in a frame. */
  embed_origins: v.optional(originsSchema),
  forget_after_days: v.optional(accounts.forgettingFields.forget_after_days),
  /** The colour of links and buttons. Logos are no part of a file. */
  accent: v.optional(v.nullable(colourSchema)),
  service_fee: v.optional(
    closedObject({
      basis_points: v.optional(integer(0, accounts.MAX_BASIS_POINTS), 0),
      per_ticket: v.optional(amount, 0),
    }),
  ),
})
