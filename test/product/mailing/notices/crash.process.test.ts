import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as notices from '#product/mailing/notices/rules.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { registration } from '#test/support/organization.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

const GUESTS = 600

/** Prepares an event in some hours, of which everybody is to be reminded now. */
async function prepare(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const guests = Array.from({ length: GUESTS }, (_, n) =>
    registration(`g${n}`, {
      ...{ created_at: '2020-01-01T00:00:00Z', confirmed_at: '2020-01-01T00:00:00Z' },
      buyer: { name: `Guest ${n}`, email: `g${n}@example.org` },
    }),
  )
  await applyOrganization(db, organizationToday(guests), { clock: Date.now })
  const job = await db.write(accountId, async tx => {
    await tx.run("UPDATE events SET reminder = 'all', starts_at = $1, ends_at = NULL", [
      Date.now() + 3 * HOUR,
    ])
    const started = await notices.remind(tx, eventId)
    assert.equal(await notices.remind(tx, eventId), undefined)
    return started
  })
  const mails = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ recipient: string; next_attempt_at: number }>(
        "SELECT recipient, next_attempt_at FROM emails WHERE kind = 'reminder'",
      ),
    )
  const readJob = () => db.read(accountId, tx => jobs.get(tx, job?.id as string))
  /** Lets a server do the rest of it. @returns how many mails there are, and how many people they are to */
  const finish = async (ahead: number) => {
    await startJobs(t, data, ahead)
    await eventually('the end', async () => (await readJob()).state === 'done', 30_000)
    const written = await mails()
    return { mails: written, people: new Set(written.map(({ recipient }) => recipient)).size }
  }
  return { data, mails, finish }
}

test('a reminder whose server is killed while it is written, or let go, is finished by the next: everybody has it once', {
  timeout: 120_000,
}, async t => {
  const { data, mails, finish } = await prepare(t)
  const countSoon = async () =>
    (await mails()).filter(each => each.next_attempt_at < Date.now() + HOUR / 2).length
  for (const [round, isThere] of [
    async () => (await mails()).length > 40,
    async () => (await mails()).length > 200,
    async () => (await countSoon()) > 0,
  ].entries()) {
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', isThere, 20_000)
    await setTimeout(Math.random() * 5)
    server.kill()
    await server.ended
  }
  const { mails: all, people } = await finish(4 * jobs.LEASE)
  assert.deepEqual([all.length, people], [GUESTS, GUESTS])
  const last = Date.now() + 4 * jobs.LEASE
  assert.ok(all.every(each => each.next_attempt_at <= last))
  assert.deepEqual(await damageOf(data), [])
})

test('a server that kept how far it is first would miss people, and one whose mails had no cause would write them twice', {
  timeout: 120_000,
}, async t => {
  const missing = await prepare(t)
  await (await startJobs(t, missing.data, 0, 'lost')).ended
  const lost = await missing.finish(2 * jobs.LEASE)
  assert.ok(lost.people < GUESTS, `${lost.people} people`)
  const twice = await prepare(t)
  await (await startJobs(t, twice.data, 0, 'causeless')).ended
  const repeated = await twice.finish(2 * jobs.LEASE)
  assert.ok(repeated.mails.length > repeated.people, `${repeated.mails.length} mails`)
})

test('a server that keeps how far it is apart from the mails writes nobody a second one', async t => {
  const { data, finish } = await prepare(t)
  await (await startJobs(t, data, 0, 'apart')).ended
  const { mails: all, people } = await finish(2 * jobs.LEASE)
  assert.deepEqual([all.length, people], [GUESTS, GUESTS])
})
