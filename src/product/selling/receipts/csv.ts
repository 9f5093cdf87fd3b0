import { inBatches, type Reader } from '../db/batches.ts'
import { toDecimal } from '../money.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '../reports/csv.ts'
import { toLocalTime } from '../time.ts'
import { inBooks, presentReceipt, type Receipt } from './schemas.ts'
import type { TaxShare } from './shares.ts'
import * as store from './store.ts'

/** Rows a batch: each is some kilobytes at most. */
const BATCH = 200

type Column = readonly [name: string, cellOf: (receipt: Receipt, share: TaxShare) => string]

/** Amounts with a point, such as 150.00; those of a credit note are below zero, and what cancels one has them above. */
const amountOf = (receipt: Receipt, amount: number) => toDecimal(inBooks(receipt, amount), receipt.currency)

const columns: readonly Column[] = [
  ['number', ({ number }) => safeCell(number)],
  ['kind', ({ kind, cancels_id }) => (cancels_id === null ? kind : 'credit_note_cancellation')],
  ['date', receipt => dayOf(receipt)],
  ['corrects', ({ corrects }) => safeCell(corrects?.number ?? '')],
  ['order', ({ order }) => safeCell(order)],
  ['event', ({ event }) => safeCell(event.title)],
  ['buyer', ({ buyer }) => safeCell(buyer.name)],
  ['company', ({ buyer }) => safeCell(buyer.company ?? '')],
  ['vat_id', ({ buyer }) => safeCell(buyer.vat_id ?? '')],
  ['paid_by', ({ paid }) => safeCell(paid.method ?? '')],
  ['currency', ({ currency }) => currency],
  ['tax_percent', (_, { basis_points }) => toDecimal(basis_points, 'EUR')],
  ['net', (receipt, { net }) => amountOf(receipt, net)],
  ['tax', (receipt, { tax }) => amountOf(receipt, tax)],
  ['gross', (receipt, { gross }) => amountOf(receipt, gross)],
  ['total', receipt => amountOf(receipt, receipt.total)],
]

/** As `YYYY-MM-DD`. */
function dayOf({ issued_at, timezone }: Receipt): string {
  return toLocalTime(Date.parse(issued_at), timezone).slice(0, 10)
}

/**
 * What was issued from one instant to another, oldest first, as CSV: a row for each rate of a receipt. `total` is that of the whole
 * receipt, and stands in each of its rows.
 */
export async function* toReceiptsCsv(
  reader: Reader,
  accountId: string,
  span: store.Span,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([columns.map(([name]) => name)])
  const read = inBatches<store.ReceiptRow>(reader, BATCH, (tx, last, size) =>
    store.listOldest(tx, accountId, span, last, size),
  )
  for await (const rows of read) {
    yield toCsv(
      rows
        .map(presentReceipt)
        .flatMap(receipt => receipt.taxes.map(share => columns.map(([, cellOf]) => cellOf(receipt, share)))),
    )
  }
}
