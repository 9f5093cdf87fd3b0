import { portion } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { refuseLateCancel } from '#product/selling/orders/cancel-until.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { type Order, type OrderDetails, withLines, withoutDetails } from '#product/selling/orders/schemas.ts'
import { refuseLateWithdrawal, withdrawFrom } from '#product/selling/orders/withdrawal.ts'
import { costOf, type Refundable, refundableOf, restOf } from './refundable.ts'
import { refundOf } from './refunding.ts'

/** How a buyer gives up an order. */
export type Ending = 'cancel' | 'withdraw'

/**
 * Returns what a buyer gets back for giving up all that stands of an order, in minor units. It is 0 if the order cost nothing.
 */
export async function backOf(tx: ReadTx, order: OrderDetails, ending: Ending): Promise<number> {
  return sumOf(await refundableOf(tx, order), order.event, ending)
}

/**
 * Sums up what goes back: for a cancellation the organizer's part of what each ticket cost, rounded half up, and for a withdrawal
 * all of it.
 */
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
  const shares = standing.map(ticket => Math.min(restOf(ticket), portion(ticket.paid, part)))
  return Math.min(
    subject.left,
    shares.reduce((sum, share) => sum + share, 0),
  )
}

interface BuyerEnding {
  event: EventDetails
  /** What the buyer was shown to get back, in minor units. No other sum may go back. */
  agreedAmount: number | undefined
}

/**
 * Cancels an order for its buyer, as `orders.cancelByBuyer` does, and refunds the organizer's part of what was paid.
 *
 * @throws Problem those of `orders.cancelByBuyer`; seen_changed if another sum would go back than the buyer was shown
 */
export async function cancelByBuyer(
  tx: WriteTx,
  id: string,
  { event, agreedAmount }: BuyerEnding,
): Promise<Order> {
  const order = await orders.getDetails(tx, id)
  if (order.status === 'pending' || order.amount_total === 0)
    return withoutDetails(await orders.cancelForBuyer(tx, order, event.cancel_until))
  refuseLateCancel(order, event.cancel_until, tx.clock())
  return giveUp(tx, order, { event, agreedAmount }, 'cancel')
}

/**
 * Withdraws from an order for its buyer, as `withdraw` does, and refunds all that was paid for what still stands of it.
 *
 * @throws Problem those of `withdraw`; seen_changed
 */
export async function withdrawByBuyer(
  tx: WriteTx,
  id: string,
  { event, agreedAmount }: BuyerEnding,
): Promise<Order> {
  const order = await orders.getDetails(tx, id)
  if (order.amount_total === 0) return withoutDetails(await withdrawFrom(tx, order, event))
  refuseLateWithdrawal(order, event, tx.clock())
  return giveUp(tx, order, { event, agreedAmount }, 'withdraw')
}

async function giveUp(
  tx: WriteTx,
  order: OrderDetails,
  { event, agreedAmount }: BuyerEnding,
  ending: Ending,
): Promise<Order> {
  const subject = await refundableOf(tx, order)
  const amount = sumOf(subject, event, ending)
  if (agreedAmount !== amount) throw new Problem('seen_changed')
  const { lines } = await refundOf(tx, subject, {
    ...{ amount, note: null, isNotified: true },
    ticketIds: subject.tickets.flatMap(({ id, stands }) => (stands ? [id] : [])),
    reason: ending === 'cancel' ? 'buyer' : 'withdrawn',
  })
  return withoutDetails(withLines(order, lines))
}
