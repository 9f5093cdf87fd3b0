import * as accounts from '../accounts/rules.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '../emails/kind.ts'
import { queue } from '../emails/outbox.ts'
import { Format } from '../web/format.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { LinkKind } from './link-store.ts'
import * as links from './links.ts'
import type { Invitation, Language, User } from './schemas.ts'

/** Invites somebody to an organization. */
export const invitationMail: MailKind = {
  name: 'invitation',
  lane: 'others',
  isOfEvent: false,
  placeholders: ['organizer', 'email', 'until'],
  read: (tx, mail, server) => readLink(tx, mail, server, 'join'),
}

/** Leads to a new password. */
export const resetMail: MailKind = {
  name: 'password_reset',
  lane: 'others',
  isOfEvent: false,
  placeholders: ['organizer', 'name', 'until'],
  read: (tx, mail, server) => readLink(tx, mail, server, 'reset'),
}

/** A link that was used, voided or is over needs no mail. Its token is in no other place. */
async function readLink(
  tx: ReadTx,
  { account_id, details, language, recipient, now }: MailToSend,
  { baseUrl }: Server,
  button: 'join' | 'reset',
): Promise<Content | undefined> {
  const token = String(details.token)
  const link = await links.look(tx, token, now)
  if (link?.status !== 'open') return undefined
  const { name: organizer, email, timezone } = await accounts.get(tx, account_id)
  const url = links.linkUrl(baseUrl, link.kind as LinkKind, token)
  return {
    from: organizer,
    replyTo: email,
    values: {
      organizer,
      email: recipient,
      name: link.kind === 'reset' ? link.user.name : '',
      until: new Format(language, timezone).dateTime(link.expires_at),
    },
    button: { label: textsIn(language).mail.buttons[button], url },
    secrets: [token],
  }
}

/** Mails an invitation, in the transaction that makes it. @param language of whoever invites: nobody knows another */
export async function tellInvitation(
  tx: WriteTx,
  accountId: string,
  { id, token, invitation }: links.NewLink & { invitation: Invitation },
  language: Language,
): Promise<void> {
  const { email: recipient } = invitation
  await queue(tx, accountId, invitationMail, { cause: id, recipient, language, details: { token } })
}

/** Mails a link for a new password, in the transaction that makes it. */
export async function tellReset(
  tx: WriteTx,
  accountId: string,
  { id: subjectId, email: recipient, language }: User,
  { id, token }: links.NewLink,
): Promise<void> {
  await queue(tx, accountId, resetMail, { cause: id, recipient, language, subjectId, details: { token } })
}
