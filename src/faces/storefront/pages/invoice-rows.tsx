import type { FormState } from '#machinery/web/forms/form.ts'
import { FieldGroup, FieldRows } from '#machinery/web/forms/form-view.tsx'
import type { Texts } from '#texts/texts.ts'
import { INVOICE_NAMES } from '../invoice-form.ts'

/** The address comes first where it has to be filled in. */
const NEEDED_FIRST = ['invoice.address', 'invoice.company', 'invoice.vat_id']

/**
 * Shows the fields for the recipient of the receipt. They are folded until somebody has typed into them, unless one has to be
 * filled in.
 */
export function InvoiceRows({ state, texts }: { state: FormState; texts: Texts }) {
  if (!INVOICE_NAMES.every(name => name in state.fields)) return null
  if (state.fields['invoice.address']?.required === true)
    return <FieldGroup legend={texts.receipts.address} state={state} texts={texts} names={NEEDED_FIRST} />
  const isUsed = INVOICE_NAMES.some(
    name => state.faults.has(name) || (state.typed[name]?.[0] ?? '').trim() !== '',
  )
  return (
    <details class="card" open={isUsed}>
      <summary>{texts.receipts.company}</summary>
      <div class="stack">
        <p class="help">{texts.receipts.companyHelp}</p>
        <FieldRows state={state} texts={texts} names={INVOICE_NAMES} />
      </div>
    </details>
  )
}
