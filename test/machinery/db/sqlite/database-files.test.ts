import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteConnection from 'better-sqlite3'
import { Refusal } from '#base/refusal.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import type { CheckpointWorkerData } from '#machinery/db/sqlite/checkpointer.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { backUp } from '#machinery/db/sqlite/copies/backup.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { DatabaseLost, identify, isSameFile } from '#machinery/db/sqlite/database-files.ts'
import { startDatabaseThread } from '#machinery/db/sqlite/threads/thread.ts'
import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { INSERT, notes, openNotes, readNotes } from './notes.ts'

function replaceByCopy(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

/** Opens a server, and notes its message when it has to stop. */
function openServer(t: TestContext, keepClaim?: () => void) {
  const failures: Error[] = []
  // The looks alone do not keep a process running.
  const waiting = setTimeout(() => undefined, 10_000)
  t.after(() => clearTimeout(waiting))
  let stop = (_: Error) => {}
  const stopped = new Promise<Error>(resolve => {
    stop = resolve
  })
  const onFailure = (error: unknown) => {
    failures.push(error as Error)
    stop(error as Error)
  }
  return { ...openNotes(t, { server: { onFailure, keepClaim } }), failures, stopped }
}

function readAlone(path: string): string[] {
  const connection = new SqliteConnection(path, { readonly: true })
  try {
    return connection.prepare('SELECT text FROM notes ORDER BY rowid').pluck().all() as string[]
  } finally {
    connection.close()
  }
}

for (const end of ['', '-wal', '-shm']) {
  for (const [how, lose] of [
    ['removed', (path: string) => rmSync(path)],
    ['replaced', replaceByCopy],
  ] as const) {
    test(`a server that has nothing to do notices that its database${end} was ${how}, and takes no more writes`, async t => {
      const { db, path, failures, stopped } = openServer(t)
      await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
      lose(path + end)
      const error = await stopped
      assert.ok(error instanceof Refusal)
      assert.match(error.message, new RegExp(`test\\.db${end} was ${how} `))
      await assert.rejects(db.write(INSTANCE, tx => tx.run(INSERT, ['late'])))
      assert.equal(failures.length, 1)
    })
  }
}

test('a write that was synced to a file which has lost its name meanwhile is not acknowledged', async t => {
  const { db, path, failures } = openServer(t)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
  const sync = WriteAheadLog.prototype.sync
  t.mock.method(WriteAheadLog.prototype, 'sync', function (this: WriteAheadLog) {
    const synced = sync.call(this)
    // The sync itself is under way in another thread.
    replaceByCopy(path)
    return synced
  })
  await assert.rejects(
    db.write(INSTANCE, tx => tx.run(INSERT, ['lost'])),
    (error: Error) =>
      error instanceof DatabaseLost && /nobody knows whether the last change is kept/.test(error.message),
  )
  assert.equal(failures.length, 1)
})

test('a command whose database is replaced under it fails with the sentence', async t => {
  const { db, path } = openNotes(t)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
  replaceByCopy(path)
  await assert.rejects(
    db.write(INSTANCE, tx => tx.run(INSERT, ['lost'])),
    (error: Error) =>
      error instanceof Refusal && /test\.db was replaced by another file while/.test(error.message),
  )
})

test('a database that is overwritten in its place by a shorter one is given no log of the old one', async t => {
  const { db, path, stopped } = openServer(t)
  const backup = join(temporaryFolder(t), 'backup.db')
  await backUp(path, backup)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['x'.repeat(100_000)]))
  const other = new SqliteConnection(path)
  other.pragma('wal_checkpoint(PASSIVE)')
  other.close()
  // The look that makes it known how long it has become.
  await db.write(INSTANCE, tx => tx.run(INSERT, ['late']))
  copyFileSync(backup, path)
  assert.match(
    (await stopped).message,
    /was cut short or written over .* last changes are in \S+-wal\.rescued-/,
  )
  assert.equal(existsSync(`${path}-wal`), false)
  const name = readdirSync(dirname(path)).find(each => each.includes('-wal.rescued-'))
  assert.ok(name !== undefined && statSync(join(dirname(path), name)).size > 0)
  assert.deepEqual(readFileSync(path), readFileSync(backup))
})

test('a server rescues every acknowledged write, also one that a reader beside it still sees, and leaves no log for another database', async t => {
  const { db, path, stopped } = openServer(t)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['first']))
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN')
  other.prepare('SELECT * FROM notes').all()
  await db.write(INSTANCE, tx => tx.run(INSERT, ['second']))
  replaceByCopy(path)
  const { message } = await stopped
  const [saved = ''] = /\S+\.rescued-\d{8}T\d{6}Z/.exec(message) ?? []
  assert.deepEqual(readAlone(saved), ['first', 'second'])
  assert.equal(statSync(saved).mode & 0o777, 0o600)
  assert.equal(existsSync(`${path}-wal`), false)
})

test('a server that cannot save what it acknowledged says so', async t => {
  const { db, path, stopped } = openServer(t)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['first']))
  const run = Connection.prototype.run
  t.mock.method(Connection.prototype, 'run', function (this: Connection, ...args: Parameters<typeof run>) {
    if (args[0].startsWith('VACUUM')) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    return run.apply(this, args)
  })
  rmSync(path)
  assert.match((await stopped).message, /could not be saved: the disk is full\.$/)
  assert.deepEqual(
    readdirSync(dirname(path)).filter(name => name.includes('rescued')),
    [],
  )
})

test('a database that is replaced while it is opened is not served', t => {
  const { path } = openNotes(t)
  for (const end of ['', '-wal', '-shm']) {
    const pragma = Connection.prototype.pragma
    const mock = t.mock.method(Connection.prototype, 'pragma', function (this: Connection, text: string) {
      const answer = pragma.call(this, text)
      // This is the last statement before the database would be served.
      if (text === 'busy_timeout = 0' && existsSync(path + end)) replaceByCopy(path + end)
      return answer
    })
    assert.throws(
      () => openSqlite(path, { clock: testClock(), schema: notes }),
      (error: Error) => error instanceof DatabaseLost && error.end === end,
    )
    mock.mock.restore()
  }
})

test('a claim that is lost stops the server before it acknowledges more', async t => {
  let isLost = false
  const { db, failures } = openServer(t, () => {
    if (isLost) throw new Refusal('Another server has it.')
  })
  await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
  isLost = true
  await assert.rejects(
    db.write(INSTANCE, tx => tx.run(INSERT, ['lost'])),
    /Another server has it/,
  )
  // Whoever has it uses the files: they are left as they are.
  assert.deepEqual(failures.map(String), ['Refusal: Another server has it.'])
  isLost = false
  await assert.rejects(db.write(INSTANCE, tx => tx.run(INSERT, ['late'])))
})

test('a backup of a database that is replaced meanwhile, or is not the one that the server has, is refused', async t => {
  const { path } = openNotes(t)
  const target = join(temporaryFolder(t), 'backup.db')
  const own = identify(path)
  const copying = backUp(path, target, own)
  replaceByCopy(path)
  await assert.rejects(copying, /test\.db was removed or replaced, and was not copied/)
  await assert.rejects(backUp(path, target, own), /was removed or replaced/)
  assert.deepEqual(readdirSync(dirname(target)), [])
})

test('the thread of the checkpoints leaves another file alone', async t => {
  const { db, path } = openNotes(t)
  await db.write(INSTANCE, tx => tx.run(INSERT, ['kept']))
  const { dev, ino } = statSync(path, { bigint: true })
  replaceByCopy(path)
  const before = readFileSync(`${path}-wal`)
  const workerData: CheckpointWorkerData = { path, database: { dev, ino } }
  const { worker } = startDatabaseThread('checkpoint', workerData)
  t.after(() => worker.terminate())
  const answered = once(worker, 'message')
  worker.postMessage('TRUNCATE')
  assert.match((await answered)[0].error, /was replaced by another file/)
  assert.deepEqual(readFileSync(`${path}-wal`), before)
})

test('files that have no numbers are told apart by whether they are there, and a device alone tells two apart', () => {
  const none = { dev: 7n, ino: 0n }
  assert.ok(isSameFile(none, { ...none }))
  assert.equal(isSameFile(none, undefined), false)
  assert.equal(isSameFile({ dev: 7n, ino: 3n }, { dev: 8n, ino: 3n }), false)
  assert.equal(isSameFile({ dev: 7n, ino: 3n }, { dev: 7n, ino: 4n }), false)
})

test('a database that is larger after a checkpoint, and a command beside it, are no loss', async t => {
  const { db, path, failures, stopped } = openServer(t)
  for (let at = 0; at < 3; at++) {
    const command = openSqlite(path, { clock: testClock(), schema: notes })
    await command.write(INSTANCE, tx => tx.run(INSERT, [`${at}${'x'.repeat(50_000)}`]))
    await command.close()
    const other = new SqliteConnection(path)
    other.pragma('wal_checkpoint(TRUNCATE)')
    other.close()
    await db.write(INSTANCE, tx => tx.run(INSERT, [`server ${at}`]))
  }
  assert.equal((await readNotes(db)).length, 6)
  assert.deepEqual(failures, [])
  truncateSync(path, 4096)
  await assert.rejects(db.write(INSTANCE, tx => tx.run(INSERT, ['lost'])))
  assert.match((await stopped).message, /cut short/)
})
