import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { linkSecret } from '#machinery/web/link-secret.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { place } from '#product/selling/orders/place.ts'
import { testClock } from '#test/support/clock.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { OrderForms } from '#test/support/people/order-forms.ts'
import { startServer } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { onceSettled } from '#test/support/settled.ts'

/** After these milliseconds the claim of a server that is gone has ended. */
const LATER = 11 * MINUTE
const OTHERS = ['bob@example.org', 'cy@example.org', 'di@example.org']

/** Prepares a folder with a free order of which others hold tickets, and the path that its buyer was mailed. */
async function prepare(t: TestContext) {
  const { data, accountId, eventId, typeId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  await db.write(accountId, tx =>
    tx.run('UPDATE registration_types SET price = 0, capacity = 9 WHERE id = $1', [typeId]),
  )
  const order = await db.write(accountId, tx =>
    place(tx, eventId, {
      ...{
        formId: 'form',
        buyer: { name: 'Grace', email: 'grace@example.org' },
        language: 'en',
        answers: {},
      },
      agreement: agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
      lines: [{ typeId, tickets: OTHERS.map(email => ({ name: 'You', email })) }],
    }),
  )
  const instance = await db.read(INSTANCE, tx =>
    tx.one<{ s: string }>('SELECT cursor_secret AS s FROM instance'),
  )
  const secret = linkSecret(instance?.s as string, 'verify', { id: order.id, version: 1 })
  const mailServer = await startMailServer(t)
  const flags = ['--smtp-url', mailServer.url, '--mail-from', 'tickets@example.org']
  return { data, db, path: `/orders/${secret}/confirm`, mailServer, flags }
}

/** Reads whether the order is verified, and which mails it has: none of it, or all. */
function readVerified(db: Database) {
  return db.read(INSTANCE, async tx => {
    const count = async (sql: string) => (await tx.one<{ n: number }>(`SELECT count(*) AS n ${sql}`))?.n
    return {
      verified: await count('FROM orders WHERE verified_at IS NOT NULL'),
      mails: await count("FROM emails WHERE kind = 'ticket'"),
      entries: await count("FROM access_log WHERE action = 'order.verify'"),
    }
  })
}

const NONE = { verified: 0, mails: 0, entries: 0 }
const ALL = { verified: 1, mails: 3, entries: 1 }

/** Presses the button at a server that is killed, and again at the one that comes after it. */
async function killAndRetry(t: TestContext, env: Record<string, string>) {
  const { data, db, path, mailServer, flags } = await prepare(t)
  const imports = ['test/support/killed-server.ts'] as const
  const victim = await startServerProcess(t, data, { flags, imports, env })
  await new OrderForms(t, new URL(victim.url).origin).post(path, '').catch(() => undefined)
  assert.equal((await victim.ended).signal, 'SIGKILL')
  const left = await readVerified(db)
  const damage = await findDamage(db)
  const clock = testClock(new Date(Date.now() + LATER).toISOString())
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const { app } = await startServer(t, { data, clock, settings })
  const forms = new OrderForms(t, app.siteUrl)
  const again = [(await forms.post(path, '')).status, (await forms.post(path, '')).status]
  const isSent = async () =>
    (await db.read(INSTANCE, tx => tx.one("SELECT 1 FROM emails WHERE status <> 'sent'"))) === undefined
  await onceSettled({ app }, 'mails', 'all mails sent', isSent)
  const received = OTHERS.map(email => mailServer.received.filter(({ to }) => to.includes(email)).length)
  return { left, damage, again, verified: await readVerified(db), received }
}

const BOUND = { timeout: 120_000 }

const steps: [when: string, killAt: string, left: object][] = [
  ['before it is noted', 'before UPDATE orders SET verified_at', NONE],
  ['once it is noted, and nobody is told', 'after UPDATE orders SET verified_at', NONE],
  ['once one mail is there, and nothing committed', 'after INSERT INTO emails', NONE],
  ['after the commit is on the disk, and before the answer', 'synced', ALL],
]
for (const [when, killAt, left] of steps) {
  test(`a server that is killed ${when}, while a buyer confirms, mails each holder once`, BOUND, async t => {
    const found = await killAndRetry(t, { KILL_AT: killAt })
    assert.deepEqual([found.left, found.damage], [left, []])
    assert.deepEqual([found.again, found.verified, found.received], [[303, 303], ALL, [1, 1, 1]])
  })
}

test(
  'a confirmation that was written in two transactions would be seen: nobody else is ever told',
  BOUND,
  async t => {
    const statement = 'UPDATE orders SET verified_at'
    const found = await killAndRetry(t, { KILL_AT: `after ${statement}`, COMMIT_AFTER: statement })
    assert.notDeepEqual(found.left, NONE)
    assert.deepEqual(found.received, [0, 0, 0])
  },
)
