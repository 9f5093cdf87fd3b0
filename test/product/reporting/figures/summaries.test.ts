import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summarize } from '#product/reporting/figures/summaries.ts'
import { organization, registration } from '#test/support/organization.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const file = organization({
  event: {
    registrations: [
      registration('a', { amount_total: 10_000, quantity: 2 }),
      registration('b', { amount_total: 5_000, status: 'refunded' }),
      registration('c', { amount_total: 5_000, status: 'pending' }),
    ],
  },
  events: [
    {
      slug: 'other',
      title: 'Other',
      currency: 'USD',
      registration_types: [{ name: 'Seat', price: 0, capacity: 9 }],
    },
  ],
})

test('an event is summarized by what its confirmed registrations were charged, and by its check-ins', async t => {
  const server = await startWithOrganization(t, file)
  const { client, db, applied, eventId } = server
  const made = await client.post('/registrations', newRegistration(server))
  await client.post('/check-ins', { attendee_id: made.body.attendees[0].id })
  const other = applied.events.other?.id as string
  const found = await db.read(applied.account_id, tx => summarize(tx, [eventId, other]))
  assert.deepEqual(found.get(eventId), { check_ins: 1, amounts: { EUR: 15_000 }, counted_at: null })
  assert.deepEqual(found.get(other), { check_ins: 0, amounts: {}, counted_at: null })
  const { account_id: stranger } = await server.apply(organization({ email: 'bob@example.org' }))
  const foreign = await db.read(stranger, tx => summarize(tx, [eventId]))
  assert.deepEqual(foreign.get(eventId), { check_ins: 0, amounts: {}, counted_at: null })
})

test('no more than 20,000 registrations are looked at for a page of events: what is beyond is left out', async t => {
  const { db, data, applied, eventId, types } = await startWithOrganization(t, file)
  const accountId = applied.account_id
  await insertCrowd({ data, accountId, eventId, typeId: types.Standard as string }, { count: 19_998 })
  const other = applied.events.other?.id as string
  const found = (ids: string[]) => db.read(accountId, tx => summarize(tx, ids))
  assert.deepEqual(
    [...(await found([eventId, other])).keys()],
    [other],
    '20,001 are too many, and leave nothing',
  )
})
