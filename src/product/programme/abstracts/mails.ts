import { ERASED_EMAIL } from '#base/words.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { Content, MailKind, MailText } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { findOwn } from '#machinery/mail/own-texts.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { textsIn } from '#texts/catalogue.ts'
import type { Language } from '#texts/languages.ts'
import { listOfEvent } from './of-event.ts'
import * as rules from './rules.ts'
import type { Abstract } from './schemas.ts'
import { getSubmitted } from './submitted.ts'

/** Tells an author that the abstract was accepted. */
export const acceptedMail = decisionMail('abstract_accepted', 'accepted')

/** Tells an author that the abstract was not accepted. */
export const rejectedMail = decisionMail('abstract_rejected', 'rejected')

/** Makes a mail about a decision. The mail is dropped if the abstract has been decided otherwise meanwhile. */
function decisionMail(name: 'abstract_accepted' | 'abstract_rejected', status: Abstract['status']): MailKind {
  return {
    name,
    lane: 'others',
    isOfEvent: true,
    placeholders: ['name', 'title', 'code', 'event', 'organizer', 'note'],
    async read(tx, { subject_id, details }) {
      const abstract = await getSubmitted(tx, subject_id as string)
      if (abstract.status !== status || abstract.decision_number !== details.number) return undefined
      return contentOf(tx, abstract)
    },
    async example(tx, event_id) {
      const { rows } = await listOfEvent(tx, { event_id, state: status }, { limit: 1 })
      return rows[0] && contentOf(tx, await rules.get(tx, rows[0].id))
    },
  }
}

async function contentOf(tx: ReadTx, abstract: Abstract): Promise<Content> {
  const account = await accounts.get(tx)
  const event = await events.getDetails(tx, abstract.event_id)
  return {
    from: account.name,
    replyTo: event.contact_email ?? account.email,
    values: {
      name: abstract.contact.name,
      title: abstract.title,
      code: abstract.code,
      event: event.title,
      organizer: account.name,
      note: abstract.decision_note ?? '',
    },
  }
}

/** The content of a mail about a decision. */
export interface DecisionPreview {
  text: MailText
  values: Content['values']
}

/**
 * Returns the content of the mail about a decision to the contact of an abstract. It uses the organizer's own words if there are
 * any.
 */
export async function previewDecision(
  tx: ReadTx,
  abstract: Abstract,
  decision: 'accepted' | 'rejected',
  language: Language,
): Promise<DecisionPreview> {
  const { name: kind } = decision === 'accepted' ? acceptedMail : rejectedMail
  const own = await findOwn(tx, abstract.event_id, { kind, language })
  const { values } = await contentOf(tx, abstract)
  return { text: own ?? textsIn(language).mails[kind], values }
}

/**
 * Mails the contact of an abstract about the decision, in the transaction of the decision: once about each that says something else. It
 * sends nothing if the abstract is in review again, or to people who were made anonymous.
 */
export async function queueDecision(
  tx: WriteTx,
  { resource, number }: Pick<rules.Outcome, 'resource' | 'number'>,
  language: Language,
): Promise<void> {
  const { id, event_id, status, contact } = resource
  if (status !== 'accepted' && status !== 'rejected') return
  if (contact.email === ERASED_EMAIL) return
  await queue(tx, status === 'accepted' ? acceptedMail : rejectedMail, {
    cause: `${id} ${number}`,
    recipient: contact.email,
    language,
    eventId: event_id,
    subjectId: id,
    details: { number },
  })
}
