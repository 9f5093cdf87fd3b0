import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import * as sending from '#product/programme/decisions/sending.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'
import { eventually } from '#test/support/webhooks.ts'

const ABSTRACTS = 400

/** Has decisions about many abstracts sent, which a file has brought. */
async function prepare(t: TestContext) {
  const data = diskFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const all = Array.from({ length: ABSTRACTS }, (_, n) =>
    abstract(`A-${n}`, { contact: { name: `Author ${n}`, email: `a${n}@example.org` } }),
  )
  const applied = await applyOrganization(db, organizationWith(all), { clock: Date.now })
  const accountId = applied.account_id
  const event = applied.events['spring-meeting']
  const eventId = event?.id as string
  await subscribeToAll(db, accountId)
  const job = await db.write(accountId, async tx => {
    for (const abstract_id of Object.values(event?.abstracts ?? {})) {
      const proposal = { abstract_id, decision: 'accepted', kind_id: null, note: null } as const
      await proposals.propose(tx, eventId, { ...proposal, proposed_by: 'cli' })
    }
    const code = { percent: 100, registration_type_ids: null, valid_until: null }
    const terms = { comments: true, presenters: true, confirm_by: Date.now() + 1e9, code }
    return sending.send(tx, eventId, { input: { ...terms, language: 'en' }, except: [], by: 'cli' })
  })
  const count = async (sql: string) =>
    Number((await db.read(INSTANCE, tx => tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)))?.n)
  /** Finishes what was begun, and counts what came of it. */
  const finish = async (ahead: number) => {
    await startJobs(t, data, ahead)
    const state = () => db.read(accountId, tx => jobs.get(tx, job.id))
    await eventually('the end', async () => (await state()).state === 'done', 60_000)
    return {
      decided: await count("abstracts WHERE status = 'accepted' AND decision_number = 1"),
      codes: await count('codes'),
      own: await count('(SELECT DISTINCT registration_code_id FROM abstracts) AS own'),
      mails: await count("emails WHERE kind = 'abstract_accepted'"),
      people: await count('submissions WHERE abstract_id IS NOT NULL'),
      events: await count("webhook_events WHERE type = 'abstract.decided'"),
      entries: await count("access_log WHERE action = 'abstract.decide'"),
      left: await count('proposals'),
    }
  }
  const decided = () => count("abstracts WHERE status = 'accepted'")
  return { data, decided, finish }
}

const once = (n: number) => ({
  ...{ decided: n, codes: n, own: n, mails: n, people: n, events: n, entries: n },
  left: 0,
})

test('decisions whose server is killed while it sends them are sent by the next: each once, with one mail and one code', {
  timeout: 120_000,
}, async t => {
  const { data, decided, finish } = await prepare(t)
  for (let round = 0; round < 3; round++) {
    const before = await decided()
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', async () => (await decided()) > before + 20, 20_000)
    await setTimeout(Math.random() * 10)
    server.kill()
    await server.ended
  }
  assert.ok((await decided()) < ABSTRACTS, 'it was finished before the process was killed')
  assert.deepEqual(await finish(4 * jobs.LEASE), once(ABSTRACTS))
  assert.deepEqual(await damageOf(data), [])
})

test('a server that drops what was proposed after it decides would decide twice, and one that mails after it would miss people', {
  timeout: 120_000,
}, async t => {
  const kept = await prepare(t)
  await (await startJobs(t, kept.data, 0, 'kept')).ended
  const { events, entries } = await kept.finish(2 * jobs.LEASE)
  assert.ok(events > ABSTRACTS && entries > ABSTRACTS, `${events} events, ${entries} entries`)
  const lost = await prepare(t)
  await (await startJobs(t, lost.data, 0, 'lost')).ended
  const { mails } = await lost.finish(2 * jobs.LEASE)
  assert.ok(mails < ABSTRACTS, `${mails} mails`)
})
