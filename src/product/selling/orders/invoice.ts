import * as v from 'valibot'
import * as fields from '../fields.ts'

/** Whom a receipt is made out to, where that is not the buyer alone; null where that was not said. */
export const invoiceFields = {
  company: v.nullable(fields.name()),
  /** In lines. */
  address: v.nullable(fields.text(500)),
  vat_id: v.nullable(fields.name(50)),
}

export type Invoice = { [Name in keyof typeof invoiceFields]: string | null }

export const NO_INVOICE: Invoice = { company: null, address: null, vat_id: null }
