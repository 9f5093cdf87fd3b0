import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { HOUR, MINUTE, SECOND } from '#base/time.ts'
import { CronLoop, type RecurringWork } from '#machinery/ops/cron-loop.ts'

/** Starts a loop on a clock of the machine that only the test moves. */
function start(t: TestContext, works: readonly RecurringWork[]) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-11-21T12:00:00.400Z') })
  const warn = t.mock.method(console, 'warn', () => undefined)
  const lines: Record<string, unknown>[] = []
  const loop = new CronLoop(works, pino({ base: null }, { write: line => lines.push(JSON.parse(line)) }))
  loop.start()
  t.after(() => loop.stop())
  const pass = async (milliseconds: number, step = 100) => {
    for (let passed = 0; passed < milliseconds; passed += step) {
      t.mock.timers.tick(step)
      await nextTurn()
    }
  }
  return { loop, lines, warn, pass }
}

test('each work is looked for by its own line, and besides so long after the start as it says', async t => {
  const looks: string[] = []
  const note = (name: string) => () => void looks.push(`${name} ${new Date().toISOString().slice(17, 19)}`)
  const { pass } = start(t, [
    { name: 'second', cron: '* * * * * *', look: note('second') },
    { name: 'five', cron: '*/5 * * * * *', look: note('five') },
    { name: 'hour', cron: '0 17 * * * *', look: note('hour'), firstAfter: 200 },
  ])
  await pass(5 * SECOND)
  assert.deepEqual(looks, [
    'hour 00',
    ...['second 01', 'second 02', 'second 03', 'second 04', 'five 05', 'second 05'],
  ])
})

test('a look that takes long lets the next ones be left out, and keeps no other work from its own', async t => {
  const ends: (() => void)[] = []
  let others = 0
  const { pass } = start(t, [
    { name: 'slow', cron: '* * * * * *', look: () => new Promise<void>(resolve => ends.push(resolve)) },
    { name: 'other', cron: '* * * * * *', look: () => void others++ },
  ])
  await pass(5 * SECOND)
  assert.deepEqual([ends.length, others], [1, 5])
  ends[0]?.()
  await pass(SECOND)
  assert.equal(ends.length, 2)
  ends[1]?.()
})

test('a look that fails is told by its name, and comes again', async t => {
  const failed = () => Promise.reject(new Error('no disk'))
  const { pass, lines } = start(t, [{ name: 'backups', cron: '* * * * * *', look: failed }])
  await pass(2 * SECOND)
  assert.deepEqual(
    lines.map(({ level, msg, work }) => [level, msg, work]),
    Array(2).fill([50, 'recurring work failed', 'backups']),
  )
})

test('stopping waits for the look that is under way, and none begins after it', async t => {
  let looks = 0
  let end = () => {}
  const look = () => {
    looks++
    return new Promise<void>(resolve => {
      end = resolve
    })
  }
  const { loop, pass } = start(t, [{ name: 'slow', cron: '* * * * * *', look, firstAfter: 10 * SECOND }])
  await pass(SECOND)
  let isStopped = false
  const stopped = loop.stop().then(() => {
    isStopped = true
  })
  await pass(MINUTE, SECOND)
  assert.deepEqual([looks, isStopped], [1, false])
  end()
  await pass(SECOND)
  await stopped
  assert.equal(looks, 1)
})

test('a clock of the machine that is set, back or forward, keeps nothing waiting', async t => {
  for (const by of [-HOUR, HOUR]) {
    let looks = 0
    const { loop, pass } = start(t, [
      { name: 'one', cron: '* * * * * *', look: () => void looks++ },
      { name: 'other', cron: '* * * * * *', look: () => undefined },
    ])
    await pass(2 * SECOND)
    assert.equal(looks, 2)
    const now = Date.now.bind(Date)
    t.mock.method(Date, 'now', () => now() + by)
    await pass(3 * SECOND)
    assert.ok(looks >= 4 && looks <= 6, `${looks} looks, set by ${by}`)
    await loop.stop()
    t.mock.restoreAll()
    t.mock.timers.reset()
  }
})

test('a machine that is so busy that an instant is over before its timer is set tells the console nothing, and looks all the same', async t => {
  let looks = 0
  const { pass, warn } = start(t, [{ name: 'late', cron: '* * * * * *', look: () => void looks++ }])
  const now = Date.now.bind(Date)
  let late = 0
  t.mock.method(Date, 'now', () => {
    late += 700
    return now() + late
  })
  await pass(6 * SECOND)
  assert.equal(warn.mock.callCount(), 0)
  assert.ok(looks > 2, `${looks} looks`)
})

test('a timer that fires a millisecond early brings no look in the second before, and none twice', async t => {
  const at: number[] = []
  const look = () => void at.push(Date.now() % SECOND)
  const { pass } = start(t, [
    { name: 'one', cron: '* * * * * *', look },
    { name: 'other', cron: '* * * * * *', look },
  ])
  const now = Date.now.bind(Date)
  let reads = 0
  // While the next instant is found, a millisecond goes by.
  t.mock.method(Date, 'now', () => now() + Number(++reads > 3))
  await pass(5 * SECOND, 1)
  assert.equal(at.length, 10)
  assert.ok(
    at.every(millisecond => millisecond >= 1 && millisecond < 10),
    String(at),
  )
})
