import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { FollowedClock } from '#machinery/ops/followed-clock.ts'

test('a clock that follows another goes on evenly, and moves only by more than the network takes', () => {
  let machine = 1_000_000
  let elapsed = 5
  const pass = (milliseconds: number) => {
    machine += milliseconds
    elapsed += milliseconds
  }
  const clock = new FollowedClock(
    () => machine,
    () => elapsed,
  )
  assert.equal(clock.now(), 1_000_000)
  clock.onApart(400)
  assert.equal(clock.now(), 1_000_000)
  clock.onApart(5_000.4)
  assert.equal(clock.now(), 1_005_000)
  clock.onApart(5_600)
  pass(10)
  assert.equal(clock.now(), 1_005_010)
  clock.onApart(-3)
  assert.equal(clock.now(), machine - 3)
})

test('a clock that follows another takes no notice of a machine whose clock is set, not even until the next look', () => {
  let machine = 1_000_000
  let elapsed = 0
  const clock = new FollowedClock(
    () => machine,
    () => elapsed,
  )
  for (const set of [DAY, -2 * DAY]) {
    machine += set
    elapsed += 10
    const before = clock.now()
    clock.onApart(1_000_000 + elapsed - machine)
    assert.deepEqual([before, clock.now()], [1_000_000 + elapsed, 1_000_000 + elapsed])
  }
})

test('whoever monitors the server is told of more than 2 seconds, and in which direction', () => {
  const clock = new FollowedClock(() => 0)
  assert.deepEqual(clock.details(), [])
  clock.onApart(2_000)
  assert.deepEqual(clock.details(), [])
  clock.onApart(3_200)
  assert.deepEqual(
    clock.details().map(({ code }) => code),
    ['clock_apart'],
  )
  assert.match(clock.details()[0]?.message ?? '', /this machine is 3 s behind that of the database/)
  clock.onApart(-60_000)
  assert.match(clock.details()[0]?.message ?? '', /60 s ahead of that of the database/)
})
