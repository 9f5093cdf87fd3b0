import type { WriteTx } from '../db/port.ts'
import { type NewEmail, queue } from '../emails/outbox.ts'
import { emailKey } from '../fields.ts'
import { confirmedMail, declinedMail, holderMail, offeredMail, waitingMail } from './kinds.ts'
import type { Order, OrderDetails } from './schemas.ts'

/** To the buyer, with all tickets; to each other holder their own, all of one address in one mail. */
export async function tellConfirmed(tx: WriteTx, accountId: string, order: OrderDetails): Promise<void> {
  await queue(tx, accountId, confirmedMail, mailOf(order))
  const buyer = emailKey(order.buyer.email)
  const holders = new Map<string, string>()
  for (const { email } of order.registrations.flatMap(line => line.attendees)) {
    if (email !== null && emailKey(email) !== buyer) holders.set(emailKey(email), email)
  }
  for (const recipient of holders.values()) {
    await queue(tx, accountId, holderMail, { ...mailOf(order), recipient })
  }
}

function mailOf({ id, event_id, buyer, language }: Order): NewEmail {
  return { cause: id, recipient: buyer.email, language, eventId: event_id, subjectId: id }
}

/** To the buyer: that the organizer has to approve it. */
export async function tellWaiting(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queue(tx, accountId, waitingMail, mailOf(order))
}

/** To somebody on a waitlist: that places are held for them. */
export async function tellOffered(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queue(tx, accountId, offeredMail, mailOf(order))
}

/** To the buyer: that it was not approved. */
export async function tellDeclined(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queue(tx, accountId, declinedMail, mailOf(order))
}

/** To the buyer, once more: all that was sent when the order was confirmed, or what is offered. */
export async function tellAgain(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  const cause = `${order.id} ${await tx.now()}`
  const kind = order.waits_for === 'answer' ? offeredMail : confirmedMail
  await queue(tx, accountId, kind, { ...mailOf(order), cause })
}
