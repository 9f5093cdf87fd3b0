import { inBatches, type Reader } from '../db/batches.ts'
import { type Id, type Rule, rule } from './store.ts'

/** What must not be found of receipts, and how it is said. */
export const receiptRules: readonly Rule<never>[] = [
  rule<{ account_id: string; kind: string; first: number; last: number; count: number }>(
    `SELECT x.account_id, x.kind, min(x.number) AS first, max(x.number) AS last, count(DISTINCT x.number) AS count
     FROM receipts x GROUP BY x.account_id, x.kind
     HAVING min(x.number) <> 1 OR max(x.number) <> count(*) OR count(DISTINCT x.number) <> count(*)`,
    ({ account_id, kind, first, last, count }) =>
      `the ${NAMES[kind] ?? kind} of account ${account_id} are not numbered without gaps: ${count} numbers from ${first} to ${last}`,
  ),
  rule<Id>(
    `SELECT x.id FROM receipts x LEFT JOIN orders o ON o.id = x.order_id
     WHERE o.id IS NULL OR o.account_id <> x.account_id OR o.event_id <> x.event_id OR o.currency <> x.currency`,
    ({ id }) => `receipt ${id} is not of its order: its event, account or currency is another`,
  ),
  rule<Id>(
    `SELECT x.id FROM receipts x LEFT JOIN receipts y ON y.id = x.of_id WHERE x.of_id IS NOT NULL
       AND (y.id IS NULL OR y.kind <> 'receipt' OR y.account_id <> x.account_id OR y.order_id <> x.order_id)`,
    ({ id }) => `credit note ${id} is of no receipt of its order`,
  ),
  rule<Id & { amount: number; credited: number }>(
    `SELECT y.id, y.amount, sum(x.amount) AS credited FROM receipts x JOIN receipts y ON y.id = x.of_id
     GROUP BY y.id, y.amount HAVING sum(x.amount) > y.amount`,
    ({ id, amount, credited }) => `receipt ${id} is of ${amount}, and its credit notes are of ${credited}`,
  ),
]

const NAMES: Readonly<Record<string, string>> = { receipt: 'receipts', credit_note: 'credit notes' }

export interface ReceiptRow {
  id: string
  kind: string
  amount: number
  snapshot: string
}

/** Rows a batch: each is some kilobytes at most. */
const BATCH = 500

export function walkReceipts(reader: Reader): AsyncGenerator<ReceiptRow[]> {
  return inBatches<ReceiptRow>(reader, BATCH, (tx, last, size) =>
    tx.all('SELECT id, kind, amount, snapshot FROM receipts WHERE id > $1 ORDER BY id LIMIT $2', [
      last?.id ?? '',
      size,
    ]),
  )
}
