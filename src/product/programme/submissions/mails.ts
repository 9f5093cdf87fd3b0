import { unlessMissing } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import { phaseOf } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { addedMail, extendedMail, linkMail, receivedMail, reminderMail, withdrawnMail } from './kinds.ts'
import { submissionUrl, submitterUrl } from './links.ts'
import * as rules from './rules.ts'
import { hasUnsent } from './unsent.ts'

const ofLink: MailKind = {
  ...linkMail,
  isOfEvent: true,
  read: readLink,
}

/** A reminder that comes late names the deadline that holds now. */
const ofReminder: MailKind = {
  ...reminderMail,
  isOfEvent: true,
  read: async (tx, mail, server) =>
    (await readUnsentEnd(tx, mail)) === undefined ? undefined : readLink(tx, mail, server),
}

/** Where the deadline has moved again, another mail says so. */
const ofExtended: MailKind = {
  ...extendedMail,
  isOfEvent: true,
  read: async (tx, mail, server) =>
    (await readUnsentEnd(tx, mail)) === mail.details.closes_at ? readLink(tx, mail, server) : undefined,
}

const ofReceived: MailKind = { ...receivedMail, isOfEvent: true, read: readOwn }

const ofAdded: MailKind = { ...addedMail, isOfEvent: true, read: readOwn }

/** Reads what is said of an abstract to its person, with the link to it. */
async function readOwn(
  tx: ReadTx,
  { subject_id, language }: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const about = await readAbstract(tx, subject_id as string, language)
  if (about === undefined) return undefined
  const { of, from, values } = about
  const link = submissionUrl(server, of.submitter, of.submission)
  const button = { label: textsIn(language).mail.buttons.submission, url: link }
  return { ...from, values: { ...values, link }, button, secrets: [link] }
}

const ofWithdrawn: MailKind = {
  ...withdrawnMail,
  isOfEvent: true,
  async read(tx, { subject_id, language }) {
    const about = await readAbstract(tx, subject_id as string, language)
    return about && { ...about.from, values: about.values }
  },
}

/** The mails to people who submit abstracts. */
export const submissionMails: readonly MailKind[] = [
  ...[ofLink, ofReceived, ofAdded, ofReminder, ofExtended, ofWithdrawn],
]

async function readLink(
  tx: ReadTx,
  { event_id, subject_id, language }: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const submitter = await unlessMissing(rules.getSubmitter(tx, subject_id as string))
  if (submitter === undefined) return undefined
  const { values, ...from } = await readOrganizer(tx, event_id as string, language)
  const link = submitterUrl(server, submitter)
  const button = { label: textsIn(language).mail.buttons.submitted, url: link }
  return { ...from, values: { ...values, link }, button, secrets: [link] }
}

/**
 * Returns the deadline until which a person can send what they have not sent.
 *
 * @returns undefined if there is nothing, or no time for it
 */
async function readUnsentEnd(
  tx: ReadTx,
  { event_id, subject_id, now }: MailToSend,
): Promise<number | undefined> {
  const call = await calls.find(tx, event_id as string)
  const { status } = await events.getDetails(tx, event_id as string)
  if (call === undefined || phaseOf(call, now) !== 'open' || status !== 'published') return undefined
  return (await hasUnsent(tx, subject_id as string)) ? Date.parse(call.closes_at) : undefined
}

async function readAbstract(tx: ReadTx, id: string, language: Language) {
  const abstract = await unlessMissing(abstracts.getSubmitted(tx, id))
  const of = await rules.findByAbstract(tx, id)
  if (abstract === undefined || of === undefined) return undefined
  const { values, ...from } = await readOrganizer(tx, abstract.event_id, language)
  return { of, from, values: { ...values, code: abstract.code } }
}

/** Returns who writes, and what every mail of the call can say. */
async function readOrganizer(tx: ReadTx, eventId: string, language: Language) {
  const account = await accounts.getDetails(tx)
  const event = await events.getDetails(tx, eventId)
  const call = await calls.find(tx, eventId)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      event: event.title,
      organizer: account.name,
      deadline: call === undefined ? '' : deadlineText(call, event.timezone, language),
    },
  }
}
