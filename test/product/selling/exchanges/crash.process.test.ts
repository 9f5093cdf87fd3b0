import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { FORM_PREVIEW } from '#machinery/web/forms/form.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { ticketUrl } from '#product/selling/orders/links.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { openTestDatabase } from '#test/support/engine.ts'
import { OrderForms } from '#test/support/people/order-forms.ts'
import { startServerProcess } from '#test/support/server-process.ts'
import { orderFree } from '#test/support/ticket-mail.ts'

const HOLDER = new URLSearchParams({
  ...{ name: 'Mary', email: 'mary@example.org' },
  [FORM_PREVIEW]: 'mary@example.org',
})

/** Reads what there is: the tickets that admit somebody and all others, the places that are taken, mails, and what programs are told. */
function readState(db: Database) {
  return db.read(INSTANCE, async tx => {
    const count = async (sql: string) => Number((await tx.one<{ n: number }>(`SELECT ${sql}`))?.n)
    return {
      good: await count('count(*) AS n FROM attendees WHERE voided = 0'),
      voided: await count('count(*) AS n FROM attendees WHERE voided = 1'),
      sold: await count('sum(sold) AS n FROM registration_types'),
      mails: await count("count(*) AS n FROM emails WHERE kind <> 'order_confirmed'"),
      events: await count('count(*) AS n FROM webhook_events'),
    }
  })
}

const BEFORE = { good: 1, voided: 0, sold: 1, mails: 0, events: 1 }
const AFTER = { good: 1, voided: 1, sold: 1, mails: 2, events: 3 }

/** Gives a ticket on at a server that is killed at it, and again at the one that comes after it. */
async function killAndRetry(t: TestContext, env: Record<string, string>) {
  const { data, accountId, eventId, typeId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const secret = await db.write(accountId, async tx => {
    await tx.run('UPDATE registration_types SET price = 0, capacity = 1 WHERE id = $1', [typeId])
    await tx.run('UPDATE events SET give_on = 1, names_locked_at = $2 WHERE id = $1', [
      eventId,
      Date.now() + DAY,
    ])
    return (await tx.one<{ s: string }>('SELECT cursor_secret AS s FROM instance'))?.s as string
  })
  const order = await orderFree(db, { accountId, eventId, typeId }, 'Grace')
  const ticketId = await db.read(
    INSTANCE,
    async tx => (await tx.one<{ id: string }>('SELECT id FROM attendees'))?.id,
  )
  const path = `${ticketUrl({ baseUrl: '', secret }, order, ticketId as string)}/give`
  assert.deepEqual(await readState(db), BEFORE)
  const imports = ['test/support/killed-server.ts'] as const
  const victim = await startServerProcess(t, data, { imports, env })
  const answer = await new OrderForms(t, new URL(victim.url).origin).post(path, HOLDER).catch(() => undefined)
  assert.equal((await victim.ended).signal, 'SIGKILL')
  assert.equal(answer, undefined)
  const left = await readState(db)
  const damage = await findDamage(db)
  const next = await startServerProcess(t, data, {})
  const again = await new OrderForms(t, new URL(next.url).origin).post(path, HOLDER)
  return { left, damage, again: again.status, made: await readState(db), after: await findDamage(db) }
}

const BOUND = { timeout: 120_000 }

for (const [when, killAt] of [
  ['once the old ticket is void', 'after UPDATE attendees SET voided'],
  ['once the old place is free', 'after UPDATE registration_types SET sold'],
  ['once the new registration is there, without a ticket', 'before INSERT INTO attendees'],
  ['once programs are told', 'after INSERT INTO webhook_events'],
  ['once the mails are there, and nothing is committed', 'after INSERT INTO emails'],
] as const) {
  test(
    `a server that is killed ${when} leaves the old ticket as it was, and the next one exchanges it once`,
    BOUND,
    async t => {
      const found = await killAndRetry(t, { KILL_AT: killAt })
      assert.deepEqual([found.left, found.damage], [BEFORE, []])
      assert.deepEqual([found.again, found.made, found.after], [303, AFTER, []])
    },
  )
}

test('an exchange that is written in two transactions would be seen', BOUND, async t => {
  const statement = 'UPDATE attendees SET voided'
  const found = await killAndRetry(t, { KILL_AT: `after ${statement}`, COMMIT_AFTER: statement })
  assert.notDeepEqual(found.left, BEFORE)
  assert.notDeepEqual(found.made, AFTER)
})
