import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { ClockWatch } from '#machinery/ops/clock-watch.ts'
import { testClock } from '#test/support/clock.ts'
import { openDatabase } from '#test/support/engine.ts'
import { temporaryFolder } from '#test/support/folder.ts'

const YEAR = 365 * DAY

/** Starts a watch on a clock and on a monotonic one. It looks at them only when the test says so. */
async function startWatch(t: TestContext, { newestWrite }: { newestWrite?: string } = {}) {
  const folder = temporaryFolder(t)
  const clock = testClock()
  const db = await openDatabase(folder, clock)
  if (newestWrite !== undefined) {
    const now = clock()
    clock.set(newestWrite)
    await db.write(INSTANCE, tx => tx.now())
    clock.set(new Date(now).toISOString())
  }
  const monotonic = testClock('1970-01-01T00:10:00.000Z')
  const lines: { level: number; msg: string }[] = []
  const log = pino({ base: null }, { write: line => lines.push(JSON.parse(line)) })
  const watch = new ClockWatch({ db, clock, monotonic, log })
  await watch.start()
  t.after(async () => {
    await watch.stop()
    await db.close()
  })
  const heartbeat = async () =>
    (await db.read(INSTANCE, tx => tx.one<{ heartbeat_at: number }>('SELECT heartbeat_at FROM instance')))
      ?.heartbeat_at
  return {
    db,
    clock,
    lines,
    watch,
    heartbeat,
    /** Lets time pass on both clocks, and looks each second. */
    async pass(milliseconds: number, every = SECOND) {
      for (let at = 0; at < milliseconds; at += every) {
        clock.advance(every)
        monotonic.advance(every)
        await watch.look()
      }
    },
    /** Sets the clock, as somebody or NTP does, and looks. */
    async set(by: number) {
      clock.advance(by)
      await watch.look()
    },
    codes: () => watch.details().map(({ code }) => code),
    logged: () => lines.map(({ level, msg }) => `${level} ${msg}`),
  }
}

const JUMPED = '40 the clock has jumped'
const LEARNED = '30 the clock has learned the time'
const BEHIND = '40 the clock is more than a day behind the newest write'
const NO_LONGER = '30 the clock is no longer behind the newest write'
const SET_BACK = '30 the clock was set back to what it was'

function countWrites(t: TestContext, db: Database) {
  return t.mock.method(db, 'write').mock
}

test('the server tells its clock at its start and once a minute, and writes nothing else', async t => {
  const { db, clock, heartbeat, pass, logged } = await startWatch(t)
  assert.equal(await heartbeat(), clock())
  const writes = countWrites(t, db)
  await pass(MINUTE - SECOND)
  assert.equal(writes.callCount(), 0)
  await pass(SECOND)
  assert.deepEqual([writes.callCount(), await heartbeat()], [1, clock()])
  await pass(10 * MINUTE)
  assert.equal(writes.callCount(), 11)
  assert.deepEqual(logged(), [])
})

test('a heartbeat is no write that dates others', async t => {
  const { db, pass, set } = await startWatch(t)
  const latest = () => db.read(INSTANCE, tx => tx.one('SELECT latest_write_at FROM instance'))
  const before = await latest()
  await set(10 * YEAR)
  await pass(2 * MINUTE)
  assert.deepEqual(await latest(), before)
})

test('a clock that is set forward is told of at once, for an hour, and with both times', async t => {
  const { clock, watch, heartbeat, set, pass, codes, logged } = await startWatch(t)
  await pass(10 * SECOND)
  await set(10 * YEAR)
  assert.deepEqual(logged(), [JUMPED])
  assert.equal(await heartbeat(), clock())
  assert.deepEqual(watch.details(), [
    {
      code: 'clock_jumped',
      message:
        'The clock jumped from 2026-11-21T12:00:10.000Z to 2036-11-18T12:00:10.000Z. Set it right, if it is not.',
    },
  ])
  await pass(HOUR - SECOND, 10 * SECOND - 1)
  assert.deepEqual(codes(), ['clock_jumped'])
  await pass(10 * SECOND)
  assert.deepEqual(codes(), [])
  assert.deepEqual(logged(), [JUMPED])
})

test('a clock that is set back is told of, and one that is set right again no longer', async t => {
  const { set, codes, logged, pass } = await startWatch(t)
  await set(-2 * HOUR)
  assert.deepEqual(codes(), ['clock_jumped'])
  await pass(5 * MINUTE)
  await set(2 * HOUR + SECOND)
  assert.deepEqual(codes(), [])
  assert.deepEqual(logged(), [JUMPED, SET_BACK])
})

test('a clock that was years ahead for hours, and is right again, is no second fault', async t => {
  const { set, pass, codes, logged } = await startWatch(t)
  await set(10 * YEAR)
  await pass(3 * HOUR, MINUTE)
  await set(-10 * YEAR)
  assert.deepEqual(codes(), [])
  assert.deepEqual(logged(), [JUMPED, SET_BACK])
})

test('neither a clock that NTP slews, nor an hour in which nobody could look, is a jump', async t => {
  const { clock, pass, codes, logged } = await startWatch(t)
  for (let hour = 0; hour < 24; hour++) {
    clock.advance(10 * SECOND)
    await pass(HOUR, HOUR)
  }
  assert.deepEqual([codes(), logged()], [[], []])
})

test('a clock that is more than a day behind the newest write is told of until it is right', async t => {
  const { db, clock, watch, set, codes, logged } = await startWatch(t, {
    newestWrite: '2036-11-21T12:00:00.000Z',
  })
  assert.deepEqual(logged(), [BEHIND])
  assert.deepEqual(watch.details(), [
    {
      code: 'clock_behind',
      message:
        'The clock says 2026-11-21T12:00:00.000Z, 3653 days behind the newest write, of 2036-11-21T12:00:00.000Z. Set it right; if it is, run "turnout repair clock".',
    },
  ])
  await db.write(INSTANCE, tx => tx.run('UPDATE instance SET latest_write_at = $1', [clock()]))
  await watch.look()
  assert.deepEqual([codes(), logged()], [[], [BEHIND, NO_LONGER]])
  await set(-DAY - SECOND)
  assert.deepEqual(codes(), ['clock_behind', 'clock_jumped'])
})

test('a clock within a day behind the newest write is no fault', async t => {
  const { codes, logged, pass } = await startWatch(t, { newestWrite: '2026-11-22T12:00:00.000Z' })
  await pass(2 * SECOND)
  assert.deepEqual(codes(), [])
  assert.deepEqual(logged(), [
    '40 the clock of this machine is behind the last write of the database: check it',
  ])
})

test('a Raspberry Pi that starts half a year behind and learns the time is no fault that lasts', async t => {
  const { db, set, pass, codes, logged } = await startWatch(t, { newestWrite: '2027-05-20T12:00:00.000Z' })
  await pass(30 * SECOND)
  // Somebody is admitted meanwhile.
  await db.write(INSTANCE, tx => tx.now())
  assert.deepEqual(codes(), ['clock_behind'])
  await set(200 * DAY)
  assert.deepEqual([codes(), logged()], [[], [BEHIND, LEARNED, NO_LONGER]])
  await pass(2 * MINUTE)
  assert.deepEqual(codes(), [])
})

test('two years between two writes are no fault', async t => {
  const { db, clock, pass, codes, logged } = await startWatch(t)
  await db.write(INSTANCE, tx => tx.now())
  await pass(2 * YEAR, 30 * DAY)
  await db.write(INSTANCE, tx => tx.now())
  assert.ok(clock() > Date.parse('2028-11-01'))
  await pass(MINUTE)
  assert.deepEqual([codes(), logged()], [[], []])
})

test('a heartbeat that cannot be written is told of, stops nothing, and is tried again a minute later', async t => {
  const { db, pass, clock, heartbeat, logged } = await startWatch(t)
  const writes = t.mock.method(db, 'write', () => Promise.reject(new Error('The disk is full.')))
  await pass(MINUTE + 30 * SECOND)
  assert.deepEqual(logged(), ['40 the heartbeat could not be written'])
  assert.equal(writes.mock.callCount(), 1)
  writes.mock.restore()
  await pass(30 * SECOND)
  assert.equal(await heartbeat(), clock())
})
