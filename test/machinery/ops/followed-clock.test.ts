import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { FollowedClock } from '#machinery/ops/followed-clock.ts'

/** The clock of a server, of which the test sets what the machine and the database say. */
function makeClock() {
  const time = { machine: 1_000_000, elapsed: 5, database: 1_000_000 }
  const clock = new FollowedClock(
    () => time.machine,
    () => time.elapsed,
  )
  const pass = (milliseconds: number) => {
    time.machine += milliseconds
    time.elapsed += milliseconds
    time.database += milliseconds
  }
  /** Looks at a database that is so far ahead of the machine. */
  const look = (apart: number) => clock.ask()(time.machine + apart)
  return { clock, time, pass, look }
}

test('a clock that follows another goes on evenly, and moves only by more than the network takes', () => {
  const { clock, time, pass, look } = makeClock()
  assert.equal(clock.now(), 1_000_000)
  assert.equal(look(400), 400)
  assert.equal(clock.now(), 1_000_000)
  look(5_000.4)
  assert.equal(clock.now(), 1_005_000)
  look(5_600)
  pass(10)
  assert.equal(clock.now(), 1_005_010)
  look(-3)
  assert.equal(clock.now(), time.machine - 3)
})

test('a clock that follows another takes no notice of a machine whose clock is set, not even while it asks', () => {
  const { clock, time, pass } = makeClock()
  for (const set of [DAY, -2 * DAY]) {
    time.machine += set
    pass(10)
    assert.equal(clock.now(), time.database)
    const onInstant = clock.ask()
    pass(5)
    time.machine += set
    const apart = onInstant(time.database)
    assert.ok(Math.abs(time.machine + apart - time.database) < 5, String(apart))
    assert.equal(clock.now(), time.database)
  }
})

test('an answer that was long under way moves the clock only by more than nobody can know', () => {
  const { clock, time, pass } = makeClock()
  const onInstant = clock.ask()
  const looked = time.database
  pass(20_000)
  onInstant(looked)
  assert.equal(clock.now(), time.database)
  const onSecond = clock.ask()
  pass(20_000)
  time.database += 60_000
  onSecond(time.database)
  assert.ok(Math.abs(clock.now() - time.database) <= 10_000)
  clock.ask()(time.database)
  assert.equal(clock.now(), time.database)
})

test('whoever monitors the server is told of more than 2 seconds, and in which direction', () => {
  const { clock, look } = makeClock()
  assert.deepEqual(clock.details(), [])
  look(2_000)
  assert.deepEqual(clock.details(), [])
  look(3_200)
  assert.deepEqual(
    clock.details().map(({ code }) => code),
    ['clock_apart'],
  )
  assert.match(clock.details()[0]?.message ?? '', /this machine is 3 s behind that of the database/)
  look(-60_000)
  assert.match(clock.details()[0]?.message ?? '', /60 s ahead of that of the database/)
})
