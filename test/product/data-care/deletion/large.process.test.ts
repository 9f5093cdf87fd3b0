import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openLog } from '#base/log.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { JobRunner } from '#product/administration/jobs/runner.ts'
import * as events from '#product/catalog/events/rules.ts'
import { deleteInBatches } from '#product/data-care/deletion/delete-in-batches.ts'
import { deleteEvent, forecastDeletion, MOST_ROWS } from '#product/data-care/deletion/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { addGuests } from '#test/support/many-guests.ts'
import { isShortStop, longestTurnOf, TurnWatch, threadTime } from '#test/support/processor-time.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'

/** A cancelled event to which this many guests were imported. */
async function prepare(t: TestContext, guests: number) {
  const { data, accountId, eventId, typeId } = await prepareDataFolder(t)
  const db = await openTestDatabase(t, { data, clock: Date.now })
  await addGuests(db, { accountId, eventId, typeId }, guests)
  await db.write(accountId, tx => events.setStatus(tx, eventId, 'cancelled'))
  const begin = () =>
    db.write(accountId, tx => deleteEvent(tx, eventId, { typed: 'Spring Meeting', by: 'cli' }))
  return { data, db, accountId, eventId, begin }
}

const count = async (db: Database, table: string): Promise<number> =>
  (await db.read(INSTANCE, tx => tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)))?.n ?? 0

const OWN = ['events', 'registrations', 'attendees', 'registration_words', 'emails', 'registration_types']

test('a deletion that is killed in the middle goes on with the next server, and leaves nothing behind', {
  timeout: 120_000,
}, async t => {
  const { data, db, begin } = await prepare(t, MOST_ROWS)
  assert.ok((await begin()).isUnderWay)
  let left = await count(db, 'registrations')
  for (let round = 0; round < 3; round++) {
    const server = await startJobs(t, data, round * jobs.LEASE)
    await eventually('some of it', async () => (await count(db, 'registrations')) < left - 300, 20_000)
    await setTimeout(Math.random() * 5)
    server.kill()
    await server.ended
    left = await count(db, 'registrations')
    // What is left is complete: each registration has its ticket and is found by its words.
    assert.equal(await count(db, 'attendees'), left)
    assert.equal(await count(db, 'events'), 1)
  }
  assert.ok(left > 0)
  await startJobs(t, data, 4 * jobs.LEASE)
  await eventually('the end', async () => (await count(db, 'events')) === 0, 60_000)
  for (const table of OWN) assert.equal(await count(db, table), 0, table)
  assert.deepEqual(await damageOf(data), [])
})

test('an event with 50,000 guests is deleted without the event loop standing still, whatever is listed meanwhile', {
  timeout: 300_000,
}, async t => {
  const { db, accountId, eventId, begin } = await prepare(t, 50_000)
  const log = openLog('silent', { write: () => undefined })
  let longestBatch = 0
  const timed: JobKind = {
    ...deleteInBatches,
    async run(...of) {
      const began = threadTime()
      const step = await deleteInBatches.run(...of)
      longestBatch = Math.max(longestBatch, threadTime() - began)
      return step
    },
  }
  const runner = new JobRunner({ db, clock: Date.now, log, kinds: [timed] })
  t.after(() => runner.stop())
  const forecast = await longestTurnOf(() => db.read(accountId, tx => forecastDeletion(tx, eventId)))
  const marked = await longestTurnOf(begin)
  const began = performance.now()
  const watch = new TurnWatch()
  const stops: number[] = []
  runner.start()
  let isOver = false
  const settled = runner.settled().then(() => {
    isOver = true
  })
  const turn = () => {
    watch.look()
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  while (!isOver) {
    const { rows } = await db.read(accountId, tx => registrations.list(tx, {}, { limit: 100 }))
    assert.deepEqual([...rows], [])
    await setTimeout(5)
    stops.push(watch.takeLongest())
  }
  await settled
  const long = stops.filter(stop => !isShortStop(stop))
  t.diagnostic(
    `forecast ${forecast.toFixed(1)} ms, marked ${marked.toFixed(1)} ms, deleted in ${((performance.now() - began) / 1000).toFixed(1)} s, a batch at most ${longestBatch.toFixed(1)} ms, the loop ${Math.max(...stops).toFixed(1)} ms, ${stops.length} lists`,
  )
  for (const stop of [forecast, marked, longestBatch]) assert.ok(isShortStop(stop), `${stop} ms`)
  // The engine collects garbage when it likes, but not at each list or batch.
  assert.ok(stops.length > 100 && long.length <= 2, `${long.length} of ${stops.length}: ${long.join(' ')} ms`)
  for (const table of OWN) assert.equal(await count(db, table), 0, table)
})
