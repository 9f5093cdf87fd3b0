import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type {
  PayoutFacts,
  PayoutLineFacts,
  PayoutLineKind,
  PayoutList,
  PayoutStatus,
  PayoutsDenied,
} from './facts.ts'

export interface PayoutRow {
  id: string
  amount: number
  currency: string
  status: PayoutStatus
  arrives_on: string
  list: PayoutList
  lines: number | null
  net: number | null
  difference: number | null
  made_at: number
  /** The line of a bank statement that it was matched to. */
  bank_line_id: string | null
  bank_line_date: string | null
}

/**
 * Stores what a processor says of a payout. The list of a payout stays once it is complete.
 */
export async function save(tx: WriteTx, facts: PayoutFacts, now: number): Promise<void> {
  const { id, amount, currency, status, arrivesOn, madeAt, isManual } = facts
  await tx.run(
    `INSERT INTO payouts (id, account_id, amount, currency, status, arrives_on, list, lines, net, difference, made_at, created_at,
       updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, NULL, NULL, $8, $9, $9)
     ON CONFLICT (account_id, id) DO UPDATE SET status = excluded.status, arrives_on = excluded.arrives_on,
       list = CASE WHEN payouts.list = 'complete' THEN payouts.list ELSE excluded.list END, updated_at = excluded.updated_at
       WHERE payouts.status <> excluded.status OR payouts.arrives_on <> excluded.arrives_on
         OR (payouts.list <> 'complete' AND payouts.list <> excluded.list)`,
    [id, tx.accountId, amount, currency, status, arrivesOn, isManual ? 'manual' : 'waiting', madeAt, now],
  )
}

const SELECT = `SELECT p.id, p.amount, p.currency, p.status, p.arrives_on, p.list, p.lines, p.net, p.difference, p.made_at,
  s.id AS bank_line_id, s.date AS bank_line_date
  FROM payouts p LEFT JOIN statement_lines s ON s.account_id = p.account_id AND s.payout_id = p.id`

export function find(tx: ReadTx, id: string): Promise<PayoutRow | undefined> {
  return tx.one(`${SELECT} WHERE p.account_id = $1 AND p.id = $2`, [tx.accountId, id])
}

/** The days from the first to the one before the last, as `YYYY-MM-DD`. */
export interface Days {
  from: string
  until: string
}

/** Where a list goes on: after this payout. */
export type After = Pick<PayoutRow, 'arrives_on' | 'id'>

/** Returns those that arrive within these days, the oldest first. */
export function listByArrival(
  tx: ReadTx,
  { from, until }: Days,
  after: After | undefined,
  limit: number,
): Promise<PayoutRow[]> {
  return tx.all(
    `${SELECT} WHERE p.account_id = $1 AND (p.arrives_on, p.id) > ($2, $3) AND p.arrives_on < $4
     ORDER BY p.arrives_on, p.id LIMIT $5`,
    [tx.accountId, after?.arrives_on ?? from, after?.id ?? '', until, limit],
  )
}

/** Returns those of an amount that arrive within these days, the last one too. */
export function listByAmount(
  tx: ReadTx,
  { amount, from, to, limit }: { amount: number; from: string; to: string; limit: number },
): Promise<PayoutRow[]> {
  return tx.all(
    `${SELECT} WHERE p.account_id = $1 AND p.amount = $2 AND p.arrives_on >= $3 AND p.arrives_on <= $4
     ORDER BY p.arrives_on, p.id LIMIT $5`,
    [tx.accountId, amount, from, to, limit],
  )
}

/** Returns the day on which the first or the last one arrives, or undefined if there is none. */
export async function findDay(tx: ReadTx, which: 'first' | 'last'): Promise<string | undefined> {
  const row = await tx.one<{ arrives_on: string }>(
    which === 'first'
      ? 'SELECT p.arrives_on FROM payouts p WHERE p.account_id = $1 ORDER BY p.arrives_on, p.id LIMIT 1'
      : 'SELECT p.arrives_on FROM payouts p WHERE p.account_id = $1 ORDER BY p.arrives_on DESC, p.id DESC LIMIT 1',
    [tx.accountId],
  )
  return row?.arrives_on
}

/** Adds a line. One that is known changes nothing. */
export async function insertLine(
  tx: WriteTx,
  payoutId: string,
  { id, kind, type, amount, fee, sourceId, movedAt }: PayoutLineFacts,
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO payout_lines (id, account_id, payout_id, kind, type, amount, fee, net, source_id, moved_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) ON CONFLICT (account_id, id) DO NOTHING`,
    [id, tx.accountId, payoutId, kind, type, amount, fee, amount - fee, sourceId, movedAt, now],
  )
}

/** Notes that the lines of a payout are all there, and what they come to. */
export async function complete(tx: WriteTx, id: string, now: number): Promise<void> {
  await tx.run(
    `UPDATE payouts SET list = 'complete', updated_at = $3,
       lines = (SELECT count(*) FROM payout_lines n WHERE n.account_id = $1 AND n.payout_id = $2),
       net = (SELECT coalesce(sum(n.net), 0) FROM payout_lines n WHERE n.account_id = $1 AND n.payout_id = $2),
       difference = amount
         - (SELECT coalesce(sum(n.net), 0) FROM payout_lines n WHERE n.account_id = $1 AND n.payout_id = $2)
     WHERE account_id = $1 AND id = $2 AND list <> 'complete'`,
    [tx.accountId, id, now],
  )
}

export interface PayoutLineRow {
  id: string
  kind: PayoutLineKind
  type: string
  amount: number
  fee: number
  net: number
  source_id: string | null
  moved_at: number
  /** It is 1 if the ledger has it, or if it is of a refund of ours. */
  is_ours: 0 | 1
  order_id: string | null
  event_id: string | null
  /** The reference of the order. */
  reference: string | null
}

// The ledger names money of a dispute by the change of the balance, and all else by what has moved it. A refund that is under way is
// not in the ledger yet. A fee of its own is what Stripe charges besides payments, and of no order.
const OURS = `LEFT JOIN ledger_entries l ON l.account_id = n.account_id AND l.kind = n.kind AND n.kind <> 'fee'
    AND l.entry_id = CASE WHEN n.kind IN ('dispute', 'dispute_reversal') THEN n.id ELSE n.source_id END
  LEFT JOIN refunds f ON f.account_id = n.account_id AND f.processor_id = n.source_id`
const IS_OURS = 'CASE WHEN l.entry_id IS NULL AND f.id IS NULL THEN 0 ELSE 1 END'

/** Returns lines of a payout in the order of their kinds. */
export function listLines(
  tx: ReadTx,
  payoutId: string,
  after: Pick<PayoutLineRow, 'kind' | 'id'> | undefined,
  limit: number,
): Promise<PayoutLineRow[]> {
  return tx.all(
    `SELECT n.id, n.kind, n.type, n.amount, n.fee, n.net, n.source_id, n.moved_at, ${IS_OURS} AS is_ours, o.id AS order_id,
       o.event_id, o.reference
     FROM payout_lines n ${OURS} LEFT JOIN orders o ON o.id = coalesce(l.order_id, f.order_id)
     WHERE n.account_id = $1 AND n.payout_id = $2 AND (n.kind, n.id) > ($3, $4) ORDER BY n.kind, n.id LIMIT $5`,
    [tx.accountId, payoutId, after?.kind ?? '', after?.id ?? '', limit],
  )
}

/** Tells where a line of a payout is among its lines. */
export function findPlace(
  tx: ReadTx,
  payoutId: string,
  id: string,
): Promise<Pick<PayoutLineRow, 'kind' | 'id'> | undefined> {
  return tx.one(
    'SELECT n.kind, n.id FROM payout_lines n WHERE n.account_id = $1 AND n.id = $2 AND n.payout_id = $3',
    [tx.accountId, id, payoutId],
  )
}

/** What the lines of a kind come to: all, and those that are ours. */
export interface SumRow {
  kind: PayoutLineKind
  lines: number
  amount: number
  fee: number
  own_lines: number
  own_amount: number
  own_fee: number
}

export function sumUp(tx: ReadTx, payoutId: string): Promise<SumRow[]> {
  const own = (value: string) => `sum(${value} * ${IS_OURS})`
  return tx.all(
    `SELECT n.kind, count(*) AS lines, sum(n.amount) AS amount, sum(n.fee) AS fee, ${own('1')} AS own_lines,
       ${own('n.amount')} AS own_amount, ${own('n.fee')} AS own_fee
     FROM payout_lines n ${OURS} WHERE n.account_id = $1 AND n.payout_id = $2 GROUP BY n.kind`,
    [tx.accountId, payoutId],
  )
}

export async function countPayments(tx: ReadTx, payoutId: string): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM payout_lines n WHERE n.account_id = $1 AND n.payout_id = $2 AND n.kind = 'payment'`,
    [tx.accountId, payoutId],
  )
  return row?.count ?? 0
}

export function findReading(
  tx: ReadTx,
): Promise<{ denied: PayoutsDenied | null; read_at: number | null } | undefined> {
  return tx.one('SELECT d.denied, d.read_at FROM payout_readings d WHERE d.account_id = $1', [tx.accountId])
}

/** Stores how a reading went. Without `readAt`, the time of the last whole reading stays. */
export async function saveReading(
  tx: WriteTx,
  { denied, readAt }: { denied: PayoutsDenied | null; readAt: number | null },
  now: number,
): Promise<void> {
  await tx.run(
    `INSERT INTO payout_readings (account_id, denied, read_at, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (account_id) DO UPDATE SET denied = excluded.denied,
       read_at = coalesce(excluded.read_at, payout_readings.read_at), updated_at = excluded.updated_at`,
    [tx.accountId, denied, readAt, now],
  )
}
