import { setHold } from '../../src/db/instance.ts'
import { type Database, INSTANCE } from '../../src/db/port.ts'
import { MailLoop } from '../../src/emails/loop.ts'
import { queue } from '../../src/emails/outbox.ts'
import * as ownTexts from '../../src/emails/own-texts.ts'
import * as emails from '../../src/emails/rules.ts'
import * as store from '../../src/emails/store.ts'
import { openLog } from '../../src/log.ts'
import type { Clock } from '../../src/time.ts'
import { invitationMail } from '../../src/users/mails.ts'
import { eventually } from './webhooks.ts'

/** What is done with mails, each of it once. */
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
    await queue(tx, accountId, kind, { cause: 'c', recipient: 'lin@example.org', language, eventId })
    const text = { subject: 'Yes', body: 'Yes' }
    await ownTexts.setOwn(tx, accountId, eventId, kind, { language, ...text })
    await emails.unsubscribe(tx, accountId, 'lin@example.org')
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
  const countWaiting = () => db.read(tx => emails.countWaiting(tx, 10))
  try {
    await eventually('no mail to wait', async () => (await countWaiting()) === 0)
  } finally {
    await loop.stop()
  }
  await db.read(async tx => {
    await emails.countStatus(tx, accountId, { status: 'failed' }, 10)
    await ownTexts.listOwn(tx, accountId, eventId)
    await emails.isUnsubscribed(tx, accountId, 'lin@example.org')
    const after = { created_at: clock(), id: '' }
    for (const page of [{ limit: 1 }, { limit: 1, after }]) {
      for (const filters of [{}, { eventId }, failed, { status: 'failed' } as const])
        await emails.list(tx, accountId, filters, page)
      await emails.list(tx, accountId, { recipient: 'lin@example.org' }, page)
      await emails.list(tx, accountId, { subjectId: eventId }, page)
    }
  })
  const [email] = await db.read(tx => emails.list(tx, accountId, { eventId, status: 'failed' }, { limit: 1 }))
  const id = email?.id as string
  await db.read(async tx => {
    await emails.findOwner(tx, id)
    for (const eventIds of [null, [eventId]])
      await emails.countFailed(tx, accountId, { eventIds, since: clock() }, 10)
  })
  await db.write(accountId, tx => emails.retry(tx, accountId, id))
  await db.write(accountId, tx =>
    ownTexts.removeOwn(tx, accountId, eventId, { kind: 'abstract_accepted', language }),
  )
  await db.write(accountId, tx => store.deleteOlder(tx, accountId, 0, { rows: 1, bytes: 1 }))
  await db.write(INSTANCE, tx => setHold(tx, null))
}
