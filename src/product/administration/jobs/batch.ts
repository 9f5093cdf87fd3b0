import type { WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { mayStill } from '../users/standing.ts'
import * as rules from './rules.ts'

/**
 * Does the next batch of a job.
 *
 * @param held the lease that whoever asks has of it, or null
 * @returns the lease under which it goes on, an instant in milliseconds; undefined where it has ended, or another has it
 * @throws Problem no_longer_allowed, and those of its kind; LeaseLost
 */
export async function doBatch(
  tx: WriteTx,
  accountId: string,
  { id, held }: { id: string; held: number | null },
  kindOf: (name: string) => rules.JobKind,
): Promise<number | undefined> {
  const claimed = await rules.claim(tx, accountId, id, held)
  if (claimed === undefined) return undefined
  const { kind, by, job } = claimed
  const { permission, run } = kindOf(kind)
  if (permission !== undefined && !(await mayStill(tx, accountId, by, permission, job.event_id)))
    throw new Problem('no_longer_allowed')
  const actor = { accountId, who: by, requestId: null, address: null }
  const step = await run(tx, job, actor)
  await rules.advance(tx, accountId, job, step)
  return step.finished ? undefined : job.lease
}
