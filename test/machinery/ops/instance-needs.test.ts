import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY, MINUTE } from '#base/time.ts'
import { InstanceWatch } from '#machinery/ops/instance-needs.ts'
import { testClock } from '#test/support/clock.ts'

function watch() {
  const clock = testClock()
  const state = {
    ends: undefined as number | undefined,
    late: undefined as { newest: number | null } | undefined,
    disk: { free: 30e9, total: 40e9 } as { free: number; total: number } | Error,
    looks: 0,
  }
  const lines: { msg: string }[] = []
  const watched = new InstanceWatch({
    backups: { findLate: async () => state.late },
    certificateEnds: () => state.ends,
    data: 'data',
    clock,
    log: openLog('info', { write: line => lines.push(JSON.parse(line)) }),
    diskSpace: async () => {
      state.looks++
      if (state.disk instanceof Error) throw state.disk
      return state.disk
    },
  })
  return { clock, state, lines, watched }
}

const nothing = { backup: undefined, isWithoutBackups: false, certificateEnds: undefined, disk: undefined }

test('where all is well nothing is needed, and many who ask cost one look a minute', async () => {
  const { clock, state, watched } = watch()
  await Promise.all([watched.needs(), watched.needs()])
  assert.deepEqual(await watched.needs(), nothing)
  assert.equal(state.looks, 1)
  clock.advance(MINUTE)
  await watched.needs()
  assert.equal(state.looks, 2)
})

test('a certificate is told of two weeks before its end, and after it', async () => {
  const { clock, state, watched } = watch()
  const ask = async (ends: number) => {
    state.ends = ends
    clock.advance(MINUTE)
    return (await watched.needs()).certificateEnds
  }
  const now = clock() + MINUTE
  assert.equal(await ask(now + 14 * DAY), undefined)
  assert.equal(await ask(now + 14 * DAY), now + 14 * DAY)
  assert.equal(await ask(now - DAY), now - DAY)
})

test('a disk is nearly full by its size, but never with 10 GB free, and always with less than 500 MB', async () => {
  const { clock, state, watched } = watch()
  const cases: [free: number, total: number, isFull: boolean][] = [
    [2.1e9, 40e9, false],
    [1.9e9, 40e9, true],
    [11e9, 4000e9, false],
    [9e9, 4000e9, true],
    [400e6, 1e9, true],
    [600e6, 1e9, false],
  ]
  for (const [free, total, isFull] of cases) {
    state.disk = { free, total }
    clock.advance(MINUTE)
    assert.deepEqual(
      (await watched.needs()).disk,
      isFull ? { free, total } : undefined,
      `${free} of ${total}`,
    )
  }
})

test('what cannot be found out is logged, and hides nothing else', async () => {
  const { state, lines, watched } = watch()
  state.disk = new Error('no such disk')
  state.late = { newest: 5 }
  assert.deepEqual(await watched.needs(), { ...nothing, backup: { newest: 5 } })
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['the state of the instance could not be found out'],
  )
})
