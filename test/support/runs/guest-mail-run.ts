import type { Database } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { gatherTickets, readRegistrations } from '#product/guests/registrations/gathered-tickets.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { renewLinks } from '#product/guests/registrations/ticket-links.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import { forecastSending, inMails } from '#product/selling/guest-mails/forecast-sending.ts'
import {
  sendOfRegistration,
  sendTicket,
  sendTickets,
  startSending,
} from '#product/selling/guest-mails/send-tickets.ts'
import { findLinkedTicket, readTicketUrls } from '#product/selling/orders/ticket-urls.ts'
import { asInstance } from '#test/support/as-instance.ts'

/** Sends tickets to guests who were brought in, in each way, and tells them of a cancellation. */
export async function mailGuests(
  db: Database,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const by = 'cli'
  const actor = { accountId, who: by, requestId: null, address: null }
  const buyer = { name: 'Mia', email: 'mia@example.org' }
  const guest = { event_id: eventId, registration_type_id: typeId, buyer }
  const made = await db.write(accountId, tx => registrations.create(tx, guest))
  const [ticket] = made.resource.attendees
  await db.write(accountId, tx => renewLinks(tx, made.resource.id))
  await db.read(accountId, async tx => {
    await findLinkedTicket(asInstance(tx), { id: ticket?.id as string, version: 2 })
    await readTicketUrls(tx, made.resource.id, { baseUrl: '', secret: 's' })
  })
  for (const choice of [{ registrationIds: [made.resource.id] }, {}, { text: 'mia' }])
    await forecastSending(db, accountId, { event_id: eventId, ...choice })
  for (const sent of [undefined, 'yes', 'no'] as const) {
    const filters = { event_id: eventId, sent }
    const found = await gatherTickets(db, accountId, filters, { sort: 'checked_in', typeIds: [typeId] })
    await readRegistrations(db, accountId, found.tickets)
  }
  const { tickets } = await forecastSending(db, accountId, { event_id: eventId })
  await db.write(accountId, async tx => {
    const { id } = await startSending(tx, eventId, { mails: inMails(tickets, true), again: true, by })
    const claimed = await jobs.claim(tx, id, null)
    if (claimed !== undefined) await sendTickets.run(tx, claimed.job, actor)
    await jobs.stop(tx, id)
    await sendOfRegistration(tx, eventId, made.resource.id)
    await sendTicket(tx, eventId, ticket?.id as string)
    await cancellations.cancel(tx, made.resource.id, { notified: 'heard' })
  })
}
