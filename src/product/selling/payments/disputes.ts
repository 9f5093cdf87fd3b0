import { toIso, toIsoOrNull } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import { queueDispute } from './dispute-mails.tsx'
import * as store from './dispute-store.ts'
import { shareFee } from './settle.ts'

/** Money that a buyer had the bank take back, or asks about. Amounts are in minor units. */
export interface Dispute {
  /** The id that the processor gives it. */
  id: string
  event_id: string
  order_id: string
  payment_id: string
  /** `warning`: the bank asks, and no money was taken. `closed`: it came to nothing. */
  status: store.DisputeRow['status']
  /** The reason in the processor's words, such as `fraudulent`. */
  reason: string
  currency: string
  amount: number
  /** Until when the organizer can answer it, at the processor. */
  due_by: string | null
  /** It is true if its fee is in another currency, so that no sum includes it. */
  is_fee_foreign: boolean
  opened_at: string
  /** What a member has made of the tickets, once it was lost. */
  decision: store.DisputeRow['decision']
}

export function presentDispute(row: store.DisputeRow): Dispute {
  const { id, event_id, order_id, payment_id, status, reason, currency, amount } = row
  return {
    ...{ id, event_id, order_id, payment_id, status, reason, currency, amount },
    due_by: toIsoOrNull(row.due_by),
    is_fee_foreign: row.is_fee_foreign === 1,
    opened_at: toIso(row.opened_at),
    decision: row.decision,
  }
}

/** Money that a dispute has moved. Amounts are in minor units of the currency of the payment. */
export interface Movement {
  /** The id that the processor gives it, which is unique. */
  id: string
  /** Milliseconds. */
  at: number
  /** It is below 0 if the money was taken. */
  amount: number
  /** It is below 0 if the fee came back, and null if it is in another currency. */
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
 * Stores what the processor says of a dispute, records the money that it has moved, and mails the members who look after
 * payments. A second call with the same facts changes nothing.
 */
export async function note(
  tx: WriteTx,
  facts: DisputeFacts,
  payment: { id: string; event_id: string; order_id: string },
): Promise<Dispute> {
  const { id, chargeId, status, reason, currency, amount, dueBy, openedAt, movements } = facts
  const was = await store.find(tx, id)
  const row: store.DisputeRow = {
    ...{ id, account_id: tx.accountId, event_id: payment.event_id, order_id: payment.order_id },
    ...{ payment_id: payment.id, charge_id: chargeId, status, reason, currency, amount, due_by: dueBy },
    is_fee_foreign: movements.some(({ fee }) => fee === null) ? 1 : 0,
    opened_at: openedAt,
    // A decision is about a loss, so it does not outlast it.
    decision: status === 'lost' ? (was?.decision ?? null) : null,
  }
  await store.save(tx, row, await tx.now())
  await queueDispute(tx, row, was?.status)
  // The money is the organizer's again, so the receipt stands as before. The tickets that are void stay void.
  if (was?.decision === 'voided' && status !== 'lost') await receipts.cancelCredit(tx, id, tx.clock())
  for (const movement of movements) {
    const entry = {
      ...{ eventId: payment.event_id, of: { orderId: payment.order_id }, paymentId: payment.id, currency },
      ...{ method: 'stripe' as const, at: movement.at, entryId: movement.id },
    }
    const record = (kind: ledger.LedgerKind, moved: number) =>
      ledger.record(tx, { ...entry, kind, amount: Math.abs(moved) })
    if (movement.amount !== 0)
      await record(movement.amount < 0 ? 'dispute' : 'dispute_reversal', movement.amount)
    if (movement.fee !== null && movement.fee !== 0)
      await record(movement.fee > 0 ? 'dispute_fee' : 'dispute_fee_reversal', movement.fee)
  }
  // The fee of a dispute belongs to its order, like other fees.
  await shareFee(tx, payment.order_id)
  return presentDispute(row)
}

/** Returns the disputes of an order, the oldest first. */
export async function listByOrder(tx: ReadTx, orderId: string): Promise<Dispute[]> {
  return (await store.listByOrder(tx, orderId)).map(presentDispute)
}

/** Tells whether a dispute of an order is open, or lost while nobody has decided about its tickets. */
export async function isDisputed(tx: ReadTx, orderId: string): Promise<boolean> {
  const isOpen = ({ status, decision }: store.DisputeRow) =>
    status === 'lost' ? decision === null : status !== 'won' && status !== 'closed'
  return (await store.listByOrder(tx, orderId)).some(isOpen)
}

/** Returns the disputes that are not decided, the oldest first. */
export async function listOpen(tx: ReadTx, limit: number): Promise<Dispute[]> {
  return (await store.listOpen(tx, limit)).map(presentDispute)
}

/** Returns the lost disputes whose tickets nobody has decided about, the oldest first. */
export async function listToDecide(tx: ReadTx, limit: number): Promise<Dispute[]> {
  return (await store.listToDecide(tx, limit)).map(presentDispute)
}
