import * as accounts from '../accounts/rules.ts'
import { readInstance } from '../db/instance.ts'
import type { ReadTx } from '../db/port.ts'
import type { Content, MailKind, MailText } from '../emails/kind.ts'
import * as emails from '../emails/rules.ts'
import * as events from '../events/rules.ts'
import { placeholders } from './schemas.ts'
import * as store from './store.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

/** What an organizer writes to many: it has a text of its own. Nobody is told after it was stopped, or who wants no more of them. */
export const announcementMail: MailKind = {
  name: 'announcement',
  lane: 'announcements',
  isOfEvent: false,
  placeholders,
  async read(tx, { account_id, subject_id, recipient, details }, { baseUrl }) {
    const row = await store.find(tx, account_id, subject_id ?? '')
    if (row === undefined || row.stopped_at !== null) return undefined
    if (await emails.isUnsubscribed(tx, account_id, recipient)) return undefined
    const { cursor_secret: secret } = await readInstance(tx)
    return {
      ...(await contentOf(tx, account_id, row.event_id, row, String(details.name ?? ''))),
      unsubscribe: unsubscribeUrl(baseUrl, secret, { accountId: account_id, email: recipient }),
    }
  },
}

/** What it says to somebody, but for the way to have no more of them. */
export async function contentOf(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  { subject, body }: MailText,
  name: string,
): Promise<Content> {
  const account = await accounts.get(tx, accountId)
  const event = await events.get(tx, accountId, eventId)
  return {
    from: account.name,
    replyTo: account.email,
    values: { name, event: event.title, organizer: account.name },
    text: { subject, body },
  }
}
