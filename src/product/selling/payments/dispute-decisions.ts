import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as receipts from '#product/selling/receipts/rules.ts'
import type { Receipt } from '#product/selling/receipts/schemas.ts'
import * as store from './dispute-store.ts'
import { type Dispute, presentDispute } from './disputes.ts'
import type { Refundable } from './refundable.ts'
import { refundOf } from './refunding.ts'

/** Tells whether a member may decide about the tickets of a dispute: it is lost, and they were not voided for it. */
export function isToDecide({ status, decision }: Pick<Dispute, 'status' | 'decision'>): boolean {
  return status === 'lost' && decision !== 'voided'
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Dispute> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentDispute(row)
}

/**
 * Leaves the tickets of a lost dispute valid. Its receipt stays too, so that receipts have more than the ledger.
 *
 * @throws Problem not_found; dispute_decided if it is not lost, or its tickets were voided
 */
export async function keepTickets(tx: WriteTx, id: string): Promise<void> {
  await refuseDecided(tx, id)
  await store.decide(tx, id, 'kept', await tx.now())
}

/** What becomes of the tickets of a lost dispute. */
export interface Voided {
  ticketIds: readonly string[]
  /** Whether the buyer and the holders of voided tickets get mails. */
  isNotified: boolean
}

/**
 * Voids tickets of a lost dispute, and makes the credit note of what the bank has taken. No refund is made: the buyer has the
 * money already.
 *
 * @param order the order of the dispute, as it was read in this transaction
 * @returns the credit note; undefined if the payment has no receipt, or nothing of it is left
 * @throws Problem not_found, also for a ticket of another order; ticket_voided; dispute_decided
 */
export async function voidTickets(
  tx: WriteTx,
  id: string,
  order: Refundable,
  { ticketIds, isNotified }: Voided,
): Promise<Receipt | undefined> {
  const { order_id: orderId, payment_id: paymentId, amount } = await refuseDecided(tx, id)
  await store.decide(tx, id, 'voided', await tx.now())
  const voiding = { ticketIds, amount: 0, reason: 'organizer', note: null, isNotified } as const
  if (ticketIds.length > 0) await refundOf(tx, order, voiding)
  const sold = order.tickets.filter(ticket => ticketIds.includes(ticket.id)).map(({ soldAs }) => soldAs)
  const tickets = ticketIds.length > 0 ? sold : undefined
  const method = 'dispute'
  return receipts.credit(tx, { orderId, paymentId, refundId: id, amount, at: tx.clock(), method, tickets })
}

async function refuseDecided(tx: ReadTx, id: string): Promise<Dispute> {
  const dispute = await get(tx, id)
  if (!isToDecide(dispute)) throw new Problem('dispute_decided')
  return dispute
}
