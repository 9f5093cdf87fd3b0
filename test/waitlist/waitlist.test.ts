import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as waitlist from '../../src/waitlist/rules.ts'
import { organization, registration } from '../support/organization.ts'
import { newRegistration } from '../support/requests.ts'
import { startWithOrganization } from '../support/server.ts'

const LATER = '2026-11-21T13:00:00.000Z'

const waiting = (reference: string, changes: object = {}) => ({
  reference,
  registration_type: 'Standard',
  name: 'Wes',
  email: `${reference}@example.org`,
  quantity: 1,
  ...changes,
})

async function start(t: Parameters<typeof startWithOrganization>[0]) {
  const first = organization({
    event: {
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
    events: [{ ...event, waitlist: [waiting('third', { quantity: 9 }), waiting('fourth')] }],
  })
  server.clock.set(LATER)
  const import_ = async (quantity: number) =>
    (await server.client.post('/registrations', newRegistration(server, { quantity }))).body.id as string
  const notified = async () => {
    const entries = await server.db.read(tx =>
      waitlist.listByEvent(tx, server.applied.account_id, server.eventId),
    )
    assert.equal(entries.length, 5)
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
  const { import_, cancel, notified, db, applied, eventId } = await start(t)
  assert.deepEqual(await notified(), [])
  await cancel(await import_(2))
  assert.deepEqual(await notified(), ['z-first', 'a-second'])
  const [entry] = await db.read(tx => waitlist.listByEvent(tx, applied.account_id, eventId))
  assert.equal(entry?.notified_at, LATER)
})

test('each waiting person is notified once, and the next cancel goes on with the next', async t => {
  const { import_, cancel, notified, clock, db, applied, eventId } = await start(t)
  await cancel(await import_(2))
  clock.advance(1000)
  await cancel(await import_(1))
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'third'])
  const entries = await db.read(tx => waitlist.listByEvent(tx, applied.account_id, eventId))
  const instants = entries.map(entry => entry.notified_at).filter(instant => instant !== null)
  assert.deepEqual(instants, [LATER, LATER, '2026-11-21T13:00:01.000Z'])
})

test('more released tickets than waiting people notify all of that type, and nobody of another', async t => {
  const { import_, cancel, notified } = await start(t)
  await cancel(await import_(50))
  assert.deepEqual(await notified(), ['z-first', 'a-second', 'third', 'fourth'])
})

test('a refused cancel and a repeated one notify nobody', async t => {
  const server = await start(t)
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
