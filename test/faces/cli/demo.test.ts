import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY } from '#base/time.ts'
import { makeDemo, pastClock } from '#faces/cli/place-demo-orders.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { databasePath, openDatabaseForCommand } from '#machinery/db/sqlite/data-folder.ts'
import { inspect } from '#machinery/db/sqlite/inspection.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { testClock } from '#test/support/clock.ts'
import { temporaryFolder } from '#test/support/folder.ts'

test('the guests of the sandbox came by orders in the weeks before, with their payments, receipts and mails', async t => {
  const now = testClock()()
  const data = temporaryFolder(t)
  const clock = pastClock(now - 31 * DAY)
  const db = openDatabaseForCommand(data, clock)
  await makeDemo(db, clock, now)
  assert.equal(clock(), now)
  const count = async (sql: string) => {
    const rows = await db.read(INSTANCE, tx => tx.all<{ key: string; n: number }>(sql))
    return Object.fromEntries(rows.map(({ key, n }) => [key, n]))
  }
  assert.deepEqual(await count('SELECT o.status AS key, COUNT(*) AS n FROM orders o GROUP BY o.status'), {
    confirmed: 34,
    failed: 1,
    pending: 1,
  })
  assert.deepEqual(await count('SELECT p.status AS key, COUNT(*) AS n FROM payments p GROUP BY p.status'), {
    ...{ confirmed: 24, pending: 1, cancelled: 1 },
  })
  assert.deepEqual(await count('SELECT m.kind AS key, COUNT(*) AS n FROM emails m GROUP BY m.kind'), {
    ...{ order_confirmed: 34, payment_due: 1, order_unpaid: 1, order_cancelled: 2 },
  })
  assert.deepEqual(await count('SELECT r.kind AS key, COUNT(*) AS n FROM receipts r GROUP BY r.kind'), {
    ...{ receipt: 24, credit_note: 1 },
  })
  const [outside] = await db.read(INSTANCE, tx =>
    tx.all<{ n: number }>('SELECT COUNT(*) AS n FROM registrations r WHERE r.order_id IS NULL'),
  )
  assert.equal(outside?.n, 5, 'those of the past event were imported')
  const [latest] = await db.read(INSTANCE, tx =>
    tx.all<{ at: number }>('SELECT MAX(o.created_at) AS at FROM orders o'),
  )
  assert.ok((latest?.at ?? now) < now - DAY)
  await db.close()
  assert.deepEqual(await inspect(databasePath(data), findDamage), [])
})
