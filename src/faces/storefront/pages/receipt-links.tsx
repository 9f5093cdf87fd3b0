import { mayInvoice } from '../../receipts/invoice.ts'
import { sayReceipt } from '../../receipts/said.ts'
import type { Voice } from '../../web/voice.ts'
import type { SeenOrder } from '../seen-order.ts'
import { inSpeech, type Speech } from '../voice.ts'

type Props = SeenOrder & { speech: Speech; voice: Voice }

/** The receipts of an order, and who they will be made out to. */
export function ReceiptLinks({ receipts, order, path, speech, voice }: Props) {
  const { texts, format } = voice
  const asks = mayInvoice(order, receipts)
  if (receipts.length === 0 && !asks) return null
  return (
    <section class="card stack no-print" aria-labelledby="receipts">
      <h2 id="receipts">{texts.receipts.heading}</h2>
      {receipts.map(receipt => {
        const { kind, number, total } = sayReceipt(receipt)
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
