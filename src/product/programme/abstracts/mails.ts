import * as accounts from '../accounts/rules.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import type { Content, MailKind, MailText } from '../emails/kind.ts'
import { queue } from '../emails/outbox.ts'
import { findOwn } from '../emails/own-texts.ts'
import * as events from '../events/rules.ts'
import { textsIn } from '../web/texts/catalogue.ts'
import type { Language } from '../web/texts/languages.ts'
import { listOfEvent } from './of-event.ts'
import * as rules from './rules.ts'
import type { Abstract } from './schemas.ts'

/** Tells an author that the abstract was accepted. */
export const acceptedMail = decisionMail('abstract_accepted', 'accepted')

/** Tells an author that the abstract was not accepted. */
export const rejectedMail = decisionMail('abstract_rejected', 'rejected')

/** One that was decided otherwise meanwhile is not told of any more. */
function decisionMail(name: 'abstract_accepted' | 'abstract_rejected', status: Abstract['status']): MailKind {
  return {
    name,
    lane: 'others',
    isOfEvent: true,
    placeholders: ['name', 'title', 'code', 'event', 'organizer', 'note'],
    async read(tx, { account_id, subject_id, details }) {
      const abstract = await rules.get(tx, account_id, subject_id as string)
      if (abstract.status !== status || abstract.decided_at !== details.decided_at) return undefined
      return contentOf(tx, account_id, abstract)
    },
    async example(tx, accountId, event_id) {
      const { rows } = await listOfEvent(tx, accountId, { event_id, status }, { limit: 1 })
      return rows[0] && contentOf(tx, accountId, await rules.get(tx, accountId, rows[0].id))
    },
  }
}

async function contentOf(tx: ReadTx, accountId: string, abstract: Abstract): Promise<Content> {
  const account = await accounts.get(tx, accountId)
  const event = await events.get(tx, accountId, abstract.event_id)
  return {
    from: account.name,
    replyTo: account.email,
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

/** What a mail about a decision would say. */
export interface DecisionPreview {
  text: MailText
  values: Content['values']
}

/** What the mail about a decision would say to the contact of an abstract, in the organizer's words where there are any. */
export async function previewDecision(
  tx: ReadTx,
  accountId: string,
  abstract: Abstract,
  decision: 'accepted' | 'rejected',
  language: Language,
): Promise<DecisionPreview> {
  const { name: kind } = decision === 'accepted' ? acceptedMail : rejectedMail
  const own = await findOwn(tx, accountId, abstract.event_id, { kind, language })
  const { values } = await contentOf(tx, accountId, abstract)
  return { text: own ?? textsIn(language).mails[kind], values }
}

/** Tells the contact of an abstract what was decided, in the transaction of the decision; nothing of one that is in review again. */
export async function tellDecision(
  tx: WriteTx,
  accountId: string,
  { id, event_id, status, decided_at, contact }: Abstract,
  language: Language,
): Promise<void> {
  if (status !== 'accepted' && status !== 'rejected') return
  await queue(tx, accountId, status === 'accepted' ? acceptedMail : rejectedMail, {
    cause: `${id} ${decided_at}`,
    recipient: contact.email,
    language,
    eventId: event_id,
    subjectId: id,
    details: { decided_at },
  })
}
