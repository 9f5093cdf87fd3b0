import type { Position } from '../db/keyset.ts'
import type { WriteTx } from '../db/port.ts'
import { queue } from '../emails/outbox.ts'
import * as emails from '../emails/rules.ts'
import type { JobKind } from '../jobs/rules.ts'
import type { Language } from '../web/texts/languages.ts'
import { listAudience, type Recipient } from './audience.ts'
import { announcementMail } from './mail.ts'
import { get, SEND } from './rules.ts'
import type { Announcement } from './schemas.ts'

/** How long a batch takes at most, in milliseconds, and its registrations: the writes of everybody else wait for it. */
const BATCH_TIME = 4
const BATCH = 20

/**
 * Writes the mails of an announcement: one for each recipient, whatever crashes, as the announcement is their cause. Who
 * registers after it was sent gets none. Its input has ids alone, so that nothing of a person is kept in it.
 */
export const sendAnnouncement: JobKind = {
  name: SEND,
  async run(tx, job, { accountId }) {
    const until = performance.now() + BATCH_TIME
    const { announcement_id: id, language } = job.input as { announcement_id: string; language: Language }
    const announcement = await get(tx, accountId, job.event_id ?? '', id)
    const { event_id: eventId, audience, sent_at: sentAt } = announcement
    const after = job.position === null ? undefined : (JSON.parse(job.position) as Position)
    const some = await listAudience(tx, accountId, eventId, audience, { limit: BATCH, after })
    const due = some.filter(({ position }) => position.created_at <= (sentAt ?? 0))
    let { done } = job
    let at = 0
    while (at < due.length && (at === 0 || performance.now() < until)) {
      for (const recipient of due[at]?.recipients ?? []) {
        if (await writeTo(tx, accountId, announcement, recipient, language)) done++
      }
      at++
    }
    const position = at === 0 ? job.position : JSON.stringify(due[at - 1]?.position)
    return { position, done, finished: at === due.length && due.length < BATCH }
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
