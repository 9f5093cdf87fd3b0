import * as accounts from '../accounts/rules.ts'
import type { WriteTx } from '../db/port.ts'
import type { MailKind } from '../emails/kind.ts'
import { queue } from '../emails/outbox.ts'
import * as events from '../events/rules.ts'
import type { Language } from '../web/texts/languages.ts'
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
      const account = await accounts.get(tx, account_id)
      const event = await events.get(tx, account_id, abstract.event_id)
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
    },
  }
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
