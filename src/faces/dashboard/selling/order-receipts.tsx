import type { ComponentChildren } from 'preact'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { receiptText } from '#product/selling/receipts/receipt-text.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import type { Texts } from '#texts/texts.ts'

/** Lists the receipts and credit notes of an order, if it has any. */
export function OrderReceipts({
  receipts,
  request,
}: {
  receipts: readonly Receipt[]
  request: EventRequest
}) {
  const { texts, format } = request.voice
  if (receipts.length === 0) return null
  return (
    <section class="card" aria-labelledby="receipts">
      <h2 id="receipts">{texts.receipts.heading}</h2>
      <ul class="stack">
        {receipts.map(receipt => {
          const { kind, number } = receiptText(receipt)
          const amount = receipt.kind === 'credit_note' ? -receipt.total : receipt.total
          return (
            <li key={receipt.id}>
              <a href={paths.receipt(request.event.id, receipt.order_id, receipt.id)}>
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

/** Returns whom the receipt of an order is made out to, as far as the buyer has said it. */
export function invoiceFacts(
  { invoice: { company, address, vat_id } }: Order,
  { receipts: texts }: Texts,
): [string, ComponentChildren][] {
  const stated: [string, string | null][] = [
    [texts.companyName, company],
    [texts.companyAddress, address],
    [texts.companyVatId, vat_id],
  ]
  return stated.flatMap(([label, value]): [string, ComponentChildren][] =>
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
