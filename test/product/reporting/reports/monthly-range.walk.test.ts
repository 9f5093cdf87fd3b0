import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { monthOf, monthRange } from '#base/time.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

const HOUR = 3_600_000

async function start(t: TestContext, registrations: object[], timezone = 'Europe/Madrid') {
  const file = organization({ event: { registrations } })
  file.account.timezone = timezone
  const server = await startWithOrganization(t, file)
  /** How many registrations, refunds and check-ins a month has. */
  const counts = async (month: string) => {
    const { status, body } = await server.client.get(`/reports/monthly?month=${month}`)
    assert.equal(status, 200, month)
    const [row] = body.data
    return row === undefined ? [0, 0, 0] : [row.registrations, row.refunds, row.check_ins]
  }
  return { ...server, counts }
}

/** Makes a registration that was confirmed, refunded and checked in at the same instant. */
function atOnce(instant: string) {
  return registration(instant, {
    status: 'refunded',
    amount_total: 1,
    processor_fee: 0,
    created_at: instant,
    refunded_at: instant,
    attendees: [{ checked_in_at: instant }],
  })
}

test('23:30 UTC of the last day is in the next month in Madrid, in summer and in winter time', async t => {
  const { counts } = await start(t, [
    // On 29 March and on 25 October the clocks change: the months begin and end with different offsets.
    atOnce('2026-02-28T22:59:59.999Z'),
    atOnce('2026-02-28T23:30:00.000Z'),
    atOnce('2026-03-31T21:59:59.999Z'),
    atOnce('2026-03-31T22:00:00.000Z'),
    atOnce('2026-03-31T23:30:00.000Z'),
    atOnce('2026-09-30T22:00:00.000Z'),
    atOnce('2026-10-31T22:30:00.000Z'),
    atOnce('2026-10-31T22:59:59.999Z'),
    atOnce('2026-10-31T23:00:00.000Z'),
    atOnce('2026-10-31T23:30:00.000Z'),
  ])
  assert.deepEqual(await counts('2026-02'), [1, 1, 1])
  assert.deepEqual(await counts('2026-03'), [2, 2, 2])
  assert.deepEqual(await counts('2026-04'), [2, 2, 2])
  assert.deepEqual(await counts('2026-09'), [0, 0, 0])
  assert.deepEqual(await counts('2026-10'), [3, 3, 3])
  assert.deepEqual(await counts('2026-11'), [2, 2, 2])
})

test('23:30 UTC is in the same month where the clocks are behind', async t => {
  const { counts } = await start(
    t,
    [
      atOnce('2026-10-31T23:30:00.000Z'),
      atOnce('2026-11-01T03:59:59.999Z'),
      atOnce('2026-11-01T04:00:00.000Z'),
    ],
    'America/New_York',
  )
  assert.deepEqual(await counts('2026-10'), [2, 2, 2])
  assert.deepEqual(await counts('2026-11'), [1, 1, 1])
})

test('the hour between two midnights of one day counts once', async t => {
  // In Havana the clocks go back from 1:00 to 0:00 on 1 November 2026.
  const { counts } = await start(
    t,
    [
      atOnce('2026-11-01T03:59:59.999Z'),
      atOnce('2026-11-01T04:30:00.000Z'),
      atOnce('2026-11-01T05:30:00.000Z'),
    ],
    'America/Havana',
  )
  assert.deepEqual(await counts('2026-10'), [1, 1, 1])
  assert.deepEqual(await counts('2026-11'), [2, 2, 2])
})

test('each month begins exactly where the one before ends, in every time zone', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    let end: number | undefined
    for (const year of [2011, 2017, 2026]) {
      end = undefined
      for (let month = 1; month <= 12; month++) {
        const name = `${year}-${String(month).padStart(2, '0')}`
        const [from, to] = monthRange(name, zone)
        if (end !== undefined) assert.equal(from, end, `${zone} ${name}`)
        assert.deepEqual([monthOf(from, zone), monthOf(from + HOUR, zone)], [name, name], `${zone} ${name}`)
        assert.notEqual(monthOf(from - HOUR, zone), name, `${zone} ${name}`)
        end = to
      }
    }
  }
})

test('the current month is the default, by the calendar of the account, and is not complete', async t => {
  const { client, clock } = await start(t, [])
  const read = async () => (await client.get('/reports/monthly')).body
  assert.deepEqual(await read(), {
    object: 'monthly_report',
    month: '2026-11',
    timezone: 'Europe/Madrid',
    complete: false,
    data: [],
  })
  clock.set('2026-11-30T22:59:59.999Z')
  assert.deepEqual((await client.get('/reports/monthly?month=2026-11')).body, await read())
  clock.set('2026-11-30T23:00:00.000Z')
  assert.equal((await read()).month, '2026-12')
  assert.equal((await client.get('/reports/monthly?month=2026-11')).body.complete, true)
})

test('a month that has not begun is a 400', async t => {
  const { client, clock } = await start(t, [])
  for (const month of ['2026-12', '2027-01', '9999-12']) {
    const { status, body } = await client.get(`/reports/monthly?month=${month}`)
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_parameter', 'month'], month)
  }
  clock.set('2026-11-30T23:00:00.000Z')
  assert.equal((await client.get('/reports/monthly?month=2026-12')).status, 200)
})

test('a month before the earliest event or registration is a 404, the current one never', async t => {
  const { client } = await start(t, [
    registration('a', { created_at: '2026-08-31T22:00:00Z', confirmed_at: '2026-07-31T22:30:00Z' }),
    registration('b', { created_at: '2026-09-15T10:00:00Z' }),
  ])
  const statusOf = async (month: string) => (await client.get(`/reports/monthly?month=${month}`)).status
  const refused = await client.get('/reports/monthly?month=2026-07')
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.body.error.param],
    [404, 'not_found', 'month'],
  )
  assert.deepEqual(
    [
      await statusOf('2026-08'),
      await statusOf('2026-09'),
      await statusOf('2026-10'),
      await statusOf('0001-01'),
    ],
    [200, 200, 200, 404],
  )
})

test('without any registration, the month of the earliest event is the first', async t => {
  const { client, clock } = await start(t, [])
  const statusOf = async (month: string) => (await client.get(`/reports/monthly?month=${month}`)).status
  assert.deepEqual([await statusOf('2026-10'), await statusOf('2026-11')], [404, 200])
  clock.set('2026-10-15T12:00:00Z')
  assert.equal(await statusOf('2026-10'), 200)
})

test('a month of another form, or a parameter that the report does not have, is a 400', async t => {
  const { client } = await start(t, [])
  for (const month of [
    '',
    '2026',
    '2026-13',
    '2026-00',
    '2026-1',
    '26-11',
    '2026-11-01',
    '2026/11',
    '2026-11%0A',
  ]) {
    const { status, body } = await client.get(`/reports/monthly?month=${month}`)
    assert.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_parameter', 'month'], month)
  }
  const twice = await client.get('/reports/monthly?month=2026-11&month=2026-11')
  assert.deepEqual([twice.status, twice.body.error.param], [400, 'month'])
  const unknown = await client.get('/reports/monthly?event_id=1')
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'unknown_parameter'])
})

test('an account without anything has a current month', async t => {
  const server = await start(t, [])
  const { account_id } = await server.apply({ account: { name: 'Bob', email: 'bob@example.org' } })
  const client = await server.clientOf(account_id)
  const { body } = await client.get('/reports/monthly')
  assert.deepEqual([body.timezone, body.data], ['UTC', []])
  assert.equal((await client.get('/reports/monthly?month=2026-10')).status, 404)
})
