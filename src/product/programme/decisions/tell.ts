import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import type { Outcome } from '#product/programme/abstracts/rules.ts'
import { adopt } from '#product/programme/submissions/adopt.ts'
import type { Language } from '#texts/languages.ts'
import { kindOf } from './kinds.ts'
import { presentersOf } from './presenters.ts'

/**
 * Mails the contact of an abstract about the decision, in the transaction of the decision: once about each that says something else. It
 * sends nothing if the abstract is in review again, or to people who were made anonymous. The contact of what a file has brought
 * becomes the person behind it, who gets its link.
 *
 * @param language for those whose language nobody knows
 * @returns how many mails were written
 */
export async function queueDecision(
  tx: WriteTx,
  { resource, number }: Pick<Outcome, 'resource' | 'number'>,
  language: Language,
  { presenters = false } = {},
): Promise<number> {
  const { id, status, contact } = resource
  if (status !== 'accepted' && status !== 'rejected') return 0
  const of = await adopt(tx, id, language)
  const others = presenters ? presentersOf(resource) : []
  const people = [
    { email: contact.email, language: of?.submitter.language ?? language, details: { number } },
    ...others.map(({ email }) => ({ email, language, details: { number, to: 'presenter' } })),
  ]
  let count = 0
  for (const { email: recipient, language: own, details } of people) {
    if (recipient === ERASED_EMAIL) continue
    const mail = { cause: `${id} ${number}`, recipient, language: own, details }
    if (await queue(tx, kindOf[status], { ...mail, eventId: resource.event_id, subjectId: id })) count++
  }
  return count
}
