import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { forecastCancel, forecastMany } from '#product/guests/registrations/forecast.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganizer } from '#test/support/people/organizer.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

/** Starts with two types that share a room of four, which is full. */
async function startShared(t: Parameters<typeof startWithOrganizer>[0]) {
  const waiting = (reference: string, type: string, quantity: number) => ({
    ...{ reference, registration_type: type, quantity },
    ...{ name: 'W', email: `${reference}@example.org`, created_at: `2026-10-0${reference}T00:00:00Z` },
  })
  const server = await startWithOrganizer(
    t,
    organization({
      event: {
        registrations: ['a', 'b'].map(reference =>
          registration(reference, { registration_type: 'Free', quantity: 2, amount_total: 0 }),
        ),
        waitlist: [
          waiting('1', 'Standard', 1),
          waiting('2', 'Free', 3),
          waiting('3', 'Free', 1),
          waiting('4', 'Standard', 1),
        ],
      },
    }),
  )
  const { write, eventId, types, applied } = server
  await subscribeToAll(server.db, server.accountId)
  const registration_type_ids = Object.values(types) as string[]
  await write(tx =>
    registrationTypes.createPool(tx, eventId, {
      name: 'room',
      capacity: 4,
      registration_type_ids,
    }),
  )
  return { ...server, ids: applied.events['spring-meeting']?.registrations as Record<string, string> }
}

test('a forecast says just how many of the waitlist a cancellation notifies, over pools that types share', async t => {
  const { write, read, db, ids } = await startShared(t)
  const before = await readState(db)
  const forecast = await read(tx => forecastCancel(tx, ids.a as string, Date.now()))
  assert.deepEqual(await readState(db), before)
  await write(tx => registrations.cancel(tx, ids.a as string))
  const { waitlist } = await readState(db)
  const notified = waitlist.filter(entry => (entry as { notified_at: number | null }).notified_at !== null)
  // There are two places: the oldest entry of each type that fits gets one, and the one for three is passed over.
  assert.equal(notified.length, 2)
  assert.deepEqual([forecast.notified, forecast.tickets, forecast.checked_in], [2, 2, 0])
  const again = read(tx => forecastCancel(tx, ids.a as string, Date.now()))
  await assert.rejects(again, { code: 'already_cancelled' })
})

test('a forecast of many has those that can be cancelled, the newest first, and says when there are more', async t => {
  const { db, data, accountId, eventId, types } = await startWithOrganizer(
    t,
    organization({
      event: {
        registrations: [
          registration('paid', { amount_total: 1, created_at: '2026-11-01T00:00:00Z' }),
          registration('gone', { status: 'cancelled', created_at: '2026-11-02T00:00:00Z' }),
        ],
      },
    }),
  )
  const crowd = { data, accountId, eventId, typeId: types.Free as string }
  await insertCrowd(crowd, { count: 1_500, tickets: 2 })
  const all = await forecastMany(db, accountId, { event_id: eventId })
  assert.deepEqual([all.ids.length, all.tickets, all.isMore], [1_500, 3_000, false])
  assert.deepEqual(all.kept, { already_cancelled: 0, refund_required: 1, not_cancellable: 0 })
  const some = await forecastMany(db, accountId, { event_id: eventId }, 1_000)
  assert.deepEqual([some.ids, some.isMore], [all.ids.slice(0, 1_000), true])
  const found = await forecastMany(db, accountId, { event_id: eventId, text: 'guest 1499' })
  assert.equal(found.ids.length, 1)
  const none = await forecastMany(db, accountId, {
    event_id: eventId,
    registration_type_id: types.Standard as string,
  })
  assert.deepEqual([none.ids, none.isMore], [[], false])
})
