import type { WriteTx } from '../db/port.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import { amend } from '../registrations/amendment.ts'
import { DAY } from '../time.ts'
import { seenOf } from './basket.ts'
import type { NewOrder } from './place.ts'
import * as orders from './rules.ts'
import type { Order, OrderDetails } from './schemas.ts'
import * as store from './store.ts'
import { tellWaiting } from './telling.ts'

/** What somebody says who takes what is offered: its lines are those of the order. */
export type Taken = Pick<NewOrder, 'lines' | 'answers' | 'seen' | 'heldUntil' | 'invoice'>

/**
 * Takes what is offered: confirms it, or has it wait for approval, where each order needs that, or to be paid. Taken again it stays as
 * it is.
 *
 * @throws Problem not_found; offer_ended; not_on_sale where the event is over or not on any more; seen_changed where the terms
 *   are not those that the buyer has seen; payment_needed; those of `amend`
 */
export async function take(tx: WriteTx, accountId: string, id: string, taken: Taken): Promise<Order> {
  const order = await orders.getDetails(tx, accountId, id)
  if (order.status === 'confirmed' || (order.status === 'pending' && order.waits_for !== 'answer'))
    return order
  if (!isOpen(order, tx.clock())) throw new Problem('offer_ended')
  const event = await events.getDetails(tx, accountId, order.event_id)
  if (event.status !== 'published' || tx.clock() >= eventPages.endOf(event)) throw new Problem('not_on_sale')
  if (seenOf({ total: order.amount_total, event }) !== taken.seen) throw new Problem('seen_changed')
  const isPaidNow = order.amount_total > 0 && !event.requires_approval
  if (isPaidNow && taken.heldUntil === undefined) throw new Problem('payment_needed')
  await fillIn(tx, accountId, order, taken)
  if (taken.invoice !== undefined) await orders.setInvoice(tx, accountId, order, taken.invoice)
  await store.acceptTerms(tx, accountId, id, event.terms, await tx.now())
  if (isPaidNow) return orders.awaitPayment(tx, accountId, id, taken.heldUntil as number)
  if (!event.requires_approval) return orders.confirm(tx, accountId, id)
  const until = tx.clock() + event.approval_days * DAY
  await store.setWaiting(tx, accountId, id, 'approval', until, await tx.now())
  const waiting = await orders.get(tx, accountId, id)
  await tellWaiting(tx, accountId, waiting)
  return waiting
}

/** Whether an order is an offer that can still be taken. @param now milliseconds of the clock */
export function isOpen({ waits_for, expires_at }: Order, now: number): boolean {
  return waits_for === 'answer' && expires_at !== null && now < Date.parse(expires_at)
}

/** Whose the tickets are, and what was asked. */
async function fillIn(
  tx: WriteTx,
  accountId: string,
  { registrations }: OrderDetails,
  { lines, answers }: Taken,
): Promise<void> {
  for (const [at, line] of registrations.entries()) {
    const holders = lines.find(({ typeId }) => typeId === line.registration_type_id)?.tickets ?? []
    const attendees = line.attendees.flatMap(({ id }, n) => {
      const holder = holders[n]
      return holder === undefined ? [] : [{ id, ...holder }]
    })
    await amend(tx, accountId, line.id, { attendees, ...(at === 0 ? { answers } : {}) })
  }
}
