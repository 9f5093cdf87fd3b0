import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind } from '#machinery/mail/kind.ts'
import { testMail } from '#machinery/mail/test-mail.ts'
import { invitationMail, resetMail } from '#product/administration/users/mails.ts'
import { failingMail } from '#product/administration/webhooks/mails.ts'
import { isDeleting } from '#product/catalog/events/deleting.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { ofWaiting } from '#product/catalog/waitlist/mails.ts'
import { forgettingMail } from '#product/data-care/forgetting/mails.ts'
import { announcementMail } from '#product/mailing/announcements/mail.ts'
import { noticeMails } from '#product/mailing/notices/mails.tsx'
import { afterMails } from '#product/programme/decisions/after-mails.ts'
import { decisionMails } from '#product/programme/decisions/mails.ts'
import { placeMails } from '#product/programme/publishing/mails.ts'
import { reviewMails } from '#product/programme/reviews/mails.ts'
import { submissionMails } from '#product/programme/submissions/mails.ts'
import { exchangeMails } from '#product/selling/exchanges/mails.tsx'
import { guestMails } from '#product/selling/guest-mails/mails.tsx'
import { cancelledMails } from '#product/selling/order-mails/cancelled-mails.tsx'
import { orderMails } from '#product/selling/order-mails/mails.tsx'
import { paymentMails } from '#product/selling/order-mails/money-mails.tsx'
import { ticketsAgainMail } from '#product/selling/orders/again-mail.tsx'
import { disputeMails } from '#product/selling/payments/dispute-mails.tsx'

/** Withdraws mails about an event that is being deleted, whatever they say. Their rows go with the event a moment later. */
function keptWithEvent(kind: MailKind): MailKind {
  return {
    ...kind,
    read: async (tx, mail, server) =>
      mail.event_id !== null && (await isDeleting(tx, mail.event_id))
        ? undefined
        : kind.read(tx, mail, server),
  }
}

/** Gives mails about an event the look of its organizer. Others go to the organizer's own team. */
function withLook(kind: MailKind): MailKind {
  const { example } = kind
  const look = async (tx: ReadTx, eventId: string | null, content: Content | undefined) =>
    content === undefined || eventId === null || !kind.isOfEvent
      ? content
      : { ...content, look: await looks.carry(tx, eventId) }
  return {
    ...kind,
    read: async (tx, mail, server) => look(tx, mail.event_id, await kind.read(tx, mail, server)),
    ...(example && {
      example: async (tx, eventId, language) =>
        look(tx, eventId, await example.call(kind, tx, eventId, language)),
    }),
  }
}

/** All kinds of mail that a server sends. */
export const mailKinds: readonly MailKind[] = [
  invitationMail,
  resetMail,
  ...decisionMails,
  ...placeMails,
  ...submissionMails,
  ...afterMails,
  ...reviewMails,
  failingMail,
  forgettingMail,
  testMail,
  announcementMail,
  ...orderMails,
  ticketsAgainMail,
  ...cancelledMails,
  ...exchangeMails,
  ...guestMails,
  ...paymentMails,
  ...disputeMails,
  ...noticeMails,
  ofWaiting,
]
  .map(withLook)
  .map(keptWithEvent)
