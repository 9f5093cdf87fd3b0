import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { DAY } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { amend } from '#product/guests/registrations/amendment.ts'
import { holderMail } from './kinds.ts'
import { queueVerification } from './queue-mails.ts'
import * as orders from './rules.ts'
import { type OrderDetails, ticketLines } from './schemas.ts'

/** Returns until when buyers may change names, in milliseconds. */
export function namesLockedAt({ names_locked_at, starts_at }: EventDetails): number {
  return Date.parse(names_locked_at ?? starts_at ?? '9999-12-31T00:00:00Z')
}

/** The most mails to ticket holders that one order may cause within a day. */
const MOST_NOTIFIED = 40

export interface NewHolder {
  /** The id of the ticket. */
  id: string
  name: string
  /** It is null if the buyer has the ticket. */
  email: string | null
}

/**
 * Changes the holders of an order's tickets, until names are locked. Whoever gets a ticket by this is sent it, once the order is
 * verified.
 *
 * @returns the names of the fields whose values changed
 * @throws Problem not_found for a ticket of another order; too_late; order_ended; registration_erased; too_many_mails if the
 *   order has sent tickets to many holders within a day
 */
export async function rename(
  tx: WriteTx,
  orderId: string,
  event: EventDetails,
  holders: readonly NewHolder[],
): Promise<string[]> {
  const order = await orders.getDetails(tx, orderId)
  if (order.status !== 'confirmed' && order.status !== 'pending') throw new Problem('order_ended')
  if (tx.clock() >= namesLockedAt(event)) throw new Problem('too_late')
  const tickets = ticketLines(order).flatMap(line => line.attendees)
  if (holders.some(({ id }) => !tickets.some(ticket => ticket.id === id))) throw new Problem('not_found')
  const changed: string[] = []
  for (const line of order.registrations) {
    const own = holders.filter(({ id }) => line.attendees.some(ticket => ticket.id === id))
    const stands = line.status === 'confirmed' || line.status === 'pending'
    if (!stands || own.length === 0) continue
    changed.push(...(await amend(tx, line.id, { attendees: own })).changed)
  }
  if (order.status === 'confirmed') await queueToNewHolders(tx, order, holders)
  return changed
}

/**
 * Sends the tickets to those who did not have them before, as the order was. If the order is not verified, its buyer gets the link that sends them
 * instead.
 */
export async function queueToNewHolders(
  tx: WriteTx,
  order: OrderDetails,
  holders: readonly NewHolder[],
): Promise<void> {
  const tickets = order.registrations.flatMap(line => line.attendees)
  const isOther = (email: string | null, than: string | null) =>
    email !== null && (than === null || emailKey(than) !== emailKey(email))
  const notified = holders.filter(({ id, email }) => {
    const was = tickets.find(ticket => ticket.id === id)?.email ?? null
    return isOther(email, was) && isOther(email, order.buyer.email)
  })
  if (notified.length === 0) return
  if (order.verified_at === null) {
    await queueVerification(tx, order)
    return
  }
  const now = await tx.now()
  const of = { subjectId: order.id, kind: holderMail.name, since: now - DAY }
  if ((await emails.countSince(tx, of, MOST_NOTIFIED)) + notified.length > MOST_NOTIFIED)
    throw new Problem('too_many_mails')
  const { language, event_id: eventId, id: subjectId } = order
  for (const { id, email } of notified) {
    const mail = { cause: `${order.id} ${id} ${now}`, recipient: email as string, language }
    await queue(tx, holderMail, { ...mail, eventId, subjectId })
  }
  await attendees.noteMailed(
    tx,
    notified.map(({ id }) => id),
  )
}
