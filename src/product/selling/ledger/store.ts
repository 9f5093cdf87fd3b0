import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

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

/** How the money came. `recorded` is money of another system, as a file states it. */
export type LedgerMethod = 'test' | 'stripe' | 'transfer' | 'door' | 'recorded'

export interface LedgerRow {
  account_id: string
  event_id: string
  kind: LedgerKind
  /** It is unique by kind. */
  entry_id: string
  order_id: string | null
  registration_id: string | null
  payment_id: string | null
  refund_id: string | null
  method: LedgerMethod
  /** Minor units, below 0 if the money leaves the organizer. */
  amount: number
  currency: string
  /** When it moved, in milliseconds. */
  moved_at: number
  /** When it was recorded, in milliseconds. */
  created_at: number
}

/** Inserts an entry, unless it exists. @returns 0 if it exists */
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

export function find(tx: ReadTx, kind: LedgerKind, entryId: string): Promise<LedgerRow | undefined> {
  return tx.one(`${SELECT} WHERE l.account_id = $1 AND l.kind = $2 AND l.entry_id = $3`, [
    tx.accountId,
    kind,
    entryId,
  ])
}

/** Returns what has moved for several subjects, in no order. */
export function listOfAll(
  tx: ReadTx,
  column: 'order_id' | 'registration_id',
  ids: readonly string[],
): Promise<LedgerRow[]> {
  const textOf = (list: string) => `${SELECT} WHERE l.account_id = $1 AND l.${column} IN ${list}`
  return readInList(tx, ids, [tx.accountId], textOf)
}

/** Returns what has moved for an order, or for a registration without one, the oldest first. */
export function listOf(
  tx: ReadTx,
  [column, id]: ['order_id' | 'registration_id', string],
): Promise<LedgerRow[]> {
  return tx.all(
    `${SELECT} WHERE l.account_id = $1 AND l.${column} = $2 ORDER BY l.moved_at, l.kind, l.entry_id`,
    [tx.accountId, id],
  )
}
