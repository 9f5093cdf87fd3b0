import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { restore as restoreFile } from '#machinery/db/sqlite/copies/restore.ts'
import { claimDataFolder, databasePath, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { currentSchema, type Schema } from '#machinery/db/sqlite/migrations.ts'
import { findUnfit } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { everything } from '#test/product/data-care/organization/everything.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { collectOrganization } from '#test/support/organization.ts'

const clock = testClock()

function restore(file: string, folder: string, schema?: Schema) {
  return restoreFile(file, folder, findUnfit, schema)
}

/** Makes a backup of a database that has something of everything. */
async function prepareBackup(t: TestContext) {
  const folder = temporaryFolder(t)
  const db = openDatabaseForCommand(join(folder, 'source'), clock)
  const { account_id: accountId } = await applyOrganization(db, everything(), { clock })
  const exported = await db.read(accountId, tx => collectOrganization(tx))
  await db.close()
  const backup = join(folder, 'backup.db')
  await backUp(databasePath(join(folder, 'source')), backup)
  return { folder, backup, accountId, exported, data: join(folder, 'data') }
}

/** Changes a copy of the backup by SQL. */
function change(backup: string, sql: string): string {
  const path = `${backup}-${Math.random()}.db`
  writeFileSync(path, readFileSync(backup))
  const connection = new SqliteConnection(path)
  connection.unsafeMode(true)
  connection.pragma('foreign_keys = OFF')
  connection.exec(sql)
  connection.close()
  return path
}

function refusal(message: RegExp) {
  return (error: Error) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}

test('a restored database equals the one that was backed up, in a folder for its owner alone', async t => {
  const { backup, accountId, exported, data } = await prepareBackup(t)
  chmodSync(backup, 0o444)
  assert.deepEqual(await restore(backup, join(data, 'deeper')), { version: 2 })
  const path = databasePath(join(data, 'deeper'))
  assert.equal(statSync(join(data, 'deeper')).mode & 0o777, 0o700)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(data, 'deeper')).sort(), ['server.lock', 'turnout.db'])
  assert.deepEqual(readFileSync(path), readFileSync(backup))
  const db = openDatabaseForCommand(join(data, 'deeper'), clock)
  t.after(() => db.close())
  assert.deepEqual(await db.read(accountId, tx => collectOrganization(tx)), exported)
})

test('a folder that has data or a server is refused, and is left as it was', async t => {
  const { folder, backup } = await prepareBackup(t)
  for (const name of ['turnout.db', 'turnout.db-wal', 'turnout.db-shm', 'turnout.db-journal']) {
    const data = join(folder, `with-${name}`)
    mkdirSync(data)
    writeFileSync(join(data, name), 'precious')
    await assert.rejects(restore(backup, data), refusal(new RegExp(`not empty: there is .*${name}\\.`)))
    assert.deepEqual(readdirSync(data), [name])
    assert.equal(readFileSync(join(data, name), 'utf8'), 'precious')
  }
  const served = join(folder, 'served')
  mkdirSync(served)
  const free = claimDataFolder(served)
  t.after(free)
  const before = readdirSync(served)
  await assert.rejects(restore(backup, served), refusal(/^Another server already runs on this data folder/))
  assert.deepEqual(readdirSync(served), before)
})

test('other files of a folder are in nobody’s way, and stay', async t => {
  const { backup, data } = await prepareBackup(t)
  mkdirSync(data)
  writeFileSync(join(data, 'turnout.db.before-v2'), 'old')
  await restore(backup, data)
  assert.equal(readFileSync(join(data, 'turnout.db.before-v2'), 'utf8'), 'old')
})

test('a file that is damaged, newer or another program’s is refused, and leaves nothing behind', async t => {
  const { folder, backup, data } = await prepareBackup(t)
  const bytes = readFileSync(backup)
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const holed = Buffer.from(bytes)
  holed.fill(0xff, 40_000, 90_000)
  const beside = write('beside.db', bytes)
  write('beside.db-wal', 'x')
  const refused: [string, RegExp][] = [
    [folder, /is a folder, not a file/],
    [write('text.db', 'a letter'), /text\.db is no database of Turnout/],
    [write('empty.db', ''), /empty\.db is no database of Turnout/],
    ['/dev/zero', /is no database of Turnout/],
    [write('cut.db', bytes.subarray(0, bytes.length / 2)), /is damaged/],
    [write('head.db', Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(9_000)])), /is damaged/],
    [write('holed.db', holed), /is damaged/],
    [beside, /is not whole: .*beside\.db-wal/],
    [change(backup, 'PRAGMA user_version = 99'), /has version 99, .* Run a newer Turnout\.$/],
    [change(backup, 'PRAGMA user_version = 0'), /is no database of Turnout/],
    [change(backup, 'DROP TABLE check_ins'), /no database of Turnout: the schema lacks column check_ins\./],
    [change(backup, 'DROP INDEX events_by_account'), /the schema lacks index events_by_account/],
    [
      change(backup, 'CREATE TRIGGER t AFTER INSERT ON api_keys BEGIN DELETE FROM access_log; END'),
      /the schema has a strange trigger t/,
    ],
    [change(backup, 'CREATE VIEW v AS SELECT 1'), /a strange view v/],
    [change(backup, 'CREATE VIRTUAL TABLE f USING fts5(x)'), /no database of Turnout: .* strange/],
    [change(backup, 'CREATE TABLE theirs (x)'), /a strange column theirs\.x/],
    [
      change(
        backup,
        `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql =
           replace(sql, 'CHECK (sold BETWEEN 0 AND capacity)', 'CHECK (1 /* CHECK (sold BETWEEN 0 AND capacity) */)')`,
      ),
      /the schema lacks check of registration_types: sold BETWEEN 0 AND capacity/,
    ],
    [change(backup, 'ALTER TABLE accounts ADD COLUMN more TEXT'), /a strange column accounts\.more/],
    [
      change(backup, "UPDATE registrations SET event_id = 'none'"),
      /is damaged: row \d+ of registrations lacks its row of/,
    ],
    [
      change(
        backup,
        'PRAGMA ignore_check_constraints = ON; UPDATE registration_types SET sold = capacity + 1',
      ),
      /is damaged: CHECK constraint failed in registration_types/,
    ],
  ]
  const before = readdirSync(folder)
  for (const [path, message] of refused) {
    await assert.rejects(restore(path, data), refusal(message), path)
    assert.deepEqual(readdirSync(folder), before)
  }
  await assert.rejects(restore(join(folder, 'missing.db'), data), { code: 'ENOENT' })
  assert.deepEqual(readdirSync(folder), before)
})

test('a backup of an older version is restored as it is, and migrated when it is opened', async t => {
  const { backup, data } = await prepareBackup(t)
  const migrations = [...currentSchema.migrations, 'ALTER TABLE accounts ADD COLUMN more TEXT']
  const create = currentSchema.create.replace('CREATE TABLE accounts (', 'CREATE TABLE accounts (more TEXT, ')
  const newer = { create, migrations }
  const trigger = 'CREATE TRIGGER t AFTER INSERT ON api_keys BEGIN DELETE FROM access_log; END'
  await assert.rejects(restore(change(backup, trigger), data, newer), refusal(/a strange trigger t/))
  assert.deepEqual(await restore(backup, data, newer), { version: migrations.length })
  const db = openSqlite(databasePath(data), { clock, schema: newer })
  t.after(() => db.close())
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT more FROM accounts')), [{ more: null }])
  assert.ok(readdirSync(data).includes(`turnout.db.before-v${migrations.length + 1}`))
})
