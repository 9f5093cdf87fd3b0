import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY, HOUR } from '#base/time.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import * as files from '#product/programme/files/rules.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import { damageOf } from '#test/support/engine.ts'
import { inParts, LIMITS, pdfOf, readFiles } from '#test/support/files.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

async function start(t: TestContext) {
  const { data, db, clock, applied, eventId } = await startWithOrganization(t)
  const accountId = applied.account_id
  const send = (submissionId: string, size: number) =>
    new FileReceiver(db).receive(accountId, {
      ...{ eventId, submissionId, name: 'a.pdf', bytes: inParts(pdfOf(size)), limits: LIMITS },
    })
  /** Leaves pieces as a server does that is killed. */
  const breakOff = async (pieces: number) => {
    const { id } = await send('broken', pieces * PIECE)
    await withRows(data, rows =>
      rows.run('UPDATE abstract_files SET submission_id = NULL, sha256 = NULL WHERE id = $1', [id]),
    )
    return id
  }
  const clean = () => cleanUp(db, clock, 365)
  const idsOf = async () => (await readFiles(db)).files.map(({ id }) => id)
  return { data, db, clock, accountId, eventId, send, breakOff, clean, idsOf }
}

test('pieces of what never became whole are kept for a day', async t => {
  const { db, clock, send, breakOff, clean, idsOf } = await start(t)
  const whole = await send('one', 3 * PIECE)
  const loose = await breakOff(11)
  clock.advance(DAY - HOUR)
  const younger = await breakOff(1)
  await clean()
  assert.deepEqual(await idsOf(), [whole.id, loose, younger])
  clock.advance(HOUR + 1)
  await clean()
  assert.deepEqual(await idsOf(), [whole.id, younger])
  clock.advance(DAY)
  await clean()
  assert.deepEqual(await idsOf(), [whole.id])
  assert.deepEqual((await readFiles(db)).pieces, [0, 1, 2])
})

test('a file that was replaced or taken away is kept for 30 days from then on, however old it is', async t => {
  const { db, clock, accountId, eventId, send, clean, idsOf } = await start(t)
  const one = await send('one', 5 * PIECE)
  const two = await send('two', PIECE)
  clock.advance(100 * DAY)
  await clean()
  const other = await send('one', PIECE)
  await db.write(accountId, tx => files.remove(tx, eventId, 'two'))
  clock.advance(30 * DAY)
  await clean()
  assert.deepEqual((await idsOf()).sort(), [one.id, two.id, other.id].sort())
  clock.advance(1)
  await clean()
  assert.deepEqual(await idsOf(), [other.id])
  assert.deepEqual((await readFiles(db)).pieces, [0])
})

test('each write of the cleaning takes a few pieces, and leaves files that are what they say', async t => {
  const { data, db, clock, send, breakOff } = await start(t)
  await breakOff(9)
  await send('one', 9 * PIECE)
  await send('one', 100)
  clock.advance(31 * DAY)
  let before = 0
  const most: number[] = []
  const found: string[] = []
  const watched = wrapDatabase(db, {
    write: async (owner, work, options) => {
      before = (await readFiles(db)).pieces.length
      const result = await db.write(owner, work, options)
      const { pieces } = await readFiles(db)
      if (before > pieces.length) {
        most.push(before - pieces.length)
        found.push(...(await damageOf(data)))
      }
      return result
    },
  })
  await cleanUp(watched, clock, 365)
  assert.equal((await readFiles(db)).pieces.length, 1)
  assert.ok(most.length >= 5 && Math.max(...most) <= 4, most.join())
  assert.deepEqual(found, [])
})
