import { newUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { markAnswered } from '#product/guests/questions/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { Language } from '#texts/languages.ts'
import type { Content } from './content.ts'
import { findMisfits } from './fit.ts'
import { addedMail } from './kinds.ts'
import { takeSubmitter } from './rules.ts'
import { refuseFull, type SentAbstract, toSent } from './send.ts'
import * as store from './store.ts'

/** An abstract that a chair adds in the name of a person. */
export interface NewAbstract {
  /** The id of the form, or of the line of a file. Sent twice, it adds one. */
  formId: string
  /** Of the person, whose name is in the content. */
  email: string
  /** In which mails to the person are. Whoever is known already keeps theirs. */
  language: Language
  content: Content
  /** What `makeFormulas` has made of it before the transaction. Without that, formulas are shown as they were typed. */
  formulas: string | null
  /** Whether the person is told by mail, with the link to it. */
  isMailed: boolean
}

/**
 * Adds an abstract as if it had been sent, also before and after the call is open, beyond what one person may send, and without a
 * file where the call asks for one. Until the person opens a mailed link, nobody knows that the e-mail is theirs.
 *
 * @throws Problem not_found if the event has no call; call_full; abstract_incomplete with `details.misfits`
 */
export async function add(
  tx: WriteTx,
  eventId: string,
  input: NewAbstract,
): Promise<{ abstract: SentAbstract; isNew: boolean }> {
  const call = await calls.get(tx, eventId)
  const { formId, email, language, content } = input
  const before = await store.findByForm(tx, call.event_id, formId)
  if (before?.abstract_id != null)
    return { abstract: await abstracts.getSubmitted(tx, before.abstract_id), isNew: false }
  const misfits = findMisfits(content, call)
  if (misfits.length > 0) throw new Problem('abstract_incomplete', { details: { misfits } })
  await refuseFull(tx, call.event_id)
  const submitter = await takeSubmitter(tx, call.event_id, { name: content.contact.name, email, language })
  const now = await tx.now()
  const row = {
    ...{ id: newUuid(), event_id: call.event_id, submitter_id: submitter.id, form_id: formId },
    ...{ draft: null, confirmed_at: null },
  }
  await store.insert(tx, row, now)
  const abstract = await abstracts.add(tx, call.event_id, toSent(content, input.formulas, submitter), null)
  await store.setAbstract(tx, row.id, abstract.id, now)
  await markAnswered(tx, call.event_id, Object.keys(content.answers))
  if (input.isMailed) {
    const of = { cause: abstract.id, eventId: abstract.event_id, subjectId: abstract.id }
    await queue(tx, addedMail, { ...of, recipient: submitter.email, language: submitter.language })
  }
  return { abstract, isNew: true }
}

/** Returns the abstract that a form or a line was added as. @returns undefined if it was not */
export async function findAdded(tx: ReadTx, eventId: string, formId: string): Promise<string | undefined> {
  return (await store.findByForm(tx, eventId, formId))?.abstract_id ?? undefined
}
