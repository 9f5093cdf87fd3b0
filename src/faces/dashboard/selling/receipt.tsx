import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { goneSignal } from '#machinery/http/gone.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { receiptPdf } from '#product/selling/receipts/pdf.ts'
import { receiptText } from '#product/selling/receipts/receipt-text.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import { ReceiptPaper } from '#product/selling/receipts/view.tsx'

/** @throws Problem not_found, also for a receipt of another order or event */
async function readReceipt(tx: ReadTx, { event, params }: EventRequest): Promise<Receipt> {
  const id = params.receipt ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const receipt = await receipts.get(tx, id.toLowerCase())
  const isHere = receipt.event_id === event.id && receipt.order_id === params.order?.toLowerCase()
  if (!isHere) throw new Problem('not_found')
  return receipt
}

/** Shows a receipt to print. */
export const receiptPage = showPage('event', {
  path: '/e/{event}/orders/{order}/receipts/{receipt}',
  permission: 'guests.read',
  load: readReceipt,
  view: (receipt, { event, voice }) => {
    const { receipts: texts } = voice.texts
    const text = receiptText(receipt)
    return {
      title: texts.of(text.kind, text.number),
      style: 'receipt.css',
      body: (
        <>
          <div class="receipt-tools">
            <a class="button" href={paths.order(event.id, receipt.order_id)}>
              {texts.back}
            </a>
            <a class="button main" href={paths.receipt(event.id, receipt.order_id, receipt.id, 'pdf')}>
              {texts.pdf}
            </a>
          </div>
          <ReceiptPaper text={text} />
        </>
      ),
    }
  },
})

/** Answers with the receipt as a file. The file names no page of the receipt, because this page is for members only. */
export const receiptFile: PageAt<'event'> = {
  path: '/e/{event}/orders/{order}/receipts/{receipt}/pdf',
  permission: 'guests.read',
  level: 'event',
  isFile: true,
  get: async ({ db }, context, request) => {
    const { receipt, logo } = await db.read(request.account.id, async tx => ({
      receipt: await readReceipt(tx, request),
      logo: (await looks.carry(tx, request.event.id)).logo,
    }))
    const shares = [request.account.id, request.user.id]
    const signal = goneSignal(context.res)
    const file = await receiptPdf(receipt, logo, { lane: 'members', shares, signal })
    context.status = 200
    context.attachment(`${receipt.number}.pdf`)
    context.body = bodyOf(context.res, file)
    context.type = 'application/pdf'
    context.length = file.length
  },
}
