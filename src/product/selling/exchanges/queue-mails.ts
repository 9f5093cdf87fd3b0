import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { queueToNewHolders } from '#product/selling/orders/names.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { exchangedMail, givenOnMail } from './kinds.ts'

/** A ticket that was exchanged, and the registration that took its place. */
export interface OfExchange {
  former: { id: string; name: string | null; email: string | null }
  made: Registration
  isSamePerson: boolean
}

/**
 * Queues the mails of an exchange. Somebody else who gets the ticket gets it as any new holder does, and the earlier holder hears
 * that it is not theirs any more. Otherwise whoever had the ticket gets the new one. As long as the order is not verified, nobody
 * but its buyer is mailed.
 *
 * @param order as it was before the exchange
 */
export async function queueExchanged(
  tx: WriteTx,
  order: OrderDetails,
  { former, made, isSamePerson }: OfExchange,
): Promise<void> {
  const [ticket] = made.attendees
  if (ticket === undefined) return
  const { id, buyer, event_id: eventId, language } = order
  const isBuyers = (email: string | null) => email === null || emailKey(email) === emailKey(buyer.email)
  const mayMail = (email: string | null) => isBuyers(email) || order.verified_at !== null
  const of = { language, eventId, subjectId: id, details: { ticket: ticket.id, former: former.id } }
  if (!isSamePerson && !isBuyers(ticket.email))
    await queueToNewHolders(tx, order, [{ ...ticket, name: ticket.name ?? buyer.name }])
  else if (mayMail(ticket.email)) {
    const recipient = ticket.email ?? buyer.email
    if (recipient !== ERASED_EMAIL) await queue(tx, exchangedMail, { ...of, cause: ticket.id, recipient })
    await attendees.noteMailed(tx, [ticket.id])
  }
  const before = former.email ?? buyer.email
  const isElsewhere = emailKey(before) !== emailKey(ticket.email ?? buyer.email)
  if (isElsewhere && mayMail(former.email) && before !== ERASED_EMAIL)
    await queue(tx, givenOnMail, { ...of, cause: ticket.id, recipient: before })
}
