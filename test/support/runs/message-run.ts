import { acceptedMail } from '../../src/abstracts/mails.ts'
import { countAudience } from '../../src/announcements/audience.ts'
import * as announcements from '../../src/announcements/rules.ts'
import { groups } from '../../src/announcements/schemas.ts'
import { sendAnnouncement } from '../../src/announcements/send.ts'
import type { Database } from '../../src/db/port.ts'
import { compose } from '../../src/emails/compose.ts'
import { queue } from '../../src/emails/outbox.ts'
import * as ownTexts from '../../src/emails/own-texts.ts'
import * as emails from '../../src/emails/rules.ts'
import * as jobs from '../../src/jobs/rules.ts'

/** Does everything that organizers do with the mails of an event. */
export async function runMessages(db: Database, accountId: string, eventId: string): Promise<void> {
  const input = { subject: 'S', body: 'B' }
  const by = 'user:1'
  for (const group of groups) {
    const audience = { group, types: [] }
    await countAudience(db, accountId, eventId, audience)
    await db.write(accountId, async tx => {
      const { id } = await announcements.create(tx, accountId, eventId, { ...input, audience }, by)
      await announcements.update(tx, accountId, eventId, id, { subject: 'T' })
      if (group === 'waitlist') return announcements.remove(tx, accountId, eventId, id)
      const how = { total: null, language: 'en', by } as const
      const { job_id } = await announcements.send(tx, accountId, eventId, id, how)
      const claimed = await jobs.claim(tx, accountId, job_id as string, null)
      const actor = { accountId, who: by, requestId: null, address: null }
      if (claimed !== undefined) await sendAnnouncement.run(tx, claimed.job, actor)
      await emails.countOfSubject(tx, accountId, { subjectId: id, status: 'waiting' }, 10)
      return announcements.stop(tx, accountId, eventId, id)
    })
  }
  await db.write(accountId, async tx => {
    await emails.unsubscribe(tx, accountId, 'grace@example.org')
    const text = { ...input, language: 'en' } as const
    await ownTexts.setOwn(tx, accountId, eventId, acceptedMail, text)
    await ownTexts.listOwn(tx, accountId, eventId)
    await ownTexts.findOwn(tx, accountId, eventId, { kind: 'abstract_accepted', language: 'en' })
    await ownTexts.removeOwn(tx, accountId, eventId, { kind: 'abstract_accepted', language: 'en' })
    await queue(tx, accountId, acceptedMail, {
      cause: 'c',
      recipient: 'a@example.org',
      language: 'en',
      eventId,
    })
  })
  await countAudience(db, accountId, eventId, { group: 'confirmed', types: [] })
  await db.write(accountId, async tx => {
    await announcements.list(tx, accountId, eventId, { limit: 5 })
    await announcements.list(tx, accountId, eventId, { limit: 5, after: { created_at: 1, id: '' } })
    for (const of of [eventId, null]) {
      for (const status of ['waiting', undefined] as const) {
        for (const recipient of ['a@example.org', undefined]) {
          for (const after of [undefined, { created_at: Number.MAX_SAFE_INTEGER, id: '' }]) {
            await emails.search(tx, accountId, { eventId: of, status, recipient }, { limit: 5, after })
          }
        }
      }
      await emails.countStatus(tx, accountId, { eventId: of, status: 'waiting' }, 5)
    }
    const { rows } = await emails.search(tx, accountId, { eventId }, { limit: 1 })
    const [email] = rows
    if (email === undefined) return
    const letters = { kinds: [], server: { baseUrl: 'https://tickets.example.org', secret: 's' } }
    await compose(tx, accountId, { ...email, details: '{}' }, letters, 0)
    await emails.preview(tx, accountId, email.id, letters, 0)
    await emails.retry(tx, accountId, email.id)
  })
}
