import assert from 'node:assert/strict'
import { openLog } from '#base/log.ts'
import type { Clock } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { MailLoop } from '#machinery/mail/loop.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as store from '#machinery/mail/store.ts'
import { invitationMail } from '#product/administration/users/mails.ts'
import { asInstance } from '#test/support/as-instance.ts'

/** Does everything with mails, each of it once. */
export async function sendMails(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const language = 'en'
  const kind = { ...invitationMail, name: 'abstract_accepted', isOfEvent: true, placeholders: [] } as const
  const values = { name: 'Lin', title: 'T', code: 'A', event: 'E', note: '' }
  const content = { from: 'Elm Hall', replyTo: undefined, values }
  await db.write(accountId, async tx => {
    await queue(tx, kind, { cause: 'c', recipient: 'lin@example.org', language, eventId })
    const text = { subject: 'Yes', body: 'Yes' }
    await ownTexts.setOwn(tx, eventId, kind, { language, ...text })
    await emails.unsubscribe(tx, 'lin@example.org')
  })
  const smtp = {
    domain: 'example.org',
    send: async () => ({ state: 'refused', isFinal: true, answer: '550 No' }) as const,
    close: async () => undefined,
  }
  const kinds = [{ ...kind, read: async () => content }]
  const log = openLog('silent', { write: () => undefined })
  const server = { baseUrl: 'https://tickets.example.org', secret: 's' }
  const loop = new MailLoop({ db, clock, log, smtp, kinds, server, rate: 1_000 })
  loop.start()
  const failed = { eventId, status: 'failed' } as const
  const countWaiting = () => db.read(INSTANCE, tx => emails.countWaiting(tx, 10))
  try {
    await loop.settled()
    assert.equal(await countWaiting(), 0)
  } finally {
    await loop.stop()
  }
  await db.read(accountId, async tx => {
    await emails.countStatus(tx, { status: 'failed' }, 10)
    await ownTexts.listOwn(tx, eventId)
    await emails.isUnsubscribed(tx, 'lin@example.org')
    const after = { created_at: clock(), id: '' }
    for (const page of [{ limit: 1 }, { limit: 1, after }]) {
      for (const filters of [{}, { eventId }, failed, { status: 'failed' } as const])
        await emails.list(tx, filters, page)
      await emails.list(tx, { recipient: 'lin@example.org' }, page)
      await emails.list(tx, { subjectId: eventId }, page)
    }
  })
  const [email] = await db.read(accountId, tx => emails.list(tx, { eventId, status: 'failed' }, { limit: 1 }))
  const id = email?.id as string
  await db.read(accountId, async tx => {
    await emails.findOwner(asInstance(tx), id)
    const since = clock()
    for (const eventIds of [null, [eventId]])
      await emails.countFailed(tx, { eventIds, without: [], since }, 10)
    await emails.countFailed(tx, { eventIds: null, without: [eventId], since }, 10)
  })
  await db.write(accountId, tx => emails.retry(tx, id))
  await db.write(accountId, tx => ownTexts.removeOwn(tx, eventId, { kind: 'abstract_accepted', language }))
  await db.write(accountId, tx => store.deleteOlder(tx, 0, { rows: 1, bytes: 1 }))
  await db.write(INSTANCE, tx => setHold(tx, null))
}
