import { setTimeout as pause } from 'node:timers/promises'
import { type Database, DatabaseUnavailable } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { doBatch } from './batch.ts'
import * as rules from './rules.ts'
import type { Job } from './schemas.ts'

/** How often it is asked how far a server is that has the job, in milliseconds. */
const LOOK_EVERY = 100

/**
 * Does a job to its end where no server runs, as on the command line; one that a server is at is waited for. Cut off, it goes on at a
 * server, or here again.
 *
 * @returns the job, `done` or `failed`
 * @throws Problem not_found; no_longer_allowed, and those of its kind, which end it as failed
 */
export async function runHere(
  db: Pick<Database, 'read' | 'write'>,
  accountId: string,
  id: string,
  kind: rules.JobKind,
): Promise<Job> {
  let held: number | null = null
  while (true) {
    const mine: number | null = held
    try {
      const lease: number | undefined = await db.write(accountId, tx =>
        doBatch(tx, accountId, { id, held: mine }, () => kind),
      )
      held = lease ?? null
    } catch (error) {
      held = null
      if (!(error instanceof rules.LeaseLost)) {
        if (!(error instanceof DatabaseUnavailable)) await fail(db, accountId, { id, held: mine }, error)
        throw error
      }
    }
    if (held !== null) continue
    const job = await db.read(tx => rules.get(tx, accountId, id))
    if (job.state === 'done' || job.state === 'failed') return job
    await pause(LOOK_EVERY)
  }
}

/** Ends a job whose batch was refused or broke. */
export async function fail(
  db: Pick<Database, 'write'>,
  accountId: string,
  { id, held }: { id: string; held: number | null },
  error: unknown,
): Promise<void> {
  const code = error instanceof Problem ? error.code : 'internal_error'
  await db.write(accountId, tx => rules.fail(tx, accountId, id, held, code))
}
