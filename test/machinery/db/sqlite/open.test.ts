import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { engineOf } from '#machinery/db/open.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

function prepare(t: TestContext) {
  const data = join(temporaryFolder(t), 'data')
  const engine = engineOf({ data })
  return { data, engine, options: { clock: testClock(), onFailure: assert.ifError } }
}

test('a server keeps the claim of its database until that is closed, and then another may have it', async t => {
  const { engine, options } = prepare(t)
  assert.deepEqual([await engine.exists(), await engine.isServed()], [false, false])
  const first = await engine.openForServer(options)
  assert.deepEqual([await engine.exists(), await engine.isServed()], [true, true])
  await assert.rejects(engine.openForServer(options), /^Refusal: Another server already runs/)
  const order: string[] = []
  const writing = first.db
    .write(INSTANCE, tx => tx.now())
    .then(async () => order.push(`written, ${await engine.isServed()}`))
  const closing = first.close().then(async () => order.push(`closed, ${await engine.isServed()}`))
  await Promise.all([writing, closing])
  assert.deepEqual(order, ['written, true', 'closed, false'])
  const second = await engine.openForServer(options)
  await second.close()
})

test('a database that cannot be opened is not claimed any more', async t => {
  const { data, engine, options } = prepare(t)
  const db = await engine.openForCommand(options.clock)
  await db.close()
  const connection = new SqliteConnection(engine.place)
  connection.pragma('user_version = 99')
  connection.close()
  await assert.rejects(engine.openForServer(options), /has version 99/)
  assert.equal(await engine.isServed(), false)
  assert.ok(!readdirSync(data).includes('turnout.db-wal'))
})

test('a server whose figures cannot be declared closes its database before it lets go of the claim', async t => {
  const { data, engine, options } = prepare(t)
  const meter = {
    counter: () => () => undefined,
    histogram: () => () => undefined,
    gauge: () => {
      throw new Error('The name is taken.')
    },
  }
  await assert.rejects(engine.openForServer({ ...options, meter }), /The name is taken/)
  assert.equal(await engine.isServed(), false)
  // It is there as long as a connection is open.
  assert.ok(!readdirSync(data).includes('turnout.db-wal'))
})

test('a server backs up the database that it has opened, and none that stands in its place', async t => {
  const { data, engine, options } = prepare(t)
  const { db, backUp, close } = await engine.openForServer(options)
  t.after(close)
  await db.write(INSTANCE, tx => tx.now())
  renameSync(engine.place, `${engine.place}.away`)
  copyFileSync(`${engine.place}.away`, engine.place)
  await assert.rejects(
    backUp(join(data, 'backup.db')),
    /turnout\.db was removed or replaced, and was not copied/,
  )
  // It was refused before the server itself has looked.
  renameSync(`${engine.place}.away`, engine.place)
  assert.ok(!readdirSync(data).includes('backup.db'))
  assert.ok((await backUp(join(data, 'backup.db'))) > 4096)
})
