import { makeFault } from '#base/faults.ts'
import { type Field, isBlank, optionalTextField } from '#machinery/web/forms/field.ts'
import { type Invoice, invoiceFields } from '#product/selling/orders/invoice.ts'

/** The form asks with these fields for the recipient of a receipt. */
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

/** Returns the same fields. @param isAddressNeeded whether the postal address has to be filled in */
export function invoiceFieldsOf(isAddressNeeded: boolean): typeof invoiceForm {
  if (!isAddressNeeded) return invoiceForm
  const address = invoiceForm['invoice.address']
  return {
    ...invoiceForm,
    'invoice.address': {
      ...address,
      help: ({ receipts }) => receipts.addressHelp,
      required: true,
      parse: (typed, scale) =>
        isBlank(typed) ? { fault: makeFault('required') } : address.parse(typed, scale),
    },
  }
}

export const INVOICE_NAMES = Object.keys(invoiceForm) as (keyof typeof invoiceForm)[]

/** @param values the parsed values of those fields; they are missing if the form did not ask for them */
export function invoiceOf(values: Readonly<Record<string, unknown>>): Invoice {
  const entered = (name: keyof typeof invoiceForm) => (values[name] as string | null | undefined) ?? null
  return {
    company: entered('invoice.company'),
    address: entered('invoice.address'),
    vat_id: entered('invoice.vat_id'),
  }
}
