import { unlessMissing } from '#base/problem.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailToSend, Server } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { textsIn } from '#texts/catalogue.ts'
import { assignedMail, invitedMail, remindedMail } from './kinds.ts'
import { reviewerUrl } from './links.ts'
import { countUndone } from './own-reviews.ts'
import * as reviewers from './reviewers.ts'
import * as rounds from './rounds.ts'

// No mail to a reviewer names an abstract, or anybody who has written one.

const ofInvited: MailKind = { ...invitedMail, isOfEvent: true, read: readLink }

/** Says how much there is when it is sent. If nothing is left by then, it is not sent. */
const readUndone: MailKind['read'] = async (tx, mail, server) => {
  const reviewer = await unlessMissing(reviewers.get(tx, mail.subject_id as string))
  const count = reviewer === undefined ? 0 : await countUndone(tx, reviewer)
  if (count === 0) return undefined
  const content = await readLink(tx, mail, server)
  return content && { ...content, values: { ...content.values, count: String(count) } }
}

const ofAssigned: MailKind = { ...assignedMail, isOfEvent: true, read: readUndone }

const ofReminded: MailKind = { ...remindedMail, isOfEvent: true, read: readUndone }

/** The mails to people who review abstracts. */
export const reviewMails: readonly MailKind[] = [ofInvited, ofAssigned, ofReminded]

/** @returns undefined for somebody who has left, and once the review is over */
async function readLink(
  tx: ReadTx,
  { event_id, subject_id, language, now }: MailToSend,
  server: Server,
): Promise<Content | undefined> {
  const reviewer = await unlessMissing(reviewers.get(tx, subject_id as string))
  const round = await rounds.find(tx, event_id as string)
  if (reviewer === undefined || reviewer.left_at !== null) return undefined
  if (round === undefined || rounds.phaseOf(round, now) !== 'open') return undefined
  const account = await accounts.getDetails(tx)
  const event = await events.getDetails(tx, event_id as string)
  const link = reviewerUrl(server, reviewer)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      event: event.title,
      organizer: account.name,
      deadline: deadlineText({ closes_at: round.closes_at, zone: null }, event.timezone, language),
      link,
    },
    button: { label: textsIn(language).mail.buttons.review, url: link },
    secrets: [link],
  }
}
