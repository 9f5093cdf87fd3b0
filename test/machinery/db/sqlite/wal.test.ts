import assert from 'node:assert/strict'
import { cpSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { makeDataFolder } from '#machinery/db/sqlite/data-folder.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { INSERT, notes, openNotes, readNotes } from './notes.ts'

const server = { onFailure: () => undefined }

for (const [how, replace] of [
  [
    'replaced by another file',
    (log: string) => {
      renameSync(log, `${log}.away`)
      writeFileSync(log, '')
    },
  ],
  ['taken away', (log: string) => rmSync(log)],
] as const) {
  test(`a log that was ${how} while the server runs stops it, and acknowledges nothing`, async t => {
    const failures: unknown[] = []
    const { db, path } = openNotes(t, { server: { onFailure: error => failures.push(error) } })
    await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
    replace(`${path}-wal`)
    await assert.rejects(
      db.write(INSTANCE, tx => tx.run(INSERT, ['lost'])),
      /nobody knows/,
    )
    assert.equal(failures.length, 1)
  })
}

test('the writes that a crash left in the log are in the database itself before a server reads it', async t => {
  const { db, path } = openNotes(t, { server })
  await db.write(INSTANCE, tx => tx.run(INSERT, ['left']))
  const crashed = join(temporaryFolder(t), 'test.db')
  for (const end of ['', '-wal']) cpSync(path + end, crashed + end)
  assert.ok(statSync(`${crashed}-wal`).size > 0)
  const reopened = openSqlite(crashed, { clock: testClock(), schema: notes, server })
  t.after(() => reopened.close())
  assert.equal(statSync(`${crashed}-wal`).size, 0)
  assert.deepEqual(await readNotes(reopened), ['left'])
  // The file is also checked without its log.
  cpSync(crashed, `${crashed}.alone`)
  const alone = new SqliteConnection(`${crashed}.alone`)
  t.after(() => alone.close())
  assert.deepEqual(alone.prepare('SELECT text FROM notes').pluck().all(), ['left'])
})

test('a server does not start on a log that it cannot empty, as another program reads, and says so', async t => {
  const { db, path } = openNotes(t)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['before']))
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN')
  other.prepare('SELECT * FROM notes').all()
  await db.write(INSTANCE, tx => tx.run(INSERT, ['after']))
  const open = () => openSqlite(path, { clock: testClock(), schema: notes, busyTimeout: 10, server })
  assert.throws(open, (error: Error) => error instanceof Refusal && /being read/.test(error.message))
  other.exec('COMMIT')
  await open().close()
})

test('a command that closes beside a server leaves the log to it', async t => {
  const { db, path } = openNotes(t, { server })
  await db.write(INSTANCE, tx => tx.run(INSERT, ['server']))
  const command = openSqlite(path, { clock: testClock(), schema: notes })
  await command.write(INSTANCE, tx => tx.run(INSERT, ['command']))
  await command.close()
  assert.ok(existsSync(`${path}-wal`))
  await db.write(INSTANCE, tx => tx.run(INSERT, ['server again']))
  assert.deepEqual(await readNotes(db), ['server', 'command', 'server again'])
})

test('the last to close leaves a database without a log', async t => {
  const { db, path } = openNotes(t, { server })
  await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
  await db.close()
  assert.deepEqual([existsSync(`${path}-wal`), existsSync(`${path}-shm`)], [false, false])
  const reopened = openSqlite(path, { clock: testClock(), schema: notes })
  t.after(() => reopened.close())
  assert.deepEqual(await readNotes(reopened), ['kept'])
})

test('a data folder is made with every folder above it, for its owner alone, and may be there already', t => {
  const folder = join(temporaryFolder(t), 'a', 'b', 'c')
  makeDataFolder(folder)
  makeDataFolder(folder)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
})
