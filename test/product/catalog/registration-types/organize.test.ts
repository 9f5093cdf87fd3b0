import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { at, newType, startWithOrganizer } from '#test/support/people/organizer.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'

/** Starts with functions that change the types of the event. */
async function start(t: Parameters<typeof startWithOrganizer>[0], file = organization()) {
  const server = await startWithOrganizer(t, file)
  const { write, read, eventId, types } = server
  const idOf = (name: string) => types[name] as string
  return {
    ...server,
    idOf,
    list: () => read(tx => registrationTypes.listDetails(tx, eventId)),
    names: async () => (await read(tx => registrationTypes.listDetails(tx, eventId))).map(({ name }) => name),
    create: (name: string, changes: object = {}) =>
      write(tx => registrationTypes.create(tx, eventId, newType(name, changes))),
    update: (name: string, changes: object) =>
      write(tx => registrationTypes.update(tx, eventId, idOf(name), changes)),
    move: (id: string, direction: 'up' | 'down') =>
      write(tx => registrationTypes.move(tx, eventId, id, direction)),
    remove: (id: string) => write(tx => registrationTypes.remove(tx, eventId, id)),
  }
}

test('a type that is made has all that was said, comes last, and the API tells what it always told', async t => {
  const { create, names, client, eventId } = await start(t)
  const dates = { sales_start: at('2026-11-01T00:00:00Z'), valid_until: at('2026-11-22T00:00:00Z') }
  const made = await create('Day', { description: 'One day', price: 1, capacity: 7, active: false, ...dates })
  const resource = {
    id: made.id,
    object: 'registration_type',
    event_id: eventId,
    name: 'Day',
    description: 'One day',
    price: 1,
    currency: 'EUR',
    capacity: 7,
    sold: 0,
    available: 7,
    active: false,
    sales_start: '2026-11-01T00:00:00.000Z',
    sales_end: null,
  }
  const valid_until = '2026-11-22T00:00:00.000Z'
  const others = { valid_from: null, valid_until, position: 0, pools: [] }
  const ofSale = {
    min_per_order: 1,
    max_per_order: null,
    hidden: false,
    tax_basis_points: 0,
    kind: 'ticket',
    open_price: false,
    entries: 'once',
    reentry: false,
  }
  assert.deepEqual(made, { ...resource, ...others, ...ofSale })
  const { data } = (await client.get(`/events/${eventId}/registration-types`)).body
  assert.deepEqual(
    data.find(({ id }: { id: string }) => id === made.id),
    resource,
  )
  assert.deepEqual(await names(), ['Standard', 'Free', 'Day'])
})

test('a type of a name that the event has is refused, and another event may have it', async t => {
  const file = organization({ events: [{ slug: 'other', title: 'Other' }] })
  const { create, update, list, write, applied } = await start(t, file)
  const taken = { code: 'already_taken', param: 'name' }
  await assert.rejects(create('Free'), taken)
  await assert.rejects(update('Standard', { name: 'Free' }), taken)
  assert.equal((await update('Standard', { name: 'Standard', price: 1 })).price, 1)
  assert.equal((await list()).length, 2)
  const other = applied.events.other?.id as string
  await write(tx => registrationTypes.create(tx, other, newType('Free')))
})

test('a change keeps every field that it does not name', async t => {
  const { update, list } = await start(t)
  const [was] = await list()
  const now = await update('Standard', { name: 'Regular', active: false, sales_end: 0 })
  assert.deepEqual(now, {
    ...was,
    ...{ name: 'Regular', active: false, sales_end: '1970-01-01T00:00:00.000Z' },
  })
})

test('a capacity below what is sold is refused and says what is, and one of exactly that is taken', async t => {
  const file = organization({ event: { registrations: [registration('three', { quantity: 3 })] } })
  const { update, list } = await start(t, file)
  const refused = { code: 'below_sold', param: 'capacity', details: { sold: 3 } }
  await assert.rejects(update('Standard', { capacity: 2, price: 1 }), refused)
  const [type] = await list()
  assert.deepEqual([type?.capacity, type?.price], [100, 5000])
  const changed = await update('Standard', { capacity: 3 })
  assert.deepEqual([changed.sold, changed.available], [3, 0])
})

test('a range of dates that ends before it begins is refused', async t => {
  const { create, update } = await start(t)
  await assert.rejects(create('X', { sales_start: 2, sales_end: 1 }), { param: 'sales_end' })
  await assert.rejects(update('Free', { valid_from: 2, valid_until: 1 }), {
    code: 'invalid_parameter',
    param: 'valid_until',
    details: { fault: { key: 'before', parameters: { field: 'valid_from' } } },
  })
})

test('types are moved one place at a time, and stay where they are at the ends', async t => {
  const types = ['A', 'B', 'C', 'D'].map(name => ({ name, price: 0, capacity: 1 }))
  const { move, idOf, names, create } = await start(t, organization({ event: { registration_types: types } }))
  const after = async (name: string, direction: 'up' | 'down') => {
    await move(idOf(name), direction)
    return (await names()).join('')
  }
  assert.equal(await after('A', 'up'), 'ABCD')
  assert.equal(await after('D', 'down'), 'ABCD')
  assert.equal(await after('C', 'up'), 'ACBD')
  assert.equal(await after('C', 'up'), 'CABD')
  assert.equal(await after('A', 'down'), 'CBAD')
  const made = await create('E')
  assert.equal((await names()).join(''), 'CBADE')
  await move(made.id, 'up')
  assert.equal((await names()).join(''), 'CBAED')
})

test('the API goes on to list types newest first, whatever their order for people', async t => {
  const { move, idOf, client, eventId } = await start(t)
  const read = async () => (await client.get(`/events/${eventId}/registration-types`)).text
  const before = await read()
  await move(idOf('Free'), 'up')
  assert.equal(await read(), before)
})

test('a type is removed while nobody has ever registered or waited for it, and leaves its pools', async t => {
  const waiting = { reference: 'w', registration_type: 'Waited', name: 'W', email: 'w@example.org' }
  const types = ['Sold', 'Cancelled', 'Waited', 'Notified', 'Unused'].map(name => ({
    name,
    price: 0,
    capacity: 9,
  }))
  const file = organization({
    event: {
      registration_types: types,
      pools: [{ name: 'room', capacity: 9, registration_types: ['Unused', 'Sold'] }],
      registrations: [
        registration('s', { registration_type: 'Sold' }),
        registration('c', { registration_type: 'Cancelled', status: 'cancelled' }),
      ],
      waitlist: [
        waiting,
        {
          ...waiting,
          reference: 'n',
          registration_type: 'Notified',
          notified_at: '2026-10-01T00:00:00Z',
        },
      ],
    },
  })
  const { remove, idOf, names, list } = await start(t, file)
  for (const name of ['Sold', 'Cancelled', 'Waited', 'Notified']) {
    await assert.rejects(remove(idOf(name)), { code: 'in_use' })
  }
  await remove(idOf('Unused'))
  assert.deepEqual(await names(), ['Sold', 'Cancelled', 'Waited', 'Notified'])
  assert.deepEqual((await list())[0]?.pools[0]?.registration_type_ids, [idOf('Sold')])
  await assert.rejects(remove(idOf('Unused')), { code: 'not_found' })
})

test('a type of an event with more registrations than are looked through stays, and is told why', async t => {
  const { create, remove, names, write, eventId, idOf } = await start(t)
  const { id } = await create('Unused')
  const bring = (from: number, to: number) =>
    write(tx =>
      tx.run(
        `WITH RECURSIVE n (at) AS (SELECT CAST($3 AS INTEGER) UNION ALL SELECT at + 1 FROM n WHERE at < $4)
         INSERT INTO registrations (id, account_id, event_id, registration_type_id, reference, status, source, buyer_name,
           buyer_email, buyer_email_key, quantity, amount_subtotal, amount_total, currency, answers, language, created_at,
           updated_at, number)
         SELECT CAST(at AS TEXT), $1, $2, $5, CAST(at AS TEXT), 'failed', 'api', 'G', 'g@example.org', 'g@example.org', 1, 0,
           0, 'EUR', '{}', 'en', at, at, at FROM n`,
        [tx.accountId, eventId, from, to, idOf('Standard')],
      ),
    )
  await bring(1, 20_001)
  await assert.rejects(remove(id), { code: 'in_use', details: { more_than: 20_000 } })
  await write(tx => tx.run("DELETE FROM registrations WHERE id = '7'"))
  await remove(id)
  assert.deepEqual(await names(), ['Standard', 'Free'])
})

test('a raised capacity serves those who wait, in the same transaction, and a pair not by one place', async t => {
  const waiting = (reference: string, quantity: number) => ({
    reference,
    registration_type: 'Standard',
    name: 'W',
    email: 'w@example.org',
    quantity,
    created_at: `2026-11-0${reference}T00:00:00Z`,
  })
  const file = organization({
    event: {
      registration_types: [{ name: 'Standard', price: 0, capacity: 3 }],
      registrations: [registration('three', { quantity: 3 })],
      waitlist: [waiting('1', 2), waiting('2', 1), waiting('3', 1)],
    },
  })
  const { update, read, write, eventId, idOf } = await start(t, file)
  const notified = async () =>
    (await read(tx => waitlist.listByEvent(tx, eventId)))
      .filter(entry => entry.notified_at !== null)
      .map(({ reference }) => reference)
  await update('Standard', { price: 1, capacity: 3 })
  assert.deepEqual(await notified(), [])
  const undone = write(async tx => {
    await registrationTypes.update(tx, eventId, idOf('Standard'), { capacity: 100 })
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual(await notified(), [])
  await update('Standard', { capacity: 4 })
  assert.deepEqual(await notified(), ['2'])
  await update('Standard', { capacity: 5 })
  assert.deepEqual(await notified(), ['1', '2'])
})

test('types of another account, and of another event, are not found and stay', async t => {
  const server = await start(
    t,
    organization({ events: [{ slug: 'own', title: 'Own', registration_types: [newFileType('Mine')] }] }),
  )
  const { write, apply, applied, db, eventId } = server
  const other = await apply(organization({ email: 'bob@example.org' }))
  const foreign = other.events['spring-meeting']
  const rows = () => db.read(INSTANCE, tx => tx.all('SELECT * FROM registration_types ORDER BY id'))
  const before = await rows()
  const ids: [event: string, type: string][] = [
    [eventId, applied.events.own?.registration_types.Mine as string],
    [eventId, foreign?.registration_types.Free as string],
    [foreign?.id as string, foreign?.registration_types.Free as string],
    [UNKNOWN_ID, server.idOf('Free')],
  ]
  for (const [event, type] of ids) {
    const refused = { code: 'not_found' }
    for (const rule of [
      () => write(tx => registrationTypes.update(tx, event, type, { capacity: 0 })),
      () => write(tx => registrationTypes.move(tx, event, type, 'up')),
      () => write(tx => registrationTypes.remove(tx, event, type)),
    ]) {
      await assert.rejects(rule(), refused)
    }
  }
  assert.deepEqual(await rows(), before)
})

function newFileType(name: string) {
  return { name, price: 0, capacity: 1 }
}

test('a type that somebody registers for before it is removed stays', async t => {
  const { create, remove, client, eventId, write } = await start(t)
  const made = await create('Late')
  const body = newRegistration({ eventId, types: { Standard: made.id } })
  const { status, body: registered } = await client.post('/registrations', body)
  assert.equal(status, 201)
  await write(tx => registrations.cancel(tx, registered.id))
  await assert.rejects(remove(made.id), { code: 'in_use' })
})
