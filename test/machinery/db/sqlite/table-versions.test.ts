import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { temporaryFolder } from '#test/support/folder.ts'

const TABLE = 'answer_keys'
const WRITE = "UPDATE answer_keys SET updated_at = 1 WHERE account_id = 'nobody'"

test('the version of a table is another one after each commit that wrote to it, and stays when others are written', async t => {
  const db = openDatabaseForCommand(temporaryFolder(t), () => 0)
  t.after(() => db.close())
  const first = db.versionOf(TABLE)
  assert.equal(typeof first, 'number')
  await db.write(INSTANCE, tx => tx.run("UPDATE events SET updated_at = 1 WHERE id = 'none'"))
  await db.read(INSTANCE, tx => tx.all('SELECT * FROM answer_keys'))
  assert.equal(db.versionOf(TABLE), first)
  await db.write(INSTANCE, tx => tx.run(WRITE))
  const second = db.versionOf(TABLE)
  assert.notEqual(second, first)
  assert.equal(db.versionOf(TABLE), second)
})

test('it is the old one until the write has committed: who reads the old row meanwhile cannot keep it', async t => {
  const db = openDatabaseForCommand(temporaryFolder(t), () => 0)
  t.after(() => db.close())
  const first = db.versionOf(TABLE)
  await db.write(INSTANCE, async tx => {
    await tx.run(WRITE)
    assert.equal(db.versionOf(TABLE), first)
  })
  assert.notEqual(db.versionOf(TABLE), first)
})

test('a commit of another process counts for every table, at once', async t => {
  const folder = temporaryFolder(t)
  const db = openDatabaseForCommand(folder, () => 0)
  const other = openDatabaseForCommand(folder, () => 0)
  t.after(() => Promise.all([db.close(), other.close()]))
  const first = db.versionOf(TABLE)
  await other.write(INSTANCE, tx => tx.run("UPDATE events SET updated_at = 1 WHERE id = 'none'"))
  // A commit that changes no row may write nothing.
  await other.write(INSTANCE, tx => tx.now())
  assert.notEqual(db.versionOf(TABLE), first)
})

test('nobody knows it of a database that is closed', async t => {
  const db = openDatabaseForCommand(temporaryFolder(t), () => 0)
  await db.close()
  assert.equal(db.versionOf(TABLE), undefined)
})

test('no trigger and no cascade of the schema writes to a table that a statement does not name', async t => {
  const db = openDatabaseForCommand(temporaryFolder(t), () => 0)
  t.after(() => db.close())
  const texts = await db.read(INSTANCE, tx =>
    tx.all<{ type: string; sql: string | null }>('SELECT type, sql FROM sqlite_schema'),
  )
  assert.ok(texts.length > 50)
  assert.deepEqual(
    texts.filter(({ type, sql }) => type === 'trigger' || /\bON (DELETE|UPDATE)\b/i.test(sql ?? '')),
    [],
  )
})
