import type { WriteTx } from '#machinery/db/port.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { findTerms, type Terms } from '#product/programme/abstracts/terms.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { type News, tellChairs } from './chair-news.ts'
import { endCode, findCode } from './registration-codes.ts'

/**
 * Withdraws an abstract, or forgets one that was never sent. The code to register with goes, unless it was used. Those who organize
 * the event are told of one that they had accepted, and of one whose submitter knows nothing of it.
 *
 * @param id of the submission
 * @throws Problem not_found
 */
export async function withdraw(
  tx: WriteTx,
  id: string,
  why: Extract<News, 'withdrawn' | 'disowned'> = 'withdrawn',
): Promise<sending.SentAbstract | undefined> {
  const { submission } = await submissions.get(tx, id)
  const was = submission.abstract_id === null ? undefined : await getSubmitted(tx, submission.abstract_id)
  const abstract = await sending.withdraw(tx, id)
  if (abstract === undefined || was?.withdrawn_at !== null) return abstract
  await endCode(tx, await termsOf(tx, abstract))
  if (was.status === 'accepted' || why === 'disowned') await tellChairs(tx, abstract, why)
  return abstract
}

/**
 * Takes back the withdrawal of an abstract, with its code.
 *
 * @param id of the abstract
 * @returns undefined if it was not withdrawn
 * @throws Problem not_found
 */
export async function reopen(tx: WriteTx, id: string): Promise<sending.SentAbstract | undefined> {
  const abstract = await sending.reopen(tx, id)
  if (abstract?.status === 'accepted') await reviveCode(tx, await termsOf(tx, abstract))
  return abstract
}

/** A code that somebody has registered with stays as it is, and so does one that is removed. */
async function reviveCode(tx: WriteTx, of: Parameters<typeof findCode>[1]): Promise<void> {
  const code = await findCode(tx, of)
  if (code?.active === false && code.used === 0)
    await codes.update(tx, of.event_id, code.id, { active: true })
}

async function termsOf(tx: WriteTx, { id }: Pick<sending.SentAbstract, 'id'>): Promise<Terms> {
  return (await findTerms(tx, id)) as Terms
}
