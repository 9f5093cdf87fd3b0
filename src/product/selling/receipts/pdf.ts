import { type Asker, drawInTurn } from '#machinery/ticket-documents/drawing/drawings.ts'
import type { PrintedLook } from '#machinery/ticket-documents/ticket-pdf.ts'
import { textsIn } from '#texts/catalogue.ts'
import { receiptText } from './receipt-text.ts'
import type { Receipt } from './schemas.ts'

/**
 * Draws a receipt on one A4 page. It has no link, as bookkeepers get it and the receipt's page is the buyer's. The same receipt
 * with the same logo always gives the same bytes.
 *
 * @param logo that the event or the organization has now; what a receipt says is kept with it, and its logo is not
 * @throws as `Drawings.draw`
 */
export function receiptPdf(receipt: Receipt, logo: PrintedLook['logo'], asker?: Asker): Promise<Buffer> {
  const text = receiptText(receipt)
  const { receipts: words } = textsIn(text.language)
  const { name, quantity, price, rate, amount } = text.columns
  const drawn = {
    language: text.language,
    title: words.of(text.kind, text.number),
    author: receipt.seller.name,
    issuedAt: Date.parse(receipt.issued_at),
    logo: logo ?? undefined,
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
