import { readInstance } from '#machinery/db/instance.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailText } from '#machinery/mail/kind.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { placeholders } from './schemas.ts'
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
  async read(tx, { account_id, subject_id, recipient, details }, { baseUrl }) {
    const row = await store.find(tx, subject_id ?? '')
    if (row === undefined || row.stopped_at !== null) return undefined
    if (await emails.isUnsubscribed(tx, recipient)) return undefined
    const { cursor_secret: secret } = await readInstance(tx)
    return {
      ...(await contentOf(tx, row.event_id, row, String(details.name ?? ''))),
      unsubscribe: unsubscribeUrl(baseUrl, secret, { accountId: account_id, email: recipient }),
    }
  },
}

/** Returns what the mail says to somebody, without the link to unsubscribe. */
export async function contentOf(
  tx: ReadTx,
  eventId: string,
  { subject, body }: MailText,
  name: string,
): Promise<Content> {
  const account = await accounts.get(tx)
  const event = await events.getDetails(tx, eventId)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: { name, event: event.title, organizer: account.name },
    text: { subject, body },
  }
}
