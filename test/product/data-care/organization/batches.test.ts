import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { BatchSize } from '#product/data-care/organization/batch-items.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import type { Report } from '#product/data-care/organization/report.ts'
import { registerAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import { collectOrganization, organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { everything } from './everything.ts'
import { open } from './open.ts'

const standard = { name: 'Standard', price: 5000, capacity: 100 }

const ofRows = (rows: number): BatchSize => ({ rows, characters: 1_000_000 })

function inBatches(db: Database, file: object, clock: () => number, size: BatchSize): Promise<Report> {
  return applyInBatches(db, validateOrganization(file), { clock, size })
}

/** Wraps the same database, with something that happens after each write. */
function afterEach(db: Database, happens: (write: number) => Promise<unknown>): Database {
  let writes = 0
  return wrapDatabase(db, {
    write: async (owner, work) => {
      const result = await db.write(owner, work)
      await happens(++writes)
      return result
    },
  })
}

/** Makes an organization of several events, with dates that are not in the order of the file. */
function large() {
  const event = (slug: string, count: number) => ({
    slug,
    title: slug,
    registration_types: [{ name: 'Standard', price: 0, capacity: 1000 }],
    registrations: Array.from({ length: count }, (_, number) =>
      registration(`${slug}-${number}`, {
        created_at: new Date(Date.parse('2026-01-01T00:00:00Z') + ((number * 7) % 10) * 1000).toISOString(),
        quantity: 1 + (number % 3),
        answers: { number: `${number}` },
      }),
    ),
    waitlist: Array.from({ length: 5 }, (_, number) => ({
      reference: `w-${number}`,
      registration_type: 'Standard',
      name: `Wes ${number}`,
      email: 'wes@example.org',
      created_at: '2026-01-01T00:00:00Z',
    })),
  })
  const file = everything()
  return { ...file, events: [...file.events, event('one', 30), event('two', 3), event('three', 20)] }
}

function exported({ db }: Awaited<ReturnType<typeof open>>, { account_id: accountId }: Report) {
  return db.read(accountId, tx => collectOrganization(tx))
}

/** Returns a report without what is random in it. */
function withoutIds(report: Report) {
  const text = JSON.stringify(report)
  return JSON.parse(text.replace(/"(?:[0-9a-f-]{36}|whsec_[^"]*)"/g, '"made"'))
}

test('a file that comes in batches makes the organization that one write makes, and says the same', async t => {
  const atOnce = await open(t)
  const expected = await atOnce.apply(large())
  const text = JSON.stringify(await exported(atOnce, expected))
  for (const size of [1, 10, 1000].map(ofRows)) {
    const parts = await open(t)
    const report = await inBatches(parts.db, large(), parts.clock, size)
    assert.deepEqual(withoutIds(report), withoutIds(expected))
    assert.equal(JSON.stringify(await exported(parts, report)), text)
    const { created, kept, changes, ...ids } = await parts.apply(large())
    assert.deepEqual([created, kept, changes], [0, expected.created, []])
    assert.deepEqual({ ...report, ...ids }, report)
    assert.equal(await parts.count('webhook_events'), 1)
  }
})

test('each batch is a write of its own, no larger than it may be, and stands in the access log', async t => {
  const { db, clock } = await open(t)
  const sizes: number[] = []
  const rows = async () => {
    const tables = ['registrations', 'attendees', 'waitlist_entries', 'abstracts']
    const counts = await db.read(INSTANCE, tx =>
      Promise.all(tables.map(table => tx.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`))),
    )
    return counts.reduce((sum, count) => sum + (count?.rows ?? 0), 0)
  }
  const counted = afterEach(db, async () => sizes.push((await rows()) - sizes.reduce((a, b) => a + b, 0)))
  const { account_id: accountId, created } = await inBatches(counted, large(), clock, ofRows(10))
  assert.equal(sizes[0], 0)
  assert.ok(sizes.length > 10)
  assert.ok(Math.max(...sizes) <= 10)
  const entries = await db.read(accountId, tx => accessLog.list(tx, 100))
  assert.equal(entries.length, sizes.length)
  const sum = entries.reduce((all, { details }) => all + (details.created as number), 0)
  assert.equal(sum, created)
  // Rows are written in the order of the indexes, which is several times as fast.
  const dates = await db.read(INSTANCE, tx =>
    tx.all<{ date: number }>(
      "SELECT created_at AS date FROM registrations WHERE reference LIKE 'one-%' ORDER BY number",
    ),
  )
  assert.deepEqual(
    dates,
    dates.toSorted((one, other) => one.date - other.date),
  )
})

test('a batch is bounded by its text as well', async t => {
  const { db, clock } = await open(t)
  let writes = 0
  const counted = afterEach(db, async () => writes++)
  await inBatches(counted, large(), clock, { rows: 1_000_000, characters: 1 })
  // These are the writes of the frame, of 59 registrations, 17 waiting entries, 2 reviewers, 3 abstracts, a submitter and a programme.
  assert.equal(writes, 84)
})

test('a file that would oversell, or that has nothing new, is not begun', async t => {
  const { db, clock, apply, count } = await open(t)
  let writes = 0
  const counted = afterEach(db, async () => writes++)
  const registrations = [registration('one', { quantity: 99 }), registration('two', { quantity: 2 })]
  const oversold = organization({ event: { registrations } })
  await assert.rejects(inBatches(counted, oversold, clock, ofRows(1)), {
    code: 'invalid_parameter',
    param: 'events.0.registration_types.0.capacity',
  })
  assert.equal(await count('accounts'), 0)
  const first = await apply(large())
  const { created, kept } = await inBatches(counted, large(), clock, ofRows(1))
  assert.deepEqual([created, kept, writes], [0, first.created, 0])
})

async function besideServer(t: TestContext, quantity: number) {
  const server = await startWithOrganization(t)
  const post = (tickets: number) =>
    server.client.post('/registrations', {
      event_id: server.eventId,
      registration_type_id: server.types.Standard,
      buyer: { name: 'Bob', email: 'bob@example.org' },
      quantity: tickets,
    })
  const file = (capacity = 100) =>
    organization({
      event: {
        registration_types: [{ name: 'Standard', description: 'With lunch', price: 5000, capacity }],
        registrations: Array.from({ length: 10 }, (_, number) =>
          registration(`moved-${number}`, { quantity }),
        ),
      },
    })
  return { ...server, post, file }
}

/** Returns the references in the order in which they were written. The server's own rows have none. */
async function written(db: Database): Promise<string[]> {
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; reference: string }>('SELECT id, reference FROM registrations ORDER BY number'),
  )
  return rows.map(({ id, reference }) => (id === reference ? 'sold' : reference))
}

test('a server sells and checks in between two batches', async t => {
  const { client, db, clock, post, file } = await besideServer(t, 1)
  const between = afterEach(db, async write => {
    if (write > 3) return
    const { status, body } = await post(1)
    assert.equal(status, 201)
    assert.equal((await client.post('/check-ins', { attendee_id: body.attendees[0].id })).status, 201)
  })
  const { created } = await inBatches(between, file(), clock, ofRows(8))
  assert.equal(created, 10)
  const moved = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `moved-${from + at}`)
  assert.deepEqual(await written(db), [
    ...moved(0, 4),
    'sold',
    ...moved(4, 8),
    'sold',
    ...moved(8, 10),
    'sold',
  ])
})

test('a batch that would oversell, as a server has sold since, is refused; what came before stays, and the same file goes on', async t => {
  const { db, clock, post, file } = await besideServer(t, 2)
  const between = afterEach(db, async write => {
    if (write === 1) assert.equal((await post(85)).status, 201)
  })
  // Two registrations with two tickets each make a batch.
  const stopped: Error = await inBatches(between, file(), clock, ofRows(6)).then(
    () => assert.fail('nothing was refused'),
    error => error,
  )
  assert.equal(
    stopped.message,
    '6 of 10 registrations, waiting entries, abstracts and people of calls were imported or completed, and stay. Run the command again to go on.',
  )
  assert.equal((stopped.cause as { param: string }).param, 'events.0.registration_types.0.capacity')
  assert.deepEqual(await written(db), [
    'moved-0',
    'moved-1',
    'sold',
    'moved-2',
    'moved-3',
    'moved-4',
    'moved-5',
  ])
  assert.deepEqual(
    await db.read(INSTANCE, tx => tx.one("SELECT sold FROM registration_types WHERE name = 'Standard'")),
    {
      sold: 97,
    },
  )

  const { created, updated, kept } = await inBatches(db, file(200), clock, ofRows(6))
  assert.deepEqual([created, updated, kept], [4, 1, 8])
  assert.deepEqual((await written(db)).slice(7), ['moved-6', 'moved-7', 'moved-8', 'moved-9'])
})

test('a batch that is refused says where the user has written it, whatever came in the batches before', async t => {
  const { db, clock, count } = await open(t)
  const registrations = ['2026-01-01', '2026-01-04', '2026-01-03', '2026-01-02'].map((day, at) =>
    registration(`r${at}`, { created_at: `${day}T00:00:00Z`, answers: { [`k${at}`]: '' } }),
  )
  const event = { slug: 'second', title: 'Second', registration_types: [{ ...standard, capacity: 9 }] }
  const file = organization({
    event: { registrations: [registration('x')] },
    events: [{ ...event, registrations }],
  })
  // x, r0 and r3 come after the frame; r2 and r1 are still missing.
  const between = afterEach(db, async write => {
    if (write !== 4) return
    const row = await db.read(INSTANCE, tx =>
      tx.one<{ id: string; account_id: string }>("SELECT id, account_id FROM events WHERE slug = 'second'"),
    )
    const { id, account_id: accountId } = row ?? { id: '', account_id: '' }
    const keys = Array.from({ length: 497 }, (_, at) => `taken${at}`)
    await db.write(accountId, tx => registerAnswerKeys(tx, id, keys))
  })
  const stopped: Error = await inBatches(between, file, clock, ofRows(2)).then(
    () => assert.fail('nothing was refused'),
    error => error,
  )
  assert.equal(
    (stopped.cause as Error).message,
    'events.1.registrations.1.answers must leave the event with at most 500 different keys.',
  )
  assert.equal(await count('registrations'), 4)
})

test('what a server sells of the places that refunds gave back stops the batches, and the capacity stays as it was', async t => {
  const server = await startWithOrganization(t)
  const { db, clock } = server
  const paid = { amount_total: 5000, created_at: '2026-10-01T00:00:00Z' }
  const bring = (on: Database, status: string, capacity: number) => {
    const old = ['a', 'b'].map(name => registration(name, { ...paid, quantity: 5, status }))
    const event = {
      registration_types: [
        { name: 'Free', price: 0, capacity: 1 },
        { ...standard, capacity },
      ],
    }
    const file = validateOrganization(organization({ event: { ...event, registrations: old } }))
    return applyInBatches(on, file, { clock, updateHistory: true, size: ofRows(1) })
  }
  await bring(db, 'confirmed', 10)
  const selling = afterEach(db, async write => {
    if (write !== 2) return
    assert.equal((await server.client.post('/registrations', newRegistration(server))).status, 201)
  })
  const stopped: Error = await bring(selling, 'refunded', 0).then(
    () => assert.fail('nothing was refused'),
    error => error,
  )
  assert.match(stopped.message, /^2 of 2 registrations/)
  assert.match((stopped.cause as Error).message, /^events\.0\.registration_types\.1\.capacity is too small: /)
  const row = () =>
    db.read(INSTANCE, tx => tx.one("SELECT capacity, sold FROM registration_types WHERE name = 'Standard'"))
  assert.deepEqual(await row(), { capacity: 10, sold: 1 })
  assert.deepEqual((await bring(db, 'refunded', 1)).changes, [
    'updated registration type Standard of spring-meeting (capacity)',
  ])
  assert.deepEqual(await row(), { capacity: 1, sold: 1 })
})

test('changes of another process between two batches are reported as they were found', async t => {
  const { db, clock, folder } = await open(t)
  const other = await open(t, folder)
  const file = organization({
    event: { registrations: ['one', 'two', 'three'].map(name => registration(name)) },
  })
  await other.apply(organization())
  const between = afterEach(db, async write => {
    if (write > 1) return
    await other.apply(organization({ event: { title: 'Other', registrations: [registration('two')] } }))
  })
  const report = await inBatches(between, file, clock, ofRows(2))
  assert.deepEqual(report.changes, [
    'updated event spring-meeting (title)',
    'created registration one of spring-meeting',
    'created registration three of spring-meeting',
  ])
  assert.deepEqual([report.created, report.updated, report.kept], [2, 1, 4])
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; reference: string }>('SELECT id, reference FROM registrations'),
  )
  assert.deepEqual(
    { ...report.events['spring-meeting']?.registrations },
    Object.fromEntries(rows.map(({ id, reference }) => [reference, id])),
  )
})
