import type { Position } from '../db/keyset.ts'
import type { WriteTx } from '../db/port.ts'
import { queue } from '../emails/outbox.ts'
import * as emails from '../emails/rules.ts'
import type { JobKind } from '../jobs/rules.ts'
import type { Language } from '../web/texts/languages.ts'
import { listAudience, type Recipient } from './audience.ts'
import { writeBatch } from './batch.ts'
import { announcementMail } from './mail.ts'
import { get, SEND } from './rules.ts'
import type { Announcement } from './schemas.ts'

/**
 * Writes the mails of an announcement: one for each recipient, whatever crashes, as the announcement is their cause. Who
 * registers after it was sent gets none. Its input has ids alone, so that nothing of a person is kept in it.
 */
export const sendAnnouncement: JobKind = {
  name: SEND,
  async run(tx, job, { accountId }) {
    const { announcement_id: id, language } = job.input as { announcement_id: string; language: Language }
    const announcement = await get(tx, accountId, job.event_id ?? '', id)
    const { event_id: eventId, audience, sent_at: sentAt } = announcement
    const from = job.position === null ? undefined : (JSON.parse(job.position) as Position)
    const { after, done, finished } = await writeBatch(
      job,
      { after: from, until: sentAt ?? 0 },
      page => listAudience(tx, accountId, eventId, audience, page),
      recipient => writeTo(tx, accountId, announcement, recipient, language),
    )
    return { position: after === undefined ? null : JSON.stringify(after), done, finished }
  },
}

/** @returns false where somebody wants none, or has it already */
async function writeTo(
  tx: WriteTx,
  accountId: string,
  { id, event_id: eventId }: Announcement,
  { email, name, language }: Recipient,
  otherwise: Language,
): Promise<boolean> {
  if (await emails.isUnsubscribed(tx, accountId, email)) return false
  return queue(tx, accountId, announcementMail, {
    cause: id,
    recipient: email,
    language: language ?? otherwise,
    eventId,
    subjectId: id,
    details: { name },
  })
}
