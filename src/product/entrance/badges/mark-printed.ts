import type { JobKind } from '#product/administration/jobs/rules.ts'
import { notePrinted } from '#product/guests/attendees/printed-badges.ts'

export const MARK_PRINTED = 'badges.print'

/** The most badges of a batch. */
const BATCH = 50

/** Notes the badges of a large print. The input has only ids, so that it holds no personal data. */
export const markPrinted: JobKind = {
  name: MARK_PRINTED,
  permission: 'checkins',
  async run(tx, job) {
    const until = performance.now() + tx.batchTime
    const { ids, at, again } = job.input as { ids: string[]; at: number; again: boolean }
    let { done } = job
    for (let noted = 0; done < ids.length && (noted === 0 || performance.now() < until); noted++) {
      const some = ids.slice(done, done + BATCH)
      await notePrinted(tx, some, { at, again })
      done += some.length
    }
    return { position: String(done), done, finished: done === ids.length }
  },
}
