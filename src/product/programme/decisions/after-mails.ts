import { emailKey } from '#base/fields.ts'
import { unlessMissing } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { MailKind } from '#machinery/mail/kind.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { DASHBOARD_PATH } from '#product/administration/users/links.ts'
import * as events from '#product/catalog/events/rules.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import { submissionUrl } from '#product/programme/submissions/links.ts'
import { findByAbstract } from '#product/programme/submissions/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Texts } from '#texts/texts.ts'
import { confirmReminderMail, newsMail, presentingMail } from './after-kinds.ts'
import type { News } from './chair-news.ts'

/** Whoever has confirmed meanwhile is not asked any more. */
const ofConfirmReminder: MailKind = {
  ...confirmReminderMail,
  isOfEvent: true,
  async read(tx, { subject_id, recipient, language }, server) {
    const id = subject_id as string
    const abstract = await unlessMissing(getSubmitted(tx, id))
    const of = await findByAbstract(tx, id)
    if (abstract?.status !== 'accepted' || abstract.withdrawn_at !== null || abstract.confirmed_at !== null)
      return undefined
    // A mail that waits for an address which was corrected meanwhile must not bring it the link.
    if (of === undefined || emailKey(of.submitter.email) !== emailKey(recipient)) return undefined
    const confirm_by = (await findTerms(tx, id))?.confirm_by ?? null
    if (confirm_by === null) return undefined
    const { values, timezone, ...from } = await readOrganizer(tx, abstract.event_id)
    const link = submissionUrl(server, of.submitter, of.submission)
    const deadline = deadlineText({ closes_at: toIso(confirm_by), zone: null }, timezone, language)
    return {
      ...from,
      values: { ...values, code: abstract.code, deadline, link },
      button: { label: textsIn(language).mail.buttons.submission, url: link },
      secrets: [link],
    }
  },
}

/** Whoever does not present it any more when the mail is sent is not told that they do. */
const ofPresenting: MailKind = {
  ...presentingMail,
  isOfEvent: true,
  async read(tx, { subject_id, recipient }) {
    const abstract = await unlessMissing(getSubmitted(tx, subject_id as string))
    const presents = abstract?.authors.some(
      ({ presenting, email }) => presenting && email !== null && emailKey(email) === emailKey(recipient),
    )
    if (abstract === undefined || abstract.withdrawn_at !== null || !presents) return undefined
    const { values, timezone: _, ...from } = await readOrganizer(tx, abstract.event_id)
    return { ...from, values: { ...values, code: abstract.code } }
  },
}

const ofNews: MailKind = {
  ...newsMail,
  isOfEvent: true,
  async read(tx, { event_id, details, language }, { baseUrl }) {
    const texts = textsIn(language)
    const lines: string[] = []
    for (const about of details.about as readonly string[]) {
      const [what = '', id = ''] = about.split(' ')
      const line = await tellNews(tx, what as News, id, texts)
      if (line !== undefined) lines.push(line)
    }
    if (lines.length === 0) return undefined
    const { values, timezone: _, ...from } = await readOrganizer(tx, event_id as string)
    const url = `${baseUrl}${DASHBOARD_PATH}/e/${event_id}/abstracts`
    return {
      ...from,
      values: { ...values, changes: lines.join('\n') },
      button: { label: texts.mail.buttons.abstracts, url },
    }
  },
}

/** @returns undefined if it is not so any more */
async function tellNews(
  tx: ReadTx,
  what: News,
  id: string,
  { afterDecision }: Texts,
): Promise<string | undefined> {
  const abstract = await unlessMissing(getSubmitted(tx, id))
  if (abstract === undefined || (what !== 'presenter' && abstract.withdrawn_at === null)) return undefined
  return afterDecision.news[what](abstract.code, abstract.title)
}

async function readOrganizer(tx: ReadTx, eventId: string) {
  const account = await accounts.getDetails(tx)
  const event = await events.getDetails(tx, eventId)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    timezone: event.timezone,
    values: { event: event.title, organizer: account.name },
  }
}

/** The mails about abstracts after their decision. */
export const afterMails: readonly MailKind[] = [ofConfirmReminder, ofPresenting, ofNews]
