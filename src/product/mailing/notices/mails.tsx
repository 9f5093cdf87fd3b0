import { Problem } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import { datePlaceOf, findUnnotified, isOnlineOnly } from '#product/catalog/events/date-place.ts'
import { dayOf } from '#product/catalog/events/reminders.ts'
import type { DatePlace } from '#product/catalog/events/schemas.ts'
import { type AboutEvent, encloseCalendar, readAbout } from '#product/selling/orders/about.ts'
import { orderExample } from '#product/selling/orders/example.ts'
import { showOnline } from '#product/selling/orders/online-part.tsx'
import {
  type RecipientTickets,
  readRecipientTickets,
  secretsOf,
} from '#product/selling/orders/recipient-tickets.ts'
import {
  askToPassOn,
  listTickets,
  MOST_PICTURES,
  showTickets,
} from '#product/selling/orders/ticket-parts.tsx'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { describePlace, describeWhen, listChanges, showChanges } from './date-place.tsx'
import { cancelledMail, changedMail, reminderMail } from './kinds.ts'

/** Holds the parts from which all of these mails are made. */
interface NoticeParts extends AboutEvent {
  owned: RecipientTickets
  /** The page of an order, of a ticket, or else of the event. It is that of the service if there is none that they may see. */
  link: string
  server: Server
}

type Body = Pick<Content, 'parts' | 'attachments'> & { values?: Record<string, string> }

/**
 * Makes the kind of a notice mail.
 *
 * @param compose returns undefined if there is nothing left to say
 */
function noticeMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  compose: (tx: ReadTx, mail: MailToSend, about: NoticeParts) => Promise<Body | undefined>,
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    async read(tx, mail, server) {
      if (await isStopped(tx, mail)) return undefined
      const { language, details } = mail
      const about = await readAbout(tx, mail.event_id as string, language)
      // A person whom the cancellation of the event itself refunds still gets the notice.
      const owned = await readRecipientTickets(tx, mail, server, kind.name === 'event_cancelled')
      if (!owned.isAny) return undefined
      const link = linkOf(owned, about, server)
      const body = await compose(tx, mail, { ...about, owned, link, server })
      if (body === undefined) return undefined
      const { from, replyTo, values } = about
      const { buttons } = textsIn(language).mail
      const [ticket] = owned.tickets
      const label = owned.orderUrl ? buttons.order : ticket?.url ? buttons.ticket : buttons.event
      return {
        ...{ from, replyTo, ...body },
        values: { ...values, ...body.values, name: String(details.name ?? ''), link },
        ...(link === server.baseUrl ? {} : { button: { label, url: link } }),
        secrets: secretsOf(owned),
      }
    },
    async example(tx, eventId, language) {
      const content = await orderExample(tx, eventId, language)
      return content && { ...content, values: await exampleValues(tx, eventId, language, content) }
    },
  }
}

/**
 * Returns whether somebody has stopped the job, so that mails that were not sent by then are not sent. A job that no longer
 * exists ended long ago.
 */
async function isStopped(tx: ReadTx, { details }: MailToSend): Promise<boolean> {
  try {
    return (await jobs.get(tx, String(details.job))).state === 'stopped'
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false
    throw error
  }
}

function linkOf(
  { orderUrl, tickets: [first] }: RecipientTickets,
  { account, event }: AboutEvent,
  server: Server,
): string {
  if (orderUrl !== undefined) return orderUrl
  if (first?.url !== undefined) return first.url
  return pageForAll(server.baseUrl, account.slug, event) ?? server.baseUrl
}

/** No reminder goes out for an event that was moved meanwhile or has begun. */
const ofReminder = noticeMail(reminderMail, async (tx, mail, about) => {
  const { event, owned, server } = about
  const { language, now } = mail
  const start = event.starts_at === null ? Number.NaN : Date.parse(event.starts_at)
  const isDue = event.status === 'published' && event.reminder !== 'off' && now < start
  if (!isDue || mail.cause !== `${event.id} ${dayOf(start, event.timezone)}`) return undefined
  if (owned.tickets.length === 0) return undefined
  const shown = showTickets(owned.tickets.slice(0, MOST_PICTURES), language)
  const calendar = await encloseCalendar(tx, about, { server, method: 'PUBLISH', now })
  return {
    isOnline: isOnlineOnly(event),
    parts: [
      ...showOnline(event.online_url, language),
      ...(owned.orderUrl === undefined ? [] : askToPassOn(language)),
      ...shown.parts,
      ...listTickets(owned.tickets.slice(MOST_PICTURES)),
    ],
    attachments: [...shown.attachments, ...calendar],
  }
})

/** No mail reports a change that was reverted meanwhile. */
const ofChange = noticeMail(changedMail, async (tx, mail, about) => {
  const { event, owned, server } = about
  const { language, now } = mail
  const was = mail.details.was as DatePlace
  const is = datePlaceOf(event)
  const changes = listChanges(was, is, language, { withOnline: owned.isConfirmed })
  if (event.status !== 'published' || changes.length === 0) return undefined
  return {
    values: valuesOf(was, is, language),
    parts: showChanges(changes, language),
    // A person who is not confirmed has no entry in a calendar yet.
    attachments: owned.isConfirmed
      ? await encloseCalendar(tx, about, { server, method: 'PUBLISH', now })
      : [],
  }
})

function valuesOf(was: DatePlace, is: DatePlace, language: Language): Record<string, string> {
  return {
    ...{ when: describeWhen(is, language), place: describePlace(is) },
    ...{ was_when: describeWhen(was, language), was_place: describePlace(was) },
  }
}

/** No mail reports a cancellation that was revoked. */
const ofCancelled = noticeMail(cancelledMail, async (tx, mail, about) => {
  if (about.event.status !== 'cancelled') return undefined
  const of = { server: about.server, method: 'CANCEL', now: mail.now } as const
  return {
    attachments: about.owned.isConfirmed ? await encloseCalendar(tx, about, of) : [],
  }
})

/** Returns the values of an example, with the change that nobody was notified of yet, or a made-up one. */
async function exampleValues(
  tx: ReadTx,
  eventId: string,
  language: Language,
  { values }: Content,
): Promise<Record<string, string>> {
  const { event } = await readAbout(tx, eventId, language)
  const was = await findUnnotified(tx, eventId)
  const { was_when, was_place } = textsIn(language).messages.placeholders
  const madeUp = { was_when: was_when?.example ?? '', was_place: was_place?.example ?? '' }
  return { ...values, ...(was === undefined ? madeUp : valuesOf(was, datePlaceOf(event), language)) }
}

export const noticeMails: readonly MailKind[] = [ofReminder, ofChange, ofCancelled]
