import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pino from 'pino'
import { type RecurringParts, Schedule } from '#app/schedule.ts'
import { MINUTE, SECOND } from '#base/time.ts'

test('each work of a server is looked for in its time: what pays and tells each second, what is long kept each hour', async t => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.parse('2026-11-21T12:15:00.500Z') })
  const looks: Record<string, number> = {}
  const counted = (name: string) => async () => {
    looks[name] = (looks[name] ?? 0) + 1
  }
  const each = (name: string) => {
    const look = counted(name)
    return { look, wake: look, run: look, settled: counted(`${name} settled`), every: '*/2 * * * *' }
  }
  const schedule = new Schedule(
    {
      ...{ clockWatch: each('clock'), certificateWatch: each('certificate'), backups: each('backups') },
      ...{ deliveries: each('webhooks'), mails: each('mails'), reconciler: each('payments') },
      ...{ feed: each('stripe'), watchAddresses: counted('addresses') },
      background: {
        ...{ jobs: each('jobs'), orders: each('orders'), reminders: each('reminders') },
        calls: each('calls'),
        confirmations: each('confirmations'),
        ...{ figures: each('figures'), pictures: each('pictures'), cleaning: each('cleaning') },
      },
    } as unknown as RecurringParts,
    { log: pino({ level: 'silent' }) },
  )
  schedule.start()
  t.after(() => schedule.stop())
  // It begins a moment after the start.
  t.mock.timers.tick(100)
  for (let passed = 0; passed < 5 * MINUTE; passed += SECOND) {
    t.mock.timers.tick(SECOND)
    await nextTurn()
  }
  const second = {
    clock: 300,
    webhooks: 300,
    mails: 300,
    payments: 300,
    stripe: 300,
    jobs: 300,
    pictures: 300,
  }
  const seldom = {
    orders: 60,
    certificate: 30,
    reminders: 5,
    calls: 5,
    confirmations: 5,
    figures: 5,
    addresses: 5,
    backups: 3,
  }
  // The first is a minute after the start, and the next at 17 past the hour.
  assert.deepEqual({ ...looks }, { ...second, ...seldom, cleaning: 2 })

  for (const name of ['webhooks', 'jobs', 'clock'] as const) await schedule.settled([name])
  // Work that cannot settle by itself is looked for once more after what is under way.
  const settled: Record<string, number> = looks
  assert.deepEqual([settled['webhooks settled'], settled['jobs settled'], settled.clock], [1, 1, 302])
})

test('what a server has no part for is not looked for, and cannot be waited for', async t => {
  const schedule = new Schedule({}, { log: pino({ level: 'silent' }) })
  schedule.start()
  t.after(() => schedule.stop())
  await assert.rejects(schedule.settled(['mails']), /no recurring work mails/)
})
