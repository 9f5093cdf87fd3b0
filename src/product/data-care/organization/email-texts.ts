import * as v from 'valibot'
import { acceptedMail, rejectedMail } from '../abstracts/mails.ts'
import type { MailKind, MailText, OwnText } from '../emails/kind.ts'
import { mailTextFields } from '../emails/schemas.ts'
import { says } from '../faults.ts'
import { closedObject } from '../fields.ts'
import { cancelledMail, changedMail, reminderMail } from '../notices/kinds.ts'
import {
  confirmedMail,
  declinedMail,
  holderMail,
  offeredMail,
  orderCancelledMail,
  ticketCancelledMail,
  waitingMail,
  withdrawnMail,
} from '../orders/kinds.ts'
import { paymentDueMail, refundMail, returnedMail, unpaidMail } from '../payments/kinds.ts'
import { placeFreeMail } from '../waitlist/kinds.ts'
import { placeholdersIn } from '../web/components/markdown.tsx'
import { type Language, languages } from '../web/texts/languages.ts'
import { type Planned, planRow } from './plan-row.ts'

/** The mails about an event, each with what its text may name. */
export const eventMails: readonly Pick<MailKind, 'name' | 'placeholders'>[] = [
  acceptedMail,
  rejectedMail,
  confirmedMail,
  waitingMail,
  declinedMail,
  offeredMail,
  holderMail,
  orderCancelledMail,
  withdrawnMail,
  ticketCancelledMail,
  paymentDueMail,
  unpaidMail,
  returnedMail,
  refundMail,
  reminderMail,
  changedMail,
  cancelledMail,
  placeFreeMail,
]

/** What an organizer has mails of an event say, by kind and language. */
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

/** A list of them, as the database has it. */
export function listTexts(texts: EmailTexts): OwnText[] {
  return eventMails.flatMap(({ name: kind }) =>
    languages.flatMap(language => {
      const text = texts[kind]?.[language]
      return text === undefined ? [] : [{ kind, language, ...text }]
    }),
  )
}

/** The same as a file has it: undefined where there is none. */
export function groupTexts(own: readonly OwnText[]): EmailTexts | undefined {
  const texts: EmailTexts = {}
  for (const { kind, language, subject, body } of own) {
    texts[kind] = { ...texts[kind], [language]: { subject, body } }
  }
  return own.length === 0 ? undefined : texts
}

/** Those that only the database knows stay as they are. */
export function planTexts(current: readonly OwnText[] | undefined, texts: EmailTexts): Planned<OwnText>[] {
  return listTexts(texts).map(row => {
    const known = current?.find(({ kind, language }) => kind === row.kind && language === row.language)
    return planRow(known, row)
  })
}
