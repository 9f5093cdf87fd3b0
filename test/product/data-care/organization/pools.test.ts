import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { wrapDatabase } from '#machinery/db/wrap-database.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { applyInBatches } from '#product/data-care/organization/batches.ts'
import { validateOrganization } from '#product/data-care/organization/read.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { collectOrganization, organization, registration } from '#test/support/organization.ts'
import { open } from './open.ts'

const type = (name: string, capacity = 100) => ({ name, price: 0, capacity })
const ROOM = { name: 'room', capacity: 5, registration_types: ['Standard', 'Student'] }

const file = (event: object = {}) =>
  organization({
    event: {
      registration_types: ['Standard', 'Student', 'Online'].map(name => type(name)),
      pools: [ROOM],
      ...event,
    },
  })

const some = (count: number, name = 'Standard', changes: object = {}) =>
  Array.from({ length: count }, (_, at) =>
    registration(`${name} ${at}`, { registration_type: name, ...changes }),
  )

/** Wraps the same database, with something that happens once, after the rows were made and before they are written. */
function before(db: Database, happens: () => Promise<unknown>): Database {
  let pending: typeof happens | undefined = happens
  return wrapDatabase(db, {
    stage: async rows => {
      const now = pending
      pending = undefined
      await now?.()
      return db.stage(rows)
    },
  })
}

async function start(t: Parameters<typeof open>[0]) {
  const server = await open(t)
  const pools = () =>
    server.db.read(INSTANCE, tx =>
      tx.all('SELECT name, capacity, sold FROM capacity_pools ORDER BY created_at, id'),
    )
  const sell = async (name: string) => {
    const row = await server.db.read(INSTANCE, tx =>
      tx.one<{ id: string; event_id: string; account_id: string }>(
        `SELECT t.id, t.event_id, e.account_id FROM registration_types t JOIN events e ON e.id = t.event_id
         WHERE t.name = $1`,
        [name],
      ),
    )
    const { id, event_id, account_id } = row ?? assert.fail()
    const buyer = { name: 'Grace', email: 'grace@example.org' }
    await server.db.write(account_id, tx =>
      registrations.create(tx, { event_id, registration_type_id: id, buyer }),
    )
  }
  return { ...server, pools, sell, damage: () => findDamage(server.db) }
}

test('a file brings shared capacity, which its own registrations take from', async t => {
  const { apply, pools, damage } = await start(t)
  const registrations = [
    ...some(2),
    ...some(1, 'Student', { quantity: 2, status: 'pending' }),
    ...some(3, 'Online', { status: 'cancelled' }),
  ]
  const { changes } = await apply(file({ registrations }))
  assert.ok(changes.includes('created shared capacity room of spring-meeting'))
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 4 }])
  assert.deepEqual(await damage(), [])
})

test('a file that oversells shared capacity is refused whole, and says which', async t => {
  const { apply, pools } = await start(t)
  const registrations = [...some(3), ...some(3, 'Student')]
  await assert.rejects(apply(file({ registrations })), {
    code: 'invalid_parameter',
    param: 'events.0.pools.0.capacity',
    message:
      'events.0.pools.0.capacity is too small: "room" is a shared capacity of 5, and 6 tickets are sold of it.',
  })
  assert.deepEqual(await pools(), [])
  await apply(file({ registrations: some(3) }))
  // If the file does not name the capacity, the fault is that there are too many registrations.
  const without = file({ registrations, pools: undefined })
  await assert.rejects(apply(without), { param: 'events.0.registrations' })
  await assert.rejects(apply(file({ pools: [{ ...ROOM, capacity: 2 }] })), {
    param: 'events.0.pools.0.capacity',
  })
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 3 }])
})

test('a file without pools leaves them, their types and what is sold of them as they are', async t => {
  const { apply, db, pools, damage } = await start(t)
  await apply(file({ registrations: some(2) }))
  const rows = () => db.read(INSTANCE, tx => tx.all('SELECT * FROM registration_type_pools ORDER BY pool_id'))
  const before = await rows()
  for (const named of [undefined, []]) {
    const { created, updated } = await apply(file({ pools: named }))
    assert.deepEqual([created, updated], [0, 0])
  }
  assert.deepEqual(await rows(), before)
  await apply(file({ pools: undefined, registrations: some(3) }))
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 3 }])
  assert.deepEqual(await damage(), [])
})

test('a pool is changed by a file: its capacity, and which types draw from it', async t => {
  const { apply, pools, damage } = await start(t)
  await apply(file({ registrations: [...some(3), ...some(2, 'Online')] }))
  const changed = { ...ROOM, capacity: 4, registration_types: ['Online', 'Student'] }
  const { changes } = await apply(file({ pools: [changed], registrations: some(2, 'Student') }))
  assert.deepEqual(changes.slice(0, 1), [
    'updated shared capacity room of spring-meeting (capacity, registration_types)',
  ])
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 4, sold: 4 }])
  assert.deepEqual(await damage(), [])
  const again = await apply(file({ pools: [{ ...changed, registration_types: ['Student', 'Online'] }] }))
  assert.deepEqual([again.created, again.updated], [0, 0])
  await apply(
    file({
      pools: [
        { ...ROOM, registration_types: [] },
        { ...ROOM, name: 'hall' },
      ],
    }),
  )
  assert.deepEqual(await pools(), [
    { name: 'room', capacity: 5, sold: 0 },
    { name: 'hall', capacity: 5, sold: 5 },
  ])
  assert.deepEqual(await damage(), [])
})

test('a refund that a file completes gives back to the pools, in time for what the file brings', async t => {
  const { apply, pools, damage } = await start(t)
  const paid = { amount_total: 100, created_at: '2026-10-01T10:00:00Z' }
  await apply(file({ registrations: some(1, 'Standard', { ...paid, quantity: 5 }) }))
  const refunded = some(1, 'Standard', { ...paid, quantity: 5, status: 'refunded' })
  const later = file({ pools: undefined, registrations: [...refunded, ...some(5, 'Student')] })
  await apply(later, { updateHistory: true })
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 5 }])
  assert.deepEqual(await damage(), [])
})

test('an export carries pools, and is exported as the same text from where it was applied', async t => {
  const [server, second] = [await start(t), await start(t)]
  const pools = [
    { name: 'room', capacity: 12, registration_types: ['Student', 'Standard'] },
    { name: 'constructor', capacity: 3, registration_types: ['Standard'] },
    { name: 'nobody’s', capacity: 0, registration_types: [] },
  ]
  const exported = async ({ db }: typeof server, accountId: string) =>
    JSON.stringify(await db.read(accountId, tx => collectOrganization(tx)))
  const { account_id: accountId } = await server.apply(file({ pools, registrations: some(2) }))
  const text = await exported(server, accountId)
  assert.deepEqual(
    JSON.parse(text).events[0].pools[0].registration_types,
    ['Standard', 'Student'],
    'in the order of the types',
  )
  assert.deepEqual((await server.apply(JSON.parse(text))).changes, [])
  assert.equal(await exported(second, (await second.apply(JSON.parse(text))).account_id), text)
  assert.deepEqual(await second.pools(), await server.pools())
})

test('in batches a file is refused and imported as in one', async t => {
  const { db, clock, pools, damage } = await start(t)
  const inBatches = (event: object) =>
    applyInBatches(db, validateOrganization(file(event)), { clock, size: { rows: 2, characters: 1e6 } })
  await assert.rejects(inBatches({ registrations: [...some(3), ...some(3, 'Student')] }), {
    param: 'events.0.pools.0.capacity',
  })
  assert.deepEqual(await pools(), [])
  const { changes } = await inBatches({ registrations: [...some(3), ...some(2, 'Student')] })
  assert.equal(
    changes.filter(change => change === 'created shared capacity room of spring-meeting').length,
    1,
  )
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 5 }])
  assert.deepEqual(await damage(), [])
})

const PAID = { quantity: 5, amount_total: 100, created_at: '2026-10-01T10:00:00Z' }

for (const rows of [undefined, 1, 100]) {
  const mode = rows === undefined ? 'one write' : `batches of ${rows}`
  test(`a file that refunds and lowers shared capacity, or brings it, for what is new is applied in ${mode}`, async t => {
    const { apply, db, clock, pools, damage } = await start(t)
    const hall = { name: 'hall', capacity: 4, registration_types: ['Standard'] }
    const later = (capacity: number) =>
      file({
        pools: [{ ...ROOM, capacity }, hall],
        registrations: [...some(1, 'Standard', { ...PAID, status: 'refunded' }), ...some(3, 'Student')],
      })
    await apply(file({ registrations: some(1, 'Standard', PAID) }))
    const applied = (capacity: number) =>
      rows === undefined
        ? apply(later(capacity), { updateHistory: true })
        : applyInBatches(db, validateOrganization(later(capacity)), {
            ...{ clock, updateHistory: true },
            size: { rows, characters: 1e6 },
          })
    await assert.rejects(applied(2), { param: 'events.0.pools.0.capacity' })
    assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 5 }])
    const { changes, created, updated } = await applied(3)
    assert.deepEqual(changes.slice(0, 2), [
      'updated shared capacity room of spring-meeting (capacity)',
      'created shared capacity hall of spring-meeting',
    ])
    assert.deepEqual([created, updated], [4, 2])
    assert.deepEqual(await pools(), [
      { name: 'room', capacity: 3, sold: 3 },
      { name: 'hall', capacity: 4, sold: 0 },
    ])
    assert.deepEqual(await damage(), [])
    assert.deepEqual((await applied(3)).changes, [])
  })
}

test('a pool that a server has sold from since is refused where the user wrote it, while another waits for refunds', async t => {
  const { apply, db, clock, sell, pools } = await start(t)
  const hall = { name: 'hall', capacity: 5, registration_types: ['Online'] }
  await apply(file({ pools: [ROOM, hall], registrations: some(1, 'Standard', PAID) }))
  const registrations = some(1, 'Standard', { ...PAID, status: 'refunded' })
  const raced = file({
    pools: [
      { ...ROOM, capacity: 1 },
      { ...hall, capacity: 0 },
    ],
    registrations,
  })
  const options = { clock, updateHistory: true, size: { rows: 1, characters: 1e6 } }
  const applied = applyInBatches(
    before(db, () => sell('Online')),
    validateOrganization(raced),
    options,
  )
  await assert.rejects(applied, { param: 'events.0.pools.1.capacity' })
  assert.deepEqual(await pools(), [
    { name: 'room', capacity: 5, sold: 5 },
    { name: 'hall', capacity: 5, sold: 1 },
  ])
})

test('what contradicts itself in a pool is refused by its path', async t => {
  const { apply } = await start(t)
  const refused = (pools: object[], param: string) =>
    assert.rejects(async () => apply(file({ pools })), { code: 'invalid_parameter', param })
  await refused([ROOM, { ...ROOM, capacity: 9 }], 'events.0.pools.1.name')
  await refused(
    [{ ...ROOM, registration_types: ['Standard', 'Free'] }],
    'events.0.pools.0.registration_types.1',
  )
  await refused(
    [{ ...ROOM, registration_types: ['Online', 'Online'] }],
    'events.0.pools.0.registration_types.1',
  )
  await refused([{ ...ROOM, registration_types: [3] }], 'events.0.pools.0.registration_types.0')
  await refused([{ ...ROOM, registration_types: null }], 'events.0.pools.0.registration_types')
  await refused([{ ...ROOM, capacity: 1_000_001 }], 'events.0.pools.0.capacity')
  await refused([{ ...ROOM, kind: 'x' }], 'events.0.pools.0.kind')
})

test('a description, a slug and positions keep their values where a file leaves them out', async t => {
  const server = await start(t)
  const named = file({
    description: '# Hi',
    registration_types: [type('Standard', 9), { ...type('First'), position: 3 }],
    pools: [],
  })
  const first = await server.apply({ ...named, account: { ...named.account, slug: 'ada' } })
  const accountId = first.account_id
  await server.apply(file({ pools: [], title: 'Other', registration_types: [type('New'), type('First', 8)] }))
  const exported = () => server.db.read(accountId, tx => collectOrganization(tx))
  const { account, events } = await exported()
  assert.deepEqual([account.slug, events?.[0]?.title, events?.[0]?.description], ['ada', 'Other', '# Hi'])
  assert.deepEqual(
    events?.[0]?.registration_types?.map(({ name, position }) => [name, position]),
    [
      ['Standard', 0],
      ['First', 3],
      ['New', 3],
    ],
  )
  const cleared = file({ description: null })
  await server.apply({ ...cleared, account: { ...cleared.account, slug: null } })
  const after = await exported()
  assert.deepEqual([after.account.slug, after.events?.[0]?.description], [undefined, null])
})

test('a slug of another account, or one that addresses of ours begin with, is refused in words', async t => {
  const { apply } = await start(t)
  const withSlug = (email: string, slug: string) => {
    const named = organization({ email })
    return apply({ ...named, account: { ...named.account, slug } })
  }
  await withSlug('ada@example.org', 'ada')
  assert.equal((await withSlug('ada@example.org', 'ada')).updated, 0)
  await assert.rejects(withSlug('bob@example.org', 'ada'), {
    code: 'invalid_parameter',
    param: 'account.slug',
    message: 'account.slug is that of another account.',
  })
  await withSlug('bob@example.org', 'bob')
  await assert.rejects(withSlug('bob@example.org', 'ada'), { param: 'account.slug' })
  for (const slug of ['v1', 'manage', 'setup']) {
    await assert.rejects(withSlug('ada@example.org', slug), { param: 'account.slug' })
  }
})

test('a pool that a server sells from while a file is made ready is not oversold, and the file is refused in words', async t => {
  const { apply, db, clock, pools, sell, damage } = await start(t)
  await apply(file({ registrations: some(1) }))
  const raced = applyOrganization(
    before(db, () => sell('Student')),
    file({ registrations: some(5) }),
    { clock },
  )
  await assert.rejects(raced, { code: 'invalid_parameter', param: 'events.0.pools.0.capacity' })
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 5, sold: 2 }])
  assert.deepEqual(await damage(), [])
})

test('a pool that somebody changes while a file is made ready is taken as it is then', async t => {
  const { apply, db, clock, pools, damage } = await start(t)
  const { account_id: accountId, events } = await apply(file({ registrations: some(1) }))
  const eventId = events['spring-meeting']?.id as string
  const raced = file({ registrations: some(5), pools: undefined })
  const shrink = () =>
    db.write(accountId, async tx => {
      const [room] = await registrationTypes.listPools(tx, eventId)
      await registrationTypes.updatePool(tx, eventId, room?.id as string, { capacity: 4 })
    })
  await assert.rejects(applyOrganization(before(db, shrink), raced, { clock }), {
    param: 'events.0.registrations',
  })
  assert.deepEqual(await pools(), [{ name: 'room', capacity: 4, sold: 1 }])
  assert.deepEqual(await damage(), [])
})
