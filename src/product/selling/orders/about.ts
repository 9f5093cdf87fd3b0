import * as accounts from '../accounts/rules.ts'
import type { AccountDetails } from '../accounts/schemas.ts'
import type { ReadTx } from '../db/port.ts'
import type { Attachment, Content } from '../emails/kind.ts'
import type { CalendarMessage } from '../event-pages/calendar-file.ts'
import * as eventPages from '../event-pages/rules.ts'
import * as events from '../events/rules.ts'
import type { EventDetails } from '../events/schemas.ts'
import { Format } from '../web/format.ts'
import type { Language } from '../web/texts/languages.ts'

/** What mails about tickets say of their event. */
export interface AboutEvent extends Pick<Content, 'from'> {
  account: AccountDetails
  event: EventDetails
  replyTo: string
  values: { event: string; when: string; place: string; organizer: string }
}

/** @throws Problem not_found */
export async function readAbout(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  language: Language,
): Promise<AboutEvent> {
  const account = await accounts.getDetails(tx, accountId)
  const event = await events.getDetails(tx, accountId, eventId)
  return {
    account,
    event,
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      event: event.title,
      when: momentOf(event, event.starts_at, language),
      place: [event.venue, event.city].filter(Boolean).join(', '),
      organizer: account.name,
    },
  }
}

/** An instant as the clocks of an event show it; empty where there is none. */
export function momentOf(
  { timezone }: Pick<EventDetails, 'timezone'>,
  instant: string | null,
  language: Language,
): string {
  return instant === null ? '' : `${new Format(language, timezone).dateTime(instant)} (${timezone})`
}

/**
 * The event for a calendar, as a mail encloses it.
 *
 * @param url of its page
 * @param now milliseconds
 * @returns none while its date is open
 */
export async function encloseCalendar(
  tx: ReadTx,
  accountId: string,
  { account, event, replyTo }: Pick<AboutEvent, 'account' | 'event' | 'replyTo'>,
  { url, method, now }: { url: string; method: CalendarMessage['method']; now: number },
): Promise<Attachment[]> {
  const message = { method, organizer: { name: account.name, email: replyTo }, writtenAt: now }
  const file = await eventPages.readCalendar(tx, accountId, event, url, message)
  if (file === undefined) return []
  const contentType = `text/calendar; charset=utf-8; method=${method}`
  return [{ filename: `${event.slug}.ics`, contentType, content: Buffer.from(file) }]
}
