import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { WorkLoop } from '#machinery/db/work-loop.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Makes a turn that ends, or fails, when the test says so. */
function prepare() {
  const listeners: (() => void)[] = []
  const underWay: { resolve: () => void; reject: (error: Error) => void }[] = []
  const errors: unknown[] = []
  let begun = 0
  const turn = () => {
    begun++
    return new Promise<void>((resolve, reject) => underWay.push({ resolve, reject }))
  }
  const turns = new WorkLoop({
    db: { onCommit: listener => void listeners.push(listener) },
    work: turn,
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
})

test('a turn that fails is told, and is taken again when somebody wakes it, and not before', async () => {
  const { turns, next, begun, errors } = prepare()
  turns.start()
  await nextTurn()
  next()?.reject(new Error('busy'))
  for (let times = 0; times < 3; times++) await nextTurn()
  assert.deepEqual([errors.map(String), turns.isBusy, begun()], [['Error: busy'], false, 1])
  turns.wake()
  await nextTurn()
  assert.equal(begun(), 2)
  next()?.resolve()
  await nextTurn()
  assert.equal(turns.isBusy, false)
})

test('it is settled once nothing is due, what turns have begun has ended, and what that made due is done', async () => {
  const { turns, next, begun } = prepare()
  let isSettled = false
  const settled = turns.settled().then(() => {
    isSettled = true
  })
  await nextTurn()
  let end = () => {}
  turns.begin(
    new Promise(resolve => {
      end = resolve
    }),
  )
  next()?.resolve()
  for (let times = 0; times < 3; times++) await nextTurn()
  assert.deepEqual([begun(), isSettled], [1, false])
  end()
  for (let times = 0; times < 3; times++) await nextTurn()
  assert.deepEqual([begun(), isSettled], [2, false])
  next()?.resolve()
  await settled
  assert.equal(begun(), 2)
})

test('it is not settled by a turn that fails: that is taken again', async () => {
  const { turns, next, begun, errors } = prepare()
  const settled = turns.settled()
  await nextTurn()
  next()?.reject(new Error('busy'))
  await eventually('the second turn', () => begun() === 2)
  next()?.resolve()
  await settled
  assert.equal(errors.length, 1)
})
