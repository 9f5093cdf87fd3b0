import type { ReadTx } from '#machinery/db/port.ts'
import { getSubmitted, isEnded } from '#product/programme/abstracts/submitted.ts'
import { listBySubmitter } from './rules.ts'

/** Returns whether a submission with a draft could still be sent, or sent again. */
export async function isUnsent(
  tx: ReadTx,
  { abstract_id }: { abstract_id: string | null },
): Promise<boolean> {
  return abstract_id === null || !isEnded(await getSubmitted(tx, abstract_id))
}

/** Returns whether a person has typed what they have not sent. */
export async function hasUnsent(tx: ReadTx, submitterId: string): Promise<boolean> {
  for (const submission of await listBySubmitter(tx, submitterId)) {
    if (submission.draft !== null && (await isUnsent(tx, submission))) return true
  }
  return false
}
