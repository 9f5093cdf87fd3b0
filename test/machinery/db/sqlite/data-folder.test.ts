import assert from 'node:assert/strict'
import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Refusal } from '#base/refusal.ts'
import { claimDataFolder, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { lockForServer } from '#machinery/db/sqlite/server-lock.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

test('every file of the database is for its owner alone, in a folder that is open to all', async t => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  const free = claimDataFolder(folder)
  const db = openDatabaseForCommand(folder, testClock())
  const rights = readdirSync(folder).map(name => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ])
  await db.close()
  free()
  assert.deepEqual(rights.sort(), [
    ['server.lock', '600'],
    ['server.lock-journal', '600'],
    ['turnout.db', '600'],
    ['turnout.db-shm', '600'],
    ['turnout.db-wal', '600'],
  ])
})

test('a lock file that is no lock file is refused with a sentence of what to do', t => {
  const path = join(temporaryFolder(t), 'server.lock')
  writeFileSync(path, 'not a lock')
  assert.throws(
    () => lockForServer(path),
    (error: Error) => error instanceof Refusal && /Delete it/.test(error.message),
  )
})

test('a database that is a link is refused, as two folders that lead to one file would each have a server', async t => {
  const folder = temporaryFolder(t)
  await openDatabaseForCommand(folder, testClock()).close()
  const other = temporaryFolder(t)
  for (const target of ['turnout.db', 'none.db']) {
    symlinkSync(join(folder, target), join(other, 'turnout.db'))
    assert.throws(
      () => openDatabaseForCommand(other, testClock()),
      (error: Error) => error instanceof Refusal && /is a link/.test(error.message),
    )
    rmSync(join(other, 'turnout.db'))
  }
  assert.deepEqual(readdirSync(other), [])
  assert.deepEqual(readdirSync(folder), ['turnout.db'])
})

test('a place where SQLite has no write-ahead log is refused with a sentence', () => {
  assert.throws(
    () => openSqlite(':memory:', { clock: testClock() }),
    (error: Error) => error instanceof Refusal && /write-ahead log/.test(error.message),
  )
})
