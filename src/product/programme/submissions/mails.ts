import { emailKey } from '#base/fields.ts'
import { unlessMissing } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import { deadlineFor, endOf, phaseOf } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import {
  addedMail,
  changedMail,
  extendedMail,
  lateMail,
  linkMail,
  newLinkMail,
  oldEmailMail,
  receivedMail,
  reminderMail,
  reopenedMail,
  withdrawnMail,
} from './kinds.ts'
import { submissionUrl, submitterUrl } from './links.ts'
import * as rules from './rules.ts'
import type { Submitter } from './schemas.ts'
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

/** Where the time of the person has moved again, another mail says so. */
const ofLate: MailKind = {
  ...lateMail,
  isOfEvent: true,
  async read(tx, mail, server) {
    const submitter = await unlessMissing(rules.getSubmitter(tx, mail.subject_id as string))
    const until = submitter?.late_until
    if (until == null || until !== mail.details.until || mail.now >= endOf(Date.parse(until)))
      return undefined
    return readLink(tx, mail, server)
  },
}

const ofNewLink: MailKind = {
  ...newLinkMail,
  isOfEvent: true,
  read: readLink,
}

const ofOldEmail: MailKind = {
  ...oldEmailMail,
  isOfEvent: true,
  async read(tx, { event_id, subject_id, language }) {
    const submitter = await unlessMissing(rules.getSubmitter(tx, subject_id as string))
    return submitter && readOrganizer(tx, event_id as string, submitter, language)
  },
}

const ofReceived: MailKind = {
  ...receivedMail,
  isOfEvent: true,
  read: readLinkOfOne,
}

const ofAdded: MailKind = { ...addedMail, isOfEvent: true, read: readLinkOfOne }

const ofChanged: MailKind = {
  ...changedMail,
  isOfEvent: true,
  read: readLinkOfOne,
}

const ofReopened: MailKind = {
  ...reopenedMail,
  isOfEvent: true,
  async read(tx, mail, server) {
    const abstract = await unlessMissing(abstracts.getSubmitted(tx, mail.subject_id as string))
    return abstract?.withdrawn_at === null ? readLinkOfOne(tx, mail, server) : undefined
  },
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
  ofLink,
  ofReceived,
  ofAdded,
  ofReminder,
  ofExtended,
  ofLate,
  ofChanged,
  ofNewLink,
  ofOldEmail,
  ofWithdrawn,
  ofReopened,
]

/** A mail that waits for an address which was corrected meanwhile must not bring it the link. */
function isOf({ email }: Submitter, recipient: string): boolean {
  return emailKey(email) === emailKey(recipient)
}

async function readLink(
  tx: ReadTx,
  { event_id, subject_id, recipient, language }: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const submitter = await unlessMissing(rules.getSubmitter(tx, subject_id as string))
  if (submitter === undefined || !isOf(submitter, recipient)) return undefined
  const { values, ...from } = await readOrganizer(tx, event_id as string, submitter, language)
  const link = submitterUrl(server, submitter)
  const button = { label: textsIn(language).mail.buttons.submitted, url: link }
  return { ...from, values: { ...values, link }, button, secrets: [link] }
}

/** Reads a mail about one abstract, with its link. */
async function readLinkOfOne(
  tx: ReadTx,
  { subject_id, recipient, language }: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const about = await readAbstract(tx, subject_id as string, language)
  if (about === undefined || !isOf(about.of.submitter, recipient)) return undefined
  const { of, from, values } = about
  const link = submissionUrl(server, of.submitter, of.submission)
  const button = { label: textsIn(language).mail.buttons.submission, url: link }
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
  const { values, ...from } = await readOrganizer(tx, abstract.event_id, of.submitter, language)
  return { of, from, values: { ...values, code: abstract.code } }
}

/** Returns who writes, and what every mail of the call can say. The deadline is that of the person. */
async function readOrganizer(
  tx: ReadTx,
  eventId: string,
  { late_until }: Pick<Submitter, 'late_until'>,
  language: Language,
) {
  const account = await accounts.getDetails(tx)
  const event = await events.getDetails(tx, eventId)
  const call = await calls.find(tx, eventId)
  const own = call && { zone: call.zone, closes_at: deadlineFor(call, late_until) }
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      event: event.title,
      organizer: account.name,
      deadline: own === undefined ? '' : deadlineText(own, event.timezone, language),
    },
  }
}
