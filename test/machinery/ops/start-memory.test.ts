import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveBackWhenIdle } from '#machinery/ops/start-memory.ts'

test('the memory of the start is given back once, in the first second in which hardly anybody asks for anything', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const shares = [0.9, 0.06, 0.01, 0]
  let collected = 0
  giveBackWhenIdle({ busy: () => shares.shift() ?? 0, collect: () => collected++ })
  t.mock.timers.tick(1_000)
  t.mock.timers.tick(1_000)
  t.mock.timers.tick(999)
  assert.equal(collected, 0)
  t.mock.timers.tick(1)
  assert.equal(collected, 1)
  for (let second = 0; second < 60; second++) t.mock.timers.tick(1_000)
  assert.equal(collected, 1)
  assert.equal(shares.length, 1)
})

test('a server that ends before it was idle gives nothing back', t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let collected = 0
  const stop = giveBackWhenIdle({ busy: () => 0, collect: () => collected++ })
  stop()
  t.mock.timers.tick(60_000)
  assert.equal(collected, 0)
})

test('garbage is collected, and nothing else has the function for it afterwards', async t => {
  const kept = new WeakRef({ text: 'x'.repeat(1_000) })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  // What a WeakRef was asked for in this turn stays until its end.
  await new Promise(resolve => setImmediate(resolve))
  giveBackWhenIdle({ busy: () => 0 })
  t.mock.timers.tick(1_000)
  assert.equal(kept.deref(), undefined)
  assert.equal('gc' in globalThis, false)
})
