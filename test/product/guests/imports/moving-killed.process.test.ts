import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as moving from '#product/guests/imports/moving.ts'
import * as imports from '#product/guests/imports/rules.ts'
import { readTable } from '#product/guests/imports/table.ts'
import { prepareDataFolder } from '#test/support/data-folder.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import {
  asCsv,
  behindAnotherSheet,
  EVENTBRITE,
  HI_EVENTS,
  many,
  manyAsJson,
  PRETIX,
} from '#test/support/shop-exports.ts'
import { startJobs } from '#test/support/start-jobs.ts'
import { eventually } from '#test/support/webhooks.ts'
import { sheetOf } from '#test/support/workbooks.ts'

const LINES = 1_500

/** The export, and whether the tickets of it were checked in. */
const files: Readonly<Record<string, [file: () => Buffer, areCheckedIn: boolean]>> = {
  'pretix, a workbook': [() => behindAnotherSheet(many(PRETIX, LINES)), true],
  'pretix, JSON': [() => manyAsJson(LINES), false],
  Eventbrite: [() => asCsv(many(EVENTBRITE, LINES)), true],
  'Hi.Events': [() => sheetOf(many(HI_EVENTS, LINES)), true],
}

for (const [name, [file, areCheckedIn]] of Object.entries(files)) {
  test(`an export whose import is killed, stopped and begun again is there once, with its check-ins: ${name}`, {
    timeout: 300_000,
  }, async t => {
    const { data, accountId, eventId } = await prepareDataFolder(t)
    const db = await openTestDatabase(t, { data, clock: Date.now })
    const actor = { accountId, who: 'key:1', requestId: null, address: null }
    const { id } = await imports.upload(db, actor, eventId, await readTable(file()))
    const jobOf = (job: string) => db.read(accountId, tx => jobs.get(tx, job))
    const until = (job: string, is: (one: Awaited<ReturnType<typeof jobOf>>) => boolean) =>
      eventually(
        'the job',
        async () => {
          const one = await jobOf(job)
          return is(one) && one
        },
        90_000,
      )
    const first = await startJobs(t, data, 0)
    await until(id, ({ state }) => state === 'done')
    const missing = await db.read(accountId, async tx => moving.missingTypes(await imports.get(tx, id)))
    if (missing.length > 0) await db.write(accountId, tx => moving.makeTypes(tx, actor, id, [LINES]))
    await until(id, ({ state, outcome }) => state === 'done' && outcome?.new === LINES)
    const begin = () => db.write(accountId, tx => moving.start(tx, actor, id))
    const begun = await begin()
    await until(begun.id, ({ done }) => done > 100)
    first.kill()
    await first.ended
    const { done } = await jobOf(begun.id)
    assert.ok(done < LINES)
    assert.deepEqual(await guestsIn(db), {
      guests: done,
      known: done,
      check_ins: areCheckedIn ? done : 0,
    })
    const second = await startJobs(t, data, 2 * jobs.LEASE)
    await until(begun.id, one => one.done > done)
    await db.write(accountId, tx => imports.stop(tx, id))
    const stopped = await jobOf(begun.id)
    const again = stopped.state === 'done' ? stopped : await begin()
    await until(again.id, ({ state }) => state === 'done')
    second.kill()
    await second.ended
    const all = { guests: LINES, known: LINES, check_ins: areCheckedIn ? LINES : 0 }
    assert.deepEqual(await guestsIn(db), all)
    const counts = await db.read(accountId, tx => imports.countLines(tx, id))
    assert.equal(counts.added, LINES)
    assert.deepEqual(await damageOf(data), [])
  })
}

async function guestsIn(db: Database): Promise<unknown> {
  return db.read(INSTANCE, tx =>
    tx.one(
      `SELECT (SELECT count(*) FROM registrations) AS guests, (SELECT count(DISTINCT reference) FROM registrations) AS known,
         (SELECT count(*) FROM check_ins) AS check_ins`,
    ),
  )
}
