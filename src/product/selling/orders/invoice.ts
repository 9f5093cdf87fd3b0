import * as v from 'valibot'
import * as fields from '#base/fields.ts'

/** Whom a receipt is made out to, if not to the buyer alone. A field is null if nobody filled it in. */
export const invoiceFields = {
  company: v.nullable(fields.name()),
  /** The address may have several lines. */
  address: v.nullable(fields.text(500)),
  vat_id: v.nullable(fields.name(50)),
}

export type Invoice = { [Name in keyof typeof invoiceFields]: string | null }

export const NO_INVOICE: Invoice = { company: null, address: null, vat_id: null }
