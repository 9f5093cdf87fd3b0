import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { KindOfMail } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { markAnswered } from '#product/guests/questions/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import { discardOfSubmission } from '#product/programme/files/removal.ts'
import * as files from '#product/programme/files/rules.ts'
import { authorsOf, type Content, keywordsOf, textOf } from './content.ts'
import { findAnswerMisfits, findFileMisfits, findMisfits } from './fit.ts'
import type { Formulas } from './formulas.ts'
import { receivedMail, reopenedMail, withdrawnMail } from './kinds.ts'
import * as rules from './rules.ts'
import type { Submission, Submitter } from './schemas.ts'
import * as store from './store.ts'
import { isErased } from './submitters.ts'
import { readVersion } from './versions.ts'

/** An event takes this many abstracts. */
export const MOST_SENT = 5_000

export type SentAbstract = abstracts.SubmittedAbstract

/** What was sent last, with its formulas as they were made then. */
export interface Sent {
  abstract: SentAbstract
  content: Content
  formulas: Formulas
}

/** Returns what was sent last. @throws Problem not_found if nothing was */
export async function readSent(
  tx: ReadTx,
  { abstract_id: id }: Pick<Submission, 'abstract_id'>,
): Promise<Sent> {
  if (id === null) throw new Problem('not_found')
  const abstract = await abstracts.getSubmitted(tx, id)
  return { abstract, ...(await readVersion(tx, abstract)) }
}

/**
 * Sends an abstract, or its next version. What was typed is then as it was sent. The contact is told that the first one has
 * arrived.
 *
 * @param formulas what `makeFormulas` has made of it before the transaction
 * @throws Problem not_found; call_not_open; call_over; call_full; too_many_abstracts with `details.most`; too_many_revisions;
 *   abstract_incomplete with `details.misfits`; abstract_withdrawn; abstract_decided; seen_changed
 */
export async function send(
  tx: WriteTx,
  id: string,
  content: Content,
  formulas: string | null,
  sending: rules.Sending,
): Promise<SentAbstract> {
  const { submission, submitter, call } = await rules.getOpen(tx, id, sending)
  rules.refuseChanged(submission, sending)
  const was = submission.abstract_id === null ? undefined : (await readSent(tx, submission)).content
  const file = await files.find(tx, submission.event_id, id)
  const misfits = [
    ...findMisfits(content, call, was),
    ...findAnswerMisfits(content, call),
    ...findFileMisfits(call, file),
  ]
  if (misfits.length > 0) throw new Problem('abstract_incomplete', { details: { misfits } })
  const sent = toSent(content, formulas, submitter)
  let abstract: SentAbstract
  if (submission.abstract_id !== null) abstract = await abstracts.change(tx, submission.abstract_id, sent)
  else {
    await refuseMore(tx, submission, call.per_person)
    abstract = await abstracts.add(tx, submission.event_id, sent, file?.name ?? null)
    await store.setAbstract(tx, id, abstract.id, await tx.now())
    await mail(tx, receivedMail, { abstract, submitter })
  }
  await store.setDraft(tx, id, null, await tx.now())
  await markAnswered(tx, submission.event_id, Object.keys(content.answers))
  return abstract
}

/** @throws Problem call_full */
export async function refuseFull(tx: ReadTx, eventId: string): Promise<void> {
  if ((await store.countUpTo(tx, eventId, 'sent', MOST_SENT)) >= MOST_SENT) throw new Problem('call_full')
}

/** @throws Problem call_full; too_many_abstracts */
async function refuseMore(tx: ReadTx, of: Submission, most: number): Promise<void> {
  await refuseFull(tx, of.event_id)
  // What somebody else sends under an e-mail takes nothing from its owner.
  const alike = { isSent: true, isConfirmed: of.is_confirmed }
  const standing = await store.countOfSubmitter(tx, of.submitter_id, alike, most)
  if (standing >= most) throw new Problem('too_many_abstracts', { details: { most } })
}

/** Returns what is sent, as the API has it. */
export function toSent(
  content: Content,
  formulas: string | null,
  { email }: Pick<Submitter, 'email'>,
): abstracts.Sent {
  const { title, sections, language, topic_id, kind_id, contact } = content
  return {
    ...{ title, topic_id, kind_id, content, formulas, language: language || null },
    abstract: textOf(sections),
    keywords: keywordsOf(content),
    authors: authorsOf(content),
    contact: { ...contact, email },
  }
}

/**
 * Withdraws an abstract, whose file stays with it, or forgets one that was never sent, with its file.
 *
 * @returns the abstract; undefined if it was never sent
 * @throws Problem not_found
 */
export async function withdraw(tx: WriteTx, id: string): Promise<SentAbstract | undefined> {
  const { submission, submitter } = await rules.get(tx, id)
  if (submission.abstract_id === null) {
    await discardOfSubmission(tx, submission.event_id, id)
    await store.remove(tx, id)
    return undefined
  }
  const abstract = await abstracts.withdraw(tx, submission.abstract_id)
  await store.setDraft(tx, id, null, await tx.now())
  // It may be withdrawn again once a chair has taken that back.
  await mail(tx, withdrawnMail, { abstract, submitter }, `${abstract.id} ${abstract.withdrawn_at}`)
  return abstract
}

/**
 * Takes back the withdrawal of an abstract, in place of its person, who is told.
 *
 * @param id of the abstract
 * @returns undefined if it was not withdrawn
 * @throws Problem not_found
 */
export async function reopen(tx: WriteTx, id: string): Promise<SentAbstract | undefined> {
  if ((await abstracts.getSubmitted(tx, id)).withdrawn_at === null) return undefined
  const abstract = await abstracts.reopen(tx, id)
  const of = await rules.findByAbstract(tx, id)
  if (of !== undefined && !isErased(of.submitter))
    await mail(tx, reopenedMail, { abstract, submitter: of.submitter }, newUuid())
  return abstract
}

async function mail(
  tx: WriteTx,
  kind: KindOfMail,
  { abstract, submitter }: { abstract: SentAbstract; submitter: Submitter },
  cause = abstract.id,
): Promise<void> {
  const { id, event_id: eventId } = abstract
  const { email: recipient, language } = submitter
  await queue(tx, kind, { cause, recipient, language, eventId, subjectId: id })
}
