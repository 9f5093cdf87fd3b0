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
]
