import { inBatches, type Reader } from '#machinery/db/batches.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { type Id, type Rule, rule } from './store.ts'

/** Lists the rules of what must not be found in the lines of bank statements, with the sentence for each. */
export const statementRules: readonly Rule<never>[] = [
  rule<Id>(
    `SELECT s.id FROM statement_lines s LEFT JOIN payments p ON p.id = s.payment_id
     WHERE s.payment_id IS NOT NULL AND (p.id IS NULL OR p.account_id <> s.account_id)`,
    ({ id }) => `bank line ${id} is of a payment that its account does not have`,
  ),
  rule<Id>(
    `SELECT s.id FROM statement_lines s LEFT JOIN ledger_entries l ON l.account_id = s.account_id AND l.kind = 'payment'
       AND l.entry_id = s.entry_id
     WHERE s.state = 'matched' AND s.payment_id IS NOT NULL AND (l.entry_id IS NULL OR l.amount <> s.amount
       OR l.currency <> s.currency OR coalesce(l.payment_id, '') <> s.payment_id)`,
    ({ id }) => `bank line ${id} is matched, and the ledger does not have its money`,
  ),
  rule<Id>(
    `SELECT s.id FROM statement_lines s LEFT JOIN refunds f ON f.id = s.refund_id
     WHERE s.refund_id IS NOT NULL AND (f.id IS NULL OR f.account_id <> s.account_id OR f.status <> 'done'
       OR f.amount <> -s.amount OR f.currency <> s.currency)`,
    ({ id }) => `bank line ${id} has paid a refund back that its account does not have so`,
  ),
  // Money that somebody noted by hand has the id of its payment. A line that was matched once is matched anew under another id. A file
  // brings such an entry together with its tickets, and without the line.
  rule<{ entry_id: string; order_id: string; amount: number }>(
    `SELECT l.entry_id, l.order_id, l.amount FROM ledger_entries l WHERE l.kind = 'payment' AND l.method = 'transfer'
       AND l.payment_id IS NOT NULL AND l.entry_id <> l.payment_id AND l.entry_id LIKE '________-____-____-____-____________'
       AND l.created_at > (SELECT max(a.created_at) FROM registrations r JOIN attendees a ON a.registration_id = r.id
         WHERE r.account_id = l.account_id AND r.order_id = l.order_id)
       AND NOT EXISTS (SELECT 1 FROM statement_lines s WHERE s.account_id = l.account_id
         AND (s.id = l.entry_id OR s.entry_id = l.entry_id) AND s.amount = l.amount)
       AND NOT EXISTS (SELECT 1 FROM ledger_entries y WHERE y.account_id = l.account_id AND y.kind = 'payment_reversal'
         AND y.entry_id = l.entry_id)`,
    ({ entry_id, order_id, amount }) =>
      `entry payment ${entry_id} of ${amount}, of order ${order_id}, is of a bank line that is missing or of another amount`,
  ),
]

export interface LineRow {
  id: string
  key: string
  date: string
  amount: number
  currency: string
  counterparty: string
  text: string
}

/** One batch has this many rows, each of some hundred bytes. */
const BATCH = 1_000

/** Reads the lines that still say whose they are. */
export function walkLines(reader: Reader): AsyncGenerator<LineRow[]> {
  return inBatches(reader, INSTANCE, BATCH, (tx, last: LineRow | undefined, size) =>
    tx.all(
      `SELECT s.id, s.key, s.date, s.amount, s.currency, s.counterparty, s.text FROM statement_lines s
       WHERE s.id > $1 AND s.erased_at IS NULL ORDER BY s.id LIMIT $2`,
      [last?.id ?? '', size],
    ),
  )
}
