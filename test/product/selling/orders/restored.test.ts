import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { carryOut } from '#test/support/carry-out.ts'
import { ofSqlite, openTestDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { fresh, OrderForms, PATH, startSale } from '#test/support/people/order-forms.ts'
import { startServer } from '#test/support/server.ts'

test('a backup that is restored mails nobody of its orders, old or new, until its owner says that there is no other', {
  ...ofSqlite,
  timeout: 90_000,
}, async t => {
  const { review, order, data, clock } = await startSale(t)
  assert.equal((await order(await review())).status, 303)
  const form = await review()
  const folder = temporaryFolder(t)
  const restored = join(folder, 'restored')
  const turnout = (...args: string[]) =>
    carryOut(args, { out: () => undefined, err: (text: string) => assert.fail(text), clock })
  await turnout('backup', join(folder, 'backup.db'), '--data', data, '--json')
  await turnout('restore', join(folder, 'backup.db'), '--data', restored, '--json')

  const { url, received } = await startMailServer(t)
  const settings = { smtpUrl: url, mailFrom: 'tickets@example.org' }
  const { app } = await startServer(t, { data: restored, clock, settings })
  const forms = new OrderForms(t, app.siteUrl)
  const placed = await forms.post(`${PATH}register/order`, fresh(form, 'eve@example.org'))
  assert.equal(placed.status, 303)
  // Selling goes on, and the page has the tickets.
  assert.match((await forms.get(placed.location as string)).text, /<svg/)
  const db = await openTestDatabase(t, { data: restored, clock })
  const untouched = () =>
    db.read(INSTANCE, tx =>
      tx.all("SELECT 1 FROM emails WHERE status = 'waiting' AND attempts = 0 AND next_attempt_at <= $1", [
        clock(),
      ]),
    )
  await app.settled('mails')
  assert.equal((await untouched()).length, 2)
  assert.equal(received.length, 0)

  await turnout('mail', 'resume', '--data', restored, '--json')
  await app.settled('mails')
  assert.deepEqual(received.map(({ to }) => to[0]).sort(), ['eve@example.org', 'grace@example.org'])
})
