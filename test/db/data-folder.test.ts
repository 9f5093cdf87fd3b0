import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabaseForCommand } from '../../src/db/data-folder.ts'
import { DatabaseRefused } from '../../src/db/port.ts'
import { lockForServer } from '../../src/db/server-lock.ts'
import { testClock } from '../support/clock.ts'
import { temporaryFolder } from '../support/folder.ts'

test('every file of the database is for its owner alone, in a folder that is open to all', async t => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o755)
  const db = openDatabaseForCommand(folder, testClock())
  const rights = readdirSync(folder).map(name => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ])
  await db.close()
  assert.deepEqual(rights.sort(), [
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
    (error: Error) => error instanceof DatabaseRefused && /Delete it/.test(error.message),
  )
})
