import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { currentSchema } from '../../src/db/migrations.ts'
import { DatabaseRefused } from '../../src/db/port.ts'
import { lockForServer } from '../../src/db/server-lock.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { testClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/folder.ts'

const clock = testClock()
const instance =
  'CREATE TABLE instance (id INTEGER PRIMARY KEY, cursor_secret TEXT, latest_write_at BIGINT, created_at BIGINT, updated_at BIGINT);'
const older = { create: `${instance} CREATE TABLE a (x TEXT);`, migrations: [] }

function versionOf(path: string): unknown {
  const connection = new SqliteConnection(path)
  const version = connection.pragma('user_version', { simple: true })
  connection.close()
  return version
}

test('an older database is migrated step by step, and keeps its rows', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  const old = openSqlite(path, { clock, schema: older })
  await old.write(tx => tx.run("INSERT INTO a (x) VALUES ('kept')"))
  await old.close()
  const schema = {
    create: 'unused',
    migrations: ['ALTER TABLE a ADD COLUMN y TEXT', "UPDATE a SET y = x || '!'"],
  }
  const db = openSqlite(path, { clock, schema })
  t.after(() => db.close())
  assert.deepEqual(await db.read(tx => tx.all('SELECT x, y FROM a')), [{ x: 'kept', y: 'kept!' }])
  assert.equal(versionOf(path), 3)
})

test('a migration that fails leaves the old database as it was', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  await openSqlite(path, { clock, schema: older }).close()
  const schema = { create: 'unused', migrations: ['ALTER TABLE a ADD COLUMN y TEXT', 'no sql at all'] }
  assert.throws(() => openSqlite(path, { clock, schema }), /syntax error/)
  assert.equal(versionOf(path), 1)
  const db = openSqlite(path, { clock, schema: older })
  t.after(() => db.close())
  assert.deepEqual(await db.read(tx => tx.all('SELECT * FROM a')), [])
})

test('a database newer than the program is refused with a sentence, and is not touched', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  await openSqlite(path, { clock, schema: { create: older.create, migrations: [] } }).close()
  const connection = new SqliteConnection(path)
  connection.pragma('user_version = 99')
  connection.close()
  assert.throws(
    () => openSqlite(path, { clock, schema: currentSchema }),
    (error: Error) => error instanceof DatabaseRefused && /version 99.*newer Turnout/s.test(error.message),
  )
  assert.equal(versionOf(path), 99)
})

test('a file that is no database, and a database of another program, are refused with a sentence', t => {
  const folder = temporaryFolder(t)
  const text = join(folder, 'text.db')
  writeFileSync(text, 'This is a letter, not a database. '.repeat(100))
  assert.throws(() => openSqlite(text, { clock }), DatabaseRefused)
  const foreign = join(folder, 'foreign.db')
  const connection = new SqliteConnection(foreign)
  connection.exec('CREATE TABLE theirs (x)')
  connection.close()
  assert.throws(
    () => openSqlite(foreign, { clock }),
    (error: Error) => error instanceof DatabaseRefused && /not one of Turnout/.test(error.message),
  )
})

test('a data folder has one server, and is free again when that one ends', t => {
  const path = join(temporaryFolder(t), 'server.lock')
  const free = lockForServer(path)
  assert.throws(() => lockForServer(path), DatabaseRefused)
  free()
  lockForServer(path)()
})

test('every table of the schema says when its rows were made and changed', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  const db = openSqlite(path, { clock })
  t.after(() => db.close())
  await db.read(async tx => {
    const tables = await tx.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    assert.ok(tables.length > 10)
    for (const { name } of tables) {
      const columns = await tx.all<{ name: string; notnull: number }>(`PRAGMA table_info(${name})`)
      const instants = columns.filter(column => /^(created|updated)_at$/.test(column.name))
      assert.deepEqual(
        instants.map(column => column.notnull),
        [1, 1],
        name,
      )
    }
  })
})
