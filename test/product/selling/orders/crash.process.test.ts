import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import { FormGuard } from '#faces/storefront/form-guard.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { Signed } from '#machinery/web/signed.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { testClock } from '#test/support/clock.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { OrderForms, PATH } from '#test/support/people/order-forms.ts'
import { startServer } from '#test/support/server.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually } from '#test/support/webhooks.ts'

/** After these milliseconds the claim of a server that is gone has ended. */
const LATER = 11 * MINUTE
const BUYER = { name: 'Grace', email: 'grace@example.org' }

/** Prepares a folder with one free place, and the review of an order for it. */
async function prepare(t: TestContext) {
  const folder = await prepareDataFolder(t)
  const { data, accountId, eventId, typeId } = folder
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const secret = await db.write(accountId, async tx => {
    await accounts.update(tx, { slug: 'ada' })
    await tx.run('UPDATE registration_types SET price = 0, capacity = 1 WHERE id = $1', [typeId])
    return (await tx.one<{ s: string }>('SELECT cursor_secret AS s FROM instance'))?.s as string
  })
  const earlier = () => Date.now() - 5 * SECOND
  const guard = new FormGuard({ signed: new Signed(secret, earlier), clock: earlier })
  const form = new URLSearchParams({
    ...{ [`q.${typeId}`]: '1', 'buyer.name': BUYER.name, 'buyer.email': BUYER.email },
    ...{ 'form.id': randomUUID(), 'form.shown': guard.seal(eventId) },
    'form.seen': agreementHash({ total: 0, event: { currency: 'EUR', terms: null } }),
  })
  const mailServer = await startMailServer(t)
  const flags = ['--smtp-url', mailServer.url, '--mail-from', 'tickets@example.org']
  return { data, db, form, mailServer, flags }
}

/** Reads what there is of the order: none of it, or all of it. */
function readTaken(db: Database) {
  return db.read(INSTANCE, async tx => {
    const count = async (sql: string) => (await tx.one<{ n: number }>(`SELECT ${sql}`))?.n
    return {
      orders: await count('count(*) AS n FROM orders'),
      tickets: await count('count(*) AS n FROM attendees'),
      sold: await count('sum(sold) AS n FROM registration_types'),
      mails: await count('count(*) AS n FROM emails'),
      events: await count("count(*) AS n FROM webhook_events WHERE type = 'registration.created'"),
    }
  })
}

const NONE = { orders: 0, tickets: 0, sold: 0, mails: 0, events: 0 }
const ONE = { orders: 1, tickets: 1, sold: 1, mails: 1, events: 1 }

/** Sends the form to a server that is killed, and again to the one that comes after it. */
async function killAndRetry(
  t: TestContext,
  env: Record<string, string>,
  { hangs = false }: { hangs?: boolean } = {},
) {
  const { data, db, form, mailServer, flags } = await prepare(t)
  const { received, script } = mailServer
  const imports = ['test/support/killed-server.ts'] as const
  const victim = await startServerProcess(t, data, { flags, imports, env })
  let isUnderWay = false
  if (hangs)
    script.data = () => {
      isUnderWay = true
      return new Promise(() => undefined)
    }
  const answer = await new OrderForms(t, new URL(victim.url).origin)
    .post(`${PATH}register/order`, form)
    .catch(() => undefined)
  if (hangs) {
    await eventually('the mail under way', () => isUnderWay, 60_000)
    victim.kill('SIGKILL')
  }
  assert.equal((await victim.ended).signal, 'SIGKILL')
  delete script.data
  const left = await readTaken(db)
  const damage = await findDamage(db)

  const clock = testClock(new Date(Date.now() + LATER).toISOString())
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const { app } = await startServer(t, { data, clock, settings })
  const again = await new OrderForms(t, app.siteUrl).post(`${PATH}register/order`, form)
  const isSent = async () =>
    (await db.read(INSTANCE, tx => tx.one("SELECT 1 FROM emails WHERE status <> 'sent'"))) === undefined
  await onceSettled({ app }, 'mails', 'all mails sent', isSent)
  return {
    ...{ answered: answer?.status, left, damage, again: again.status },
    made: await readTaken(db),
    received: received.length,
    messageIds: new Set(received.map(({ parsed }) => parsed.messageId)).size,
  }
}

const BOUND = { timeout: 120_000 }

const steps: [when: string, killAt: string, left: object, received: number][] = [
  ['before an order is written', 'before INSERT INTO orders', NONE, 1],
  ['once the order is there, and none of its tickets', 'after INSERT INTO orders', NONE, 1],
  ['once the place is taken, and no ticket is there', 'after UPDATE registration_types SET sold', NONE, 1],
  ['once the ticket is there, and nobody is told', 'after INSERT INTO attendees', NONE, 1],
  ['once programs are told, and not the buyer', 'after INSERT INTO webhook_events', NONE, 1],
  ['once the mail is there, and nothing committed', 'after INSERT INTO emails', NONE, 1],
  ['after the commit', 'committed', ONE, 1],
  ['after the commit is on the disk, and before the answer', 'synced', ONE, 1],
  ['once the mail is claimed, and not sent', 'after UPDATE emails SET next_attempt_at', ONE, 1],
  // The server for mail has it, and nobody knows.
  [
    'after the server for mail has taken the mail, and before that is told',
    'before UPDATE emails SET status',
    ONE,
    2,
  ],
]
for (const [when, killAt, left, received] of steps) {
  test(`a server that is killed ${when} has the form make one order`, BOUND, async t => {
    const found = await killAndRetry(t, { KILL_AT: killAt })
    assert.deepEqual(found.left, left)
    assert.deepEqual(found.damage, [])
    assert.deepEqual([found.again, found.made], [303, ONE])
    assert.deepEqual([found.received, found.messageIds], [received, 1])
    // Nobody got an answer about what is not on the disk.
    if (left === NONE) assert.equal(found.answered, undefined)
  })
}

test('a server that is killed while the mail of an order is under way has it arrive once', BOUND, async t => {
  const found = await killAndRetry(t, {}, { hangs: true })
  assert.deepEqual([found.answered, found.left, found.damage], [303, ONE, []])
  assert.deepEqual([found.again, found.made, found.received], [303, ONE, 1])
})

const faults: [what: string, statement: string][] = [
  ['without its tickets', 'INSERT INTO orders'],
  ['whose place is taken by nobody', 'UPDATE registration_types SET sold'],
  ['of which the buyer is never told', 'INSERT INTO webhook_events'],
]
for (const [what, statement] of faults) {
  test(`an order ${what}, as it was written in two transactions, would be seen`, BOUND, async t => {
    const env = { KILL_AT: `after ${statement}`, COMMIT_AFTER: statement }
    const found = await killAndRetry(t, env)
    assert.notDeepEqual(found.left, NONE)
    assert.notDeepEqual(found.made, ONE)
  })
}
