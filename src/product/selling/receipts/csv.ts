import { toDecimal } from '#base/money.ts'
import { toLocalTime } from '#base/time.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import { inBooks, presentReceipt, type Receipt } from './schemas.ts'
import type { TaxShare } from './shares.ts'
import * as store from './store.ts'

/** How many rows a batch reads. Each has some kilobytes at most. */
const BATCH = 200

type Column = readonly [name: string, cellOf: (receipt: Receipt, share: TaxShare) => string]

/**
 * Returns an amount with a point, such as 150.00. A credit note's amounts are below zero, and one that cancels it has them above.
 */
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

/** Returns the date as `YYYY-MM-DD`. */
function dayOf({ issued_at, timezone }: Receipt): string {
  return toLocalTime(Date.parse(issued_at), timezone).slice(0, 10)
}

/**
 * Writes the receipts and credit notes from one instant to another as CSV, oldest first, with a row for each tax rate. `total` is
 * the total of the whole receipt, and each of its rows has it.
 */
export async function* toReceiptsCsv(
  reader: Reader,
  accountId: string,
  span: store.Span,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([columns.map(([name]) => name)])
  const read = inBatches(reader, accountId, BATCH, (tx, last: store.ReceiptRow | undefined, size) =>
    store.listOldest(tx, span, last, size),
  )
  for await (const rows of read) {
    yield toCsv(
      rows
        .map(presentReceipt)
        .flatMap(receipt => receipt.taxes.map(share => columns.map(([, cellOf]) => cellOf(receipt, share)))),
    )
  }
}
