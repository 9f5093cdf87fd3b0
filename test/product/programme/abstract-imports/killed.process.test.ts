import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as imports from '#product/programme/abstract-imports/rules.ts'
import { uploadTable } from '#test/support/abstract-imports.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { openCall } from '#test/support/submissions.ts'
import { eventually } from '#test/support/webhooks.ts'

const LINES = 400
const BOUND = { timeout: 240_000 }

/** Begins to bring a table with abstracts, of which each person is told. */
async function prepare(t: TestContext) {
  const { data, accountId, eventId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const place = { db, accountId, eventId, clock: Date.now }
  await openCall(place)
  const lines = Array.from({ length: LINES }, (_, n) => `T${n},They fill.,Lin Mei,lin${n}@example.org`)
  const { id } = await uploadTable(place, ['title,text,authors,email', ...lines].join('\n'))
  await db.write(accountId, tx => imports.start(tx, eventId, id, { by: 'cli', isMailed: true }))
  const job = () => db.read(accountId, tx => jobs.get(tx, id))
  const added = async () => {
    const row = await db.read(INSTANCE, tx =>
      tx.one<Record<string, number>>(
        `SELECT (SELECT count(*) FROM abstracts) AS abstracts, (SELECT count(DISTINCT title) FROM abstracts) AS titles,
           (SELECT count(*) FROM submitters) AS people, (SELECT count(*) FROM abstract_revisions) AS versions,
           (SELECT count(*) FROM emails WHERE kind = 'abstract_added') AS mails,
           (SELECT count(*) FROM access_log WHERE action = 'abstract.add') AS entries`,
      ),
    )
    const { abstracts, ...others } = row as Record<string, number>
    const all = Object.keys(others).map(name => [name, abstracts])
    assert.deepEqual({ ...others }, Object.fromEntries(all))
    return abstracts as number
  }
  const ended = () => eventually('the end', async () => (await job()).state === 'done', 90_000)
  return { data, job, added, ended }
}

test(
  'a table with abstracts whose servers are killed is finished by the next, and each is added once',
  BOUND,
  async t => {
    const { data, job, added, ended } = await prepare(t)
    for (let round = 0; round < 3; round++) {
      const before = (await job()).done
      const server = await startJobs(t, data, round * jobs.LEASE)
      await eventually('some of it', async () => (await job()).done > before + 30, 60_000)
      await setTimeout(Math.random() * 10)
      server.kill()
      await server.ended
      const { done } = await job()
      assert.ok(done < LINES, 'it was finished before the process was killed')
      assert.equal(await added(), done)
    }
    await startJobs(t, data, 4 * jobs.LEASE)
    await ended()
    assert.deepEqual((await job()).outcome, { added: LINES, known: 0, wrong: 0 })
    assert.equal(await added(), LINES)
    assert.deepEqual(await damageOf(data), [])
  },
)

test(
  'even a server that kept how far it is apart from the abstracts would add none twice',
  BOUND,
  async t => {
    const { data, job, added, ended } = await prepare(t)
    await (await startJobs(t, data, 0, 'apart')).ended
    assert.equal((await job()).done, 0)
    assert.ok((await added()) > 0)
    await startJobs(t, data, 2 * jobs.LEASE)
    await ended()
    assert.equal(await added(), LINES)
  },
)
