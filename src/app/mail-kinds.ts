import { acceptedMail, rejectedMail } from '../abstracts/mails.ts'
import { announcementMail } from '../announcements/mail.ts'
import type { MailKind } from '../emails/kind.ts'
import { testMail } from '../emails/test-mail.ts'
import { noticeMails } from '../notices/mails.tsx'
import { cancelledMails } from '../orders/cancelled-mails.tsx'
import { orderMails } from '../orders/mails.tsx'
import { disputeMails } from '../payments/dispute-mails.tsx'
import { paymentMails } from '../payments/mails.tsx'
import { invitationMail, resetMail } from '../users/mails.ts'
import { ofWaiting } from '../waitlist/mails.ts'
import { failingMail } from '../webhooks/mails.ts'

/** Every kind of mail that is sent. */
export const mailKinds: readonly MailKind[] = [
  invitationMail,
  resetMail,
  acceptedMail,
  rejectedMail,
  failingMail,
  testMail,
  announcementMail,
  ...orderMails,
  ...cancelledMails,
  ...paymentMails,
  ...disputeMails,
  ...noticeMails,
  ofWaiting,
]
