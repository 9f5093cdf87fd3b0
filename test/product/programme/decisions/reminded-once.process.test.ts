import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { remindUnconfirmed } from '#product/programme/decisions/remind-unconfirmed.ts'
import { adopt } from '#product/programme/submissions/adopt.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { decideAs } from '#test/support/after-decision.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

const ABSTRACTS = 400
const BOUND = { timeout: 120_000 }
/** How far the clock is ahead once the last reminder is due. */
const AHEAD = 10 * DAY - HOUR

/** Accepts many abstracts, whose authors have ten days to confirm. */
async function prepare(t: TestContext) {
  const data = diskFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const all = Array.from({ length: ABSTRACTS }, (_, n) =>
    abstract(`A-${n}`, { contact: { name: `Author ${n}`, email: `a${n}@example.org` } }),
  )
  const applied = await applyOrganization(db, organizationWith(all), { clock: Date.now })
  const accountId = applied.account_id
  const eventId = applied.events['spring-meeting']?.id as string
  const confirm_by = Date.now() + 10 * DAY
  for (const id of Object.values(applied.events['spring-meeting']?.abstracts ?? {})) {
    await decideAs({ db, accountId }, id, { decision: 'accepted' }, { confirm_by })
    await db.write(accountId, tx => adopt(tx, id, 'en'))
  }
  const count = async (of: string) =>
    Number((await db.read(INSTANCE, tx => tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${of}`)))?.n)
  const reminded = () => count("emails WHERE kind = 'abstract_confirm_reminder'")
  const ask = () => db.write(accountId, tx => remindUnconfirmed(tx, eventId, 'cli'))
  /** Lets a whole server do what is left. */
  const finish = async (ahead: number) => {
    const server = await startJobs(t, data, ahead)
    const isDone = async () =>
      (await count("jobs WHERE state <> 'done'")) === 0 &&
      (ahead < AHEAD || (await count('abstracts WHERE confirm_reminded IS NULL')) === 0)
    await eventually('the end', isDone, 60_000)
    server.kill()
    await server.ended
    return reminded()
  }
  return { data, reminded, ask, finish }
}

/** Kills servers in the middle of reminding. */
async function kill(t: TestContext, data: string, reminded: () => Promise<number>, ahead: number) {
  for (let round = 0; round < 3; round++) {
    const before = await reminded()
    const server = await startJobs(t, data, ahead + round * jobs.LEASE)
    await eventually('some of it', async () => (await reminded()) > before + 20, 20_000)
    await setTimeout(Math.random() * 10)
    server.kill()
    await server.ended
  }
  assert.ok((await reminded()) < ABSTRACTS, 'it was finished before the process was killed')
}

test(
  'authors whose server is killed while it reminds them to confirm are reminded by the next, once each',
  BOUND,
  async t => {
    const { data, reminded, finish } = await prepare(t)
    await kill(t, data, reminded, AHEAD)
    assert.equal(await finish(AHEAD + 4 * jobs.LEASE), ABSTRACTS)
    assert.equal(await finish(AHEAD + 5 * jobs.LEASE), ABSTRACTS)
    assert.deepEqual(await damageOf(data), [])
    const asked = await prepare(t)
    await asked.ask()
    await kill(t, asked.data, asked.reminded, 0)
    assert.equal(await asked.finish(4 * jobs.LEASE), ABSTRACTS)
  },
)

test(
  'a server that notes whom it reminds before the mail would miss them, and one that notes it after would remind twice',
  BOUND,
  async t => {
    const lost = await prepare(t)
    await (await startJobs(t, lost.data, AHEAD, 'lost')).ended
    assert.ok((await lost.finish(AHEAD + jobs.LEASE)) < ABSTRACTS)
    const twice = await prepare(t)
    await (await startJobs(t, twice.data, AHEAD, 'unmarked')).ended
    assert.ok((await twice.finish(AHEAD + jobs.LEASE)) > ABSTRACTS)
  },
)
