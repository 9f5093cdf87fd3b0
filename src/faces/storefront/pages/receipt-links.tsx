import type { Voice } from '#machinery/web/voice.ts'
import { mayInvoice } from '#product/selling/receipts/invoice.ts'
import { receiptText } from '#product/selling/receipts/receipt-text.ts'
import type { OrderView } from '../order-view.ts'
import { inSpeech, type Speech } from '../voice.ts'

type Props = OrderView & { speech: Speech; voice: Voice }

/** Links to the receipts of an order, and to the form for their recipient. */
export function ReceiptLinks({ receipts, order, path, speech, voice }: Props) {
  const { texts, format } = voice
  const asks = mayInvoice(order, receipts)
  if (receipts.length === 0 && !asks) return null
  return (
    <section class="card stack no-print" aria-labelledby="receipts">
      <h2 id="receipts">{texts.receipts.heading}</h2>
      {receipts.map(receipt => {
        const { kind, number, total } = receiptText(receipt)
        return (
          <p key={receipt.id} class="row">
            <a href={inSpeech(speech, `${path}/receipts/${receipt.id}`)}>{texts.receipts.of(kind, number)}</a>
            <span class="quiet">
              {format.date(receipt.issued_at)}, {total.value}
            </span>
          </p>
        )
      })}
      {asks && (
        <p>
          <a href={inSpeech(speech, `${path}/invoice`)}>{texts.receipts.changeInvoice}</a>
        </p>
      )}
    </section>
  )
}
