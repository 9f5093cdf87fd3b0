import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { organizationToday, prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { registration } from '#test/support/organization.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

const GUESTS = 600

async function prepare(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const guests = Array.from({ length: GUESTS }, (_, n) =>
    registration(`g${n}`, { buyer: { name: `Guest ${n}`, email: `g${n}@example.org` } }),
  )
  await applyOrganization(db, organizationToday(guests), { clock: Date.now })
  const { id, job_id } = await db.write(accountId, async tx => {
    const audience = { group: 'confirmed', types: [] } as const
    const input = { subject: 'News', body: 'Hello', audience }
    const draft = await announcements.create(tx, eventId, input, 'user:1')
    const how = { total: GUESTS, language: 'en', by: 'user:1' } as const
    return announcements.send(tx, eventId, draft.id, how)
  })
  const mailed = () =>
    db.read(INSTANCE, tx =>
      tx.all<{ recipient: string }>('SELECT recipient FROM emails WHERE cause = $1', [id]),
    )
  const job = () => db.read(accountId, tx => jobs.get(tx, job_id as string))
  return { data, mailed, job }
}

test('an announcement whose server is killed while it is written is finished by the next: everybody has it once', {
  timeout: 60_000,
}, async t => {
  const { data, mailed, job } = await prepare(t)
  for (let round = 0; round < 3; round++) {
    const before = (await mailed()).length
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', async () => (await mailed()).length > before + 40, 20_000)
    await setTimeout(Math.random() * 10)
    server.kill()
    await server.ended
    const { done } = await job()
    assert.ok(done < GUESTS, 'it was finished before the process was killed')
    assert.equal((await mailed()).length, done)
  }
  await startJobs(t, data, 4 * jobs.LEASE)
  await eventually('the end', async () => (await job()).state === 'done', 30_000)
  const recipients = (await mailed()).map(({ recipient }) => recipient)
  assert.equal(recipients.length, GUESTS)
  assert.equal(new Set(recipients).size, GUESTS)
  assert.deepEqual(await damageOf(data), [])
})

test('even a server that kept how far it is apart from the mails would write nobody a second one', async t => {
  const { data, mailed, job } = await prepare(t)
  await (await startJobs(t, data, 0, 'apart')).ended
  assert.equal((await job()).done, 0)
  assert.ok((await mailed()).length > 0)
  await startJobs(t, data, 2 * jobs.LEASE)
  await eventually('the end', async () => (await job()).state === 'done', 30_000)
  const recipients = (await mailed()).map(({ recipient }) => recipient)
  assert.deepEqual([recipients.length, new Set(recipients).size], [GUESTS, GUESTS])
})
