import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { change, readRevision } from '#product/programme/abstracts/submitted.ts'
import { noteChange } from '#product/programme/submissions/edit.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { readSent, type SentAbstract, toSent } from '#product/programme/submissions/send.ts'
import { isErased } from '#product/programme/submissions/submitters.ts'
import { presentingMail } from './after-kinds.ts'
import { tellChairs } from './chair-news.ts'

/** Who presents an abstract from now on. */
export interface NewPresenter {
  /** The place among the authors, from 0. */
  at: number
  /** The version whose authors were shown. */
  revision: number
}

/**
 * Makes the next version of an abstract, which another of its authors presents. The authors can do so when the call is over, and
 * after the decision too. Those who organize the event are told, and the new presenter, who gets no link.
 *
 * @param id of the submission
 * @returns undefined if that author presents it already
 * @throws Problem not_found; abstract_withdrawn; abstract_decided for one that was rejected;
 *   seen_changed if it has another version by now; invalid_parameter for an `at` that names nobody; too_many_revisions
 */
export async function changePresenter(
  tx: WriteTx,
  id: string,
  { at, revision }: NewPresenter,
): Promise<SentAbstract | undefined> {
  const { submission, submitter } = await submissions.get(tx, id)
  const { abstract: was, content } = await readSent(tx, submission)
  if (was.status === 'rejected') throw new Problem('abstract_decided')
  if (was.revision !== revision) throw new Problem('seen_changed')
  const presenter = content.authors[at]
  if (presenter === undefined) throw new Problem('invalid_parameter', { param: 'presenter' })
  if (presenter.presenting) return undefined
  const authors = content.authors.map((author, place) => ({ ...author, presenting: place === at }))
  const { formulas } = await readRevision(tx, was)
  const is = await change(tx, was.id, toSent({ ...content, authors }, formulas, was.contact), null, true)
  await noteChange(tx, submission)
  await tellChairs(tx, is, 'presenter')
  const { email } = presenter
  if (email !== null && emailKey(email) !== emailKey(submitter.email) && !isErased(submitter)) {
    // Whoever changes their mind many times writes to nobody many times.
    const mail = { cause: is.id, recipient: email, language: submitter.language, eventId: is.event_id }
    await queue(tx, presentingMail, { ...mail, subjectId: is.id })
  }
  return is
}
