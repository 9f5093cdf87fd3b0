import type { Position } from '#machinery/db/keyset.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import type { Language } from '#texts/languages.ts'
import { listAudience, type Recipient } from './audience.ts'
import { writeBatch } from './batch.ts'
import { announcementMail } from './mail.ts'
import { get, SEND } from './rules.ts'
import type { Announcement } from './schemas.ts'

/**
 * Writes the mails of an announcement. Each recipient gets one, whatever crashes, because the announcement is the cause of the
 * mail. Somebody who registers after it was sent gets none. The job's input has only ids, so that it keeps no personal data.
 */
export const sendAnnouncement: JobKind = {
  name: SEND,
  async run(tx, job) {
    const { announcement_id: id, language } = job.input as { announcement_id: string; language: Language }
    const announcement = await get(tx, job.event_id ?? '', id)
    const { event_id: eventId, audience, sent_at: sentAt } = announcement
    const from = job.position === null ? undefined : (JSON.parse(job.position) as Position)
    const { after, done, finished } = await writeBatch(
      tx,
      job,
      { after: from, until: sentAt ?? 0 },
      page => listAudience(tx, eventId, audience, page),
      (recipient, { id }) => writeTo(tx, announcement, { ...recipient, of: id }, language),
    )
    return { position: after === undefined ? null : JSON.stringify(after), done, finished }
  },
}

/**
 * Writes the mail to one recipient, of a registration or a waitlist entry.
 *
 * @returns false if the recipient has unsubscribed or has the mail already
 */
async function writeTo(
  tx: WriteTx,
  { id, event_id: eventId }: Announcement,
  { email, name, language, of }: Recipient & { of: string },
  otherwise: Language,
): Promise<boolean> {
  if (await emails.isUnsubscribed(tx, email)) return false
  return queue(tx, announcementMail, {
    cause: id,
    recipient: email,
    language: language ?? otherwise,
    eventId,
    subjectId: id,
    details: { name, about: [of] },
  })
}
