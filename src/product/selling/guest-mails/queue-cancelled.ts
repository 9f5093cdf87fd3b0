import { emailKey } from '#base/fields.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { getDetails } from '#product/guests/registrations/details.ts'
import { listMailable } from '#product/guests/registrations/mailable.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { guestCancelledMail } from './kinds.ts'

/** Returns whether somebody of a registration has got a ticket of it by mail. The others may never have heard of it. */
export async function hasTicketMail(tx: ReadTx, registrationId: string): Promise<boolean> {
  return (await listMailable(tx, [registrationId])).some(({ mailedAt }) => mailedAt !== null)
}

/**
 * Queues the mails that a registration is cancelled that was not ordered here, in the transaction that cancels it: to its buyer
 * and to each other holder, unless they were made anonymous. If it was not confirmed, only its buyer is told.
 *
 * @param before the registration before it was cancelled
 */
export async function queueGuestCancelled(
  tx: WriteTx,
  { id, event_id, buyer, attendees, confirmed_at }: Registration,
): Promise<void> {
  const tickets = attendees.filter(({ voided }) => !voided)
  const { language } = await getDetails(tx, id)
  const holders = confirmed_at === null ? [] : tickets.flatMap(({ email }) => email ?? [])
  const recipients = new Map(holders.map(email => [emailKey(email), email]))
  recipients.set(emailKey(buyer.email), buyer.email)
  const details = { tickets: tickets.map(ticket => ticket.id) }
  for (const recipient of recipients.values()) {
    if (recipient === ERASED_EMAIL) continue
    await queue(tx, guestCancelledMail, {
      ...{ cause: id, recipient, language, eventId: event_id, subjectId: id },
      details,
    })
  }
}
