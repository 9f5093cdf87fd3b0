import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import * as slots from '#product/programme/timetable/slots.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { diskFolder } from '#test/support/folder.ts'
import { addSession, publishNow } from '#test/support/published.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

const ABSTRACTS = 400
/** Of these, a second version moves some and takes some out. */
const MOVED = 100
const REMOVED = 100
const BOUND = { timeout: 120_000 }

/** Publishes two versions of a programme. The jobs of both are still to be done. */
async function prepare(t: TestContext) {
  const data = diskFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  const all = Array.from({ length: ABSTRACTS }, (_, n) =>
    abstract(`A-${n}`, {
      contact: { name: `Contact ${n}`, email: `c${n}@example.org` },
      authors: [{ name: `Author ${n}`, email: `a${n}@example.org`, presenting: true }],
    }),
  )
  const applied = await applyOrganization(db, organizationWith(all), { clock: Date.now })
  const accountId = applied.account_id
  const eventId = applied.events['spring-meeting']?.id as string
  const ids = Object.values(applied.events['spring-meeting']?.abstracts ?? {})
  const place = { db, accountId, eventId, clock: Date.now }
  await db.write(accountId, async tx => {
    for (const id of ids) await abstracts.decide(tx, id, { decision: 'accepted' })
  })
  const posters = ids.map(id => ({ id, minutes: 0 }))
  const session = await addSession(place, { room: 'A' }, posters)
  const other = await addSession(place, { room: 'B', from: Date.now() + 30 * HOUR }, ['Coffee'])
  await publishNow(place)
  await db.write(accountId, async tx => {
    for (const [at, id] of session.slots.entries()) {
      if (at < MOVED) await slots.move(tx, eventId, id, { session_id: other.id, before: null })
      else if (at < MOVED + REMOVED) await slots.remove(tx, eventId, id)
    }
  })
  await publishNow(place)
  const count = async (of: string) =>
    Number((await db.read(INSTANCE, tx => tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${of}`)))?.n)
  const mails = (kind: string) => count(`emails WHERE kind = 'programme_${kind}'`)
  const told = () => count("emails WHERE kind LIKE 'programme%'")
  /** Finishes what was begun, and counts what came of it. */
  const finish = async (ahead: number) => {
    await startJobs(t, data, ahead)
    await eventually('the end', async () => (await count("jobs WHERE state <> 'done'")) === 0, 60_000)
    return { slot: await mails('slot'), moved: await mails('moved'), removed: await mails('removed') }
  }
  return { data, told, finish }
}

/** The contact and the presenter of each are mailed. */
const ONCE = { slot: 2 * ABSTRACTS, moved: 2 * MOVED, removed: 2 * REMOVED }

test(
  'a published programme whose server is killed while it mails is told to all by the next, once each',
  BOUND,
  async t => {
    const { data, told, finish } = await prepare(t)
    for (let round = 0; round < 4; round++) {
      const before = await told()
      const server = await startJobs(t, data, round * jobs.LEASE)
      await eventually('some of it', async () => (await told()) > before + 30, 20_000)
      await setTimeout(Math.random() * 10)
      server.kill()
      await server.ended
    }
    const all = Object.values(ONCE).reduce((sum, n) => sum + n)
    assert.ok((await told()) < all, 'it was finished before the process was killed')
    assert.deepEqual(await finish(5 * jobs.LEASE), ONCE)
    assert.deepEqual(await damageOf(data), [])
  },
)

test(
  'a server that notes how far it is before it mails would miss people, and one without a cause would mail them twice',
  BOUND,
  async t => {
    const lost = await prepare(t)
    await (await startJobs(t, lost.data, 0, 'lost')).ended
    const { slot } = await lost.finish(2 * jobs.LEASE)
    assert.ok(slot < ONCE.slot, `${slot} mails`)
    const twice = await prepare(t)
    await (await startJobs(t, twice.data, 0, 'causeless')).ended
    const after = await twice.finish(2 * jobs.LEASE)
    assert.ok(after.slot > ONCE.slot, `${after.slot} mails`)
  },
)
