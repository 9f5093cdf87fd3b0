import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { Connection } from '#machinery/db/sqlite/connection.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { everything } from './everything.ts'
import { open } from './open.ts'

/** Counts the statements that run between the beginning of a write and its end, of each write. */
function countStatements(t: TestContext): number[] {
  const counts: number[] = []
  let writing = false
  for (const method of ['run', 'get', 'all', 'runEach'] as const) {
    const original = Connection.prototype[method] as (...params: unknown[]) => unknown
    t.mock.method(Connection.prototype, method, function (this: Connection, ...params: unknown[]) {
      if (writing) counts.push((counts.pop() ?? 0) + 1)
      if (params[0] === 'BEGIN IMMEDIATE') {
        writing = true
        counts.push(0)
      }
      if (params[0] === 'COMMIT') writing = false
      return original.apply(this, params)
    })
  }
  return counts
}

const many = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) =>
    registration(`${name}-${number}`, {
      registration_type: 'Free',
      attendees: [{ name: 'Ann', checked_in_at: '2026-11-21T08:00:00Z' }],
    }),
  )

test('a file comes in with as many statements, however many registrations it has', ofSqlite, async t => {
  const { apply, count } = await open(t)
  const bring = async (name: string, size: number) => {
    const counts = countStatements(t)
    await apply(organization({ email: `${name}@example.org`, event: { registrations: many(name, size) } }))
    t.mock.restoreAll()
    return counts
  }
  const few = await bring('few', 2)
  const more = await bring('more', 90)
  assert.deepEqual([few.length, more], [1, few])
  assert.deepEqual([await count('registrations'), await count('check_ins')], [92, 92])
})

test('orders take as many statements, however many they are', ofSqlite, async t => {
  const { apply, count } = await open(t)
  const bring = async (name: string, size: number) => {
    const registrations = many(name, size).map(({ reference, ...item }) => {
      const attendees = [{ name: 'Ann', price: 0, discount: 0, tax: 0 }]
      return { ...item, reference, order: reference, amount_subtotal: 0, attendees }
    })
    const orders = registrations.map(({ reference, buyer }) => {
      return { reference, buyer, confirmed_at: '2026-11-01T00:00:00Z' }
    })
    const counts = countStatements(t)
    await apply(organization({ email: `${name}@example.org`, event: { orders, registrations } }))
    t.mock.restoreAll()
    return counts
  }
  const few = await bring('few', 2)
  assert.deepEqual([few.length, await bring('more', 90)], [1, few])
  assert.equal(await count('orders'), 92)
})

test('a file that changes nothing begins no write', async t => {
  const { apply } = await open(t)
  await apply(everything())
  const counts = countStatements(t)
  await apply(everything())
  assert.deepEqual(counts, [])
})

/** Wraps the same database, with something that happens after the rows were made ready and before they are written. */
function meanwhile(db: Database, happens: () => Promise<unknown>) {
  const seen = { stagings: 0 }
  const between = wrapDatabase(db, {
    stage: async rows => {
      const staged = await db.stage(rows)
      if (seen.stagings++ === 0) await happens()
      return staged
    },
  })
  return { db: between, seen }
}

const bringing = (...registrations: object[]) => organization({ event: { registrations } })

/** Starts a server, and a file that is applied to its folder while the server imports that many tickets. */
async function besideServer(t: TestContext, file: object, quantity: number) {
  const server = await startWithOrganization(t)
  const body = {
    event_id: server.eventId,
    registration_type_id: server.types.Standard,
    buyer: { name: 'Bob', email: 'bob@example.org' },
    quantity,
  }
  const { db, seen } = meanwhile(server.db, async () => {
    assert.equal((await server.client.post('/registrations', body)).status, 201)
  })
  const apply = () => applyOrganization(db, file, { clock: server.clock })
  const sold = async () => {
    const { body } = await server.client.get(`/events/${server.eventId}/registration-types`)
    return body.data.find((type: { name: string }) => type.name === 'Standard').sold
  }
  return { ...server, apply, seen, sold }
}

test('sales of a server between the plan and its write are counted, and the rows stay as they were made', async t => {
  const file = bringing(registration('early'), registration('one', { quantity: 2 }))
  const { apply, seen, sold, applied, db } = await besideServer(t, file, 97)
  await applyOrganization(db, bringing(registration('early')), { clock: Date.now })
  const { created } = await apply()
  assert.deepEqual([created, seen.stagings, await sold()], [1, 1, 100])
  assert.equal(applied.created, 4)
})

test('a file that a sale leaves too little for is refused as it would have been before, and nothing comes in', async t => {
  const file = bringing(registration('early'), registration('one', { quantity: 2 }))
  const { apply, sold, db } = await besideServer(t, file, 98)
  await applyOrganization(db, bringing(registration('early')), { clock: Date.now })
  await assert.rejects(apply(), {
    code: 'invalid_parameter',
    param: 'events.0.registration_types.0.capacity',
    message:
      /^events\.0\.registration_types\.0\.capacity is too small: "Standard" has a capacity of 100, 99 tickets are sold, and the file brings 2 more\.$/,
  })
  assert.equal(await sold(), 99)
  const brought = await db.read(INSTANCE, tx =>
    tx.all("SELECT id FROM registrations WHERE reference = 'one'"),
  )
  assert.deepEqual(brought, [])
})

test('rows of the same file that another process imports meanwhile are kept, and the rest is imported once', async t => {
  const { db, clock, folder, count } = await open(t)
  const other = await open(t, folder)
  await other.apply(bringing(registration('early')))
  const file = bringing(registration('early'), registration('one'), registration('two'))
  const { db: between, seen } = meanwhile(db, () => other.apply(bringing(registration('two'))))
  const { created, kept, changes, events } = await applyOrganization(between, file, { clock })
  assert.deepEqual([created, kept, seen.stagings], [1, 6, 2])
  assert.deepEqual(changes, ['created registration one of spring-meeting'])
  assert.equal(await count('registrations'), 3)
  assert.equal(await count('attendees'), 3)
  const rows = await db.read(INSTANCE, tx =>
    tx.all<{ id: string; reference: string }>('SELECT id, reference FROM registrations'),
  )
  assert.deepEqual(
    { ...events['spring-meeting']?.registrations },
    Object.fromEntries(rows.map(({ id, reference }) => [reference, id])),
  )
})

test('orders of the same file that another process brings meanwhile are kept, and one more comes alone', async t => {
  const { db, clock, folder, count } = await open(t)
  const other = await open(t, folder)
  const order = (reference: string) => ({
    ...{ reference, confirmed_at: '2026-11-01T00:00:00Z' },
    buyer: { name: 'Ann', email: 'ann@example.org' },
  })
  const file = (...names: string[]) =>
    organization({
      event: {
        orders: names.map(order),
        registrations: names.map(name =>
          registration(name, { order: name, attendees: [{ price: 0, discount: 0, tax: 0 }] }),
        ),
      },
    })
  await other.apply(file('early'))
  const { db: between, seen } = meanwhile(db, () => other.apply(file('two')))
  const { changes } = await applyOrganization(between, file('early', 'one', 'two'), { clock })
  assert.deepEqual(
    changes,
    ['order', 'registration'].map(what => `created ${what} one of spring-meeting`),
  )
  assert.deepEqual([seen.stagings, await count('orders'), await count('registrations')], [2, 3, 3])
})

test('an event that is changed meanwhile is planned anew', async t => {
  const { db, clock, folder } = await open(t)
  const other = await open(t, folder)
  await other.apply(organization())
  const file = bringing(registration('one'))
  const change = () => other.apply(organization({ event: { title: 'Another' } }))
  const { db: between, seen } = meanwhile(db, change)
  const { changes } = await applyOrganization(between, file, { clock })
  assert.deepEqual(changes, [
    'updated event spring-meeting (title)',
    'created registration one of spring-meeting',
  ])
  assert.equal(seen.stagings, 2)
})

test('items without a date in the file get the instant of the write, not of the plan', async t => {
  const { db, clock } = await open(t)
  const waiting = { name: 'Wes', email: 'wes@example.org', registration_type: 'Standard' }
  const abstract = {
    title: 'One',
    abstract: '',
    authors: [{ name: 'Lin' }],
    contact: { name: 'L', email: 'l@e.org' },
  }
  const file = organization({
    event: {
      registrations: [
        registration('undated'),
        registration('given up', { status: 'cancelled' }),
        registration('dated', { created_at: '1960-01-01T00:00:00Z' }),
      ],
      waitlist: [{ ...waiting, reference: 'w' }],
      abstracts: [{ ...abstract, code: 'A', status: 'accepted' }],
    },
  })
  const planned = clock()
  const { db: between } = meanwhile(db, async () => clock.advance(7_000))
  await applyOrganization(between, file, { clock })
  const now = planned + 7_000
  const select = (sql: string) => db.read(INSTANCE, tx => tx.all(sql))
  const old = Date.parse('1960-01-01T00:00:00Z')
  assert.deepEqual(
    await select(
      'SELECT reference, created_at, confirmed_at, cancelled_at, updated_at FROM registrations ORDER BY id',
    ),
    [
      { reference: 'dated', created_at: old, confirmed_at: old, cancelled_at: null, updated_at: now },
      { reference: 'undated', created_at: now, confirmed_at: now, cancelled_at: null, updated_at: now },
      { reference: 'given up', created_at: now, confirmed_at: now, cancelled_at: now, updated_at: now },
    ],
  )
  assert.deepEqual(await select('SELECT DISTINCT created_at, updated_at FROM attendees'), [
    { created_at: now, updated_at: now },
  ])
  assert.deepEqual(await select('SELECT created_at, notified_at FROM waitlist_entries'), [
    { created_at: now, notified_at: null },
  ])
  assert.deepEqual(await select('SELECT created_at, submitted_at, decided_at FROM abstracts'), [
    { created_at: now, submitted_at: now, decided_at: now },
  ])
})
