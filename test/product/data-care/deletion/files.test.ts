import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as events from '#product/catalog/events/rules.ts'
import { deleteSomeRows, NOTHING_YET } from '#product/data-care/deletion/delete-rows.ts'
import { deleteEvent } from '#product/data-care/deletion/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import { dataFolder } from '#test/support/blank-database.ts'
import { testClock } from '#test/support/clock.ts'
import { damageOf, openTestDatabase } from '#test/support/engine.ts'
import { insertFile, pdfOf, readFiles } from '#test/support/files.ts'
import { organization } from '#test/support/organization.ts'

/** Makes a cancelled event with files, and one beside it that has a file too. No server does the jobs. */
async function start(t: TestContext, sizes: readonly number[]) {
  const clock = testClock()
  const data = dataFolder(t)
  const db = await openTestDatabase(t, { data, clock })
  const file = organization({ events: [{ slug: 'other', title: 'Other' }] })
  const applied = await applyOrganization(db, file, { clock })
  const accountId = applied.account_id as string
  const [eventId, otherId] = ['spring-meeting', 'other'].map(slug => applied.events[slug]?.id as string)
  assert.ok(eventId !== undefined && otherId !== undefined)
  await db.write(accountId, async tx => {
    for (const size of sizes) await insertFile(tx, eventId, { bytes: pdfOf(size) })
    await insertFile(tx, eventId, { bytes: pdfOf(100), replacedAt: 1 })
    await insertFile(tx, otherId, { bytes: pdfOf(PIECE + 1) })
    await events.setStatus(tx, eventId, 'cancelled')
  })
  const remove = () =>
    db.write(accountId, tx => deleteEvent(tx, eventId, { typed: 'Spring Meeting', by: 'cli' }))
  return { data, db, accountId, eventId, remove }
}

test('an event goes with its files, and the files of others stay', async t => {
  const { data, db, remove } = await start(t, [100, 3 * PIECE])
  const { isUnderWay, gone } = await remove()
  assert.deepEqual([isUnderWay, gone.files], [false, 3])
  assert.deepEqual((await readFiles(db)).pieces, [0, 1])
  assert.deepEqual(await damageOf(data), [])
})

test('an event with many files goes a few pieces at a time, and what is left of each file is what it says', async t => {
  const { data, db, accountId, eventId, remove } = await start(t, [9 * PIECE, ...Array(20).fill(100)])
  const { isUnderWay, gone } = await remove()
  assert.deepEqual([isUnderWay, gone.files], [true, 22])
  let progress = NOTHING_YET
  let pieces = (await readFiles(db)).pieces.length
  let most = 0
  while (!progress.isFinished) {
    progress = await db.write(accountId, tx => deleteSomeRows(tx, eventId, progress, 0))
    const left = (await readFiles(db)).pieces.length
    most = Math.max(most, pieces - left)
    if (left < pieces) assert.deepEqual(await damageOf(data), [])
    pieces = left
  }
  assert.equal(progress.gone.files, 22)
  assert.equal(most, 4)
  assert.deepEqual((await readFiles(db)).pieces, [0, 1])
})
