import type { Database } from '#machinery/db/port.ts'
import { compose } from '#machinery/mail/compose.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { countAudience } from '#product/mailing/announcements/audience.ts'
import { findReach, listSentWith, sendToDates } from '#product/mailing/announcements/dates.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { groups } from '#product/mailing/announcements/schemas.ts'
import { sendAnnouncement } from '#product/mailing/announcements/send.ts'
import { acceptedMail } from '#product/programme/decisions/kinds.ts'

/** Does everything that organizers do with the mails of an event. */
export async function runMessages(db: Database, accountId: string, eventId: string): Promise<void> {
  const input = { subject: 'S', body: 'B' }
  const by = 'user:1'
  for (const group of groups) {
    const audience = { group, types: [] }
    await countAudience(db, accountId, eventId, audience)
    await db.write(accountId, async tx => {
      const { id } = await announcements.create(tx, eventId, { ...input, audience }, by)
      await announcements.update(tx, eventId, id, { subject: 'T' })
      if (group === 'waitlist') return announcements.remove(tx, eventId, id)
      const how = { total: null, language: 'en', by } as const
      const { job_id } = await announcements.send(tx, eventId, id, how)
      const claimed = await jobs.claim(tx, job_id as string, null)
      const actor = { accountId, who: by, requestId: null, address: null }
      if (claimed !== undefined) await sendAnnouncement.run(tx, claimed.job, actor)
      await emails.countOfSubject(tx, { subjectId: id, status: 'waiting' }, 10)
      return announcements.stop(tx, eventId, id)
    })
  }
  await db.write(accountId, async tx => {
    const audience = { group: 'confirmed', types: [], dates: 'all' } as const
    const reach = await findReach(tx, eventId, audience, null)
    const { id } = await announcements.create(tx, eventId, { ...input, audience }, by)
    const [sent] = await sendToDates(tx, id, reach, { each: [] }, { language: 'en', by })
    await listSentWith(tx, { id, origin_id: sent?.id ?? null }, null)
    await announcements.stop(tx, eventId, id)
  })
  await db.write(accountId, async tx => {
    await emails.unsubscribe(tx, 'grace@example.org')
    const text = { ...input, language: 'en' } as const
    await ownTexts.setOwn(tx, eventId, acceptedMail, text)
    await ownTexts.listOwn(tx, eventId)
    await ownTexts.findOwn(tx, eventId, { kind: 'abstract_accepted', language: 'en' })
    await ownTexts.removeOwn(tx, eventId, { kind: 'abstract_accepted', language: 'en' })
    await queue(tx, acceptedMail, {
      cause: 'c',
      recipient: 'a@example.org',
      language: 'en',
      eventId,
    })
  })
  await countAudience(db, accountId, eventId, { group: 'confirmed', types: [] })
  await db.write(accountId, async tx => {
    await announcements.list(tx, eventId, { limit: 5 })
    await announcements.list(tx, eventId, { limit: 5, after: { created_at: 1, id: '' } })
    for (const of of [eventId, null]) {
      for (const status of ['waiting', undefined] as const) {
        for (const recipient of ['a@example.org', undefined]) {
          for (const after of [undefined, { created_at: Number.MAX_SAFE_INTEGER, id: '' }]) {
            await emails.search(tx, { eventId: of, status, recipient }, { limit: 5, after })
          }
        }
      }
      await emails.countStatus(tx, { eventId: of, status: 'waiting' }, 5)
    }
    const { rows } = await emails.search(tx, { eventId }, { limit: 1 })
    const [email] = rows
    if (email === undefined) return
    const letters = { kinds: [], server: { baseUrl: 'https://tickets.example.org', secret: 's' } }
    await compose(tx, { ...email, details: '{}' }, letters, 0)
    await emails.preview(tx, email.id, letters, 0)
    await emails.retry(tx, email.id)
  })
}
