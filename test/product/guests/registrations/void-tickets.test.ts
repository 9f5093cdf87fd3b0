import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { forecastCancel, forecastMany } from '#product/guests/registrations/forecast.ts'
import * as cancellations from '#product/selling/event-cancellation/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startSale } from '#test/support/people/sale.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** The event has three places for three who come together, all of them shared with another type, and two groups that wait. */
const full = organization({
  event: {
    registration_types: [
      { name: 'Standard', price: 5000, capacity: 3 },
      { name: 'Free', price: 0, capacity: 3 },
    ],
    pools: [{ name: 'room', capacity: 3, registration_types: ['Standard', 'Free'] }],
    waitlist: [
      {
        reference: 'three',
        registration_type: 'Standard',
        name: 'Wes',
        email: 'wes@example.org',
        quantity: 3,
        created_at: '2026-11-01T10:00:00Z',
      },
      {
        reference: 'two',
        registration_type: 'Standard',
        name: 'Wim',
        email: 'wim@example.org',
        quantity: 2,
        created_at: '2026-11-02T10:00:00Z',
      },
    ],
  },
})

/** Voids the first ticket of a registration, as a refund of one of several does. */
async function voidOne(db: Database, accountId: string, registrationId: string): Promise<void> {
  await db.write(accountId, async tx => {
    const typeId = '(SELECT registration_type_id FROM registrations WHERE account_id = $1 AND id = $2)'
    await tx.run(
      `UPDATE attendees SET voided = 1 WHERE position = 0 AND registration_id =
         (SELECT id FROM registrations WHERE account_id = $1 AND id = $2)`,
      [accountId, registrationId],
    )
    await tx.run(`UPDATE registration_types SET sold = sold - 1 WHERE id = ${typeId}`, [
      accountId,
      registrationId,
    ])
    await tx.run(
      `UPDATE capacity_pools SET sold = sold - 1 WHERE id IN
         (SELECT pool_id FROM registration_type_pools WHERE registration_type_id = ${typeId})`,
      [accountId, registrationId],
    )
  })
}

const soldOf = (db: Database) =>
  db.read(INSTANCE, async tx => ({
    types: await tx.all<{ name: string; sold: number }>(
      'SELECT name, sold FROM registration_types WHERE sold > 0',
    ),
    pools: await tx.all<{ name: string; sold: number }>('SELECT name, sold FROM capacity_pools'),
  }))

test('of three tickets of which one is void already, a cancel gives two places back, and never three', async t => {
  const { client, db, applied, eventId, types, clock } = await startWithOrganization(t, full)
  const accountId = applied.account_id
  const body = {
    event_id: eventId,
    registration_type_id: types.Standard,
    buyer: { name: 'Grace', email: 'grace@example.org' },
    quantity: 3,
  }
  const { body: made } = await client.post('/registrations', body)
  await voidOne(db, accountId, made.id)
  assert.deepEqual(await findDamage(db), [])
  const forecast = await db.read(accountId, tx => forecastCancel(tx, made.id, clock()))
  // Three are free then, the one that was before among them: the first who wait take them all.
  assert.deepEqual([forecast.tickets, forecast.notified], [2, 1])
  const many = await forecastMany(db, accountId, { event_id: eventId, ids: [made.id] })
  assert.deepEqual([many.ids, many.tickets], [[made.id], 2])

  const { status, body: cancelled } = await client.post(`/registrations/${made.id}/cancel`)
  assert.deepEqual([status, cancelled.status], [200, 'cancelled'])
  assert.deepEqual(await soldOf(db), { types: [], pools: [{ name: 'room', sold: 0 }] })
  const waiting = await db.read(INSTANCE, tx =>
    tx.all('SELECT reference FROM waitlist_entries WHERE notified_at IS NOT NULL'),
  )
  assert.deepEqual(waiting, [{ reference: 'three' }])
  assert.deepEqual(await findDamage(db), [])
})

test('many that are cancelled are told with the tickets that became void by it', async t => {
  const { client, db, app, applied, eventId, types } = await startWithOrganization(t, full)
  const accountId = applied.account_id
  const body = {
    event_id: eventId,
    registration_type_id: types.Standard,
    buyer: { name: 'Grace', email: 'grace@example.org' },
    quantity: 3,
  }
  const { body: made } = await client.post('/registrations', body)
  await app.close()
  await voidOne(db, accountId, made.id)
  const actor = { accountId, who: 'user:ada', requestId: null, address: null }
  const step = await db.write(accountId, tx =>
    cancellations.cancelGuests.run(
      tx,
      { done: 0, input: { ids: [made.id], notified: 'nobody' }, outcome: null } as never,
      actor,
    ),
  )
  assert.deepEqual(
    { ...step.outcome },
    { cancelled: 1, tickets: 2, already_cancelled: 0, refund_required: 0, not_cancellable: 0 },
  )
  assert.deepEqual(await soldOf(db), { types: [], pools: [{ name: 'room', sold: 0 }] })
})

test('an order that comes to nothing gives back the places of the tickets that were good until then', async t => {
  const { db, accountId, take, change } = await startSale(t)
  await take({ Guest: ['Ada'] })
  await change({ requires_approval: true })
  const { id } = await take({ Guest: ['Grace', 'Alan', 'Lin'] })
  const [line] = (await db.read(accountId, tx => orders.getDetails(tx, id))).registrations
  await voidOne(db, accountId, line?.id as string)
  assert.deepEqual(await findDamage(db), [])
  await db.write(accountId, tx => orders.fail(tx, id, 'declined'))
  assert.deepEqual((await soldOf(db)).types, [{ name: 'Guest', sold: 1 }])
  assert.deepEqual(await findDamage(db), [])
})
