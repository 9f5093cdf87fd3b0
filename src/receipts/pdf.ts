import { drawInThread } from '../ticket-documents/drawing/thread.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import { sayReceipt } from './said.ts'
import type { Receipt } from './schemas.ts'

/**
 * A receipt on one A4 page. The same receipt is the same bytes.
 *
 * @param url of its page; null where nobody is led there
 */
export function receiptPdf(receipt: Receipt, url: string | null): Promise<Buffer> {
  const said = sayReceipt(receipt)
  const { receipts: words } = textsIn(said.language)
  const { name, quantity, price, rate, amount } = said.columns
  return drawInThread({
    language: said.language,
    title: words.of(said.kind, said.number),
    author: receipt.seller.name,
    issuedAt: Date.parse(receipt.issued_at),
    sheets: [
      {
        ...said,
        columns: [name, quantity, price, rate, amount],
        leftOut: url === null ? words.leftOutHere : words.leftOut(url),
        link: url === null ? null : { text: url, url },
      },
    ],
  })
}
