import type { ReadTx } from '#machinery/db/port.ts'
import type { Attachment, Content, Server } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { AccountDetails } from '#product/administration/accounts/schemas.ts'
import type { CalendarMessage } from '#product/catalog/event-pages/calendar-file.ts'
import * as eventPages from '#product/catalog/event-pages/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { momentOf, placeOf } from '#product/catalog/events/when-and-where.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import type { CarriedLook } from '#product/catalog/looks/schemas.ts'
import type { Language } from '#texts/languages.ts'

/** What mails about tickets say of their event. */
export interface AboutEvent extends Pick<Content, 'from'> {
  account: AccountDetails
  look: CarriedLook
  event: EventDetails
  replyTo: string
  values: { event: string; when: string; place: string; organizer: string }
}

/** @throws Problem not_found */
export async function readAbout(tx: ReadTx, eventId: string, language: Language): Promise<AboutEvent> {
  return readAboutOf(tx, await events.getDetails(tx, eventId), language)
}

/** Does the same as `readAbout` for an event that was read before. */
export async function readAboutOf(tx: ReadTx, event: EventDetails, language: Language): Promise<AboutEvent> {
  const account = await accounts.getDetails(tx)
  return {
    account,
    look: await looks.carry(tx, event.id),
    event,
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      event: event.title,
      when: momentOf(event, event.starts_at, language),
      place: placeOf(event),
      organizer: account.name,
    },
  }
}

/**
 * Returns the event as a calendar file, as a mail encloses it.
 *
 * @param now milliseconds
 * @returns nothing while the date of the event is open
 */
export async function encloseCalendar(
  tx: ReadTx,
  { account, event, replyTo }: Pick<AboutEvent, 'account' | 'event' | 'replyTo'>,
  {
    server,
    method,
    now,
  }: { server: Pick<Server, 'baseUrl'>; method: CalendarMessage['method']; now: number },
): Promise<Attachment[]> {
  const message = { method, organizer: { name: account.name, email: replyTo }, writtenAt: now }
  const page = eventPages.pageForAll(server.baseUrl, account.slug, event)
  const file = await eventPages.readCalendar(tx, event, page, message)
  if (file === undefined) return []
  const contentType = `text/calendar; charset=utf-8; method=${method}`
  return [{ filename: `${event.slug}.ics`, contentType, content: Buffer.from(file) }]
}
