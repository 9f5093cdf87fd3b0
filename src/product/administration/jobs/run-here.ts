import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '#base/problem.ts'
import { type Database, DatabaseUnavailable } from '#machinery/db/port.ts'
import { doBatch } from './batch.ts'
import * as rules from './rules.ts'
import type { Job } from './schemas.ts'

/** How often this process asks for the progress of a job that a server has, in milliseconds. */
const LOOK_EVERY = 100

/**
 * Runs a job to its end where no server runs, as on the command line. If a server already has the job, it waits for that server.
 * If it is cut off, a server or another call continues the job.
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
  let ownLease: number | null = null
  while (true) {
    const mine: number | null = ownLease
    try {
      const lease: number | undefined = await db.write(accountId, tx =>
        doBatch(tx, { id, ownLease: mine }, () => kind),
      )
      ownLease = lease ?? null
    } catch (error) {
      ownLease = null
      if (!(error instanceof rules.LeaseLost)) {
        if (!(error instanceof DatabaseUnavailable)) await fail(db, accountId, { id, ownLease: mine }, error)
        throw error
      }
    }
    if (ownLease !== null) continue
    const job = await db.read(accountId, tx => rules.get(tx, id))
    if (job.state === 'done' || job.state === 'failed') return job
    await pause(LOOK_EVERY)
  }
}

/** Ends a job whose batch was refused or broke. */
export async function fail(
  db: Pick<Database, 'write'>,
  accountId: string,
  { id, ownLease }: { id: string; ownLease: number | null },
  error: unknown,
): Promise<void> {
  const code = error instanceof Problem ? error.code : 'internal_error'
  await db.write(accountId, tx => rules.fail(tx, id, ownLease, code))
}
