import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../src/db/port.ts'
import { cleanUp } from '../src/housekeeping.ts'
import { DAY } from '../src/time.ts'
import { testClock } from './support/clock.ts'
import { organization } from './support/organization.ts'
import { newRegistration } from './support/requests.ts'
import { startWithOrganization } from './support/server.ts'
import { eventually } from './support/webhooks.ts'

const NEVER = 2 ** 31 - 1

function start(t: Parameters<typeof startWithOrganization>[0], options: { data?: string; after?: number }) {
  const { data, after = NEVER } = options
  return startWithOrganization(t, organization(), {
    settings: { accessLogDays: '30' },
    tuning: { cleaningAfter: after },
    ...(data === undefined ? {} : { data }),
  })
}

/** Writes entries of the access log, all of one instant. */
function addEntries(db: Database, accountId: string, count: number, at: number): Promise<number> {
  return db.write(tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
       INSERT INTO access_log (id, account_id, actor, action, target_type, details, created_at, updated_at)
       SELECT $3 || '-' || i, $1, 'old', 'test', 'test', '{}', $3, $3 FROM n`,
      [accountId, count, at],
    ),
  )
}

async function countOld(db: Database): Promise<number> {
  const row = await db.read(tx =>
    tx.one<{ count: number }>(`SELECT count(*) AS count FROM access_log WHERE actor = 'old'`),
  )
  return row?.count as number
}

test('access log entries go after the days of the setting, those of every account, and no younger ones', async t => {
  const { db, clock, apply, applied } = await start(t, {})
  const other = await apply({ account: { name: 'Bob Events', email: 'bob@example.org' } })
  const limit = clock() - 30 * DAY
  for (const { account_id } of [applied, other]) {
    await addEntries(db, account_id, 1, limit - (account_id === other.account_id ? 2 : 1))
    await addEntries(db, account_id, 1, limit + (account_id === other.account_id ? 1 : 0))
  }
  await cleanUp(db, clock, 30)
  const left = await db.read(tx =>
    tx.all<{ account_id: string; created_at: number }>(
      `SELECT account_id, created_at FROM access_log WHERE actor = 'old' ORDER BY created_at`,
    ),
  )
  assert.deepEqual(left, [
    { account_id: applied.account_id, created_at: limit },
    { account_id: other.account_id, created_at: limit + 1 },
  ])
})

test('a server that was off for a week cleans up soon after its start, by its own setting', async t => {
  const server = await start(t, {})
  const { app, db, clock, data, client, applied } = server
  await client.post('/registrations', newRegistration(server), { headers: { 'idempotency-key': 'before' } })
  await addEntries(db, applied.account_id, 1200, clock() - 24 * DAY)
  await app.close()

  const restarted = await startWithOrganization(t, organization(), {
    data,
    clock: testClock('2026-11-28T12:00:00.001Z'),
    settings: { accessLogDays: '30' },
    tuning: { cleaningAfter: 0 },
  })
  await eventually('the cleaning', async () => (await countOld(restarted.db)) === 0)
  const answers = await restarted.db.read(tx => tx.all('SELECT idempotency_key FROM idempotent_responses'))
  assert.deepEqual(answers, [])
  const kept = await restarted.db.read(tx =>
    tx.all("SELECT action FROM access_log WHERE action = 'registration.create'"),
  )
  assert.equal(kept.length, 1)
})

/** A server that has just begun to clean up 100,000 rows. */
async function startOnBacklog(t: Parameters<typeof startWithOrganization>[0]) {
  const { app, db, clock, data, applied } = await start(t, {})
  await addEntries(db, applied.account_id, 100_000, clock() - 60 * DAY)
  await app.close()
  const server = await start(t, { data, after: 0 })
  await eventually('the beginning', async () => (await countOld(db)) < 100_000)
  return server
}

test('a write has its turn while a backlog is cleaned up, after some hundred rows and not after all', async t => {
  const server = await startOnBacklog(t)
  const left = [await countOld(server.db)]
  for (let at = 0; at < 5; at++) {
    assert.equal((await server.client.post('/registrations', newRegistration(server))).status, 201)
    left.push(await countOld(server.db))
  }
  const deleted = left.slice(1).map((count, at) => (left[at] as number) - count)
  assert.ok((left.at(-1) as number) > 0, `The backlog was gone before the writes: ${left}`)
  assert.ok(Math.max(...deleted) <= 5000, `Rows deleted during each write: ${deleted}`)
  await eventually('the end', async () => (await countOld(server.db)) === 0)
})

test('a server that stops leaves the rest of a backlog for its next start', async t => {
  const { app, db } = await startOnBacklog(t)
  await app.close()
  const left = await countOld(db)
  assert.ok(left > 0)
  assert.equal(left % 500, 0)
})
