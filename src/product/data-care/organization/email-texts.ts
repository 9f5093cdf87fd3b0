import * as v from 'valibot'
import { says } from '#base/faults.ts'
import { closedObject } from '#base/fields.ts'
import type { MailKind, MailText, OwnText } from '#machinery/mail/kind.ts'
import { mailTextFields } from '#machinery/mail/schemas.ts'
import { placeholdersIn } from '#machinery/web/components/markdown.tsx'
import { placeFreeMail } from '#product/catalog/waitlist/kinds.ts'
import { cancelledMail, changedMail, reminderMail } from '#product/mailing/notices/kinds.ts'
import { afterKinds } from '#product/programme/decisions/after-kinds.ts'
import { acceptedMail, rejectedMail } from '#product/programme/decisions/kinds.ts'
import { placeMails } from '#product/programme/publishing/mails.ts'
import { reviewKinds } from '#product/programme/reviews/kinds.ts'
import { submissionKinds } from '#product/programme/submissions/kinds.ts'
import { exchangedMail, givenOnMail } from '#product/selling/exchanges/kinds.ts'
import { guestCancelledMail, guestTicketsMail } from '#product/selling/guest-mails/kinds.ts'
import {
  againMail,
  confirmedMail,
  declinedMail,
  holderMail,
  offeredMail,
  orderCancelledMail,
  ticketCancelledMail,
  waitingMail,
  withdrawnMail,
} from '#product/selling/orders/kinds.ts'
import {
  paymentDueMail,
  paymentUnderWayMail,
  refundMail,
  returnedMail,
  unpaidMail,
} from '#product/selling/payments/kinds.ts'
import { type Language, languages } from '#texts/languages.ts'
import { type Planned, planRow } from './plan-row.ts'

/** Lists the mails about an event, each with the placeholders that its text may name. */
export const eventMails: readonly Pick<MailKind, 'name' | 'placeholders'>[] = [
  acceptedMail,
  rejectedMail,
  ...placeMails,
  ...submissionKinds,
  ...afterKinds,
  ...reviewKinds,
  confirmedMail,
  waitingMail,
  declinedMail,
  offeredMail,
  holderMail,
  againMail,
  orderCancelledMail,
  withdrawnMail,
  ticketCancelledMail,
  exchangedMail,
  givenOnMail,
  guestTicketsMail,
  guestCancelledMail,
  paymentDueMail,
  paymentUnderWayMail,
  unpaidMail,
  returnedMail,
  refundMail,
  reminderMail,
  changedMail,
  cancelledMail,
  placeFreeMail,
]

/** Holds the texts that an organizer gives to mails of an event, by kind and language. */
export type EmailTexts = Partial<Record<string, Partial<Record<Language, MailText>>>>

export const emailTextsSchema = closedObject(
  Object.fromEntries(
    eventMails.map(({ name, placeholders }) => {
      const text = closedObject({
        subject: v.pipe(mailTextFields.subject, knowing(placeholders)),
        body: v.pipe(mailTextFields.body, knowing(placeholders)),
      })
      return [
        name,
        v.optional(closedObject(Object.fromEntries(languages.map(each => [each, v.optional(text)])))),
      ]
    }),
  ),
) as unknown as v.GenericSchema<EmailTexts, EmailTexts>

function knowing(placeholders: readonly string[]) {
  return v.check<string, string>(
    text => placeholdersIn(text).every(name => placeholders.includes(name)),
    says('placeholders', { values: placeholders }),
  )
}

/** Lists the texts as the database has them. */
export function listTexts(texts: EmailTexts): OwnText[] {
  return eventMails.flatMap(({ name: kind }) =>
    languages.flatMap(language => {
      const text = texts[kind]?.[language]
      return text === undefined ? [] : [{ kind, language, ...text }]
    }),
  )
}

/** Groups the texts as a file has them. It returns undefined if there are none. */
export function groupTexts(own: readonly OwnText[]): EmailTexts | undefined {
  const texts: EmailTexts = {}
  for (const { kind, language, subject, body } of own) {
    texts[kind] = { ...texts[kind], [language]: { subject, body } }
  }
  return own.length === 0 ? undefined : texts
}

/** Plans the texts of a file. Those that only the database has stay as they are. */
export function planTexts(current: readonly OwnText[] | undefined, texts: EmailTexts): Planned<OwnText>[] {
  return listTexts(texts).map(row => {
    const existing = current?.find(({ kind, language }) => kind === row.kind && language === row.language)
    return planRow(existing, row)
  })
}
