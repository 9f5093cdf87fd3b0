import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { markAnswered } from '#product/guests/questions/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Content } from './content.ts'
import { findMisfits } from './fit.ts'
import { changedMail } from './kinds.ts'
import * as rules from './rules.ts'
import type { Submission } from './schemas.ts'
import { readSent, type SentAbstract, toSent } from './send.ts'
import * as store from './store.ts'
import { isErased } from './submitters.ts'

/** A change by somebody who organizes the event. */
export interface Edit {
  content: Content
  /** What was made of its formulas. */
  formulas: string | null
  /** The version that they have seen. */
  revision: number
  /** Who they are, as the access log names them. */
  by: string
}

/**
 * Makes the next version of an abstract in place of its author, who is told. It does so after the deadline too, and of one that is
 * decided: a mistake has to be mended before the programme is printed. What its author has typed and not sent stays theirs to send.
 *
 * @param id of the abstract
 * @returns undefined if it says the same as before
 * @throws Problem not_found, also for one that a file has brought; abstract_withdrawn; abstract_incomplete with `details.misfits`;
 *   too_many_revisions; seen_changed if it has another version by now
 */
export async function edit(
  tx: WriteTx,
  id: string,
  { content, formulas, revision, by }: Edit,
): Promise<SentAbstract | undefined> {
  const of = await rules.findByAbstract(tx, id)
  if (of === undefined) throw new Problem('not_found')
  const { submission, submitter } = of
  const { abstract: was, content: before } = await readSent(tx, submission)
  if (was.revision !== revision) throw new Problem('seen_changed')
  const misfits = findMisfits(content, await calls.get(tx, was.event_id), before)
  if (misfits.length > 0) throw new Problem('abstract_incomplete', { details: { misfits } })
  const is = await abstracts.change(tx, id, toSent(content, formulas, was.contact), by)
  if (is.revision === was.revision) return undefined
  await markAnswered(tx, is.event_id, Object.keys(content.answers))
  await noteChange(tx, submission)
  if (!isErased(submitter)) {
    const { email: recipient, language } = submitter
    const cause = `${id} ${is.revision}`
    await queue(tx, changedMail, { cause, recipient, language, eventId: is.event_id, subjectId: id })
  }
  return is
}

/** Lets a form that its author has open show what was changed, before it saves over it. What they have typed stays. */
export async function noteChange(tx: WriteTx, { id, draft }: Submission): Promise<void> {
  if (draft === null) await store.setDraft(tx, id, null, await tx.now())
}
