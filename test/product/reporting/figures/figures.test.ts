import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { HOUR, MINUTE } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { INSTANCE, type Owner, type ReadTxOf } from '#machinery/db/port.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { countEvent } from '#product/reporting/figures/count.ts'
import { FigureCounter } from '#product/reporting/figures/counter.ts'
import { ExactCounts } from '#product/reporting/figures/exact.ts'
import { figures } from '#product/reporting/figures/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const LARGE = 20_001

async function start(t: TestContext, registrations: object[] = []) {
  const registration_types = [
    { name: 'Standard', price: 5000, capacity: 100_000 },
    { name: 'Free', price: 0, capacity: 100 },
  ]
  const server = await startWithOrganization(
    t,
    organization({ event: { registration_types, registrations } }),
  )
  const { applied, clock, db, eventId } = server
  const accountId = applied.account_id
  const read = () => figures(db, accountId, eventId)
  const counting = { reads: 0 }
  const listeners: (() => void)[] = []
  const watched = {
    read: <O extends Owner, T>(owner: O, work: (tx: ReadTxOf<O>) => Promise<T>) => {
      counting.reads++
      return db.read(owner, work)
    },
    write: db.write.bind(db),
    // Another process is noticed within a quarter of a second: here the test says when.
    onCommit: (listener: () => void) => listeners.push(listener),
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const typeId = server.types.Standard as string
  const fill = (count: number) => insertCrowd({ data: server.data, accountId, eventId, typeId }, { count })
  const log = openLog('silent', { write: () => {} })
  const newCounter = () => new FigureCounter({ db: watched, clock, log, monotonic: clock })
  return { ...server, accountId, fill, read, tell, counting, newCounter }
}

test('registrations are grouped by the database, each counted once, where a stretch ends too', async t => {
  const { accountId, db, eventId, fill, types } = await start(t)
  await fill(4_500)
  let rows = 0
  const reader: Reader = {
    read: (owner, work) =>
      db.read(owner, tx => {
        const all: typeof tx.all = async (...query) => {
          const found = await tx.all<never>(...query)
          rows += found.length
          return found
        }
        return work(Object.assign(Object.create(tx), { one: tx.one.bind(tx), all }))
      }),
  }
  const counted = await countEvent(reader, accountId, { id: eventId, timezone: 'Asia/Kathmandu' })
  const one = await db.read(INSTANCE, tx =>
    tx.one<{ n: number; days: number }>(
      `SELECT count(*) AS n, count(DISTINCT (confirmed_at + 20700000) / 86400000) AS days FROM registrations`,
      [],
    ),
  )
  const { confirmed } = counted.registrations
  assert.deepEqual([confirmed, counted.tickets[types.Standard as string]?.confirmed], [4_500, 4_500])
  assert.equal(one?.n, 4_500)
  assert.equal(counted.sales.length, one?.days)
  assert.equal(
    counted.sales.reduce((sum, day) => sum + day.registrations, 0),
    4_500,
  )
  assert.ok(rows < 1_000, `${rows} rows were read`)
})

test('the figures of an event are those of its registrations, tickets, check-ins and days of sales', async t => {
  const server = await start(t, [
    // The instant is before midnight in UTC, and after it in Madrid.
    registration('a', { quantity: 2, amount_total: 10_000, created_at: '2026-11-18T23:30:00Z' }),
    registration('b', { amount_total: 5_000, created_at: '2026-11-19T10:00:00Z', status: 'refunded' }),
    registration('c', { status: 'pending', created_at: '2026-11-19T10:00:00Z' }),
    registration('d', { registration_type: 'Free', status: 'cancelled', never_confirmed: true }),
  ])
  const { client, clock, db, accountId, types, read } = server
  const tickets: string[] = []
  for (const buyer of ['Ada', 'Bob', 'Cyd']) {
    const body = newRegistration(server, { buyer: { name: buyer, email: 'x@example.org' } })
    tickets.push((await client.post('/registrations', body)).body.attendees[0].id)
  }
  await client.post('/check-ins', { attendee_id: tickets[0] })
  clock.advance(21 * HOUR)
  await client.post('/check-ins', { attendee_id: tickets[1] })
  clock.advance(HOUR)
  await client.post('/check-ins', { attendee_id: tickets[2] })
  const { Standard = '', Free = '' } = types
  const found = await read()
  assert.deepEqual([found.is_exact, found.counted_at], [true, null])
  assert.deepEqual(
    found.types.map(({ name, sold, capacity }) => [name, sold, capacity]),
    [
      ['Standard', 6, 100_000],
      ['Free', 0, 100],
    ],
  )
  assert.deepEqual(found.counted, {
    registrations: { pending: 1, confirmed: 4, failed: 0, refunded: 1, cancelled: 1 },
    tickets: { [Standard]: { confirmed: 5, refunded: 1, pending: 1 }, [Free]: { cancelled: 1 } },
    check_ins: 3,
    check_ins_by_type: { [Standard]: 3 },
    check_ins_by_hour: [
      { hour: '2026-11-22T09:00:00.000Z', check_ins: 1 },
      { hour: '2026-11-22T10:00:00.000Z', check_ins: 1 },
    ],
    sales: [
      { day: '2026-11-19', registrations: 2, tickets: 3, amounts: { EUR: 15_000 } },
      { day: '2026-11-21', registrations: 3, tickets: 3, amounts: { EUR: 0 } },
    ],
  })
  await db.write(accountId, tx => checkIns.undo(tx, tickets[2] as string))
  assert.equal((await read()).counted?.check_ins, 2)
  const { account_id: stranger } = await server.apply(organization({ email: 'bob@example.org' }))
  await assert.rejects(figures(db, stranger, server.eventId), { code: 'not_found' })
})

test('a large event is counted in the background, again when something has changed, and never when nothing has', async t => {
  const server = await start(t)
  const { client, clock, db, accountId, fill, read, tell, counting, newCounter } = server
  const { body: first } = await client.post('/registrations', newRegistration(server))
  await fill(LARGE)
  const before = await read()
  assert.deepEqual([before.is_exact, before.counted, before.counted_at], [false, null, null])

  const counter = newCounter()
  await counter.look()
  const counted = await read()
  assert.equal(counted.counted?.registrations.confirmed, LARGE + 1)
  assert.equal(counted.counted_at, new Date(clock()).toISOString())

  // Its own write is looked at once, and then nothing.
  clock.advance(MINUTE)
  tell()
  await counter.look()
  const reads = counting.reads
  clock.advance(MINUTE)
  await counter.look()
  assert.equal(counting.reads, reads)
  await newCounter().look()
  assert.equal((await read()).counted_at, counted.counted_at)

  const changes = [
    () => client.post('/registrations', newRegistration(server)),
    () => client.post('/check-ins', { attendee_id: first.attendees[0].id }),
    () => db.write(accountId, tx => checkIns.undo(tx, first.attendees[0].id)),
    () => client.post(`/registrations/${first.id}/cancel`),
  ]
  const seen: (number | undefined)[][] = []
  for (const change of changes) {
    clock.advance(MINUTE)
    await change()
    tell()
    const stale = await read()
    await counter.look()
    const { counted: now } = await read()
    assert.notDeepEqual(now, stale.counted)
    seen.push([now?.registrations.confirmed, now?.check_ins, now?.registrations.cancelled])
  }
  assert.deepEqual(seen, [
    [LARGE + 2, 0, 0],
    [LARGE + 2, 1, 0],
    [LARGE + 2, 0, 0],
    [LARGE + 1, 0, 1],
  ])
})

test('an event is counted at most once a minute, and what came in between is counted then', async t => {
  const server = await start(t)
  const { client, clock, fill, read, tell, newCounter } = server
  await fill(LARGE)
  const counter = newCounter()
  await counter.look()
  clock.advance(1_000)
  await client.post('/registrations', newRegistration(server))
  tell()
  await counter.look()
  assert.equal((await read()).counted?.registrations.confirmed, LARGE)
  // This figure is always exact.
  assert.equal((await read()).types.find(({ name }) => name === 'Standard')?.sold, LARGE + 1)
  clock.advance(MINUTE)
  await counter.look()
  assert.equal((await read()).counted?.registrations.confirmed, LARGE + 1)
})

test('a counter that is stopped leaves what was counted before', async t => {
  const { fill, read, newCounter } = await start(t)
  await fill(LARGE)
  const counter = newCounter()
  const looking = counter.look()
  await counter.stop()
  await looking
  assert.equal((await read()).counted, null)
})

test('whoever asks for an event again while it is as it was, shares one count', async t => {
  const server = await start(t)
  const { client, clock, db, accountId, eventId, fill } = server
  const { body: first } = await client.post('/registrations', newRegistration(server))
  const { body: second } = await client.post('/registrations', newRegistration(server))
  await fill(3_000)
  const counting = { reads: 0 }
  const watched: Pick<typeof db, 'read'> = {
    read: (owner, work) => {
      counting.reads++
      return db.read(owner, work)
    },
  }
  const counts = new ExactCounts()
  const ask = async () => {
    counting.reads = 0
    const found = await figures(watched, accountId, eventId, counts)
    assert.deepEqual(found.counted, (await figures(db, accountId, eventId)).counted)
    return counting.reads
  }
  assert.ok((await ask()) > 3)
  assert.equal(await ask(), 1)
  const changes = [
    () => client.post('/registrations', newRegistration(server)),
    () => client.post('/check-ins', { attendee_id: first.attendees[0].id }),
    () => client.post('/check-ins', { attendee_id: second.attendees[0].id }),
    // It undoes the earlier of the two.
    () => db.write(accountId, tx => checkIns.undo(tx, first.attendees[0].id)),
    () => client.post(`/registrations/${first.id}/cancel`),
  ]
  for (const change of changes) {
    await change()
    assert.ok((await ask()) > 3)
    assert.equal(await ask(), 1)
  }
  clock.advance(1)
  await client.post('/registrations', newRegistration(server))
  counting.reads = 0
  const both = await Promise.all([1, 2].map(() => figures(watched, accountId, eventId, counts)))
  assert.equal(both[0]?.counted, both[1]?.counted)
  assert.equal(both[0]?.counted?.registrations.confirmed, 3_003)
})

test('a count that failed is not remembered', async t => {
  const { db, accountId, eventId } = await start(t)
  const counts = new ExactCounts()
  let reads = 0
  const failing: Pick<typeof db, 'read'> = {
    read: (owner, work) => {
      if (++reads === 2) throw new Error('disk')
      return db.read(owner, work)
    },
  }
  await assert.rejects(figures(failing, accountId, eventId, counts), { message: 'disk' })
  assert.equal((await figures(failing, accountId, eventId, counts)).counted?.check_ins, 0)
})
