import { HOUR } from '#base/time.ts'
import type { Position } from '#machinery/db/keyset.ts'
import { gather, release } from '#machinery/mail/outbox.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import { writeBatch } from '#product/mailing/announcements/batch.ts'
import { noticeKinds } from './kinds.ts'
import { listRecipients } from './recipients.ts'
import type { Notice } from './schemas.ts'

/** Names the kind of the job that writes the mails of a notice. */
export const SEND = 'notices.send'

/** Mails wait this long, in milliseconds, for the rest of their job. */
const DELAY = HOUR

/**
 * Describes the progress of a job. It first writes all mails, so that each knows all tickets of its recipient, and then sends
 * them.
 */
interface Progress {
  /** Until when written mails wait, in milliseconds of the clock. */
  until: number
  after?: Position | undefined
  /** The key of the last mail that was sent, once all are written. */
  sent?: string
}

/** Writes the mails of a notice. Each recipient gets one, whatever crashes. The job's input has no personal data. */
export const sendNotice: JobKind = {
  name: SEND,
  async run(tx, job) {
    const { id, event_id: eventId } = job
    const notice = job.input as Notice
    const { cause, until } = notice
    const kind = noticeKinds[notice.kind]
    const progress: Progress =
      job.position === null ? { until: tx.clock() + DELAY } : (JSON.parse(job.position) as Progress)
    const step = (changes: Partial<Progress>, done = job.done, finished = false) => {
      return { position: JSON.stringify({ ...progress, ...changes }), done, finished }
    }
    if (progress.sent !== undefined) {
      const last = await release(tx, kind, { cause, after: progress.sent, until: progress.until })
      return step({ sent: last ?? progress.sent }, job.done, last === undefined)
    }
    const { after, done, finished } = await writeBatch(
      tx,
      job,
      { after: progress.after, until },
      page => listRecipients(tx, eventId ?? '', notice, page),
      ({ email: recipient, name, language = 'en' }, position) => {
        const details = { name, job: id, ...(notice.was === null ? {} : { was: notice.was }) }
        const mail = { cause, recipient, language, eventId, details }
        return gather(tx, kind, mail, { about: position.id, until: progress.until })
      },
    )
    return step(finished ? { after, sent: '' } : { after }, done)
  },
}
