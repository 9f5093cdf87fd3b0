import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { Format } from '#machinery/web/format.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
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

/** Contains the link to a new password. */
export const resetMail: MailKind = {
  name: 'password_reset',
  lane: 'others',
  isOfEvent: false,
  placeholders: ['organizer', 'name', 'until'],
  read: (tx, mail, server) => readLink(tx, mail, server, 'reset'),
}

/** Skips the mail if its link was used, voided or has expired. The token is stored nowhere else. */
async function readLink(
  tx: ReadTx,
  { details, language, recipient, now }: MailToSend,
  { baseUrl }: Server,
  button: 'join' | 'reset',
): Promise<Content | undefined> {
  const token = String(details.token)
  const link = await links.lookOfAccount(tx, token, now)
  if (link?.status !== 'open') return undefined
  const { name: organizer, email, timezone } = await accounts.get(tx)
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

/**
 * Mails an invitation, in the transaction that makes it.
 *
 * @param language the language of whoever invites, because nobody knows that of the guest
 */
export async function queueInvitation(
  tx: WriteTx,
  { id, token, invitation }: links.NewLink & { invitation: Invitation },
  language: Language,
): Promise<void> {
  const { email: recipient } = invitation
  await queue(tx, invitationMail, { cause: id, recipient, language, details: { token } })
}

/** Mails a link for a new password, in the transaction that makes it. */
export async function queueReset(
  tx: WriteTx,
  { id: subjectId, email: recipient, language }: User,
  { id, token }: links.NewLink,
): Promise<void> {
  await queue(tx, resetMail, { cause: id, recipient, language, subjectId, details: { token } })
}
