import { readInList } from '../db/in-list.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'

export type LedgerKind =
  | 'payment'
  | 'payment_reversal'
  | 'fee'
  | 'fee_reversal'
  | 'refund'
  | 'refund_reversal'
  | 'dispute'
  | 'dispute_reversal'
  | 'dispute_fee'
  | 'dispute_fee_reversal'

/** What money came by: `recorded` is what a file says of another system. */
export type LedgerMethod = 'test' | 'stripe' | 'transfer' | 'door' | 'recorded'

export interface LedgerRow {
  account_id: string
  event_id: string
  kind: LedgerKind
  /** Unique by kind. */
  entry_id: string
  order_id: string | null
  registration_id: string | null
  payment_id: string | null
  refund_id: string | null
  method: LedgerMethod
  /** Minor units, below 0 where it leaves the organizer. */
  amount: number
  currency: string
  /** When it moved, in milliseconds. */
  moved_at: number
  /** When it was recorded. */
  created_at: number
}

/** Writes an entry that is not there yet. @returns 0 where it is */
export function insert(tx: WriteTx, row: LedgerRow): Promise<number> {
  return tx.run(
    `INSERT INTO ledger_entries (account_id, event_id, kind, entry_id, order_id, registration_id, payment_id, refund_id,
       method, amount, currency, moved_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
     ON CONFLICT (account_id, kind, entry_id) DO NOTHING`,
    [
      row.account_id,
      row.event_id,
      row.kind,
      row.entry_id,
      row.order_id,
      row.registration_id,
      row.payment_id,
      row.refund_id,
      row.method,
      row.amount,
      row.currency,
      row.moved_at,
      row.created_at,
    ],
  )
}

const SELECT = `SELECT l.account_id, l.event_id, l.kind, l.entry_id, l.order_id, l.registration_id, l.payment_id, l.refund_id,
  l.method, l.amount, l.currency, l.moved_at, l.created_at FROM ledger_entries l`

export function find(
  tx: ReadTx,
  accountId: string,
  kind: LedgerKind,
  entryId: string,
): Promise<LedgerRow | undefined> {
  return tx.one(`${SELECT} WHERE l.account_id = $1 AND l.kind = $2 AND l.entry_id = $3`, [
    accountId,
    kind,
    entryId,
  ])
}

/** What has moved for several of them, in no order. */
export function listOfAll(
  tx: ReadTx,
  accountId: string,
  column: 'order_id' | 'registration_id',
  ids: readonly string[],
): Promise<LedgerRow[]> {
  const textOf = (list: string) => `${SELECT} WHERE l.account_id = $1 AND l.${column} IN ${list}`
  return readInList(tx, ids, [accountId], textOf)
}

/** What has moved for an order, or for a registration without one, the oldest first. */
export function listOf(
  tx: ReadTx,
  accountId: string,
  [column, id]: ['order_id' | 'registration_id', string],
): Promise<LedgerRow[]> {
  return tx.all(
    `${SELECT} WHERE l.account_id = $1 AND l.${column} = $2 ORDER BY l.moved_at, l.kind, l.entry_id`,
    [accountId, id],
  )
}
