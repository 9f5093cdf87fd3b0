import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { record } from '#product/administration/access-log/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'

/** The lines of a batch. */
export const AT_ONCE = 3

/** Writes an entry of the access log for each of its lines: a line that is done twice, or never, shows. */
export const counting: JobKind = {
  name: 'test.count',
  async run(tx, job, { who }) {
    const from = Number(job.position ?? 0)
    const to = Math.min(from + AT_ONCE, job.total ?? 0)
    for (let line = from; line < to; line++) {
      await record(tx, {
        who,
        action: 'test.count',
        targetType: job.id,
        targetId: String(line),
        requestId: null,
        address: null,
      })
    }
    return { position: String(to), done: to, finished: to === job.total, outcome: { lines: to } }
  },
}

/** Returns the lines of a job that were done, in the order of their instants, and of their numbers within one. */
export async function countedLines(db: Database, jobId: string): Promise<number[]> {
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ target_id: string }>(
      'SELECT target_id FROM access_log WHERE target_type = $1 ORDER BY created_at, length(target_id), target_id',
      [jobId],
    ),
  )
  return rows.map(row => Number(row.target_id))
}
