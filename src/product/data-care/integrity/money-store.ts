import { type Id, type Rule, rule } from './store.ts'

/** These joins find the order or registration of an entry, a payment or a refund. */
const ofOrder = (alias: string) => `LEFT JOIN orders o ON o.id = ${alias}.order_id`
const ofRegistration = (alias: string) => `LEFT JOIN registrations r ON r.id = ${alias}.registration_id`

/** Writes a condition that is true if the named row is missing or belongs to another event, account or currency. */
function isStrange(name: string, column: string, alias: string): string {
  return `(${alias}.${column} IS NOT NULL AND (${name}.id IS NULL OR ${name}.account_id <> ${alias}.account_id
    OR ${name}.event_id <> ${alias}.event_id OR ${name}.currency <> ${alias}.currency))`
}

/** Writes a condition that is true if the payment or refund that a row names belongs to another order than the row itself. */
function isOfAnother(name: string, alias: string): string {
  return `coalesce(${name}.order_id, '') <> coalesce(${alias}.order_id, '')`
}

interface Entry {
  kind: string
  entry_id: string
}

const KIND_SUMS = `coalesce(sum(CASE WHEN l.kind IN ('payment', 'payment_reversal') THEN l.amount END), 0) AS paid,
  coalesce(-sum(CASE WHEN l.kind IN ('fee', 'fee_reversal') THEN l.amount END), 0) AS fee,
  count(CASE WHEN l.kind = 'fee' THEN 1 END) AS fees,
  coalesce(-sum(CASE WHEN l.kind IN ('refund', 'refund_reversal') THEN l.amount END), 0) AS refunded`

/** Compares each refund of one order, or of one registration without an order, with what the ledger moved for it. */
const refundRule = (column: 'order_id' | 'registration_id') =>
  rule<Id & { status: string; amount: number; moved: number }>(
    `SELECT f.id, f.status, f.amount, coalesce(-sum(l.amount), 0) AS moved FROM refunds f
     LEFT JOIN ledger_entries l ON l.account_id = f.account_id AND l.${column} = f.${column} AND l.refund_id = f.id
       AND l.kind IN ('refund', 'refund_reversal')
     WHERE f.${column} IS NOT NULL AND f.status IN ('done', 'failed', 'dropped') GROUP BY f.id
     HAVING coalesce(-sum(l.amount), 0) <> CASE WHEN f.status = 'done' THEN f.amount ELSE 0 END`,
    ({ id, status, amount, moved }) =>
      `refund ${id} of ${amount} is ${status}, and the ledger says that ${moved} went back`,
  )

/**
 * Lists the rules of what must not be found in payments, refunds and the ledger, with the sentence for each. Amounts are in minor
 * units.
 */
export const moneyRules: readonly Rule<never>[] = [
  rule<Entry>(
    `SELECT l.kind, l.entry_id FROM ledger_entries l ${ofOrder('l')} ${ofRegistration('l')}
     WHERE ${isStrange('o', 'order_id', 'l')} OR ${isStrange('r', 'registration_id', 'l')} OR r.order_id IS NOT NULL`,
    ({ kind, entry_id }) =>
      `entry ${kind} ${entry_id} of the ledger is of an order or registration that its event does not have in its currency`,
  ),
  rule<Entry>(
    `SELECT l.kind, l.entry_id FROM ledger_entries l LEFT JOIN payments p ON p.id = l.payment_id
     LEFT JOIN refunds f ON f.id = l.refund_id
     WHERE (l.payment_id IS NOT NULL OR l.refund_id IS NOT NULL) AND (${isStrange('p', 'payment_id', 'l')}
       OR ${isStrange('f', 'refund_id', 'l')} OR (p.id IS NOT NULL AND ${isOfAnother('p', 'l')})
       OR (f.id IS NOT NULL AND (${isOfAnother('f', 'l')}
         OR coalesce(f.registration_id, '') <> coalesce(l.registration_id, ''))))`,
    ({ kind, entry_id }) =>
      `entry ${kind} ${entry_id} of the ledger is of a payment or refund that its order or registration does not have`,
  ),
  rule<Id>(
    `SELECT p.id FROM payments p ${ofOrder('p')} WHERE ${isStrange('o', 'order_id', 'p')}`,
    ({ id }) => `payment ${id} is of an order that its event does not have in its currency`,
  ),
  // This skips refunds of money that an older backup does not know, because that money goes back all the same.
  rule<Id>(
    `SELECT f.id FROM refunds f ${ofOrder('f')} ${ofRegistration('f')} LEFT JOIN payments p ON p.id = f.payment_id
     WHERE f.reason <> 'orphan' AND (${isStrange('o', 'order_id', 'f')} OR ${isStrange('r', 'registration_id', 'f')}
       OR r.order_id IS NOT NULL OR ${isStrange('p', 'payment_id', 'f')}
       OR (p.id IS NOT NULL AND ${isOfAnother('p', 'f')}))`,
    ({ id }) =>
      `refund ${id} is of an order, registration or payment that its event does not have in its currency`,
  ),
  rule<Id & { paid: number; fee: number; refunded: number }>(
    `SELECT r.id, ${KIND_SUMS} FROM registrations r
     LEFT JOIN ledger_entries l ON l.account_id = r.account_id AND l.registration_id = r.id
     WHERE r.order_id IS NULL GROUP BY r.id
     HAVING coalesce(sum(CASE WHEN l.kind IN ('payment', 'payment_reversal') THEN l.amount END), 0)
         <> CASE WHEN r.confirmed_at IS NULL THEN 0 ELSE r.amount_total END
       OR coalesce(-sum(CASE WHEN l.kind IN ('fee', 'fee_reversal') THEN l.amount END), 0)
         <> CASE WHEN r.confirmed_at IS NULL THEN 0 ELSE coalesce(r.processor_fee, 0) END
       OR (count(CASE WHEN l.kind = 'fee' THEN 1 END) > 0)
         <> (r.confirmed_at IS NOT NULL AND r.processor_fee IS NOT NULL)
       OR (coalesce(-sum(CASE WHEN l.kind IN ('refund', 'refund_reversal') THEN l.amount END), 0)
         <> CASE WHEN r.confirmed_at IS NULL THEN 0 ELSE coalesce(r.refunded_amount, 0) END
         AND NOT EXISTS (SELECT 1 FROM refunds f WHERE f.account_id = r.account_id AND f.registration_id = r.id))`,
    ({ id, paid, fee, refunded }) =>
      `registration ${id} has other amounts than the ledger: ${paid} paid, ${fee} of fees, ${refunded} refunded`,
  ),
  refundRule('order_id'),
  refundRule('registration_id'),
  rule<Id & { more: number }>(
    `SELECT l.order_id AS id, -sum(l.amount) AS more FROM ledger_entries l
     WHERE l.order_id IS NOT NULL AND l.kind IN
       ('payment', 'payment_reversal', 'refund', 'refund_reversal', 'dispute', 'dispute_reversal')
     GROUP BY l.account_id, l.order_id HAVING sum(l.amount) < 0`,
    ({ id, more }) => `order ${id} has ${more} more refunded and disputed than was paid`,
  ),
  rule<Id & { total: number }>(
    `SELECT o.id, o.amount_total AS total FROM orders o WHERE o.status = 'confirmed' AND o.amount_total > 0
       AND EXISTS (SELECT 1 FROM registrations r WHERE r.account_id = o.account_id AND r.order_id = o.id
         AND r.confirmed_at IS NOT NULL AND r.amount_total > 0)
       AND NOT EXISTS (SELECT 1 FROM ledger_entries l WHERE l.account_id = o.account_id AND l.order_id = o.id
         AND l.kind = 'payment')`,
    ({ id, total }) => `order ${id} of ${total} is confirmed, and the ledger knows of no payment`,
  ),
  feeRule(),
]

/**
 * Compares the fees that the registrations of an order state with those of the ledger. The fees are unknown if the fee of a
 * payment is. Registrations that a file brought each state their own.
 */
function feeRule() {
  const lines = 'registrations r WHERE r.account_id = c.account_id AND r.order_id = c.id'
  const fees = `l.kind IN ('fee', 'fee_reversal', 'dispute_fee', 'dispute_fee_reversal')`
  const isUnknown = `l.kind = 'payment' AND NOT EXISTS (SELECT 1 FROM ledger_entries f
    WHERE f.account_id = l.account_id AND f.kind = 'fee' AND f.entry_id = l.entry_id)`
  return rule<Id & { stated: number; fees: number }>(
    // The other conditions stand only in the sums. Otherwise SQLite would use them to go through the whole account for each
    // order.
    `SELECT d.id, d.stated, d.fees FROM (SELECT c.id, c.fees, c.unknown, c.taken,
         (SELECT coalesce(sum(CASE WHEN r.confirmed_at IS NOT NULL THEN r.processor_fee END), 0) FROM ${lines}) AS stated,
         (SELECT count(CASE WHEN r.confirmed_at IS NOT NULL AND r.amount_total > 0 AND r.processor_fee IS NULL THEN 1 END)
           FROM ${lines}) AS silent
       FROM (SELECT o.account_id, o.id, coalesce(-sum(CASE WHEN ${fees} THEN l.amount END), 0) AS fees,
           count(CASE WHEN ${isUnknown} THEN 1 END) AS unknown,
           count(CASE WHEN l.kind = 'payment' AND l.method <> 'recorded' THEN 1 END) AS taken
         FROM orders o LEFT JOIN ledger_entries l ON l.account_id = o.account_id AND l.order_id = o.id
         WHERE o.status = 'confirmed' GROUP BY o.id) c) d
     WHERE CASE WHEN d.unknown = 0 THEN d.silent > 0 OR d.stated <> d.fees
       ELSE d.silent = 0 OR (d.taken = 0 AND d.stated <> d.fees) END`,
    ({ id, stated, fees: inLedger }) =>
      `order ${id} says ${stated} of fees of the processor, and the ledger ${inLedger}, or one says that they are not known`,
  )
}
