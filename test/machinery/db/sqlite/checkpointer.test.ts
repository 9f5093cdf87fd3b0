import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import SqliteConnection from 'better-sqlite3'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { CheckpointMode } from '#machinery/db/sqlite/checkpointer.ts'
import { openSqlite } from '#machinery/db/sqlite/database.ts'
import { GroupCommit } from '#machinery/db/sqlite/group-commit.ts'
import { testClock } from '#test/support/clock.ts'
import { INSERT, notes, openNotes } from './notes.ts'

const MEBIBYTE = 1024 * 1024
/** Everything at a sixteenth of a server's sizes, in bytes: its log stays below 64 MiB, and this one below 4. */
const sizes = { beginAt: MEBIBYTE, waitAt: 2.5 * MEBIBYTE }
const BOUND = 4 * MEBIBYTE
/** How long the load lasts, in milliseconds, and how much longer where the log has not been emptied by then. */
const LOAD = 1_500
const MAX_LOAD = 20_000

/** Writes as fast as it can, many at once, until `LOAD` is over, and watches the log and the waiting. */
async function writeSteadily(db: Database, path: string, leastEmptied = 0) {
  const began = performance.now()
  const isOver = () => {
    const passed = performance.now() - began
    return passed >= LOAD && (emptied >= leastEmptied || passed >= MAX_LOAD)
  }
  const waits: number[] = []
  let largest = 0
  let emptied = 0
  let before = 0
  const watch = () => {
    const { size } = statSync(`${path}-wal`)
    largest = Math.max(largest, size)
    if (size < before) emptied++
    before = size
  }
  await Promise.all(
    Array.from({ length: 32 }, async (_, writer) => {
      for (let number = 0; !isOver(); number++) {
        const startedAt = performance.now()
        await db.write(INSTANCE, tx => tx.run(INSERT, [`${began} ${writer} ${number} ${'x'.repeat(1_000)}`]))
        waits.push(performance.now() - startedAt)
        watch()
      }
    }),
  )
  waits.sort((a, b) => a - b)
  return { largest, emptied, count: waits.length, longest: waits.at(-1) ?? 0 }
}

/** Measures how long writes are held up for checkpoints, in milliseconds. */
function measurePauses(t: TestContext): { longest: number } {
  const measured = { longest: 0 }
  const pauseFor = GroupCommit.prototype.pauseFor
  t.mock.method(
    GroupCommit.prototype,
    'pauseFor',
    async function (this: GroupCommit, work: () => Promise<unknown>) {
      const began = performance.now()
      await pauseFor.call(this, work)
      measured.longest = Math.max(measured.longest, performance.now() - began)
    },
  )
  return measured
}

function openServer(t: TestContext) {
  const failures: unknown[] = []
  const opened = openNotes(t, { server: { onFailure: error => failures.push(error), ...sizes } })
  return { ...opened, failures }
}

test('under steady writes and reads, with a command beside them, the log is emptied again and again and stays small', async t => {
  const pauses = measurePauses(t)
  const { db, path, failures } = openServer(t)
  const command = openSqlite(path, { clock: testClock(), schema: notes })
  t.after(() => command.close())
  let running = true
  const beside = async (work: (turn: number) => Promise<unknown>) => {
    let turns = 0
    while (running) {
      await work(turns++)
      await nextTurn()
    }
    return turns
  }
  const reading = beside(() =>
    db.read(INSTANCE, tx => tx.all('SELECT text FROM notes ORDER BY rowid DESC LIMIT 50')),
  )
  const commanding = beside(turn => command.write(INSTANCE, tx => tx.run(INSERT, [`command ${turn}`])))
  const { largest, emptied, count, longest } = await writeSteadily(db, path, 3)
  running = false
  const [reads, commands] = [await reading, await commanding]
  t.diagnostic(
    `${count} writes, ${reads} reads, ${commands} commands: the log was emptied ${emptied} times, had ${(largest / MEBIBYTE).toFixed(1)} MiB at most; the longest write took ${longest.toFixed(0)} ms, the longest pause ${pauses.longest.toFixed(0)} ms`,
  )
  assert.deepEqual(failures, [])
  assert.ok(emptied >= 3, `emptied ${emptied} times`)
  assert.ok(largest < BOUND, `${largest} bytes`)
  // It takes 250 ms on a machine that does nothing else.
  assert.ok(pauses.longest < 1_000, `${pauses.longest} ms`)
  const rows = await db.read(INSTANCE, tx => tx.one<{ rows: number }>('SELECT count(*) AS rows FROM notes'))
  assert.equal(rows?.rows, count + commands)
})

/** Notes what the thread of the checkpoints is asked for. */
function watchCheckpoints(t: TestContext): CheckpointMode[] {
  const modes: CheckpointMode[] = []
  const postMessage = Worker.prototype.postMessage
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, mode: CheckpointMode) {
    modes.push(mode)
    postMessage.call(this, mode)
  })
  return modes
}

test('a log that another program still reads is emptied once it has ended, and no write waits for it meanwhile', async t => {
  const modes = watchCheckpoints(t)
  const { db, path, failures } = openServer(t)
  const other = new SqliteConnection(path)
  t.after(() => other.close())
  other.exec('BEGIN')
  other.prepare('SELECT * FROM notes').all()
  const blocked = await writeSteadily(db, path)
  assert.equal(blocked.emptied, 0)
  assert.ok(blocked.largest > sizes.beginAt)
  // Writes pause to empty the log, and only then.
  assert.deepEqual(new Set(modes), new Set(['PASSIVE']))
  other.exec('COMMIT')
  const free = await writeSteadily(db, path, 1)
  assert.ok(free.emptied >= 1)
  assert.ok(modes.includes('TRUNCATE'))
  assert.ok(statSync(`${path}-wal`).size < BOUND)
  assert.deepEqual(failures, [])
})

test('a checkpoint that fails stops the server', async t => {
  const { db, path, failures } = openServer(t)
  const { postMessage } = Worker.prototype
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: CheckpointMode | 'end') {
    if (message === 'end') postMessage.call(this, message)
    else this.emit('message', { error: 'SqliteError: disk I/O error' })
  })
  await writeSteadily(db, path)
  assert.deepEqual(failures.map(String), ['Error: SqliteError: disk I/O error'])
})

test('a thread of the checkpoints that dies stops the server', async t => {
  const { db, path, failures } = openServer(t)
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker) {
    void this.terminate()
  })
  await writeSteadily(db, path)
  assert.deepEqual(
    new Set(failures.map(String)),
    new Set(['Error: The checkpoint thread of the database has ended.']),
  )
})

test('closing in the middle of a checkpoint loses nothing', async t => {
  const { db, path, failures } = openServer(t)
  const writes = Array.from({ length: 3_000 }, (_, number) =>
    db.write(INSTANCE, tx => tx.run(INSERT, [`${number} ${'x'.repeat(1_000)}`])),
  )
  await writes[1_500]
  await db.close()
  await Promise.all(writes)
  assert.deepEqual(failures, [])
  const reopened = new SqliteConnection(path)
  t.after(() => reopened.close())
  assert.equal(reopened.prepare('SELECT count(*) FROM notes').pluck().get(), writes.length)
})
