import { type Asker, drawInTurn } from '#machinery/ticket-documents/drawing/drawings.ts'
import { textsIn } from '#texts/catalogue.ts'
import { receiptText } from './receipt-text.ts'
import type { Receipt } from './schemas.ts'

/**
 * Draws a receipt on one A4 page. It has no link, as bookkeepers get it and the receipt's page is the buyer's. The same receipt
 * always gives the same bytes.
 *
 * @throws as `Drawings.draw`
 */
export function receiptPdf(receipt: Receipt, asker?: Asker): Promise<Buffer> {
  const text = receiptText(receipt)
  const { receipts: words } = textsIn(text.language)
  const { name, quantity, price, rate, amount } = text.columns
  const drawn = {
    language: text.language,
    title: words.of(text.kind, text.number),
    author: receipt.seller.name,
    issuedAt: Date.parse(receipt.issued_at),
    sheets: [
      {
        ...text,
        columns: [name, quantity, price, rate, amount],
        leftOut: words.leftOut,
        link: null,
      },
    ],
  }
  return drawInTurn(drawn, asker)
}
