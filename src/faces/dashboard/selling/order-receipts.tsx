import type { ComponentChildren } from 'preact'
import type { Order } from '../orders/schemas.ts'
import { sayReceipt } from '../receipts/said.ts'
import type { Receipt } from '../receipts/schemas.ts'
import type { Texts } from '../web/texts/texts.ts'
import type { OfEvent } from './asked.ts'
import { paths } from './paths.ts'

/** The receipts and credit notes of an order, where it has any. */
export function OrderReceipts({ receipts, asked }: { receipts: readonly Receipt[]; asked: OfEvent }) {
  const { texts, format } = asked.voice
  if (receipts.length === 0) return null
  return (
    <section class="card" aria-labelledby="receipts">
      <h2 id="receipts">{texts.receipts.heading}</h2>
      <ul class="stack">
        {receipts.map(receipt => {
          const { kind, number } = sayReceipt(receipt)
          const amount = receipt.kind === 'credit_note' ? -receipt.total : receipt.total
          return (
            <li key={receipt.id}>
              <a href={paths.receipt(asked.event.id, receipt.order_id, receipt.id)}>
                {texts.receipts.of(kind, number)}
              </a>
              <div class="small quiet">
                {format.date(receipt.issued_at)}, {format.money(amount, receipt.currency)}
              </div>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Whom the receipt of an order is made out to, as far as the buyer has said it. */
export function invoiceFacts(
  { invoice: { company, address, vat_id } }: Order,
  { receipts: texts }: Texts,
): [string, ComponentChildren][] {
  const said: [string, string | null][] = [
    [texts.companyName, company],
    [texts.companyAddress, address],
    [texts.companyVatId, vat_id],
  ]
  return said.flatMap(([label, value]): [string, ComponentChildren][] =>
    value === null
      ? []
      : [
          [
            label,
            <bdi key={label} class="lines">
              {value}
            </bdi>,
          ],
        ],
  )
}
