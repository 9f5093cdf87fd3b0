import type { ReadTx, WriteTx } from '../db/port.ts'
import type { EventDetails } from '../events/schemas.ts'
import { refuseLateCancel } from '../orders/cancel-until.ts'
import * as orders from '../orders/rules.ts'
import type { Order } from '../orders/schemas.ts'
import { refuseLateWithdrawal, withdraw } from '../orders/withdrawal.ts'
import { Problem } from '../problem.ts'
import { costOf, type Refundable, readRefundable, restOf } from './refundable.ts'
import { refundOrder } from './refunding.ts'

/** How a buyer gives an order up. */
export type Ending = 'cancel' | 'withdraw'

/** What a buyer gets back who gives up all that stands of an order, in minor units: 0 where it cost nothing. */
export async function backOf(
  tx: ReadTx,
  accountId: string,
  orderId: string,
  event: Pick<EventDetails, 'cancel_refund_basis_points'>,
  ending: Ending,
): Promise<number> {
  return sumOf(await readRefundable(tx, accountId, { orderId }), event, ending)
}

/** Of a cancel, the organizer's part of what each ticket cost, rounded half up; of a withdrawal, all. */
function sumOf(
  subject: Refundable,
  { cancel_refund_basis_points: part }: Pick<EventDetails, 'cancel_refund_basis_points'>,
  ending: Ending,
): number {
  const standing = subject.tickets.filter(({ stands }) => stands)
  if (ending === 'withdraw')
    return costOf(
      subject,
      standing.map(({ id }) => id),
    )
  const shares = standing.map(ticket =>
    Math.min(restOf(ticket), Math.floor((ticket.paid * part + 5000) / 10_000)),
  )
  return Math.min(
    subject.left,
    shares.reduce((sum, share) => sum + share, 0),
  )
}

interface BuyerEnding {
  event: EventDetails
  /** What the buyer was shown to get back, in minor units: what is done is what was shown. */
  seen: number | undefined
}

/**
 * Cancels an order for its buyer, as `orders.cancelByBuyer` does, and pays back the organizer's part of what was paid.
 *
 * @throws Problem those of `orders.cancelByBuyer`; seen_changed where another sum goes back than the buyer was shown
 */
export async function cancelByBuyer(
  tx: WriteTx,
  accountId: string,
  id: string,
  { event, seen }: BuyerEnding,
): Promise<Order> {
  const order = await orders.getDetails(tx, accountId, id)
  if (order.status === 'pending' || order.amount_total === 0)
    return orders.cancelByBuyer(tx, accountId, id, event.cancel_until)
  refuseLateCancel(order, event.cancel_until, tx.clock())
  return giveUp(tx, accountId, id, { event, seen }, 'cancel')
}

/**
 * Withdraws from an order for its buyer, as `withdraw` does, and pays back all that was paid for what stands of it.
 *
 * @throws Problem those of `withdraw`; seen_changed
 */
export async function withdrawByBuyer(
  tx: WriteTx,
  accountId: string,
  id: string,
  { event, seen }: BuyerEnding,
): Promise<Order> {
  const order = await orders.get(tx, accountId, id)
  if (order.amount_total === 0) return withdraw(tx, accountId, id, event)
  refuseLateWithdrawal(order, event, tx.clock())
  return giveUp(tx, accountId, id, { event, seen }, 'withdraw')
}

async function giveUp(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  { event, seen }: BuyerEnding,
  ending: Ending,
): Promise<Order> {
  const subject = await readRefundable(tx, accountId, { orderId })
  const amount = sumOf(subject, event, ending)
  if (seen !== amount) throw new Problem('seen_changed')
  await refundOrder(tx, accountId, {
    ...{ orderId, amount, note: null, isTold: true },
    ticketIds: subject.tickets.flatMap(({ id, stands }) => (stands ? [id] : [])),
    reason: ending === 'cancel' ? 'buyer' : 'withdrawn',
  })
  return orders.get(tx, accountId, orderId)
}
