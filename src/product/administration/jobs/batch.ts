import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { mayStill } from '#product/administration/users/standing.ts'
import * as rules from './rules.ts'

/**
 * Does the next batch of a job.
 *
 * @param ownLease the lease that the caller holds on the job, or null
 * @returns the lease under which the job continues, an instant in milliseconds; undefined if the job has ended or another server
 *   has it
 * @throws Problem no_longer_allowed, and those of the kind of the job; LeaseLost
 */
export async function doBatch(
  tx: WriteTx,
  { id, ownLease }: { id: string; ownLease: number | null },
  kindOf: (name: string) => rules.JobKind,
): Promise<number | undefined> {
  const claimed = await rules.claim(tx, id, ownLease)
  if (claimed === undefined) return undefined
  const { kind, by, job } = claimed
  const { permission, run } = kindOf(kind)
  if (permission !== undefined && !(await mayStill(tx, by, permission, job.event_id)))
    throw new Problem('no_longer_allowed')
  const actor = { accountId: tx.accountId, who: by, requestId: null, address: null }
  const step = await run(tx, job, actor)
  await rules.advance(tx, job, step)
  return step.finished ? undefined : job.lease
}
