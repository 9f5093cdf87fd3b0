import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keep } from '#product/reporting/figures/store.ts'
import { summarize } from '#product/reporting/figures/summaries.ts'
import { organization, registration } from '#test/support/organization.ts'
import { at } from '#test/support/people/organizer.ts'
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
  const found = await db.read(applied.account_id, tx => summarize(tx, [[eventId], [other]]))
  assert.deepEqual(found[0], { check_ins: 1, amounts: { EUR: 15_000 }, counted_at: null })
  assert.deepEqual(found[1], { check_ins: 0, amounts: {}, counted_at: null })
  const { account_id: stranger } = await server.apply(organization({ email: 'bob@example.org' }))
  const foreign = await db.read(stranger, tx => summarize(tx, [[eventId]]))
  assert.deepEqual(foreign[0], { check_ins: 0, amounts: {}, counted_at: null })
})

test('no more than 20,000 registrations are looked at for a page of events: what is beyond is left out', async t => {
  const { db, data, applied, eventId, types } = await startWithOrganization(t, file)
  const accountId = applied.account_id
  await insertCrowd({ data, accountId, eventId, typeId: types.Standard as string }, { count: 19_998 })
  const other = applied.events.other?.id as string
  const none = { check_ins: 0, amounts: {}, counted_at: null }
  const found = (rows: string[][]) => db.read(accountId, tx => summarize(tx, rows))
  assert.deepEqual(
    await found([[eventId], [other]]),
    [undefined, none],
    '20,001 are too many, and leave nothing',
  )
  assert.deepEqual(await found([[other, eventId]]), [undefined], 'a row of both needs as many')
})

test('a row of several events has the sums of all, each currency by itself, and of those that were counted in the background', async t => {
  const server = await startWithOrganization(t, file)
  const { db, applied, eventId } = server
  const accountId = applied.account_id
  const other = applied.events.other?.id as string
  const kept = { check_ins: 7, sales: [{ amounts: { EUR: 100, USD: 30 } }] }
  const both = () => db.read(accountId, tx => summarize(tx, [[eventId, other]]))
  assert.deepEqual(await both(), [{ check_ins: 0, amounts: { EUR: 15_000 }, counted_at: null }])
  await db.write(accountId, async tx => {
    const figures = JSON.stringify({ state: '', counted: kept })
    await keep(tx, other, { figures, counted_at: at('2026-11-20T10:00:00Z') }, await tx.now())
  })
  const counted_at = '2026-11-20T10:00:00.000Z'
  assert.deepEqual(await both(), [{ check_ins: 7, amounts: { EUR: 15_100, USD: 30 }, counted_at }])
})

test('a page looks at no more than 2,000 events: a row that needs more is left out, and one behind it is not', async t => {
  const { db, applied, eventId } = await startWithOrganization(t, file)
  const many = Array.from({ length: 2_000 }, (_, at) => `none-${at}`)
  const found = await db.read(applied.account_id, tx => summarize(tx, [[eventId], many, [eventId]]))
  assert.deepEqual(
    found.map(row => row?.amounts),
    [{ EUR: 15_000 }, undefined, { EUR: 15_000 }],
  )
})
