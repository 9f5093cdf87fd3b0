import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '../emails/kind.ts'
import { datePlaceOf, findUntold } from '../events/date-place.ts'
import { dayOf } from '../events/reminders.ts'
import type { DatePlace } from '../events/schemas.ts'
import { isPrivate } from '../events/states.ts'
import * as jobs from '../jobs/rules.ts'
import { type AboutEvent, encloseCalendar, readAbout } from '../orders/about.ts'
import { orderExample } from '../orders/example.ts'
import { MOST_PICTURES } from '../orders/mails.tsx'
import { listTickets, showTickets } from '../orders/ticket-parts.tsx'
import { Problem } from '../problem.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import { listChanges, showChanges, showOnline, tellPlace, tellWhen } from './date-place.tsx'
import { type Held, readHeld } from './held.ts'
import { cancelledMail, changedMail, reminderMail } from './kinds.ts'

/** What all of these mails are made of. */
interface Told extends AboutEvent {
  held: Held
  /** The page of an order, of a ticket, or else of the event; of the service where there is none that they may see. */
  link: string
}

type Body = Pick<Content, 'parts' | 'attachments'> & { values?: Record<string, string> }

/** @param tell undefined where there is nothing to say any more */
function noticeMail(
  kind: Pick<MailKind, 'name' | 'lane' | 'placeholders'>,
  tell: (tx: ReadTx, mail: MailToSend, told: Told) => Promise<Body | undefined>,
): MailKind {
  return {
    ...kind,
    isOfEvent: true,
    async read(tx, mail, server) {
      if (await isStopped(tx, mail)) return undefined
      const { account_id: accountId, language, details } = mail
      const about = await readAbout(tx, accountId, mail.event_id as string, language)
      // Who is refunded by the cancelling itself is told of it all the same.
      const held = await readHeld(tx, accountId, mail, server, kind.name === 'event_cancelled')
      if (!held.isAny) return undefined
      const link = linkOf(held, about, server)
      const body = await tell(tx, mail, { ...about, held, link })
      if (body === undefined) return undefined
      const { from, replyTo, values } = about
      const { buttons } = textsIn(language).mail
      const [ticket] = held.tickets
      const label = held.orderUrl ? buttons.order : ticket?.url ? buttons.ticket : buttons.event
      const urls = [held.orderUrl, ...held.tickets.map(({ url }) => url)]
      return {
        ...{ from, replyTo, ...body },
        values: { ...values, ...body.values, name: String(details.name ?? ''), link },
        ...(link === server.baseUrl ? {} : { button: { label, url: link } }),
        secrets: urls.filter(url => url !== undefined),
      }
    },
    async example(tx, accountId, eventId, language) {
      const content = await orderExample(tx, accountId, eventId, language)
      return content && { ...content, values: await exampleValues(tx, accountId, eventId, language, content) }
    },
  }
}

/** Somebody has stopped it: what was not sent by then is not sent. A job that is not there any more has ended long ago. */
async function isStopped(tx: ReadTx, { account_id, details }: MailToSend): Promise<boolean> {
  try {
    return (await jobs.get(tx, account_id, String(details.job))).state === 'stopped'
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false
    throw error
  }
}

function linkOf(
  { orderUrl, tickets: [first] }: Held,
  { account, event }: AboutEvent,
  server: Server,
): string {
  if (orderUrl !== undefined) return orderUrl
  if (first?.url !== undefined) return first.url
  // A private page is shown to nobody without a code.
  if (account.slug === null || isPrivate(event.visibility)) return server.baseUrl
  return `${server.baseUrl}/${account.slug}/${event.slug}/`
}

/** An event that was moved meanwhile, or has begun, is reminded of no more. */
const ofReminder = noticeMail(reminderMail, async (tx, mail, told) => {
  const { event, held, link } = told
  const { language, now, account_id: accountId } = mail
  const start = event.starts_at === null ? Number.NaN : Date.parse(event.starts_at)
  const isDue = event.status === 'published' && event.reminder !== 'off' && now < start
  if (!isDue || mail.cause !== `${event.id} ${dayOf(start, event.timezone)}`) return undefined
  if (held.tickets.length === 0) return undefined
  const shown = showTickets(held.tickets.slice(0, MOST_PICTURES), language)
  const calendar = await encloseCalendar(tx, accountId, told, { url: link, method: 'PUBLISH', now })
  return {
    parts: [
      ...showOnline(event.online_url, language),
      ...shown.parts,
      ...listTickets(held.tickets.slice(MOST_PICTURES)),
    ],
    attachments: [...shown.attachments, ...calendar],
  }
})

/** What was changed back meanwhile is told no more. */
const ofChange = noticeMail(changedMail, async (tx, mail, told) => {
  const { event, held, link } = told
  const { language, now, account_id: accountId } = mail
  const was = mail.details.was as DatePlace
  const is = datePlaceOf(event)
  const changes = listChanges(was, is, language, { withOnline: held.isConfirmed })
  if (event.status !== 'published' || changes.length === 0) return undefined
  return {
    values: valuesOf(was, is, language),
    parts: showChanges(changes, language),
    // Who is not confirmed has no entry in a calendar yet.
    attachments: held.isConfirmed
      ? await encloseCalendar(tx, accountId, told, { url: link, method: 'PUBLISH', now })
      : [],
  }
})

function valuesOf(was: DatePlace, is: DatePlace, language: Language): Record<string, string> {
  return {
    ...{ when: tellWhen(is, language), place: tellPlace(is) },
    ...{ was_when: tellWhen(was, language), was_place: tellPlace(was) },
  }
}

/** One that takes place after all is not told of. */
const ofCancelled = noticeMail(cancelledMail, async (tx, mail, told) => {
  if (told.event.status !== 'cancelled') return undefined
  const of = { url: told.link, method: 'CANCEL', now: mail.now } as const
  return {
    attachments: told.held.isConfirmed ? await encloseCalendar(tx, mail.account_id, told, of) : [],
  }
})

/** With the change that nobody was told of yet, or a made-up one. */
async function exampleValues(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  language: Language,
  { values }: Content,
): Promise<Record<string, string>> {
  const { event } = await readAbout(tx, accountId, eventId, language)
  const was = await findUntold(tx, accountId, eventId)
  const { was_when, was_place } = textsIn(language).messages.placeholders
  const madeUp = { was_when: was_when?.example ?? '', was_place: was_place?.example ?? '' }
  return { ...values, ...(was === undefined ? madeUp : valuesOf(was, datePlaceOf(event), language)) }
}

export const noticeMails: readonly MailKind[] = [ofReminder, ofChange, ofCancelled]
