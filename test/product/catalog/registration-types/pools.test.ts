import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { damageOf } from '#test/support/engine.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganizer } from '#test/support/people/organizer.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'

const type = (name: string, capacity = 100) => ({ name, price: 0, capacity })
const ROOM = { name: 'room', capacity: 10, registration_types: ['Standard', 'Student'] }

async function start(
  t: Parameters<typeof startWithOrganizer>[0],
  { pools = [ROOM], ...event }: { pools?: object[]; registrations?: object[]; waitlist?: object[] } = {},
) {
  const registration_types = ['Standard', 'Student', 'Online'].map(name => type(name))
  const file = organization({ event: { registration_types, pools, ...event } })
  const server = await startWithOrganizer(t, file)
  const { write, read, eventId, types, client, data } = server
  const idOf = (name: string) => types[name] as string
  const list = () => read(tx => registrationTypes.listPools(tx, eventId))
  return {
    ...server,
    idOf,
    list,
    pool: async (name: string) => (await list()).find(pool => pool.name === name),
    create: (name: string, capacity: number, names: string[]) =>
      write(tx =>
        registrationTypes.createPool(tx, eventId, {
          name,
          capacity,
          registration_type_ids: names.map(idOf),
        }),
      ),
    update: (id: string, changes: object) =>
      write(tx => registrationTypes.updatePool(tx, eventId, id, changes)),
    remove: (id: string) => write(tx => registrationTypes.removePool(tx, eventId, id)),
    import_: (name: string, quantity = 1) =>
      client.post(
        '/registrations',
        newRegistration({ eventId, types: { Standard: idOf(name) } }, { quantity }),
      ),
    cancel: (id: string) => client.post(`/registrations/${id}/cancel`),
    /** The pools are looked up by name, as the API has them. */
    available: async () =>
      Object.fromEntries(
        (await client.get(`/events/${eventId}/registration-types`)).body.data.map(
          (one: { name: string; available: number }) => [one.name, one.available],
        ),
      ),
    notified: async () =>
      (await read(tx => waitlist.listByEvent(tx, eventId)))
        .filter(entry => entry.notified_at !== null)
        .map(({ reference }) => reference),
    damage: () => damageOf(data),
  }
}

const waiting = (reference: string, name: string, quantity = 1) => ({
  reference,
  registration_type: name,
  name: 'W',
  email: 'w@example.org',
  quantity,
  created_at: `2026-11-${reference}T00:00:00Z`,
})

test('types that share capacity are sold out together, with what is left of it in the answer, and others are not', async t => {
  const { import_, available, pool, damage } = await start(t)
  assert.deepEqual(await available(), { Standard: 10, Student: 10, Online: 100 })
  assert.equal((await import_('Standard', 7)).status, 201)
  assert.deepEqual(await available(), { Standard: 3, Student: 3, Online: 100 })
  const refused = await import_('Student', 4)
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'sold_out'])
  assert.deepEqual(refused.body.error.details, { requested: 4, available: 3 })
  assert.equal((await import_('Student', 3)).status, 201)
  assert.equal((await import_('Online', 100)).status, 201)
  assert.deepEqual(await available(), { Standard: 0, Student: 0, Online: 0 })
  assert.equal((await pool('room'))?.sold, 10)
  assert.deepEqual(await damage(), [])
})

test('what one pool refuses is taken from neither the type nor its other pools', async t => {
  const { import_, list, read, damage, idOf } = await start(t, {
    pools: [
      { name: 'building', capacity: 50, registration_types: ['Standard', 'Online'] },
      ROOM,
      { name: 'lunch', capacity: 20, registration_types: ['Standard'] },
    ],
  })
  assert.equal((await import_('Standard', 11)).status, 409)
  assert.deepEqual(
    (await list()).map(({ sold }) => sold),
    [0, 0, 0],
  )
  assert.equal((await import_('Standard', 10)).status, 201)
  assert.deepEqual(
    (await list()).map(({ name, sold, available }) => [name, sold, available]),
    [
      ['building', 10, 40],
      ['room', 10, 0],
      ['lunch', 10, 10],
    ],
  )
  const row = await read(tx =>
    tx.one<{ sold: number }>('SELECT sold FROM registration_types WHERE id = $1', [idOf('Standard')]),
  )
  assert.equal(row?.sold, 10)
  assert.deepEqual(await damage(), [])
})

test('a cancel gives back to the type and to each of its pools, once', async t => {
  const { import_, cancel, list, available, damage } = await start(t, {
    pools: [ROOM, { name: 'lunch', capacity: 4, registration_types: ['Standard'] }],
  })
  const { body } = await import_('Standard', 3)
  await import_('Student', 2)
  assert.equal((await cancel(body.id)).status, 200)
  assert.equal((await cancel(body.id)).status, 409)
  assert.deepEqual(
    (await list()).map(({ sold }) => sold),
    [2, 0],
  )
  assert.deepEqual(await available(), { Standard: 4, Student: 8, Online: 100 })
  assert.deepEqual(await damage(), [])
})

test('fifty imports at once of two types, with cancels in between, never take more than the pool has', async t => {
  const { import_, cancel, pool, damage, read } = await start(t)
  let places = 0
  const outcomes: number[] = []
  const one = async (index: number) => {
    const answer = await import_(index % 2 === 0 ? 'Standard' : 'Student')
    outcomes.push(answer.status)
    if (answer.status !== 201) return assert.equal(answer.body.error.code, 'sold_out')
    places++
    if (index % 3 === 0) {
      assert.equal((await cancel(answer.body.id)).status, 200)
      places--
    }
  }
  await Promise.all(Array.from({ length: 50 }, (_, index) => one(index)))
  assert.ok(outcomes.filter(status => status === 409).length > 0, 'some came too late')
  assert.equal((await pool('room'))?.sold, places)
  // Whatever the order was, the rest fits exactly.
  for (; places < 10; places++) assert.equal((await import_('Student')).status, 201)
  assert.equal((await import_('Standard')).status, 409)
  assert.deepEqual(await damage(), [])
  const newest = await read(tx =>
    tx.all<{ quantity: number; status: string }>('SELECT quantity, status FROM registrations'),
  )
  assert.equal(newest.filter(({ status }) => status === 'confirmed').length, 10)
})

test('a release serves those who wait for any type of the pools touched, the longest waiting first', async t => {
  const { import_, cancel, notified } = await start(t, {
    waitlist: [
      waiting('01', 'Online'),
      waiting('02', 'Student', 2),
      waiting('03', 'Standard', 3),
      waiting('04', 'Student'),
      waiting('05', 'Standard'),
    ],
  })
  const sold: string[] = []
  for (const quantity of [3, 1, 6]) sold.push((await import_('Standard', quantity)).body.id)
  await cancel(sold[1] as string)
  // One place is free: the pair and the three are passed over, and nobody of a type that shares nothing is notified.
  assert.deepEqual(await notified(), ['04'])
  await cancel(sold[0] as string)
  // Four are free: two and one fit, three no more.
  assert.deepEqual(await notified(), ['02', '04', '05'])
})

test('no place of a pool is offered to two types, and each type keeps to its own capacity', async t => {
  const { import_, cancel, notified, write, eventId, idOf } = await start(t, {
    waitlist: [
      waiting('01', 'Student'),
      waiting('02', 'Student'),
      waiting('03', 'Standard'),
      waiting('04', 'Standard'),
    ],
  })
  await write(tx => registrationTypes.update(tx, eventId, idOf('Student'), { capacity: 1 }))
  const { body } = await import_('Standard', 10)
  await cancel(body.id)
  // Student has one place: the second waits on, and ten are enough for the others.
  assert.deepEqual(await notified(), ['01', '03', '04'])
})

test('more entries wait than are read at a time, of several types, and each is served in its turn', async t => {
  const days = (from: number) => Array.from({ length: 14 }, (_, at) => String(from + at))
  const crowd = days(10).flatMap(day =>
    ['Standard', 'Student'].flatMap(name =>
      Array.from({ length: 10 }, (_, at) => ({
        ...waiting(day, name),
        reference: `${day} ${String(at).padStart(2, '0')} ${name}`,
        created_at: `2026-11-${day}T00:00:${String(at).padStart(2, '0')}Z`,
      })),
    ),
  )
  const { notified, update, pool } = await start(t, {
    pools: [{ ...ROOM, capacity: 0 }],
    waitlist: crowd.toReversed(),
  })
  const id = (await pool('room'))?.id as string
  await update(id, { capacity: 130 })
  const references = await notified()
  assert.equal(references.length, 130)
  const names = crowd.map(({ reference }) => reference.slice(0, 5))
  assert.deepEqual(
    references.map(reference => reference.slice(0, 5)),
    names.toSorted().slice(0, 130),
  )
})

test('a pool counts what its types have sold already, and is refused where that is more', async t => {
  const registrations = [
    registration('a', { quantity: 3 }),
    registration('b', { quantity: 4, registration_type: 'Online' }),
  ]
  const { create, list, damage, idOf } = await start(t, { registrations })
  const refused = { code: 'below_sold', param: 'capacity', details: { sold: 7 } }
  await assert.rejects(create('all', 6, ['Standard', 'Online']), refused)
  assert.equal((await list()).length, 1)
  const made = await create('all', 7, ['Standard', 'Online', 'Standard'])
  assert.deepEqual(made, { ...made, name: 'all', capacity: 7, sold: 7, available: 0 })
  assert.deepEqual(made.registration_type_ids, [idOf('Standard'), idOf('Online')].sort())
  assert.deepEqual((await list())[1], made)
  assert.deepEqual(await damage(), [])
})

test('a changed pool counts anew, is refused below what is sold, and offers what it has more', async t => {
  const { update, pool, import_, idOf, damage, notified } = await start(t, {
    waitlist: [waiting('01', 'Standard'), waiting('02', 'Student')],
  })
  await import_('Standard', 6)
  await import_('Student', 4)
  const { id } = (await pool('room')) ?? assert.fail()
  await assert.rejects(update(id, { capacity: 9 }), { code: 'below_sold', details: { sold: 10 } })
  await assert.rejects(update(id, { registration_type_ids: [UNKNOWN_ID] }), {
    code: 'not_found',
    param: 'registration_type_ids',
  })
  assert.deepEqual((await update(id, { name: 'hall' })).sold, 10)
  assert.deepEqual(await notified(), [])
  // Student draws from it no more: four are free of it, and Student has no limit but its own.
  const changed = await update(id, { registration_type_ids: [idOf('Standard'), idOf('Online')] })
  assert.deepEqual([changed.name, changed.sold, changed.available], ['hall', 6, 4])
  assert.deepEqual(await notified(), ['01', '02'])
  assert.equal((await import_('Student', 50)).status, 201)
  assert.equal((await import_('Online', 5)).status, 409)
  assert.deepEqual(await damage(), [])
})

test('a pool that is removed limits nobody, and those who waited for it are served', async t => {
  const { remove, list, pool, import_, notified, available, damage } = await start(t, {
    waitlist: [waiting('01', 'Student')],
  })
  await import_('Standard', 10)
  await remove((await pool('room'))?.id as string)
  assert.deepEqual([await list(), await notified()], [[], ['01']])
  assert.deepEqual(await available(), { Standard: 90, Student: 100, Online: 100 })
  assert.deepEqual(await damage(), [])
})

test('a pool has a name of its own in the event, and only types of the event', async t => {
  const { create, update, list, pool, apply, write, eventId } = await start(t)
  const made = await create('hall', 1, [])
  await assert.rejects(create('room', 1, []), { code: 'already_taken', param: 'name' })
  await assert.rejects(update(made.id, { name: 'room' }), { code: 'already_taken', param: 'name' })
  const other = await apply(
    organization({ email: 'bob@example.org', event: { pools: [{ ...ROOM, registration_types: ['Free'] }] } }),
  )
  const foreign = other.events['spring-meeting']
  const before = await list()
  await assert.rejects(update(made.id, { registration_type_ids: [foreign?.registration_types.Free] }), {
    code: 'not_found',
    param: 'registration_type_ids',
  })
  for (const [event, id] of [
    [eventId, UNKNOWN_ID],
    [foreign?.id as string, (await pool('room'))?.id as string],
  ] as const) {
    const changes = { capacity: 5 }
    await assert.rejects(
      write(tx => registrationTypes.updatePool(tx, event, id, changes)),
      { code: 'not_found' },
    )
    await assert.rejects(
      write(tx => registrationTypes.removePool(tx, event, id)),
      { code: 'not_found' },
    )
  }
  assert.deepEqual(await list(), before)
})
