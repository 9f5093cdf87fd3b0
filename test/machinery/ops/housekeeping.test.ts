import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanUp } from '#app/cleaning.ts'
import { DAY } from '#base/time.ts'
import { type AnyReadTx, type Database, INSTANCE, type Owner, type WriteTxOf } from '#machinery/db/port.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { testClock } from '#test/support/clock.ts'
import { diskFolder } from '#test/support/folder.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { eventually } from '#test/support/webhooks.ts'

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
  return db.write(accountId, tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
       INSERT INTO access_log (id, account_id, actor, action, target_type, details, created_at, updated_at)
       SELECT $4 || '-' || i, $1, 'old', 'test', 'test', '{}', $3, $3 FROM n`,
      [accountId, count, at, `${at}`],
    ),
  )
}

async function countOld(db: Database): Promise<number> {
  const row = await db.read(INSTANCE, tx =>
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
  const left = await db.read(INSTANCE, tx =>
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
  const answers = await restarted.db.read(INSTANCE, tx =>
    tx.all('SELECT idempotency_key FROM idempotent_responses'),
  )
  assert.deepEqual(answers, [])
  const kept = await restarted.db.read(INSTANCE, tx =>
    tx.all("SELECT action FROM access_log WHERE action = 'registration.create'"),
  )
  assert.equal(kept.length, 1)
})

/** Starts a server that has just begun to clean up 100,000 rows. */
async function startOnBacklog(t: Parameters<typeof startWithOrganization>[0]) {
  // The disk decides how far the cleaning gets in a time.
  const { app, db, clock, data, applied } = await start(t, { data: diskFolder(t) })
  await addEntries(db, applied.account_id, 100_000, clock() - 60 * DAY)
  await app.close()
  const server = await start(t, { data, after: 0 })
  await eventually('the beginning', async () => (await countOld(db)) < 100_000)
  return server
}

test('a write has its turn while a backlog is cleaned up, after some hundred rows and not after all', async t => {
  const server = await startOnBacklog(t)
  const left: number[] = []
  // The first makes the event's key, and the second starts the thread that signs.
  for (let at = 0; at < 2; at++) await server.client.post('/registrations', newRegistration(server))
  left.push(await countOld(server.db))
  for (let at = 0; at < 5; at++) {
    assert.equal((await server.client.post('/registrations', newRegistration(server))).status, 201)
    left.push(await countOld(server.db))
  }
  const deleted = left.slice(1).map((count, at) => (left[at] as number) - count)
  assert.ok((left.at(-1) as number) > 0, `The backlog was gone before the writes: ${left}`)
  assert.ok(Math.max(...deleted) <= 5000, `Rows deleted during each write: ${deleted}`)
  await onceSettled(server, 'cleaning', 'the end', async () => (await countOld(server.db)) === 0)
})

test('a server that stops leaves the rest of a backlog for its next start', async t => {
  const { app, db } = await startOnBacklog(t)
  await app.close()
  const left = await countOld(db)
  assert.ok(left > 0)
  assert.equal(left % 500, 0)
})

/** Wraps a database that notes after each write how much of `measure` it has taken away. */
function noteWrites(db: Database, measure: string) {
  const taken: number[] = []
  const sum = async (tx: AnyReadTx) =>
    (await tx.one<{ sum: number }>(`SELECT ${measure} AS sum`))?.sum as number
  return {
    taken,
    read: db.read.bind(db),
    write: <O extends Owner, T>(owner: O, work: (tx: WriteTxOf<O>) => Promise<T>) =>
      db.write(owner, async tx => {
        const before = await sum(tx)
        const result = await work(tx)
        taken.push(before - (await sum(tx)))
        return result
      }),
  }
}

/** Copies the newest row of a table, with a text of 1.3 MB in the place of one of its own. */
function fatten(db: Database, table: string, columns: string, values: string): Promise<number> {
  return db.write(INSTANCE, tx =>
    tx.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8)
       INSERT INTO ${table} (${columns}, created_at, updated_at) SELECT ${values}, 1, 1
       FROM n, (SELECT a.id AS account, $1 AS long FROM accounts a) x`,
      ['x'.repeat(1_300_000)],
    ),
  )
}

test('a write deletes some megabytes at most, however long the rows are, and one row at least', async t => {
  const { db, clock } = await start(t, {})
  await fatten(
    db,
    'idempotent_responses',
    'account_id, idempotency_key, fingerprint, status, body',
    "account, i, '', 200, long",
  )
  await fatten(db, 'webhook_events', 'id, account_id, type, body', "i, account, 'ping', long")
  await fatten(
    db,
    'access_log',
    'id, account_id, actor, action, target_type, details',
    "i, account, 'old', '', '', long",
  )
  const noted = noteWrites(
    db,
    `(SELECT coalesce(sum(octet_length(body)), 0) FROM idempotent_responses)
       + (SELECT coalesce(sum(octet_length(body)), 0) FROM webhook_events)
       + (SELECT coalesce(sum(octet_length(details)), 0) FROM access_log WHERE actor = 'old')`,
  )
  await cleanUp(noted, clock, 30)
  assert.equal(
    noted.taken.reduce((sum, bytes) => sum + bytes),
    3 * 8 * 1_300_000,
  )
  assert.ok(Math.max(...noted.taken) < 5_000_000, `Bytes a write: ${noted.taken}`)
})

/** Writes old deliveries to an endpoint, each with its event and as many attempts of today. */
async function addDeliveries(
  { db, applied, clock }: Awaited<ReturnType<typeof start>>,
  { count, attempts, status }: { count: number; attempts: number; status: string },
): Promise<string> {
  const { account_id: accountId } = applied
  const added = { url: 'https://hook.invalid/', types: ['abstract.decided'] as const, enabled: false }
  const { id } = await db.write(accountId, tx => webhooks.addEndpoint(tx, added))
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)'
  await db.write(accountId, async tx => {
    await tx.run(
      `${numbers} INSERT INTO webhook_events SELECT 'evt_' || i, $2, 'abstract.decided', '', i, i FROM n`,
      [count, accountId],
    )
    await tx.run(
      `${numbers} INSERT INTO webhook_deliveries SELECT 'd' || i, $2, 'evt_' || i, $3, 'abstract.decided', $4, 0,
         CASE WHEN $4 = 'pending' THEN 1 END, NULL, NULL, NULL, i, i FROM n`,
      [count, accountId, id, status],
    )
    await tx.run(
      `${numbers} INSERT INTO webhook_attempts SELECT d.id || '-' || i, d.id, NULL, 1, 200, NULL, NULL, $2, $2, ''
       FROM n, webhook_deliveries d WHERE i <= $1`,
      [attempts, clock()],
    )
  })
  return id
}

test('rows that stay are passed by a few hundred a write, and old rows behind them are deleted', async t => {
  const server = await start(t, {})
  await addDeliveries(server, { count: 1_600, attempts: 0, status: 'pending' })
  await server.db.write(INSTANCE, async tx => {
    await tx.run("UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE id = 'd1600'")
  })
  const noted = noteWrites(
    server.db,
    '(SELECT count(*) FROM webhook_deliveries) + (SELECT count(*) FROM webhook_events)',
  )
  await cleanUp(noted, server.clock, 30)
  assert.deepEqual(
    noted.taken.filter(rows => rows > 0),
    [1, 1],
  )
  // The cleaning takes four reads of at most 500 rows a table.
  const passed = noted.taken.indexOf(1)
  assert.ok(noted.taken.lastIndexOf(1) - passed >= 4, `${noted.taken}`)
})

test('the attempts of an endpoint that is removed go a few hundred a write, and nothing of it is left', async t => {
  const server = await start(t, {})
  const id = await addDeliveries(server, { count: 200, attempts: 8, status: 'succeeded' })
  const noted = noteWrites(server.db, '(SELECT count(*) FROM webhook_attempts)')
  await webhooks.removeEndpoint(noted, server.applied.account_id, id)
  assert.equal(
    noted.taken.reduce((sum, rows) => sum + rows),
    1_600,
  )
  assert.ok(Math.max(...noted.taken) <= 500, `Attempts a write: ${noted.taken}`)
  const left = await server.db.read(INSTANCE, tx =>
    tx.all('SELECT id FROM webhook_deliveries UNION ALL SELECT id FROM webhook_endpoints'),
  )
  assert.deepEqual(left, [])
})

test('an account that has nothing old is not written to', async t => {
  const { db, clock, apply, applied } = await start(t, {})
  const other = await apply({ account: { name: 'Bob Events', email: 'bob@example.org' } })
  await addEntries(db, other.account_id, 1, clock() - 31 * DAY)
  const owners: Owner[] = []
  const watched: Pick<Database, 'read' | 'write'> = {
    read: db.read.bind(db),
    write: (owner, work) => {
      owners.push(owner)
      return db.write(owner, work)
    },
  }
  await cleanUp(watched, clock, 30)
  assert.ok(owners.includes(other.account_id))
  assert.ok(!owners.includes(applied.account_id))
})

test('what cannot be cleaned is told by its name, and keeps nothing else from being cleaned', async t => {
  const { db, clock, applied } = await start(t, {})
  await addEntries(db, applied.account_id, 1, clock() - 31 * DAY)
  const broken: Pick<Database, 'read' | 'write'> = {
    read: db.read.bind(db),
    write: (owner, work) =>
      owner === INSTANCE ? Promise.reject(new Error('a damaged row')) : db.write(owner, work),
  }
  const failures: string[] = []
  await cleanUp(broken, clock, 30, { failed: name => failures.push(name) })
  assert.deepEqual(failures, ['idempotent answers', 'sessions', 'one-time links', 'webhook attempts'])
  assert.equal(await countOld(db), 0)
  await assert.rejects(cleanUp(broken, clock, 30), /a damaged row/)
})
