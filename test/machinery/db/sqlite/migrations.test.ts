import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { claimDataFolder } from '#machinery/db/sqlite/data-folder.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { currentSchema } from '#machinery/db/sqlite/migrations.ts'
import { lockForServer } from '#machinery/db/sqlite/server-lock.ts'
import { describeStructure } from '#machinery/db/sqlite/structure.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

const clock = testClock()
const instance =
  'CREATE TABLE instance (id INTEGER PRIMARY KEY, cursor_secret TEXT, write_number BIGINT, latest_write_at BIGINT, created_at BIGINT, updated_at BIGINT);'
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
  await old.write(INSTANCE, tx => tx.run("INSERT INTO a (x) VALUES ('kept')"))
  await old.close()
  const schema = {
    create: 'unused',
    migrations: ['ALTER TABLE a ADD COLUMN y TEXT', "UPDATE a SET y = x || '!'"],
  }
  const db = openSqlite(path, { clock, schema })
  t.after(() => db.close())
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT x, y FROM a')), [{ x: 'kept', y: 'kept!' }])
  assert.equal(versionOf(path), 3)
})

test('a database of version 1 becomes one like those that are made new', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  const create = readFileSync(new URL('schema-1.sql', import.meta.url), 'utf8')
  await openSqlite(path, { clock, schema: { create, migrations: [] } }).close()
  const old = new Connection(path, 0)
  old.exec(`
    UPDATE instance SET latest_write_at = 5;
    INSERT INTO accounts VALUES ('a', 'Ada', 'ada@example.org', 'ada@example.org', 'UTC', 'EUR', 0, 0, 1, 1);
    INSERT INTO events VALUES ('e', 'a', 'e', 'E', NULL, NULL, 'UTC', NULL, NULL, 'EUR', 'draft', NULL, 0, 1, 1);
    INSERT INTO registration_types VALUES ('t', 'a', 'e', 'T', NULL, 0, 9, 2, 1, NULL, NULL, NULL, NULL, 1, 1);`)
  const people: [position: number, name: string | null, email: string | null][] = [
    [1, 'Ålesund-Ørsta', 'jo.hn@example.org'],
    [0, null, null],
  ]
  for (const [id, answers] of Object.entries({
    r1: '{"diet":"vegan","__proto__":""}',
    r2: '{"diet":""}',
    r3: '[',
  })) {
    old.run(
      `INSERT INTO registrations VALUES ($1, 'a', 'e', 't', $1, 'confirmed', 'api', 'B', 'b@example.org', 'b@example.org',
         1, 0, 0, 'EUR', NULL, NULL, $2, 'en', 1, NULL, NULL, 1, 1)`,
      [id, answers],
    )
  }
  old.exec(`
    INSERT INTO webhook_endpoints VALUES ('h', 'a', 'https://example.org/', '[]', 1, 's', NULL, NULL, 1, 1);
    INSERT INTO webhook_events VALUES ('v', 'a', 'ping', '{}', 1, 1);
    INSERT INTO webhook_deliveries VALUES ('d', 'a', 'v', 'h', 'ping', 'succeeded', 1, NULL, NULL, 200, NULL, 1, 1);
    INSERT INTO webhook_attempts VALUES ('m', 'd', 1, 5, 200, NULL, NULL, 1, 1);`)
  for (const person of people) {
    old.run("INSERT INTO attendees VALUES ('t' || $1, 'r2', $1, $2, $3, NULL, '', 0, 1, 1)", person)
  }
  old.close()
  const db = openSqlite(path, { clock })
  t.after(() => db.close())
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT * FROM answer_keys ORDER BY key')), [
    { account_id: 'a', event_id: 'e', key: '__proto__', created_at: 5, updated_at: 5 },
    { account_id: 'a', event_id: 'e', key: 'diet', created_at: 5, updated_at: 5 },
  ])
  // Programs of version 1 may write to authors themselves, who would get two mails. Version 1 showed abstracts for every event.
  const switches = await db.read(INSTANCE, tx =>
    tx.all('SELECT id, decision_mails, takes_abstracts FROM events'),
  )
  assert.deepEqual(switches, [{ id: 'e', decision_mails: 0, takes_abstracts: 1 }])
  // Version 1 could not move an endpoint.
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT id, url FROM webhook_attempts')), [
    { id: 'm', url: 'https://example.org/' },
  ])
  const numbersOf = (table: string) =>
    db.read(INSTANCE, tx => tx.all(`SELECT id, number FROM ${table} ORDER BY id`))
  assert.deepEqual(await numbersOf('accounts'), [{ id: 'a', number: 1 }])
  assert.deepEqual(await numbersOf('events'), [{ id: 'e', number: 1 }])
  const registrations = ['r1', 'r2', 'r3'].map((id, at) => ({ id, number: at + 1 }))
  assert.deepEqual(await numbersOf('registrations'), registrations)
  const words = await db.read(INSTANCE, tx =>
    tx.all<{ word: string; registration_number: number }>(
      'SELECT * FROM registration_words ORDER BY registration_number, word',
    ),
  )
  assert.deepEqual(
    words.map(({ word, registration_number: of }) => `${of} ${word}`),
    ['1 b', '2 alesund', '2 b', '2 hn', '2 jo', '2 orsta', '3 b'],
  )
  assert.deepEqual(words[0], {
    ...{
      account_number: 1,
      word: 'b',
      created_at: 1,
      registration_number: 1,
      event_number: 1,
      updated_at: 5,
    },
  })
  const made = new Connection(':memory:', 0)
  t.after(() => made.close())
  made.exec(currentSchema.create)
  const migrated = new Connection(path, 0)
  t.after(() => migrated.close())
  assert.deepEqual([...describeStructure(migrated)].sort(), [...describeStructure(made)].sort())
})

test('before a database is migrated a private copy of the old one is put beside it', async t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'test.db')
  const old = openSqlite(path, { clock, schema: older })
  await old.write(INSTANCE, tx => tx.run("INSERT INTO a (x) VALUES ('kept')"))
  await old.close()
  assert.deepEqual(readdirSync(folder), ['test.db'])
  // The file is left of an earlier attempt, after which the old program went on.
  writeFileSync(`${path}.before-v2`, 'stale')
  const schema = { create: 'unused', migrations: ['DELETE FROM a'] }
  for (let time = 0; time < 2; time++) {
    const db = openSqlite(path, { clock, schema })
    assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT * FROM a')), [])
    await db.close()
    assert.deepEqual(readdirSync(folder).sort(), ['test.db', 'test.db.before-v2'])
    assert.equal(statSync(`${path}.before-v2`).mode & 0o777, 0o600)
    assert.equal(versionOf(`${path}.before-v2`), 1)
    const copy = new SqliteConnection(`${path}.before-v2`)
    assert.deepEqual(copy.prepare('SELECT x FROM a').pluck().all(), ['kept'])
    copy.close()
  }
})

test('the copy has the commits that another process makes meanwhile', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  await openSqlite(path, { clock, schema: older }).close()
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  const run = Connection.prototype.run
  let copies = 0
  t.mock.method(Connection.prototype, 'run', function (this: Connection, ...args: Parameters<typeof run>) {
    const changes = run.apply(this, args)
    if (args[0].startsWith('VACUUM INTO') && ++copies === 1) other.exec("INSERT INTO a (x) VALUES ('late')")
    return changes
  })
  const schema = { create: 'unused', migrations: ['DELETE FROM a'] }
  await openSqlite(path, { clock, schema }).close()
  assert.equal(copies, 2)
  const copy = new SqliteConnection(`${path}.before-v2`)
  t.after(() => copy.close())
  assert.deepEqual(copy.prepare('SELECT x FROM a').pluck().all(), ['late'])
  assert.deepEqual(other.prepare('SELECT x FROM a').pluck().all(), [])
})

test('a database that another process migrates meanwhile is not migrated twice, and the copy is of the old one', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  await openSqlite(path, { clock, schema: older }).close()
  const schema = { create: 'unused', migrations: ['ALTER TABLE a ADD COLUMN y TEXT'] }
  const run = Connection.prototype.run
  let copies = 0
  t.mock.method(Connection.prototype, 'run', function (this: Connection, ...args: Parameters<typeof run>) {
    if (args[0].startsWith('VACUUM INTO') && ++copies === 1) void openSqlite(path, { clock, schema }).close()
    return run.apply(this, args)
  })
  await openSqlite(path, { clock, schema }).close()
  assert.equal(copies, 2)
  assert.equal(versionOf(path), 2)
  assert.equal(versionOf(`${path}.before-v2`), 1)
})

test('a database that cannot be copied is not migrated, and a sentence says so', async t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'test.db')
  await openSqlite(path, { clock, schema: older }).close()
  const run = Connection.prototype.run
  t.mock.method(Connection.prototype, 'run', function (this: Connection, ...args: Parameters<typeof run>) {
    if (!args[0].startsWith('VACUUM INTO')) return run.apply(this, args)
    throw new DatabaseUnavailable('SQLite: SQLITE_FULL', {
      cause: new SqliteConnection.SqliteError('database or disk is full', 'SQLITE_FULL'),
    })
  })
  assert.throws(
    () => openSqlite(path, { clock, schema: { create: 'unused', migrations: ['DELETE FROM a'] } }),
    (error: Error) =>
      error instanceof Refusal &&
      /version 1 and was not migrated to version 2.*SQLITE_FULL/.test(error.message),
  )
  assert.equal(versionOf(path), 1)
  assert.deepEqual(readdirSync(folder), ['test.db'])
})

test('a command does not migrate the database under a server that runs, which is of the older version', async t => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'turnout.db')
  await openSqlite(path, { clock, schema: older }).close()
  const free = claimDataFolder(folder)
  const schema = { create: 'unused', migrations: ['ALTER TABLE a ADD COLUMN y TEXT'] }
  const open = () => openSqlite(path, { clock, schema, claim: () => claimDataFolder(folder) })
  assert.throws(open, (error: Error) => error instanceof Refusal && /Stop it first/.test(error.message))
  assert.equal(versionOf(path), 1)
  assert.ok(!existsSync(`${path}.before-v2`))

  free()
  await open().close()
  assert.equal(versionOf(path), 2)
  // A database that is up to date may be opened beside a server.
  t.after(claimDataFolder(folder))
  await open().close()
})

test('a migration that fails leaves the old database as it was', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  await openSqlite(path, { clock, schema: older }).close()
  const schema = { create: 'unused', migrations: ['ALTER TABLE a ADD COLUMN y TEXT', 'no sql at all'] }
  assert.throws(() => openSqlite(path, { clock, schema }), /syntax error/)
  assert.equal(versionOf(path), 1)
  const db = openSqlite(path, { clock, schema: older })
  t.after(() => db.close())
  assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT * FROM a')), [])
})

test('a database newer than the program is refused with a sentence, and is not touched', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  await openSqlite(path, { clock, schema: { create: older.create, migrations: [] } }).close()
  const connection = new SqliteConnection(path)
  connection.pragma('user_version = 99')
  connection.close()
  assert.throws(
    () => openSqlite(path, { clock, schema: currentSchema }),
    (error: Error) => error instanceof Refusal && /version 99.*newer Turnout/s.test(error.message),
  )
  assert.equal(versionOf(path), 99)
})

test('a file that is no database, and a database of another program, are refused with a sentence', t => {
  const folder = temporaryFolder(t)
  const text = join(folder, 'text.db')
  writeFileSync(text, 'This is a letter, not a database. '.repeat(100))
  assert.throws(() => openSqlite(text, { clock }), Refusal)
  const foreign = join(folder, 'foreign.db')
  const connection = new SqliteConnection(foreign)
  connection.exec('CREATE TABLE theirs (x)')
  connection.close()
  assert.throws(
    () => openSqlite(foreign, { clock }),
    (error: Error) => error instanceof Refusal && /not one of Turnout/.test(error.message),
  )
})

test('a data folder has one server, and is free again when that one ends', t => {
  const path = join(temporaryFolder(t), 'server.lock')
  const free = lockForServer(path)
  assert.throws(() => lockForServer(path), Refusal)
  free()
  lockForServer(path)()
})

test('every table of the schema says when its rows were made and changed', async t => {
  const path = join(temporaryFolder(t), 'test.db')
  const db = openSqlite(path, { clock })
  t.after(() => db.close())
  await db.read(INSTANCE, async tx => {
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
