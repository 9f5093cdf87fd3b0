import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const LATER = '2026-11-21T13:00:00.000Z'

const waiting = (reference: string, changes: object = {}) => ({
  reference,
  registration_type: 'Standard',
  name: 'Wes',
  email: `${reference}@example.org`,
  quantity: 1,
  ...changes,
})

/**
 * @param capacity of the type that most wait for, of which one is sold
 * @param later who waits a second later
 */
async function start(
  t: Parameters<typeof startWithOrganization>[0],
  capacity = 100,
  later = [waiting('third', { quantity: 9 }), waiting('fourth')],
) {
  const first = organization({
    event: {
      registration_types: [
        { name: 'Standard', price: 5000, capacity },
        { name: 'Free', price: 0, capacity: 100 },
      ],
      registrations: [
        registration('paid', {
          status: 'confirmed',
          amount_total: 5000,
          created_at: '2026-11-01T10:00:00.000Z',
        }),
      ],
      waitlist: [waiting('z-first'), waiting('free', { registration_type: 'Free' }), waiting('a-second')],
    },
  })
  const server = await startWithOrganization(t, first)
  server.clock.advance(1000)
  const [event] = first.events
  await server.apply({
    ...first,
    events: [{ ...event, waitlist: later }],
  })
  server.clock.set(LATER)
  const import_ = async (quantity: number) =>
    (await server.client.post('/registrations', newRegistration(server, { quantity }))).body.id as string
  const notified = async () => {
    const entries = await server.db.read(server.applied.account_id, tx =>
      waitlist.listByEvent(tx, server.eventId),
    )
    assert.equal(entries.length, 3 + later.length)
    return entries.filter(entry => entry.notified_at !== null).map(entry => entry.reference)
  }
  return {
    ...server,
    import_,
    notified,
    cancel: (id: string) => server.client.post(`/registrations/${id}/cancel`),
  }
}

test('a cancel notifies as many waiting people as it released tickets of the type, oldest first', async t => {
  const { import_, cancel, notified, db, applied, eventId } = await start(t, 3)
  assert.deepEqual(await notified(), [])
  await cancel(await import_(2))
  assert.deepEqual(await notified(), ['z-first', 'a-second'])
  const [entry] = await db.read(applied.account_id, tx => waitlist.listByEvent(tx, eventId))
  assert.equal(entry?.notified_at, LATER)
})

test('each waiting person is notified once, and the next cancel goes on with the next who fits in', async t => {
  const { import_, cancel, notified, clock, db, applied, eventId } = await start(t, 4)
  const [two, one] = [await import_(2), await import_(1)]
  await cancel(two)
  clock.advance(1000)
  await cancel(one)
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'fourth'])
  const entries = await db.read(applied.account_id, tx => waitlist.listByEvent(tx, eventId))
  const instants = entries.map(entry => entry.notified_at).filter(instant => instant !== null)
  assert.deepEqual(instants, [LATER, LATER, '2026-11-21T13:00:01.000Z'])
})

test('who wants more than is free is passed over, keeps the rank, and is notified when there is room', async t => {
  const { import_, cancel, notified } = await start(t, 13)
  const released = [await import_(3), await import_(5), await import_(1)]
  await import_(3)
  await cancel(released[0] as string)
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'fourth'])
  await cancel(released[1] as string)
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'fourth'])
  // Nine are free now: three, five and one.
  await cancel(released[2] as string)
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'third', 'fourth'])
})

test('one cancel tells of no place twice: who comes later gets what the earlier left', async t => {
  const { import_, cancel, notified } = await start(t, 12)
  // Eleven are free: one, one and nine leave none for the fourth.
  await cancel(await import_(11))
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'third'])
})

test('what others have taken meanwhile is not free: nobody is notified of it', async t => {
  const { import_, cancel, notified } = await start(t, 4, [waiting('pair', { quantity: 2 })])
  const [one, two] = [await import_(1), await import_(2)]
  await cancel(two)
  assert.deepEqual(await notified(), ['z-first', 'a-second'])
  const taken = await import_(2)
  await cancel(one)
  assert.deepEqual(await notified(), ['z-first', 'a-second'])
  await cancel(taken)
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'pair'])
})

test('any number of those who want more than is left are passed over', async t => {
  const many = Array.from({ length: 150 }, (_, number) => waiting(`many-${number}`, { quantity: 3 }))
  const { import_, cancel, notified } = await start(t, 5, [...many, waiting('last', { quantity: 2 })])
  await cancel(await import_(4))
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'last'])
})

test('more released tickets than waiting people notify all of that type, and nobody of another', async t => {
  const { import_, cancel, notified } = await start(t)
  await cancel(await import_(50))
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'third', 'fourth'])
})

test('a refused cancel and a repeated one notify nobody', async t => {
  const server = await start(t, 2)
  const { import_, cancel, notified, applied } = server
  const paid = applied.events['spring-meeting']?.registrations.paid as string
  assert.equal((await cancel(paid)).status, 409)
  assert.deepEqual(await notified(), [])
  const id = await import_(1)
  await cancel(id)
  assert.equal((await cancel(id)).status, 409)
  assert.deepEqual(await notified(), ['z-first'])
})

test('an import while people wait takes the capacity, and notifies nobody', async t => {
  const { import_, notified } = await start(t)
  await import_(3)
  assert.deepEqual(await notified(), [])
})
