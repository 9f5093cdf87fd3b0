import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { GroupCommit } from '#machinery/db/sqlite/group-commit.ts'
import { WriteAheadLog } from '#machinery/db/sqlite/wal.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'
import { INSERT, openNotes, readNotes } from './notes.ts'

/** Counts the commits and the syncs from here on. */
function count(t: TestContext) {
  const run = t.mock.method(Connection.prototype, 'run').mock
  const sync = t.mock.method(WriteAheadLog.prototype, 'sync').mock
  return {
    commits: () => run.calls.filter(call => call.arguments[0] === 'COMMIT').length,
    syncs: () => sync.callCount(),
  }
}

/** Holds each sync at its end, after it was really done, until the test releases it. */
function gateSyncs(t: TestContext) {
  const gates: (() => void)[] = []
  const waiting: (() => void)[] = []
  const sync = WriteAheadLog.prototype.sync
  t.mock.method(WriteAheadLog.prototype, 'sync', async function (this: WriteAheadLog) {
    await sync.call(this)
    await new Promise<void>(resolve => {
      gates.push(resolve)
      waiting.shift()?.()
    })
  })
  return {
    /** Resolves when a sync waits at the gate. */
    async arrived() {
      if (gates.length === 0) await new Promise<void>(resolve => waiting.push(resolve))
    },
    letGo: () => gates.shift()?.(),
  }
}

/** Opens a group commit on a connection whose state a test can read. */
function openCommits(t: TestContext): { commits: GroupCommit; connection: Connection } {
  const path = join(temporaryFolder(t), 'test.db')
  const connection = new Connection(path, 0)
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE instance (latest_write_at)')
  const log = new WriteAheadLog(path)
  const commits = new GroupCommit(connection, {
    clock: testClock(),
    busyTimeout: 1_000,
    log,
    onCommit: () => undefined,
  })
  t.after(async () => {
    await commits.close()
    log.close()
    connection.close()
  })
  return { commits, connection }
}

/** Stops the time by which groups are measured, until the test passes some. */
function stopTime(t: TestContext): { pass(milliseconds: number): void } {
  let now = performance.now()
  t.mock.method(performance, 'now', () => now)
  return {
    pass(milliseconds) {
      now += milliseconds
    },
  }
}

/** Watches what has become of each promise so far: `null` until it is settled. */
function watch(promises: Promise<unknown>[]): (string | null)[] {
  const states: (string | null)[] = promises.map(() => null)
  promises.forEach((promise, at) => {
    promise.then(
      () => {
        states[at] = 'done'
      },
      (error: Error) => {
        states[at] = error.message
      },
    )
  })
  return states
}

/** Lets everything happen that waits for nothing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn()
}

const insert = (db: Database, text: string) => db.write(INSTANCE, tx => tx.run(INSERT, [text]))

const refuse = (db: Database) =>
  db.write(INSTANCE, async () => {
    throw new Error('refused')
  })

test('writes that queue together share one commit and one sync', async t => {
  const { db } = openNotes(t)
  const counted = count(t)
  stopTime(t)
  await Promise.all(Array.from({ length: 50 }, (_, number) => insert(db, `${number}`)))
  assert.deepEqual([counted.commits(), counted.syncs()], [1, 1])
  assert.equal((await readNotes(db)).length, 50)
})

test('a write that throws is undone alone, also after it took the instant, and the instant of the others is kept', async t => {
  const clock = testClock()
  const { db } = openNotes(t, { clock })
  const counted = count(t)
  stopTime(t)
  const before = insert(db, 'before')
  const thrown = db.write(INSTANCE, async tx => {
    await tx.now()
    await tx.run(INSERT, ['thrown'])
    throw new Error('no')
  })
  const instant = db.write(INSTANCE, async tx => {
    await tx.run(INSERT, ['after'])
    return tx.now()
  })
  await assert.rejects(thrown, /^Error: no$/)
  await before
  assert.equal(await instant, clock())
  assert.equal(counted.commits(), 1)
  assert.deepEqual(await readNotes(db), ['before', 'after'])
  clock.advance(-1_000)
  assert.equal(await db.write(INSTANCE, tx => tx.now()), await instant)
})

test('no answer is given before the sync of its group has ended: not a refusal, nor that of a write that changed nothing', async t => {
  const { db } = openNotes(t)
  const gate = gateSyncs(t)
  const states = watch([
    insert(db, 'one'),
    refuse(db),
    db.write(INSTANCE, tx => tx.all('SELECT text FROM notes')),
  ])
  await gate.arrived()
  await settle()
  assert.deepEqual(states, [null, null, null])
  gate.letGo()
  await settle()
  assert.deepEqual(states, ['done', 'refused', 'done'])
})

test('writes that commit during a sync wait for the next one, which covers all of them, and reads wait for none', async t => {
  const { db } = openNotes(t)
  const gate = gateSyncs(t)
  const first = watch([insert(db, 'first')])
  await gate.arrived()
  const later = watch([insert(db, 'second'), refuse(db)])
  await settle()
  const third = watch([insert(db, 'third')])
  await settle()
  assert.deepEqual(await readNotes(db), ['first', 'second', 'third'])
  assert.deepEqual([...first, ...later, ...third], [null, null, null, null])
  gate.letGo()
  await gate.arrived()
  await settle()
  assert.deepEqual([...first, ...later, ...third], ['done', null, null, null])
  gate.letGo()
  await settle()
  assert.deepEqual([...first, ...later, ...third], ['done', 'done', 'refused', 'done'])
})

test('a sync that fails acknowledges nothing, stops the server, and no later write is taken', async t => {
  const failures: unknown[] = []
  const { db } = openNotes(t, { server: { onFailure: error => failures.push(error) } })
  const failure = new Error('EIO')
  let fail = (_: Error) => {}
  const failing = new Promise<void>((_, reject) => {
    fail = reject
  })
  const sync = t.mock.method(WriteAheadLog.prototype, 'sync', () => failing)
  const covered = watch([insert(db, 'covered'), refuse(db)])
  await settle()
  const later = watch([insert(db, 'committed'), refuse(db)])
  await settle()
  fail(failure)
  await settle()
  const unknown = 'The disk has failed: nobody knows whether the change is on it.'
  assert.deepEqual([...covered, ...later], [unknown, unknown, unknown, unknown])
  assert.deepEqual(failures, [failure])
  assert.equal(sync.mock.callCount(), 1)
  await assert.rejects(insert(db, 'late'), DatabaseUnavailable)
})

test('a command whose sync fails says that nobody knows whether the change is there', async t => {
  const { db } = openNotes(t)
  t.mock.method(WriteAheadLog.prototype, 'sync', () => Promise.reject(new Error('EIO')))
  await assert.rejects(insert(db, 'one'), /nobody knows/)
})

test('a transaction that SQLite undid by itself fails its whole group, and the next group succeeds', async t => {
  const { db } = openNotes(t)
  await insert(db, 'kept')
  const pages = await db.read(INSTANCE, tx => tx.one<{ page_count: number }>('PRAGMA page_count'))
  await db.write(INSTANCE, tx => tx.all(`PRAGMA max_page_count = ${(pages?.page_count ?? 0) + 20}`))
  const big = 'x'.repeat(4_000_000)
  // On a busy machine the time of a group would be over after its first write.
  stopTime(t)
  const outcomes = await Promise.allSettled([
    insert(db, 'before'),
    db.write(INSTANCE, async tx => {
      await tx.run(INSERT, [big]).catch(() => undefined)
    }),
    insert(db, 'after'),
  ])
  // The next write had not begun, so it is a group of its own.
  assert.deepEqual(
    outcomes.map(outcome => (outcome.status === 'rejected' ? outcome.reason.constructor : 'done')),
    [DatabaseUnavailable, DatabaseUnavailable, 'done'],
  )
  assert.deepEqual(await readNotes(db), ['kept', 'after'])
})

test('a commit that fails fails its whole group, refusals too, and the next group succeeds', async t => {
  const { db } = openNotes(t)
  const run = Connection.prototype.run
  let full = true
  t.mock.method(Connection.prototype, 'run', function (this: Connection, ...args: Parameters<typeof run>) {
    if (full && args[0] === 'COMMIT') throw new DatabaseUnavailable('SQLite: SQLITE_FULL')
    return run.apply(this, args)
  })
  const states = watch([insert(db, 'one'), refuse(db)])
  await settle()
  assert.deepEqual(states, ['SQLite: SQLITE_FULL', 'SQLite: SQLITE_FULL'])
  full = false
  await insert(db, 'two')
  assert.deepEqual(await readNotes(db), ['two'])
})

test('a group that takes long lets others have their turns, which see nothing of it, and is one commit all the same', async t => {
  const { db } = openNotes(t)
  const counted = count(t)
  const time = stopTime(t)
  const looks: Promise<string[]>[] = []
  const slow = (text: string) =>
    db.write(INSTANCE, async tx => {
      await tx.run(INSERT, [text])
      time.pass(3)
      looks.push(nextTurn().then(() => readNotes(db)))
    })
  await Promise.all(['one', 'two', 'three'].map(slow))
  assert.equal(counted.commits(), 1)
  const [first] = await Promise.all(looks)
  assert.deepEqual(first, [])
  assert.deepEqual(await readNotes(db), ['one', 'two', 'three'])
})

test('a group ends after its time, however much is queued', async t => {
  const { db } = openNotes(t)
  const counted = count(t)
  const time = stopTime(t)
  const slow = (text: string) =>
    db.write(INSTANCE, async tx => {
      await tx.run(INSERT, [text])
      time.pass(6)
    })
  await Promise.all(['one', 'two', 'three', 'four'].map(slow))
  assert.equal(counted.commits(), 2)
})

test('a pause that is asked for within a group waits for its commit', async t => {
  const { commits, connection } = openCommits(t)
  const time = stopTime(t)
  const open = { requested: false, paused: true }
  let paused: Promise<void> | undefined
  const slow = () =>
    commits.write(async () => {
      time.pass(3)
      setImmediate(() => {
        if (paused !== undefined) return
        open.requested = connection.inTransaction
        paused = commits.pauseFor(async () => {
          open.paused = connection.inTransaction
        })
      })
    })
  await Promise.all([slow(), slow()])
  await paused
  assert.deepEqual(open, { requested: true, paused: false })
})

test('no transaction begins in a pause, nor between one pause and the next, and what waited is then written', async t => {
  const { commits } = openCommits(t)
  const ends: ((error?: Error) => void)[] = []
  const pause = () =>
    commits.pauseFor(
      () =>
        new Promise<void>((resolve, reject) => {
          ends.push(error => (error === undefined ? resolve() : reject(error)))
        }),
    )
  const first = watch([pause()])
  const written = commits.write(async () => undefined)
  const writes = watch([written])
  await settle()
  const second = watch([pause()])
  ends.shift()?.(new Error('failed'))
  await settle()
  assert.deepEqual([...first, ...second, ...writes], ['failed', null, null])
  ends.shift()?.()
  await written
  assert.deepEqual(second, ['done'])
})
