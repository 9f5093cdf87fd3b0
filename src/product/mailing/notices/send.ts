import { writeBatch } from '../announcements/batch.ts'
import type { Position } from '../db/keyset.ts'
import { gather, release } from '../emails/outbox.ts'
import type { JobKind } from '../jobs/rules.ts'
import { HOUR } from '../time.ts'
import { noticeKinds } from './kinds.ts'
import { listRecipients } from './recipients.ts'
import type { Notice } from './schemas.ts'

/** The kind of the job that writes the mails of a notice. */
export const SEND = 'notices.send'

/** How long mails wait for the rest of their job, in milliseconds. */
const HELD = HOUR

/** How far a job is: it writes all mails, so that each knows all tickets of whoever gets it, and then sends them. */
interface Progress {
  /** Until when those that are written wait, in milliseconds of the clock. */
  until: number
  after?: Position | undefined
  /** Once all are written: the key of the last that was sent. */
  sent?: string
}

/** Writes the mails of a notice: one for each recipient, whatever crashes. Its input says nothing of a person. */
export const sendNotice: JobKind = {
  name: SEND,
  async run(tx, job, { accountId }) {
    const { id, event_id: eventId } = job
    const notice = job.input as Notice
    const { cause, until } = notice
    const kind = noticeKinds[notice.kind]
    const progress: Progress =
      job.position === null ? { until: tx.clock() + HELD } : (JSON.parse(job.position) as Progress)
    const step = (changes: Partial<Progress>, done = job.done, finished = false) => {
      return { position: JSON.stringify({ ...progress, ...changes }), done, finished }
    }
    if (progress.sent !== undefined) {
      const last = await release(tx, accountId, kind, { cause, after: progress.sent, until: progress.until })
      return step({ sent: last ?? progress.sent }, job.done, last === undefined)
    }
    const { after, done, finished } = await writeBatch(
      job,
      { after: progress.after, until },
      page => listRecipients(tx, accountId, eventId ?? '', notice, page),
      ({ email: recipient, name, language = 'en' }, position) => {
        const details = { name, job: id, ...(notice.was === null ? {} : { was: notice.was }) }
        const mail = { cause, recipient, language, eventId, details }
        return gather(tx, accountId, kind, mail, { about: position.id, until: progress.until })
      },
    )
    return step(finished ? { after, sent: '' } : { after }, done)
  },
}
