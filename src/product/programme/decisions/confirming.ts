import { Problem } from '#base/problem.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { setConfirmed } from '#product/programme/abstracts/after.ts'
import { getSubmitted, type SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'

/**
 * Notes that an accepted abstract is presented, as its authors or a chair in their place say. They can do so late, too.
 *
 * @param id of the abstract
 * @returns undefined if that was known
 * @throws Problem not_found; abstract_withdrawn; abstract_not_accepted
 */
export async function confirm(tx: WriteTx, id: string): Promise<SubmittedAbstract | undefined> {
  const { confirmed_at } = await getAccepted(tx, id)
  if (confirmed_at !== null) return undefined
  await setConfirmed(tx, id, true)
  return getSubmitted(tx, id)
}

/**
 * Takes back that an abstract is presented, which its authors can confirm again.
 *
 * @returns undefined if it was not confirmed
 * @throws Problem those of `confirm`
 */
export async function unconfirm(tx: WriteTx, id: string): Promise<SubmittedAbstract | undefined> {
  const { confirmed_at } = await getAccepted(tx, id)
  if (confirmed_at === null) return undefined
  await setConfirmed(tx, id, false)
  return getSubmitted(tx, id)
}

async function getAccepted(tx: ReadTx, id: string): Promise<SubmittedAbstract> {
  const abstract = await getSubmitted(tx, id)
  if (abstract.withdrawn_at !== null) throw new Problem('abstract_withdrawn')
  if (abstract.status !== 'accepted') throw new Problem('abstract_not_accepted')
  return abstract
}
