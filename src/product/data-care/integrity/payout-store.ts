import { type Id, type Rule, rule } from './store.ts'

/** Lists the rules of what must not be found in payouts, with the sentence for each. Amounts are in minor units. */
export const payoutRules: readonly Rule<never>[] = [
  rule<Id & { lines: number; net: number; has: number; comes_to: number }>(
    `SELECT p.id, p.lines, p.net, count(n.id) AS has, coalesce(sum(n.net), 0) AS comes_to FROM payouts p
     LEFT JOIN payout_lines n ON n.account_id = p.account_id AND n.payout_id = p.id
     WHERE p.list = 'complete' GROUP BY p.account_id, p.id HAVING count(n.id) <> p.lines OR coalesce(sum(n.net), 0) <> p.net`,
    ({ id, lines, net, has, comes_to }) =>
      `payout ${id} says ${lines} lines of ${net}, and has ${has} of ${comes_to}`,
  ),
  rule<Id>(
    `SELECT p.id FROM payouts p WHERE p.list = 'manual' AND EXISTS (SELECT 1 FROM payout_lines n
       WHERE n.account_id = p.account_id AND n.payout_id = p.id)`,
    ({ id }) => `payout ${id} was made by hand, and has lines`,
  ),
  // What was converted into another currency has another amount there.
  rule<Id & { kind: string; amount: number; recorded: number }>(
    `SELECT n.id, n.kind, n.amount, l.amount AS recorded FROM payout_lines n
     JOIN payouts p ON p.account_id = n.account_id AND p.id = n.payout_id
     JOIN ledger_entries l ON l.account_id = n.account_id AND l.kind = n.kind
       AND l.entry_id = CASE WHEN n.kind IN ('dispute', 'dispute_reversal') THEN n.id ELSE n.source_id END
     WHERE n.kind <> 'fee' AND l.currency = p.currency AND l.amount <> n.amount`,
    ({ id, kind, amount, recorded }) =>
      `line ${id} of a payout is a ${kind} of ${amount}, and the ledger says ${recorded}`,
  ),
  rule<Id & { payout_id: string; amount: number; paid_out: number | null }>(
    `SELECT s.id, s.payout_id, s.amount, p.amount AS paid_out FROM statement_lines s
     LEFT JOIN payouts p ON p.account_id = s.account_id AND p.id = s.payout_id
     WHERE s.payout_id IS NOT NULL AND (p.id IS NULL OR p.amount <> s.amount OR p.currency <> s.currency)`,
    ({ id, payout_id, amount, paid_out }) =>
      `bank line ${id} of ${amount} is matched to payout ${payout_id} of ${paid_out ?? 'nothing'}`,
  ),
]
