import { newUuid } from '#base/ids.ts'
import { readInstance } from '#machinery/db/instance.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailText, Server } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import { placeholdersIn } from '#machinery/web/components/markdown.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import { pageForAll } from '#product/catalog/event-pages/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import {
  type RecipientTickets,
  readRecipientTickets,
  secretsOf,
} from '#product/selling/orders/recipient-tickets.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { getDraft } from './rules.ts'
import { type Announcement, placeholders } from './schemas.ts'
import * as store from './store.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

/**
 * Describes the mail that an organizer writes to many people, with a text of its own. Nobody gets it after it was stopped, and
 * nobody who has unsubscribed.
 */
export const announcementMail: MailKind = {
  name: 'announcement',
  lane: 'announcements',
  isOfEvent: false,
  placeholders,
  async read(tx, mail, server) {
    const { account_id, subject_id, recipient, details, language } = mail
    const testOf = typeof details.test_of === 'string' ? details.test_of : undefined
    const row = await store.find(tx, subject_id ?? testOf ?? '')
    if (row === undefined || row.stopped_at !== null) return undefined
    if (testOf === undefined && (await emails.isUnsubscribed(tx, recipient))) return undefined
    const { subject, body } = row
    const text =
      testOf === undefined ? row : { subject: textsIn(language).announcements.testSubject(subject), body }
    const { cursor_secret: secret } = await readInstance(tx)
    const isLinked = placeholdersIn(`${row.subject} ${row.body}`).includes('ticket')
    const owned =
      isLinked && testOf === undefined ? await readRecipientTickets(tx, mail, server, false) : undefined
    const ticket = owned && (await linkOf(tx, row.event_id, owned, server))
    const name = String(details.name ?? '')
    return {
      ...(await contentOf(tx, row.event_id, text, { name, ticket: ticket ?? exampleLink(language) })),
      secrets: owned === undefined ? [] : secretsOf(owned),
      unsubscribe: unsubscribeUrl(server.baseUrl, secret, { accountId: account_id, email: recipient }),
    }
  },
}

/**
 * Returns the page of somebody's ticket, or of the order where a buyer has several. Who has none any more gets the page of the
 * event.
 */
async function linkOf(
  tx: ReadTx,
  eventId: string,
  { tickets, orderUrl }: RecipientTickets,
  { baseUrl }: Server,
): Promise<string> {
  const [first, ...others] = tickets
  const own = others.length === 0 ? (first?.url ?? orderUrl) : (orderUrl ?? first?.url)
  if (own !== undefined) return own
  const { slug } = await accounts.getDetails(tx)
  return pageForAll(baseUrl, slug, await events.getDetails(tx, eventId)) ?? baseUrl
}

/** Returns what stands for the link to a ticket where the mail is nobody's. */
export function exampleLink(language: Language): string {
  return textsIn(language).messages.placeholders.ticket?.example ?? ''
}

/** Somebody who writes an announcement, and wants to see it as others will. */
export interface Tester {
  name: string
  email: string
  language: Language
}

/**
 * Sends a draft to the one who writes it, with “Test” before its subject. It counts as no mail of the announcement: it has no
 * subject, and a cause of its own, so it may be sent again after each change.
 *
 * @throws Problem not_found; announcement_sent
 */
export async function sendTest(tx: WriteTx, eventId: string, id: string, to: Tester): Promise<Announcement> {
  const draft = await getDraft(tx, eventId, id)
  const { name, email: recipient, language } = to
  const details = { name, test_of: draft.id }
  await queue(tx, announcementMail, { cause: newUuid(), recipient, language, eventId, details })
  return draft
}

/** Returns what the mail says to somebody, without the link to unsubscribe. */
export async function contentOf(
  tx: ReadTx,
  eventId: string,
  { subject, body }: MailText,
  { name, ticket }: { name: string; ticket: string },
): Promise<Content> {
  const account = await accounts.get(tx)
  const event = await events.getDetails(tx, eventId)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: { name, event: event.title, organizer: account.name, ticket },
    text: { subject, body },
  }
}
