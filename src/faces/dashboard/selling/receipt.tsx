import type { ReadTx } from '../../db/port.ts'
import { bodyOf } from '../../http/sending.ts'
import { isUuid } from '../../ids.ts'
import { Problem } from '../../problem.ts'
import { receiptPdf } from '../../receipts/pdf.ts'
import * as receipts from '../../receipts/rules.ts'
import { sayReceipt } from '../../receipts/said.ts'
import type { Receipt } from '../../receipts/schemas.ts'
import { ReceiptPaper } from '../../receipts/view.tsx'
import type { OfEvent } from '../asked.ts'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

/** @throws Problem not_found, also for one of another order or event */
async function readReceipt(tx: ReadTx, { account, event, params }: OfEvent): Promise<Receipt> {
  const id = params.receipt ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const receipt = await receipts.get(tx, account.id, id.toLowerCase())
  const isHere = receipt.event_id === event.id && receipt.order_id === params.order?.toLowerCase()
  if (!isHere) throw new Problem('not_found')
  return receipt
}

/** A receipt to be printed. */
export const receiptPage = showPage('event', {
  path: '/e/{event}/orders/{order}/receipts/{receipt}',
  permission: 'guests.read',
  load: readReceipt,
  view: (receipt, { event, voice }) => {
    const { receipts: texts } = voice.texts
    const said = sayReceipt(receipt)
    return {
      title: texts.of(said.kind, said.number),
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
          <ReceiptPaper said={said} />
        </>
      ),
    }
  },
})

/** The same as a file. No page of it is named: this one is for members alone. */
export const receiptFile: PageAt<'event'> = {
  path: '/e/{event}/orders/{order}/receipts/{receipt}/pdf',
  permission: 'guests.read',
  level: 'event',
  isFile: true,
  get: async ({ db }, context, asked) => {
    const receipt = await db.read(tx => readReceipt(tx, asked))
    const file = await receiptPdf(receipt, null)
    context.status = 200
    context.attachment(`${receipt.number}.pdf`)
    context.body = bodyOf(context.res, file)
    context.type = 'application/pdf'
    context.length = file.length
  },
}
