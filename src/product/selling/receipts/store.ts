import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface ReceiptRow {
  id: string
  account_id: string
  kind: 'receipt' | 'credit_note'
  number: number
  of_id: string | null
  /** The credit note that this one cancels. */
  cancels_id: string | null
  order_id: string
  event_id: string
  payment_id: string | null
  refund_id: string | null
  amount: number
  currency: string
  issued_at: number
  /** A `Snapshot` as JSON. */
  snapshot: string
}

const SELECT = `SELECT x.id, x.account_id, x.kind, x.number, x.of_id, x.cancels_id, x.order_id, x.event_id, x.payment_id, x.refund_id, x.amount,
  x.currency, x.issued_at, x.snapshot FROM receipts x`

/** Returns the next number of a kind. If the transaction that takes it is undone, the number is free again. */
export async function findNextNumber(tx: ReadTx, kind: ReceiptRow['kind']): Promise<number> {
  const row = await tx.one<{ number: number }>(
    'SELECT coalesce(max(x.number), 0) + 1 AS number FROM receipts x WHERE x.account_id = $1 AND x.kind = $2',
    [tx.accountId, kind],
  )
  return row?.number as number
}

export async function insert(tx: WriteTx, row: ReceiptRow): Promise<void> {
  await tx.run(
    `INSERT INTO receipts (id, account_id, kind, number, of_id, cancels_id, order_id, event_id, payment_id, refund_id, amount,
       currency, issued_at, snapshot, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $13, $13)`,
    [
      row.id,
      row.account_id,
      row.kind,
      row.number,
      row.of_id,
      row.cancels_id,
      row.order_id,
      row.event_id,
      row.payment_id,
      row.refund_id,
      row.amount,
      row.currency,
      row.issued_at,
      row.snapshot,
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<ReceiptRow | undefined> {
  return tx.one(`${SELECT} WHERE x.account_id = $1 AND x.id = $2`, [tx.accountId, id])
}

/** It holds for a row that cancels nothing and is not cancelled. */
const STANDS = 'x.cancels_id IS NULL AND NOT EXISTS (SELECT 1 FROM receipts y WHERE y.cancels_id = x.id)'

/** Returns the receipt of a payment, or the credit note of a refund, that stands. */
export function findOf(
  tx: ReadTx,
  column: 'payment_id' | 'refund_id',
  id: string,
): Promise<ReceiptRow | undefined> {
  return tx.one(`${SELECT} WHERE x.account_id = $1 AND x.${column} = $2 AND ${STANDS}`, [tx.accountId, id])
}

/** Returns the oldest first. */
export function listByOrder(tx: ReadTx, orderId: string): Promise<ReceiptRow[]> {
  return tx.all(`${SELECT} WHERE x.account_id = $1 AND x.order_id = $2 ORDER BY x.created_at, x.id`, [
    tx.accountId,
    orderId,
  ])
}

/** Returns the receipts of an order, and the credit notes that stand, oldest first, without those that name nobody any more. */
export function listStanding(tx: ReadTx, orderId: string): Promise<ReceiptRow[]> {
  return tx.all(
    `${SELECT} WHERE x.account_id = $1 AND x.order_id = $2 AND x.erased_at IS NULL AND ${STANDS}
     ORDER BY x.created_at, x.id`,
    [tx.accountId, orderId],
  )
}

/** Returns the credit notes of a receipt that stand. */
export function listCredits(tx: ReadTx, receiptId: string): Promise<ReceiptRow[]> {
  return tx.all(`${SELECT} WHERE x.of_id = $2 AND x.account_id = $1 AND ${STANDS}`, [tx.accountId, receiptId])
}

/** The instants of issue, in milliseconds: at or after `from`, and before `until`. */
export interface Span {
  from: number
  until: number
}

/** Returns the newest first. @param after where the page before ended, by `issued_at` */
export function listNewest(
  tx: ReadTx,
  { from, until }: Span,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<ReceiptRow[]> {
  return tx.all(
    `${SELECT} WHERE x.account_id = $1 AND x.issued_at >= $2 AND (x.issued_at, x.id) < ($3, $4)
     ORDER BY x.issued_at DESC, x.id DESC LIMIT $5`,
    [tx.accountId, from, after?.created_at ?? until, after?.id ?? '', limit],
  )
}

/** Returns the oldest first. */
export function listOldest(
  tx: ReadTx,
  { from, until }: Span,
  after: Pick<ReceiptRow, 'issued_at' | 'id'> | undefined,
  limit: number,
): Promise<ReceiptRow[]> {
  return tx.all(
    `${SELECT} WHERE x.account_id = $1 AND (x.issued_at, x.id) > ($2, $3) AND x.issued_at < $4
     ORDER BY x.issued_at, x.id LIMIT $5`,
    [tx.accountId, after?.issued_at ?? from, after?.id ?? '', until, limit],
  )
}

/** Returns when the first was issued. */
export async function findFirst(tx: ReadTx): Promise<number | undefined> {
  const row = await tx.one<{ issued_at: number }>(
    'SELECT x.issued_at FROM receipts x WHERE x.account_id = $1 ORDER BY x.issued_at, x.id LIMIT 1',
    [tx.accountId],
  )
  return row?.issued_at
}

/** Returns the receipts from before an instant that still name somebody, oldest first. */
export function listNaming(
  tx: ReadTx,
  before: number,
  limit: number,
): Promise<Pick<ReceiptRow, 'id' | 'snapshot'>[]> {
  return tx.all(
    `SELECT x.id, x.snapshot FROM receipts x
     WHERE x.account_id = $1 AND x.issued_at < $2 AND x.erased_at IS NULL ORDER BY x.issued_at, x.id LIMIT $3`,
    [tx.accountId, before, limit],
  )
}

export function erase(
  tx: WriteTx,
  { id, snapshot }: Pick<ReceiptRow, 'id' | 'snapshot'>,
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE receipts SET snapshot = $3, erased_at = $4, updated_at = $4 WHERE account_id = $1 AND id = $2',
    [tx.accountId, id, snapshot, now],
  )
}
