import { type Id, type Rule, rule } from './store.ts'

/**
 * A condition that is true if a file has brought the money of an order: the ledger knows no payment of it. Another system may
 * have rounded in another way, and has kept its payments and refunds to itself.
 */
export function isBrought(row: string): string {
  return `EXISTS (SELECT 1 FROM ledger_entries b WHERE b.account_id = ${row}.account_id AND b.order_id = ${row}.order_id
    AND b.kind = 'payment' AND b.payment_id IS NULL)`
}

/** The tax that the price of a ticket includes, rounded half up. The products are larger than a column of 32 bits. */
const TAX = `(2 * CAST(a.price - a.discount AS BIGINT) * a.tax_basis_points + 10000 + a.tax_basis_points)
  / (2 * (10000 + a.tax_basis_points))`

const ticketTax = rule<Id & { tax: number; expected: number; rate: number }>(
  `SELECT a.id, a.tax, a.tax_basis_points AS rate, ${TAX} AS expected FROM attendees a
   JOIN registrations r ON r.id = a.registration_id
   WHERE r.order_id IS NOT NULL AND a.discount <= a.price AND a.tax <> ${TAX} AND NOT ${isBrought('r')}`,
  ({ id, tax, expected, rate }) =>
    `ticket ${id} says ${tax} of tax, and ${rate} basis points of its price are ${expected}`,
)

/** What a receipt says of a rate is the only other place that has the rate of a ticket. */
const ticketRate = rule<Id & { rate: number; order_id: string }>(
  `SELECT a.id, a.tax_basis_points AS rate, r.order_id FROM receipts x
   JOIN registrations r ON r.account_id = x.account_id AND r.order_id = x.order_id AND r.confirmed_at IS NOT NULL
   JOIN attendees a ON a.registration_id = r.id
   WHERE x.kind = 'receipt' AND a.price > a.discount AND x.snapshot NOT LIKE '%"basis_points":' || a.tax_basis_points || ',%'
     AND NOT EXISTS (SELECT 1 FROM receipts y WHERE y.order_id = x.order_id AND y.account_id = x.account_id AND y.kind = 'receipt'
       AND y.id <> x.id) AND NOT ${isBrought('x')}`,
  ({ id, rate, order_id }) =>
    `ticket ${id} has ${rate} basis points of tax, and the receipt of order ${order_id} has none of it`,
)

/** A line that was cancelled before it was paid is not asked for any more. */
const WENT = "r.status = 'cancelled' AND r.confirmed_at IS NULL"
const WENT_LATER = `${WENT} AND r.cancelled_at >= p.created_at AND (p.ended_at IS NULL OR r.cancelled_at <= p.ended_at)`

/**
 * Compares what a payment asks for with the lines of its order. A payment asks for the lines that stood when it began, or fewer if
 * some went before it ended. If a member accepts less, the payment asks for what came.
 */
const asked = rule<Id & { order_id: string; amount: number; most: number; least: number }>(
  `SELECT d.id, d.order_id, d.amount, d.most, d.most - d.gone AS least FROM (SELECT p.id, p.order_id, p.status, p.amount, p.received,
       sum(CASE WHEN ${WENT} AND r.cancelled_at < p.created_at THEN 0 ELSE r.amount_total END) AS most,
       sum(CASE WHEN ${WENT_LATER} THEN r.amount_total ELSE 0 END) AS gone,
       count(CASE WHEN ${WENT_LATER} AND r.amount_total > 0 THEN 1 END) AS lines
     FROM payments p JOIN registrations r ON r.account_id = p.account_id AND r.order_id = p.order_id GROUP BY p.id) d
   WHERE NOT (CASE WHEN d.lines > 1 THEN d.amount BETWEEN d.most - d.gone AND d.most
       ELSE d.amount IN (d.most, d.most - d.gone) END)
     AND NOT (d.status = 'confirmed' AND d.amount = d.received AND d.amount < d.most)`,
  ({ id, order_id, amount, most, least }) =>
    `payment ${id} asks for ${amount}, and the registrations of order ${order_id} come to ${least === most ? most : `${least} to ${most}`}`,
)

const received = rule<Id & { status: string; received: number | null; moved: number }>(
  `SELECT p.id, p.status, p.received, coalesce(sum(l.amount), 0) AS moved FROM payments p
   LEFT JOIN ledger_entries l ON l.account_id = p.account_id AND l.order_id = p.order_id AND l.payment_id = p.id
     AND l.kind IN ('payment', 'payment_reversal')
   GROUP BY p.id HAVING coalesce(sum(l.amount), 0) <> coalesce(p.received, 0)`,
  ({ id, status, received: came, moved }) =>
    `payment ${id} of ${came ?? 0} is ${status}, and the ledger says that ${moved} came`,
)

/** Sums refunds of a payment. Those that were dropped count too: what they were for did not change. */
function refundsOf(condition: string): string {
  return `(SELECT coalesce(sum(f.amount), 0) FROM refunds f WHERE f.account_id = p.account_id AND f.order_id = p.order_id
    AND f.payment_id = p.id AND ${condition})`
}

/** A refund that was made at the processor may stand for one of these, or take what they would have given back. */
const NOTHING_THERE = `NOT EXISTS (SELECT 1 FROM refunds f WHERE f.account_id = p.account_id AND f.order_id = p.order_id
  AND f.payment_id = p.id AND f.reason = 'processor')`

/** What came is in the receipt, or goes straight back. */
const used = rule<Id & { received: number; receipt: number; back: number }>(
  `SELECT d.id, d.received, d.receipt, d.back FROM (SELECT p.id, p.received, coalesce(x.amount, 0) AS receipt,
       ${refundsOf("(f.reason IN ('late', 'twice', 'excess', 'line_cancelled') OR (x.id IS NULL AND f.reason = 'event_cancelled'))")} AS back
     FROM payments p LEFT JOIN receipts x ON x.account_id = p.account_id AND x.payment_id = p.id
     WHERE p.status = 'confirmed' AND ${NOTHING_THERE}) d
   WHERE d.received <> d.receipt + d.back`,
  ({ id, received: came, receipt, back }) =>
    `payment ${id} of ${came} has a receipt of ${receipt}, and ${back} that goes straight back`,
)

/** What came for a payment that ended without it goes back. */
const returned = rule<Id & { received: number; back: number; status: string }>(
  `SELECT d.id, d.received, d.status, d.back FROM (SELECT p.id, p.received, p.status, ${refundsOf('1 = 1')} AS back
     FROM payments p WHERE p.status IN ('failed', 'cancelled') AND p.received > 0 AND ${NOTHING_THERE}
       AND NOT EXISTS (SELECT 1 FROM payments o WHERE o.account_id = p.account_id AND o.order_id = p.order_id AND o.id <> p.id
         AND o.received > 0)) d
   WHERE d.received <> d.back`,
  ({ id, received: came, back, status }) =>
    `payment ${id} of ${came} is ${status}, and its refunds come to ${back}`,
)

/** A call that is under way counts only once it is known what became of it: the processor may refuse it. */
const COUNTED = "f.status <> 'dropped' AND (f.status <> 'requested' OR f.call IS NULL)"

const tooMuch = rule<Id & { back: number; paid: number }>(
  `SELECT d.id, d.back, d.paid FROM (SELECT p.id, coalesce(p.received, 0) AS paid, ${refundsOf(COUNTED)} AS back
     FROM payments p) d WHERE d.back > d.paid`,
  ({ id, back, paid }) => `payment ${id} of ${paid} has refunds of ${back}`,
)

const refundTooLarge = rule<Id & { amount: number; payment_id: string; paid: number }>(
  `SELECT f.id, f.amount, p.id AS payment_id, coalesce(p.received, 0) AS paid FROM refunds f JOIN payments p ON p.id = f.payment_id
   WHERE f.status = 'dropped' AND f.amount > coalesce(p.received, 0)`,
  ({ id, amount, payment_id, paid }) =>
    `refund ${id} of ${amount} is dropped, and of payment ${payment_id} of ${paid}`,
)

/** Does the same for money that came with a file, of an order or of a registration without one. */
const tooMuchBrought = (column: 'order_id' | 'registration_id', what: string) =>
  rule<Id & { back: number; paid: number }>(
    `SELECT d.id, d.back, d.paid FROM (SELECT f.${column} AS id, sum(f.amount) AS back,
         (SELECT coalesce(sum(l.amount), 0) FROM ledger_entries l WHERE l.account_id = f.account_id AND l.${column} = f.${column}
           AND l.payment_id IS NULL AND l.refund_id IS NULL
           AND l.kind IN ('payment', 'payment_reversal', 'refund', 'refund_reversal')) AS paid
       FROM refunds f WHERE f.${column} IS NOT NULL AND f.payment_id IS NULL AND f.reason <> 'orphan' AND ${COUNTED} GROUP BY f.account_id, f.${column}) d
     WHERE d.back > d.paid`,
    ({ id, back, paid }) => `${what} ${id} has ${paid} that came with a file, and refunds of ${back}`,
  )

/** A call names what it is for, if it was not stripped of that. A row with the call of another one is a double. */
const strangeCall = (table: 'payments' | 'refunds', what: string, names: readonly string[]) =>
  rule<Id>(
    `SELECT c.id FROM ${table} c WHERE (${names.map(name => `c.call LIKE '%"${name}"%'`).join(' OR ')})
       AND c.call NOT LIKE '%' || c.id || '%'`,
    ({ id }) => `${what} ${id} has the call of another one`,
  )

const feeAlone = rule<{ entry_id: string; of_id: string }>(
  // The fee of a registration without an order has its id, and what corrects a fee is never 0.
  `SELECT l.entry_id, coalesce(l.order_id, l.registration_id) AS of_id FROM ledger_entries l WHERE l.kind = 'fee'
     AND (l.payment_id IS NOT NULL OR (l.amount = 0 AND l.entry_id <> l.registration_id)) AND NOT EXISTS (SELECT 1 FROM ledger_entries y WHERE y.account_id = l.account_id AND y.kind = 'payment'
       AND y.entry_id = l.entry_id AND y.payment_id = l.payment_id)`,
  ({ entry_id, of_id }) =>
    `entry fee ${entry_id} of the ledger is of no payment of the order or registration ${of_id}`,
)

/** The fees of an order that was not confirmed are of all its lines. */
const feesOfUnconfirmed = rule<Id & { stated: number; fees: number }>(
  `SELECT d.id, d.stated, d.fees FROM (SELECT c.id, c.fees, c.unknown, c.payments,
       (SELECT coalesce(sum(r.processor_fee), 0) FROM registrations r
         WHERE r.account_id = c.account_id AND r.order_id = c.id) AS stated,
       (SELECT count(r.processor_fee) FROM registrations r
         WHERE r.account_id = c.account_id AND r.order_id = c.id) AS speaking
     FROM (SELECT o.account_id, o.id,
         -sum(CASE WHEN l.kind IN ('fee', 'fee_reversal', 'dispute_fee', 'dispute_fee_reversal') THEN l.amount ELSE 0 END) AS fees,
         count(CASE WHEN l.kind = 'payment' THEN 1 END) AS payments,
         count(CASE WHEN l.kind = 'payment' THEN 1 END) - count(CASE WHEN l.kind = 'fee' THEN 1 END) AS unknown
       FROM orders o JOIN ledger_entries l ON l.account_id = o.account_id AND l.order_id = o.id
       WHERE o.status <> 'confirmed' AND l.payment_id IS NOT NULL GROUP BY o.id) c) d
   WHERE (d.unknown = 0 AND d.stated <> d.fees) OR (d.unknown = 1 AND d.payments = 1 AND d.speaking > 0)`,
  ({ id, stated, fees }) =>
    `order ${id} says ${stated} of fees of the processor, and the ledger ${fees}, or does not know them`,
)

/** What a dispute takes: nothing while the bank only asks, and nothing in the end if it is won. */
const TAKEN = "CASE WHEN d.status IN ('needs_response', 'under_review', 'lost') THEN d.amount ELSE 0 END"

const disputed = rule<Id & { taken: number; moved: number }>(
  `SELECT s.payment_id AS id, sum(s.taken) AS taken, sum(s.moved) AS moved FROM (
     SELECT d.account_id, d.payment_id, ${TAKEN} AS taken, 0 AS moved FROM disputes d
     UNION ALL SELECT l.account_id, l.payment_id, 0 AS taken, -l.amount AS moved FROM ledger_entries l
       WHERE l.kind IN ('dispute', 'dispute_reversal') AND l.payment_id IS NOT NULL) s
   GROUP BY s.account_id, s.payment_id HAVING sum(s.taken) <> sum(s.moved)`,
  ({ id, taken, moved }) =>
    `payment ${id} has disputes that take ${taken}, and the ledger says that ${moved} was taken`,
)

/**
 * A dispute takes its amount each time that it is opened anew, also if it is won later. While the bank only asks, nothing is
 * taken, and if the processor prevented it, something may have been.
 */
const takenByDispute = rule<Id & { amount: number; disputes: number; entries: number; moved: number }>(
  `SELECT g.id, g.amount, g.disputes, g.entries, g.moved FROM (SELECT s.payment_id AS id, sum(s.amount) AS amount,
       sum(s.disputes) AS disputes, sum(s.prevented) AS prevented, sum(s.entries) AS entries, sum(s.moved) AS moved FROM (
       SELECT d.account_id, d.payment_id, CASE WHEN d.status IN ('warning', 'closed') THEN 0 ELSE d.amount END AS amount,
         CASE WHEN d.status IN ('warning', 'closed') THEN 0 ELSE 1 END AS disputes,
         CASE WHEN d.status IN ('warning', 'closed') THEN 1 ELSE 0 END AS prevented, 0 AS entries, 0 AS moved FROM disputes d
       UNION ALL SELECT l.account_id, l.payment_id, 0 AS amount, 0 AS disputes, 0 AS prevented, 1 AS entries, -l.amount AS moved
         FROM ledger_entries l WHERE l.kind = 'dispute' AND l.payment_id IS NOT NULL) s GROUP BY s.account_id, s.payment_id) g
   WHERE g.entries < g.disputes OR (g.disputes = 0 AND g.prevented = 0)
     OR (g.prevented = 0 AND ((g.disputes = 1 AND g.moved <> g.amount * g.entries)
       OR (g.disputes = g.entries AND g.moved <> g.amount)))`,
  ({ id, amount, disputes, entries, moved }) =>
    `payment ${id} has ${disputes} disputes of ${amount}, and ${entries} entries of the ledger took ${moved}`,
)

const strangeDispute = rule<Id>(
  `SELECT d.id FROM disputes d LEFT JOIN payments p ON p.id = d.payment_id
   WHERE p.id IS NULL OR p.account_id <> d.account_id OR p.order_id <> d.order_id OR p.event_id <> d.event_id
     OR p.currency <> d.currency OR d.amount > coalesce(p.received, 0)`,
  ({ id }) => `dispute ${id} is of a payment that its order does not have, or of more than came for it`,
)

/** Compares the processor of sandboxes with our own books. An event without money can be deleted, and leaves its sessions. */
const testSessions: readonly Rule<never>[] = [
  rule<Id & { amount: number; asked: number | null }>(
    `SELECT s.id, s.amount, p.amount AS asked FROM test_sessions s LEFT JOIN payments p ON p.id = s.payment_id
     WHERE (p.id IS NULL AND s.state = 'paid') OR p.account_id <> s.account_id OR p.amount <> s.amount
       OR p.currency <> s.currency OR (p.session_id IS NOT NULL AND p.session_id <> s.id)`,
    ({ id, amount, asked: ours }) =>
      `session ${id} of the test method is of ${amount}, and its payment ${ours === null ? 'is missing' : `asks for ${ours}`}`,
  ),
  rule<Id>(
    `SELECT p.id FROM payments p LEFT JOIN test_sessions s ON s.id = p.session_id
     WHERE p.method = 'test' AND p.session_id LIKE 'test$_%' ESCAPE '$' AND s.id IS NULL`,
    ({ id }) => `payment ${id} has a session of the test method that is missing`,
  ),
  rule<Id & { fee: number; moved: number }>(
    `SELECT s.id, s.fee, -l.amount AS moved FROM test_sessions s
     JOIN ledger_entries l ON l.account_id = s.account_id AND l.kind = 'fee' AND l.entry_id = s.id
     WHERE s.fee IS NULL OR l.amount <> -s.fee`,
    ({ id, fee, moved }) =>
      `session ${id} of the test method has a fee of ${fee}, and the ledger says ${moved}`,
  ),
]

/** Lists the rules of what must not be found in payments, disputes and what they are for, with the sentence for each. */
export const paymentRules: readonly Rule<never>[] = [
  ticketTax,
  ticketRate,
  asked,
  received,
  used,
  returned,
  tooMuch,
  refundTooLarge,
  tooMuchBrought('order_id', 'order'),
  tooMuchBrought('registration_id', 'registration'),
  strangeCall('payments', 'payment', ['client_reference_id', 'paymentId']),
  strangeCall('refunds', 'refund', ['metadata', 'refundId']),
  feeAlone,
  feesOfUnconfirmed,
  disputed,
  takenByDispute,
  strangeDispute,
  ...testSessions,
]
