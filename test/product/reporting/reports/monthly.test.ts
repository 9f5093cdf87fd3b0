import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

const october = (day: number) => `2026-10-${String(day).padStart(2, '0')}T10:00:00.000Z`
const november = (day: number) => october(day).replace('-10-', '-11-')

const types = [
  { name: 'Standard', price: 5000, capacity: 100 },
  { name: 'Free', price: 0, capacity: 100 },
]

function paid(reference: string, changes: object = {}) {
  return registration(reference, {
    amount_total: 5000,
    processor_fee: 175,
    created_at: october(1),
    ...changes,
  })
}

async function start(t: TestContext, registrations: object[], events: object[] = []) {
  const server = await startWithOrganization(
    t,
    organization({ event: { registration_types: types, registrations }, events }),
  )
  const report = async (month: string) => {
    const { status, body } = await server.client.get(`/reports/monthly?month=${month}`)
    assert.equal(status, 200)
    return body
  }
  return { ...server, report }
}

test('a month has every figure of an event', async t => {
  const server = await start(t, [
    paid('a', { quantity: 2, amount_total: 9000, processor_fee: 291 }),
    paid('b', {
      created_at: october(2),
      attendees: [{ name: 'Ann', checked_in_at: october(20) }],
    }),
    registration('c', { registration_type: 'Free', created_at: october(3), quantity: 3 }),
    paid('d', {
      status: 'refunded',
      created_at: '2026-09-01T10:00:00Z',
      refunded_at: october(4),
      refunded_amount: 4000,
    }),
    paid('e', { status: 'pending' }),
    paid('f', { status: 'failed' }),
  ])
  assert.deepEqual(await server.report('2026-10'), {
    object: 'monthly_report',
    month: '2026-10',
    timezone: 'Europe/Madrid',
    complete: true,
    data: [
      {
        event_id: server.eventId,
        event_title: 'Spring Meeting',
        currency: 'EUR',
        registrations: 3,
        tickets_by_type: [
          { registration_type_id: server.types.Standard, name: 'Standard', tickets: 3 },
          { registration_type_id: server.types.Free, name: 'Free', tickets: 3 },
        ],
        gross: 14_000,
        // The fee is 2.5 % of 9,000 and of 5,000, and 30 for each of three tickets. Free ones have none.
        service_fee: 225 + 60 + 125 + 30,
        processor_fee: 291 + 175,
        refunds: 4000,
        net: 14_000 - 440 - 466 - 4000,
        check_ins: 1,
        reasons: {},
      },
    ],
  })
})

test('a registration counts in the month of its confirmation, also when it was cancelled or refunded later', async t => {
  const { report } = await start(t, [
    paid('refunded', { status: 'refunded', refunded_at: november(5) }),
    registration('cancelled', { status: 'cancelled', created_at: october(2), cancelled_at: november(5) }),
    registration('never', { status: 'cancelled', created_at: october(2), never_confirmed: true }),
    paid('late', { created_at: october(3), confirmed_at: november(6) }),
  ])
  const figures = async (month: string) => {
    const [row] = (await report(month)).data
    return [row.registrations, row.gross, row.service_fee, row.processor_fee, row.refunds, row.net]
  }
  assert.deepEqual(await figures('2026-10'), [2, 5000, 155, 175, 0, 4670])
  // The refund does not give the service fee back.
  assert.deepEqual(await figures('2026-11'), [1, 5000, 155, 175, 5000, -330])
})

test('the service fee rounds half up for each paid registration by itself', async t => {
  // 2.5 % of these is 0.5, 0.475, 1.5, 2.475 and 0.025.
  const amounts = [20, 19, 60, 99, 1]
  const expected = [1, 0, 2, 2, 0].reduce((sum, share) => sum + share + 30, 0)
  const { report } = await start(
    t,
    amounts.map(amount => paid(`${amount}`, { amount_total: amount, processor_fee: 0 })),
  )
  const [row] = (await report('2026-10')).data
  assert.deepEqual([row.gross, row.service_fee, row.net], [199, expected, 199 - expected])
})

test('a fee that the processor did not report makes it and the net null, each with its reason', async t => {
  const other = {
    slug: 'other',
    title: 'Other',
    registration_types: types,
    registrations: [paid('x', { created_at: october(5) })],
  }
  const { report } = await start(t, [paid('a'), paid('b', { processor_fee: null })], [other])
  const body = await report('2026-10')
  assert.equal(body.complete, false)
  const [row, second] = body.data
  assert.deepEqual([row.processor_fee, row.net], [null, null])
  assert.deepEqual(
    [row.registrations, row.gross, row.service_fee, row.refunds, row.check_ins],
    [2, 10_000, 310, 0, 0],
  )
  assert.deepEqual(Object.keys(row.reasons).sort(), ['net', 'processor_fee'])
  assert.equal(row.reasons.processor_fee.code, 'not_reported')
  assert.equal(row.reasons.net.code, 'depends_on_unknown')
  for (const { message } of Object.values<{ message: string }>(row.reasons)) assert.match(message, /\.$/)
  assert.deepEqual([second.event_title, second.processor_fee, second.reasons], ['Other', 175, {}])
})

test('a free registration has no fee to report; one that is known for it counts', async t => {
  const { report } = await start(t, [
    registration('a', { registration_type: 'Free', created_at: october(1) }),
    registration('b', { registration_type: 'Free', created_at: october(1), processor_fee: 12 }),
  ])
  const [row] = (await report('2026-10')).data
  assert.deepEqual([row.gross, row.service_fee, row.processor_fee, row.net], [0, 0, 12, -12])
  assert.deepEqual(row.reasons, {})
})

test('check-ins count in their own month, and for an event without anything else', async t => {
  const { report, eventId } = await start(t, [
    paid('a', { attendees: [{ checked_in_at: november(3) }, { checked_in_at: november(4) }, {}] }),
  ])
  const [before] = (await report('2026-10')).data
  assert.deepEqual([before.registrations, before.check_ins], [1, 0])
  const [row, ...more] = (await report('2026-11')).data
  assert.deepEqual(more, [])
  assert.deepEqual(
    [row.event_id, row.currency, row.registrations, row.tickets_by_type, row.gross, row.net, row.check_ins],
    [eventId, 'EUR', 0, [], 0, 0, 2],
  )
})

test('an event with nothing in the month has no row', async t => {
  const { report } = await start(t, [registration('a', { status: 'pending', created_at: october(1) })])
  assert.deepEqual((await report('2026-10')).data, [])
  const body = await report('2026-11')
  assert.deepEqual([body.data, body.complete], [[], false])
})

test('currencies are never added up: an event has a row for each that it was paid in', async t => {
  const server = await start(
    t,
    [paid('a', { attendees: [{ checked_in_at: october(7) }] })],
    [
      {
        slug: 'dollars',
        title: 'In dollars',
        currency: 'USD',
        registration_types: types,
        registrations: [paid('b', { created_at: october(2) })],
      },
    ],
  )
  // The organizer changes the currency of the event: what was paid stays paid in euros.
  await server.db.write(INSTANCE, tx =>
    tx.run("UPDATE events SET currency = 'GBP' WHERE id = $1", [server.eventId]),
  )
  const { data } = await server.report('2026-10')
  const figures = data.map((row: Record<string, unknown>) => [
    row.event_title,
    row.currency,
    row.gross,
    row.check_ins,
  ])
  assert.deepEqual(
    new Set(figures.map(String)),
    new Set(['Spring Meeting,EUR,5000,0', 'Spring Meeting,GBP,0,1', 'In dollars,USD,5000,0']),
  )
})

test('imports and check-ins of the API count at once, and those of another account never', async t => {
  const server = await start(t, [])
  const { body } = await server.client.post('/registrations', newRegistration(server, { quantity: 2 }))
  await server.client.post('/check-ins', { attendee_id: body.attendees[0].id })
  const [row] = (await server.report('2026-11')).data
  assert.deepEqual(
    [
      row.registrations,
      row.tickets_by_type.length,
      row.tickets_by_type[0].tickets,
      row.gross,
      row.service_fee,
    ],
    [1, 1, 2, 0, 0],
  )
  assert.equal(row.check_ins, 1)
  const other = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(other.account_id)
  assert.deepEqual((await stranger.get('/reports/monthly')).body.data, [])
})
