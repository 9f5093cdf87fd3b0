import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { countedLines } from '#test/support/counting-job.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

const LINES = 3_000

async function prepare(t: TestContext) {
  const folder = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data: folder.data, clock: Date.now })
  return { ...folder, db }
}

const count = (db: Database, accountId: string) =>
  db.write(accountId, tx =>
    jobs.start(tx, { kind: 'test.count', eventId: null, input: {}, total: LINES, by: 'user:1' }),
  )

const inOrder = Array.from({ length: LINES }, (_, line) => line)

test('a job whose servers are killed is finished by the next, and no line of it is done twice or never', {
  timeout: 300_000,
}, async t => {
  const { data, accountId, db } = await prepare(t)
  const { id } = await count(db, accountId)
  const doneNow = async () => (await db.read(accountId, tx => jobs.get(tx, id))).done
  for (let round = 0; round < 4; round++) {
    const before = await doneNow()
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', async () => (await doneNow()) > before + 90, 90_000)
    await setTimeout(Math.random() * 10)
    server.kill()
    await server.ended
    const job = await db.read(accountId, tx => jobs.get(tx, id))
    assert.ok(job.done < LINES, 'it was finished before the process was killed')
    assert.deepEqual(await countedLines(db, id), inOrder.slice(0, job.done))
  }
  // The lease of the killed one is not over.
  await startJobs(t, data, 3 * jobs.LEASE)
  const left = await doneNow()
  await setTimeout(500)
  assert.equal(await doneNow(), left)
  await startJobs(t, data, 5 * jobs.LEASE)
  const job = await eventually(
    'the end',
    async () => {
      const now = await db.read(accountId, tx => jobs.get(tx, id))
      return now.state === 'done' && now
    },
    90_000,
  )
  assert.deepEqual([job.done, job.outcome], [LINES, { lines: LINES }])
  assert.deepEqual(await countedLines(db, id), inOrder)
})

test('a server that kept how far it is in a transaction of its own would do lines twice', async t => {
  const { data, accountId, db } = await prepare(t)
  const { id } = await count(db, accountId)
  await (await startJobs(t, data, 0, 'apart')).ended
  await startJobs(t, data, 2 * jobs.LEASE)
  await eventually('some more', async () => (await countedLines(db, id)).length > 9)
  assert.deepEqual((await countedLines(db, id)).slice(0, 6), [0, 1, 2, 0, 1, 2])
})

test('an import whose server is killed is finished by the next, and each guest is there once', {
  timeout: 300_000,
}, async t => {
  const { data, accountId, eventId, db } = await prepare(t)
  const guests = Array.from({ length: LINES }, (_, at) => `Guest ${at},guest-${at}@example.org`)
  const table = await readTable(Buffer.from(['Name,Email', ...guests].join('\n')))
  const actor = { accountId, who: 'key:1', requestId: null, address: null }
  const { id } = await imports.upload(db, actor, eventId, table)
  const first = await startJobs(t, data, 0)
  const check = await eventually(
    'the check',
    async () => {
      const job = await db.read(accountId, tx => jobs.get(tx, id))
      return job.state === 'done' && job
    },
    90_000,
  )
  assert.equal(check.outcome?.new, LINES)
  const begun = await db.write(accountId, tx => imports.start(tx, id, 'key:1'))
  const now = () => db.read(accountId, tx => jobs.get(tx, begun.id))
  await eventually('some guests', async () => (await now()).done > 300, 90_000)
  first.kill()
  await first.ended
  const { done } = await now()
  assert.ok(done < LINES)
  assert.equal(await countGuests(db), done)
  await startJobs(t, data, 2 * jobs.LEASE)
  const job = await eventually(
    'the end',
    async () => {
      const one = await now()
      return one.state === 'done' && one
    },
    90_000,
  )
  assert.deepEqual(job.outcome, { added: LINES, known: 0, wrong: 0, sold_out: 0 })
  assert.equal(job.done, LINES)
  assert.equal(await countGuests(db), LINES)
  const counts = await db.read(accountId, tx => imports.countLines(tx, id))
  assert.deepEqual(counts, { read: 0, new: 0, known: 0, wrong: 0, sold_out: 0, left_out: 0, added: LINES })
  assert.deepEqual(await damageOf(data), [])
})

async function countGuests(db: Database): Promise<number> {
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ guests: number; events: number; entries: number; sold: number }>(
      `SELECT (SELECT count(DISTINCT buyer_email_key) FROM registrations) AS guests,
         (SELECT count(*) FROM webhook_events WHERE type = 'registration.created') AS events,
         (SELECT count(*) FROM access_log WHERE action = 'registration.create' AND actor = 'key:1') AS entries,
         (SELECT sum(sold) FROM registration_types) AS sold`,
    ),
  )
  const { guests, ...others } = row as { guests: number; events: number; entries: number; sold: number }
  assert.deepEqual(others, { events: guests, entries: guests, sold: guests })
  return guests
}
