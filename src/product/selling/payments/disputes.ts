import type { ReadTx, WriteTx } from '../db/port.ts'
import * as ledger from '../ledger/rules.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import { tellDispute } from './dispute-mails.tsx'
import * as store from './dispute-store.ts'
import { shareFee } from './settle.ts'

/** Money that a buyer had the bank take back, or asks about. Amounts in minor units. */
export interface Dispute {
  /** As the processor names it. */
  id: string
  event_id: string
  order_id: string
  payment_id: string
  /** `warning`: the bank asks, and no money was taken; `closed`: it came to nothing. */
  status: store.DisputeRow['status']
  /** As the processor calls it: `fraudulent`. */
  reason: string
  currency: string
  amount: number
  /** Until when the organizer can answer it, at the processor. */
  due_by: string | null
  /** What it costs is in another currency, and in no sum. */
  is_fee_foreign: boolean
  opened_at: string
}

function presentDispute(row: store.DisputeRow): Dispute {
  const { id, event_id, order_id, payment_id, status, reason, currency, amount } = row
  return {
    ...{ id, event_id, order_id, payment_id, status, reason, currency, amount },
    due_by: toIsoOrNull(row.due_by),
    is_fee_foreign: row.is_fee_foreign === 1,
    opened_at: toIso(row.opened_at),
  }
}

/** Money that a dispute has moved. Amounts in minor units of the currency of the payment. */
export interface Movement {
  /** As the processor names it, unique. */
  id: string
  /** Milliseconds. */
  at: number
  /** Below 0 where it was taken. */
  amount: number
  /** Below 0 where it came back; null where it is in another currency. */
  fee: number | null
}

/** What a processor knows of a dispute. */
export interface DisputeFacts {
  id: string
  chargeId: string
  status: store.DisputeRow['status']
  reason: string
  currency: string
  amount: number
  dueBy: number | null
  openedAt: number
  movements: readonly Movement[]
}

/**
 * Writes down what the processor says of a dispute, and what money it has moved, and tells whoever looks after payments. Told again,
 * nothing changes.
 */
export async function note(
  tx: WriteTx,
  accountId: string,
  facts: DisputeFacts,
  payment: { id: string; event_id: string; order_id: string },
): Promise<Dispute> {
  const { id, chargeId, status, reason, currency, amount, dueBy, openedAt, movements } = facts
  const row: store.DisputeRow = {
    ...{ id, account_id: accountId, event_id: payment.event_id, order_id: payment.order_id },
    ...{ payment_id: payment.id, charge_id: chargeId, status, reason, currency, amount, due_by: dueBy },
    is_fee_foreign: movements.some(({ fee }) => fee === null) ? 1 : 0,
    opened_at: openedAt,
  }
  const was = await store.find(tx, accountId, id)
  await store.save(tx, row, await tx.now())
  await tellDispute(tx, accountId, row, was?.status)
  for (const movement of movements) {
    const entry = {
      ...{ eventId: payment.event_id, of: { orderId: payment.order_id }, paymentId: payment.id, currency },
      ...{ method: 'stripe' as const, at: movement.at, entryId: movement.id },
    }
    const record = (kind: ledger.LedgerKind, moved: number) =>
      ledger.record(tx, accountId, { ...entry, kind, amount: Math.abs(moved) })
    if (movement.amount !== 0)
      await record(movement.amount < 0 ? 'dispute' : 'dispute_reversal', movement.amount)
    if (movement.fee !== null && movement.fee !== 0)
      await record(movement.fee > 0 ? 'dispute_fee' : 'dispute_fee_reversal', movement.fee)
  }
  // What a dispute costs is of its order as the other fees are.
  await shareFee(tx, accountId, payment.order_id)
  return presentDispute(row)
}

/** Of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<Dispute[]> {
  return (await store.listByOrder(tx, accountId, orderId)).map(presentDispute)
}

/** Those that are not decided, the oldest first. */
export async function listOpen(tx: ReadTx, accountId: string, limit: number): Promise<Dispute[]> {
  return (await store.listOpen(tx, accountId, limit)).map(presentDispute)
}
