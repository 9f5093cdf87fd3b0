import { type Invoice, invoiceFields } from '../orders/invoice.ts'
import { type Field, optionalTextField } from '../web/forms/field.ts'

/** Whom a receipt is made out to, as a form asks for it. */
export const invoiceForm = {
  'invoice.company': optionalTextField(invoiceFields.company.wrapped, {
    label: ({ receipts }) => receipts.companyName,
    control: { kind: 'input', type: 'text', autocomplete: 'organization' },
  }),
  'invoice.address': optionalTextField(invoiceFields.address.wrapped, {
    label: ({ receipts }) => receipts.companyAddress,
    control: { kind: 'area', rows: 3 },
  }),
  'invoice.vat_id': optionalTextField(invoiceFields.vat_id.wrapped, {
    label: ({ receipts }) => receipts.companyVatId,
  }),
} satisfies Record<string, Field<string | null>>

export const INVOICE_NAMES = Object.keys(invoiceForm) as (keyof typeof invoiceForm)[]

/** @param values as those fields have parsed them: none where they were not asked */
export function invoiceOf(values: Readonly<Record<string, unknown>>): Invoice {
  const said = (name: keyof typeof invoiceForm) => (values[name] as string | null | undefined) ?? null
  return {
    company: said('invoice.company'),
    address: said('invoice.address'),
    vat_id: said('invoice.vat_id'),
  }
}
