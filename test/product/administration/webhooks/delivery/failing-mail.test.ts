import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { answering, ok, startReceiver } from '#test/support/receiver.ts'
import { startServer, type TestServer } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { startWithWebhooks } from '#test/support/webhooks.ts'

/** Starts a server with an endpoint that has answered its ping well, and fails from then on. */
async function start(t: Parameters<typeof startWithWebhooks>[0]) {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org', allowInsecureWebhooks: true }
  const server = await startWithWebhooks(t, { tuning: { random: () => 0 }, settings })
  const { db, applied } = server
  const receiver = await startReceiver(t)
  const endpoint = await server.subscribe(receiver, 'registration.created')
  receiver.behave(answering(500))
  const attempts = async () =>
    (
      await db.read(INSTANCE, tx =>
        tx.one<{ count: number }>('SELECT count(*) AS count FROM webhook_attempts'),
      )
    )?.count ?? 0
  const ping = async ({ app }: Pick<TestServer, 'app'> = server) => {
    const before = await attempts()
    await db.write(applied.account_id, tx => webhooks.ping(tx, endpoint.id))
    await onceSettled(
      { app },
      'webhooks',
      'the record of the attempt',
      async () => (await attempts()) > before,
    )
  }
  const mails = () => db.read(applied.account_id, tx => emails.list(tx, {}, { limit: 10 }))
  const ended = (n: number, { app }: Pick<TestServer, 'app'> = server) =>
    onceSettled({ app }, ['webhooks', 'mails'], `mail ${n}`, async () => {
      const all = await mails()
      return all.length === n && all.every(({ status }) => status !== 'waiting') && all
    })
  return { ...server, ...mailServer, settings, receiver, endpoint, ping, mails, ended }
}

test('an endpoint that has failed for a day mails the account, once for each failure, with a link to its page', async t => {
  const { clock, ping, receiver, endpoint, ended, mails, received, app, applied } = await start(t)
  await ping()
  clock.advance(DAY - MINUTE)
  await ping()
  assert.deepEqual(await mails(), [], 'not yet')
  clock.advance(MINUTE)
  await ping()
  await ended(1)
  const [mail] = received
  assert.deepEqual(mail?.to, ['ada@example.org'])
  assert.equal(mail?.parsed.subject, 'A webhook has failed for a day')
  const text = mail?.parsed.text ?? ''
  const { host, pathname } = new URL(receiver.url)
  assert.match(text, new RegExp(`The webhook ${host} of Ada Events has not taken anything since 21 Nov 2026`))
  assert.ok(pathname.length > 1 && !text.includes(pathname), 'what may be a secret')
  assert.ok(text.includes(`${app.siteUrl}/manage/a/${applied.account_id}/webhooks/${endpoint.id}`))
  clock.advance(HOUR)
  await ping()
  assert.equal((await mails()).length, 1)
  // The next failure is another.
  receiver.behave(ok)
  await ping()
  receiver.behave(answering(500))
  await ping()
  clock.advance(DAY)
  await ping()
  await ended(2)
  assert.equal(received.length, 2)
})

test('a server that is started anew mails no failure twice, and goes on counting the day', async t => {
  const { clock, ping, ended, mails, received, app, data, settings } = await start(t)
  await ping()
  clock.advance(2 * MINUTE)
  await ping()
  await app.close()
  const second = await startServer(t, { data, clock, settings })
  clock.advance(DAY)
  await ping(second)
  await ended(1, second)
  await second.app.close()
  const third = await startServer(t, { data, clock, settings })
  clock.advance(HOUR)
  await ping(third)
  assert.equal((await mails()).length, 1)
  assert.equal(received.length, 1)
})

test('of an endpoint that works again before the mail has gone out nothing is said', async t => {
  const { app, clock, ping, receiver, ended, received, mails, db } = await start(t)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  await ping()
  clock.advance(DAY)
  await ping()
  await onceSettled({ app }, ['webhooks', 'mails'], 'the mail', async () => (await mails()).length === 1)
  receiver.behave(ok)
  await ping()
  await onceSettled({ app }, ['webhooks', 'mails'], 'the end of the failure', async () => {
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ failing_since: number | null }>('SELECT failing_since FROM webhook_endpoints'),
    )
    return row?.failing_since === null
  })
  await db.write(INSTANCE, tx => setHold(tx, null))
  const [mail] = await ended(1)
  assert.equal(mail?.status, 'withdrawn')
  assert.equal(received.length, 0)
})
