import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import { agreementHash } from './basket.ts'
import { confirm } from './confirm-order.ts'
import { isAddressNeeded, refuseWithoutAddress } from './invoice.ts'
import { awaitApproval, awaitPayment, markVerified } from './order-changes.ts'
import type { NewOrder } from './place.ts'
import { queueWaiting } from './queue-mails.ts'
import { reservedForApproval } from './reservation-time.ts'
import * as orders from './rules.ts'
import { type Order, type OrderDetails, withLines, withoutDetails } from './schemas.ts'
import * as store from './store.ts'

/** What somebody sends who accepts an offer. Its lines are those of the order. */
export type Acceptance = Pick<NewOrder, 'lines' | 'answers' | 'agreement' | 'reservedUntil' | 'invoice'>

/**
 * Accepts an offer: confirms it, or has it wait for approval where the event requires that, or for payment. An offer that was
 * accepted before stays as it is.
 *
 * @throws Problem not_found; offer_ended; not_on_sale if the event is over or not published; seen_changed if the terms are not
 *   those that the buyer has seen; payment_needed; those of `amend`
 */
export async function acceptOffer(tx: WriteTx, id: string, acceptance: Acceptance): Promise<Order> {
  const order = await orders.getDetails(tx, id)
  return withoutDetails(await acceptRead(tx, order, acceptance))
}

/**
 * Does the same as `acceptOffer`.
 *
 * @param order as it was read in this transaction
 * @returns it as it is now
 * @throws Problem those of `acceptOffer`
 */
export async function acceptRead(
  tx: WriteTx,
  order: OrderDetails,
  acceptance: Acceptance,
): Promise<OrderDetails> {
  const { id, event } = order
  if (order.status === 'confirmed' || (order.status === 'pending' && order.waits_for !== 'answer'))
    return order
  if (!isOpen(order, tx.clock())) throw new Problem('offer_ended')
  if (event.status !== 'published' || tx.clock() >= eventPages.endOf(event)) throw new Problem('not_on_sale')
  const { terms } = await events.withTerms(tx, event)
  const agreement = agreementHash({ total: order.amount_total, event: { ...event, terms } })
  if (agreement !== acceptance.agreement) throw new Problem('seen_changed')
  const isPaidNow = order.amount_total > 0 && !event.requires_approval
  if (isPaidNow && acceptance.reservedUntil === undefined) throw new Problem('payment_needed')
  const { invoice = order.invoice } = acceptance
  refuseWithoutAddress(await isAddressNeeded(tx, order), invoice)
  await fillIn(tx, order, acceptance)
  const filled = withLines(order, await checkout.listByOrder(tx, id))
  await orders.setInvoice(tx, order, invoice)
  await store.acceptTerms(tx, id, terms, await tx.now())
  // Only the mail to the buyer has the link to an offer, so whoever accepts it has got that mail.
  const wanted = await markVerified(tx, { ...filled, invoice, terms })
  if (isPaidNow) return awaitPayment(tx, wanted, acceptance.reservedUntil as number)
  if (!event.requires_approval) return confirm(tx, wanted)
  const waiting = await awaitApproval(tx, wanted, reservedForApproval(event, tx.clock()))
  await queueWaiting(tx, waiting)
  return waiting
}

/** Tells whether an order is an offer that can still be accepted. @param now milliseconds of the clock */
export function isOpen({ waits_for, expires_at }: Order, now: number): boolean {
  return waits_for === 'answer' && expires_at !== null && now < Date.parse(expires_at)
}

/** Writes whose the tickets are, and the answers to the event's questions. */
async function fillIn(
  tx: WriteTx,
  { registrations }: OrderDetails,
  { lines, answers }: Acceptance,
): Promise<void> {
  for (const [at, line] of registrations.entries()) {
    const holders = lines.find(({ typeId }) => typeId === line.registration_type_id)?.tickets ?? []
    const attendees = line.attendees.flatMap(({ id }, n) => {
      const holder = holders[n]
      return holder === undefined ? [] : [{ id, ...holder }]
    })
    await amend(tx, line.id, { attendees, ...(at === 0 ? { answers } : {}) })
  }
}
