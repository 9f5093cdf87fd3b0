import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { isBrought } from './payment-store.ts'
import { type Id, type Rule, rule } from './store.ts'

/** Computes the amount that a credit note takes from its receipt or gives back to it. */
const CREDITED = 'CASE WHEN x.cancels_id IS NULL THEN x.amount ELSE -x.amount END'

/** Lists the rules of what must not be found in receipts, with the sentence for each. */
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
    `SELECT y.id, y.amount, sum(${CREDITED}) AS credited FROM receipts x JOIN receipts y ON y.id = x.of_id
     GROUP BY y.id, y.amount HAVING sum(${CREDITED}) > y.amount`,
    ({ id, amount, credited }) => `receipt ${id} is of ${amount}, and its credit notes are of ${credited}`,
  ),
  rule<Id>(
    `SELECT x.id FROM receipts x LEFT JOIN receipts y ON y.id = x.cancels_id WHERE x.cancels_id IS NOT NULL
       AND (y.id IS NULL OR y.kind <> 'credit_note' OR y.cancels_id IS NOT NULL OR y.account_id <> x.account_id
         OR y.of_id <> x.of_id OR y.refund_id <> x.refund_id OR y.amount <> x.amount OR y.number >= x.number)`,
    ({ id }) => `credit note ${id} cancels none of its refund, or not all of it`,
  ),
  rule<{ refund_id: string; count: number }>(
    `SELECT x.refund_id, sum(CASE WHEN x.cancels_id IS NULL THEN 1 ELSE -1 END) AS count FROM receipts x
     WHERE x.refund_id IS NOT NULL GROUP BY x.account_id, x.refund_id
     HAVING sum(CASE WHEN x.cancels_id IS NULL THEN 1 ELSE -1 END) > 1`,
    ({ refund_id, count }) => `refund ${refund_id} has ${count} credit notes that are not cancelled`,
  ),
  rule<Id>(
    `SELECT x.id FROM receipts x JOIN refunds f ON f.account_id = x.account_id AND f.id = x.refund_id
     WHERE x.cancels_id IS NULL AND f.status <> 'done'
       AND NOT EXISTS (SELECT 1 FROM receipts y WHERE y.cancels_id = x.id)`,
    ({ id }) => `credit note ${id} stands, and its money has not gone back`,
  ),
  rule<Id>(
    `SELECT x.id FROM receipts x JOIN disputes d ON d.account_id = x.account_id AND d.id = x.refund_id
     WHERE x.cancels_id IS NULL AND (d.order_id <> x.order_id OR d.decision IS NULL OR d.decision <> 'voided')
       AND NOT EXISTS (SELECT 1 FROM receipts y WHERE y.cancels_id = x.id)`,
    ({ id }) => `credit note ${id} stands, and the tickets of its dispute were not voided`,
  ),
  rule<Id & { receipt_id: string; credited: number }>(
    `SELECT g.id, g.receipt_id, g.credited FROM (SELECT d.id, y.id AS receipt_id, y.amount AS total,
         (SELECT coalesce(sum(${CREDITED}), 0) FROM receipts x WHERE x.of_id = y.id) AS credited
       FROM disputes d JOIN receipts y ON y.account_id = d.account_id AND y.payment_id = d.payment_id AND y.order_id = d.order_id
       WHERE d.decision = 'voided'
         AND NOT EXISTS (SELECT 1 FROM receipts x WHERE x.account_id = d.account_id AND x.refund_id = d.id AND x.cancels_id IS NULL
           AND NOT EXISTS (SELECT 1 FROM receipts z WHERE z.cancels_id = x.id))) g
     WHERE g.credited < g.total`,
    ({ id, receipt_id, credited }) =>
      `the tickets of lost dispute ${id} were voided without a credit note, and those of receipt ${receipt_id} come to ${credited}`,
  ),
  // A file brings the receipts of another system, which has kept the payments.
  rule<Id & { payment_id: string }>(
    `SELECT x.id, x.payment_id FROM receipts x LEFT JOIN payments p ON p.id = x.payment_id
     WHERE x.kind = 'receipt' AND (p.id IS NULL OR p.account_id <> x.account_id OR p.order_id <> x.order_id)
       AND EXISTS (SELECT 1 FROM payments o WHERE o.account_id = x.account_id AND o.order_id = x.order_id AND o.status = 'confirmed')
       AND NOT ${isBrought('x')}`,
    ({ id, payment_id }) => `receipt ${id} is of payment ${payment_id}, which its order does not have`,
  ),
  rule<Id & { amount: number; receipt_id: string; credited: number }>(
    `SELECT d.id, d.amount, d.receipt_id, d.credited FROM (SELECT f.id, f.amount, y.id AS receipt_id, y.amount AS total,
         (SELECT coalesce(sum(${CREDITED}), 0) FROM receipts x WHERE x.of_id = y.id) AS credited
       FROM refunds f JOIN receipts y ON y.account_id = f.account_id AND y.payment_id = f.payment_id AND y.order_id = f.order_id
       WHERE f.status = 'done' AND f.reason NOT IN ('late', 'twice', 'excess', 'line_cancelled', 'orphan')
         AND NOT EXISTS (SELECT 1 FROM receipts x WHERE x.account_id = f.account_id AND x.refund_id = f.id AND x.cancels_id IS NULL
           AND NOT EXISTS (SELECT 1 FROM receipts z WHERE z.cancels_id = x.id))) d
     WHERE d.credited < d.total`,
    ({ id, amount, receipt_id, credited }) =>
      `refund ${id} of ${amount} is done and has no credit note, and those of receipt ${receipt_id} come to ${credited}`,
  ),
]

const NAMES: Readonly<Record<string, string>> = { receipt: 'receipts', credit_note: 'credit notes' }

export interface ReceiptRow {
  id: string
  kind: string
  amount: number
  snapshot: string
}

/** One batch has this many rows, each of some kilobytes at most. */
const BATCH = 500

export function walkReceipts(reader: Reader): AsyncGenerator<ReceiptRow[]> {
  return inBatches(reader, INSTANCE, BATCH, (tx, last: ReceiptRow | undefined, size) =>
    tx.all('SELECT id, kind, amount, snapshot FROM receipts WHERE id > $1 ORDER BY id LIMIT $2', [
      last?.id ?? '',
      size,
    ]),
  )
}
