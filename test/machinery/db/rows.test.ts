import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { copyOf, damageOf } from '#test/support/engine.ts'
import { openRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

// The helper of the tests, so that it means the same on each engine.

const NAMES = 'SELECT name FROM registration_types ORDER BY name'

test('a transaction is undone where its work fails, and what is tried out is undone in any case', async t => {
  const { data } = await startWithOrganization(t)
  const rows = await openRows(t, data)
  const rename = () => rows.run("UPDATE registration_types SET name = $1 WHERE name = 'Free'", ['Gratis'])
  const fail = async () => {
    assert.equal(await rename(), 1)
    throw new Error('no more')
  }
  await assert.rejects(rows.transaction(fail), /no more/)
  await assert.rejects(rows.tryOut(fail), /no more/)
  assert.equal(await rows.tryOut(rename), 1)
  assert.deepEqual(await rows.column(NAMES), ['Free', 'Standard'])
  await rows.transaction(rename)
  assert.deepEqual(await rows.column(NAMES), ['Gratis', 'Standard'])
})

test('a change that the schema refuses is told by undefined; unchecked, it stands and is told as an orphan', async t => {
  const { data } = await startWithOrganization(t)
  const lose = "DELETE FROM events WHERE slug = 'spring-meeting'"
  const oversell = 'UPDATE registration_types SET capacity = -1'
  const rows = await openRows(t, data)
  assert.equal(await rows.tryOut(() => rows.run(lose)), undefined)
  assert.deepEqual(await rows.orphans(), [])
  await rows.uncheck('references')
  assert.equal(await rows.tryOut(() => rows.run(oversell)), undefined)
  const orphans = await rows.tryOut(async () => {
    await rows.run(lose)
    return rows.orphans()
  })
  assert.ok(orphans?.includes('a row of registration_types lacks its row of events'))
  await rows.uncheck()
  assert.equal(await rows.tryOut(() => rows.run(oversell)), 2)
})

test('a copy has all that was committed, and is another database', async t => {
  const { data } = await startWithOrganization(t)
  const copy = await copyOf(t, data)
  assert.deepEqual(await damageOf(copy), [])
  const rows = await openRows(t, copy)
  await rows.run('UPDATE registration_types SET sold = 1')
  assert.equal((await damageOf(copy)).length, 2)
  assert.deepEqual(await damageOf(data), [])
})

test('while somebody holds the database others read and wait to write', async t => {
  const { data, db } = await startWithOrganization(t)
  const free = await (await openRows(t, data)).hold()
  let isWritten = false
  const written = db
    .write(INSTANCE, tx => tx.run('UPDATE accounts SET updated_at = updated_at'))
    .then(() => {
      isWritten = true
    })
  for (let reads = 0; reads < 20; reads++) assert.ok(await db.read(INSTANCE, tx => tx.one(NAMES)))
  assert.equal(isWritten, false)
  await free()
  await written
})
