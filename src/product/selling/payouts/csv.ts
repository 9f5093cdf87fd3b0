import { toDecimal } from '#base/money.ts'
import { toIso } from '#base/time.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import { listLines, listOfMonth } from './rules.ts'
import type { Payout, PayoutLine } from './schemas.ts'

/** How many payouts and how many lines a batch reads. Each has some hundred bytes. */
const PAYOUTS = 100
const LINES = 500

interface Row {
  payout: Payout
  /** It is undefined in the one row of a payout without a list. */
  line: PayoutLine | undefined
  /** A sentence that says why there is no list, or by how much it differs from the payout. */
  note: string
}

const columns: readonly (readonly [name: string, cellOf: (row: Row) => string])[] = [
  ['payout', ({ payout }) => safeCell(payout.id)],
  ['arrives_on', ({ payout }) => payout.arrivesOn],
  ['status', ({ payout }) => payout.status],
  ['currency', ({ payout }) => payout.currency],
  ['payout_amount', ({ payout }) => toDecimal(payout.amount, payout.currency)],
  ['bank_date', ({ payout }) => payout.bankLine?.date ?? ''],
  ['list', ({ payout }) => payout.list],
  ['note', ({ note }) => safeCell(note)],
  ['line', ({ line }) => safeCell(line?.id ?? '')],
  ['moved_at', ({ line }) => (line === undefined ? '' : toIso(line.movedAt))],
  ['group', ({ line }) => line?.group ?? ''],
  ['type', ({ line }) => safeCell(line?.type ?? '')],
  ['amount', row => amountOf(row, row.line?.amount)],
  ['fee', row => amountOf(row, row.line?.fee)],
  ['net', row => amountOf(row, row.line?.net)],
  ['source', ({ line }) => safeCell(line?.sourceId ?? '')],
  ['order', ({ line }) => safeCell(line?.order?.reference ?? '')],
  ['order_id', ({ line }) => line?.order?.id ?? ''],
]

/** Returns an amount with a point, such as 150.00. */
function amountOf({ payout }: Row, amount: number | undefined): string {
  return amount === undefined ? '' : toDecimal(amount, payout.currency)
}

/**
 * Writes what arrives in a month as CSV, oldest payout first, with a row for each line. A payout without a list has one row, which
 * says why.
 *
 * @param noteOf returns the sentence about the list of a payout
 */
export async function* toPayoutsCsv(
  reader: Reader,
  accountId: string,
  month: string,
  noteOf: (payout: Payout) => string,
): AsyncGenerator<string> {
  const write = (rows: readonly Row[]) => toCsv(rows.map(row => columns.map(([, cellOf]) => cellOf(row))))
  yield BYTE_ORDER_MARK + toCsv([columns.map(([name]) => name)])
  const payouts = inBatches(reader, accountId, PAYOUTS, (tx, last: Payout | undefined, size) =>
    listOfMonth(tx, month, size, last),
  )
  for await (const batch of payouts) {
    for (const payout of batch) {
      const note = noteOf(payout)
      if (payout.list !== 'complete' || payout.lines === 0) yield write([{ payout, line: undefined, note }])
      if (payout.list !== 'complete') continue
      const lines = inBatches(reader, accountId, LINES, (tx, last: PayoutLine | undefined, size) =>
        listLines(tx, payout.id, size, last),
      )
      for await (const some of lines) yield write(some.map(line => ({ payout, line, note })))
    }
  }
}
