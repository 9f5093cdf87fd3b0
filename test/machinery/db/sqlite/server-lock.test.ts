import assert from 'node:assert/strict'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { claimDataFolder, isServed } from '#machinery/db/sqlite/data-folder.ts'
import { lockForServer } from '#machinery/db/sqlite/server-lock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { startServer } from '#test/support/server.ts'

function replaceByCopy(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

for (const [how, lose] of [
  ['removed', rmSync],
  ['replaced', replaceByCopy],
] as const) {
  test(`a lock whose file is ${how} while it is taken is taken again`, t => {
    const path = join(temporaryFolder(t), 'server.lock')
    const exec = SqliteConnection.prototype.exec
    let taken = 0
    t.mock.method(
      SqliteConnection.prototype,
      'exec',
      function (this: SqliteConnection.Database, sql: string) {
        if (taken++ === 0) lose(path)
        return exec.call(this, sql)
      },
    )
    const free = lockForServer(path)
    assert.throws(() => lockForServer(path), /Another server already runs/)
    free()
    lockForServer(path)()
  })
}

test('a lock that was removed or replaced is kept by taking it anew, unless another has it', t => {
  const path = join(temporaryFolder(t), 'server.lock')
  const lock = lockForServer(path)
  for (const lose of [rmSync, replaceByCopy]) {
    lose(path)
    lock.keep()
    assert.throws(() => lockForServer(path), /Another server already runs/)
  }
  rmSync(path)
  const other = lockForServer(path)
  assert.throws(() => lock.keep(), /^Refusal: Another server has taken over the data folder/)
  lock()
  other()
})

test('a new lock for which the disk has no room is refused, and does not stay', t => {
  const path = join(temporaryFolder(t), 'server.lock')
  const full = new SqliteConnection.SqliteError('full', 'SQLITE_FULL')
  t.mock.method(SqliteConnection.prototype, 'exec', () => {
    throw full
  })
  assert.throws(() => lockForServer(path), /the disk is full/)
  assert.equal(existsSync(path), false)
})

test('whether a server runs on a folder is seen without claiming it, and before and after it runs', async t => {
  const folder = temporaryFolder(t)
  assert.equal(isServed(folder), false)
  assert.equal(existsSync(join(folder, 'server.lock')), false)
  const { app, data } = await startServer(t, { data: folder })
  assert.equal(isServed(data), true)
  assert.throws(() => claimDataFolder(data), /Another server already runs/)
  await app.close()
  assert.equal(isServed(data), false)
  claimDataFolder(data)()
})
