import { DAY } from '#base/time.ts'
import type { Cleaning } from '#machinery/db/cleaning.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { deleteLines } from '#product/administration/sheets/rules.ts'

/** Deleting a job also deletes what it was given, because the lines of an import are about people. */
export const JOB_RETENTION = 30 * DAY

export const cleaning: readonly Cleaning[] = [
  {
    name: 'jobs that have ended',
    keptFor: JOB_RETENTION,
    owner: 'account',
    hasOld: async (tx, before) => (await findOld(tx, before)) !== undefined,
    async deleteSome(tx, before, batch) {
      const job = await findOld(tx, before)
      if (job === undefined) return 0
      const lines = await deleteLines(tx, job, batch)
      if (lines > 0) return lines
      await jobs.remove(tx, job)
      return 1
    },
  },
]

function findOld(tx: ReadTx, before: number): Promise<string | undefined> {
  return jobs.findOld(tx, { before, now: before + JOB_RETENTION })
}
