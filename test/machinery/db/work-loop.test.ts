import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Turns } from '../../src/db/turns.ts'

/** A turn that ends, or fails, when it is told to. */
function prepare() {
  const listeners: (() => void)[] = []
  const underWay: { resolve: () => void; reject: (error: Error) => void }[] = []
  const errors: unknown[] = []
  let begun = 0
  const turn = () => {
    begun++
    return new Promise<void>((resolve, reject) => underWay.push({ resolve, reject }))
  }
  const turns = new Turns({
    db: { onCommit: listener => void listeners.push(listener) },
    turn,
    failed: error => errors.push(error),
  })
  const commit = () => {
    for (const listener of listeners) listener()
  }
  return { turns, commit, errors, next: () => underWay.shift(), begun: () => begun }
}

test('commits that come together become one turn, and those during a turn one more after it', async () => {
  const { turns, commit, next, begun } = prepare()
  turns.start()
  commit()
  commit()
  await nextTurn()
  assert.deepEqual([begun(), turns.isBusy], [1, true])
  commit()
  commit()
  await nextTurn()
  assert.equal(begun(), 1)
  next()?.resolve()
  await nextTurn()
  assert.equal(begun(), 2)
  next()?.resolve()
  await nextTurn()
  assert.deepEqual([begun(), turns.isBusy], [2, false])
  turns.stop()
})

test('a turn that fails is told, and the sweep takes the next within a second, until it is stopped', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { turns, next, begun, errors } = prepare()
  turns.start()
  await nextTurn()
  next()?.reject(new Error('busy'))
  await nextTurn()
  assert.deepEqual([errors.map(String), turns.isBusy, begun()], [['Error: busy'], false, 1])
  t.mock.timers.tick(1_000)
  await nextTurn()
  assert.equal(begun(), 2)
  next()?.resolve()
  await nextTurn()
  turns.stop()
  t.mock.timers.tick(60_000)
  await nextTurn()
  assert.equal(begun(), 2)
})
