import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readState } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

interface Dates {
  starts_at?: string | null
  ends_at?: string | null
  timezone?: string
  valid_from?: string | null
  valid_until?: string | null
}

/** Starts a server whose event has these dates, and checks in new tickets at any instant. */
async function startWithDates(t: TestContext, { valid_from, valid_until, ...dates }: Dates) {
  const type = {
    name: 'Standard',
    price: 0,
    capacity: 100,
    valid_from: valid_from ?? null,
    valid_until: valid_until ?? null,
  }
  const server = await startSubscribed(
    t,
    organization({ event: { starts_at: null, ends_at: null, ...dates, registration_types: [type] } }),
  )
  const { body } = await server.client.post('/registrations', newRegistration(server, { quantity: 10 }))
  const tickets = body.attendees as { id: string }[]
  return {
    ...server,
    scanAt: (instant: string) => {
      server.clock.set(instant)
      return server.client.post('/check-ins', { attendee_id: tickets.pop()?.id })
    },
  }
}

const windows: [what: string, dates: Dates, from: string | null, until: string | null][] = [
  [
    'the days of the event in its own time zone, to 06:00 of the next morning',
    { starts_at: '2026-12-01T09:00:00Z', ends_at: '2026-12-02T18:00:00Z', timezone: 'Europe/Madrid' },
    '2026-11-30T23:00:00.000Z',
    '2026-12-03T05:00:00.000Z',
  ],
  [
    'the local day of an event, though it is another day in UTC',
    { starts_at: '2026-12-01T02:00:00Z', ends_at: '2026-12-01T05:30:00Z', timezone: 'America/Los_Angeles' },
    '2026-11-30T08:00:00.000Z',
    '2026-12-01T14:00:00.000Z',
  ],
  [
    'one day where the event has no end',
    { starts_at: '2026-12-01T23:30:00Z', timezone: 'Asia/Kolkata' },
    '2026-12-01T18:30:00.000Z',
    '2026-12-03T00:30:00.000Z',
  ],
  [
    'days that end after the clocks went back in the night',
    { starts_at: '2026-12-24T18:00:00Z', ends_at: '2027-10-30T20:00:00Z', timezone: 'Europe/Madrid' },
    '2026-12-23T23:00:00.000Z',
    '2027-10-31T05:00:00.000Z',
  ],
  [
    'days that end after the clocks went forward in the night',
    { starts_at: '2027-03-27T08:00:00Z', ends_at: '2027-03-27T20:00:00Z', timezone: 'Europe/Madrid' },
    '2027-03-26T23:00:00.000Z',
    '2027-03-28T04:00:00.000Z',
  ],
  [
    'a day that has no midnight, for the clocks went forward at it',
    { starts_at: '2027-04-30T10:00:00Z', timezone: 'Africa/Cairo' },
    '2027-04-29T22:00:00.000Z',
    '2027-05-01T03:00:00.000Z',
  ],
  [
    'the instants of the type exactly, whatever the days of the event',
    {
      starts_at: '2026-12-01T09:00:00Z',
      ends_at: '2026-12-09T18:00:00Z',
      timezone: 'Europe/Madrid',
      valid_from: '2026-12-03T10:15:00.123Z',
      valid_until: '2026-12-20T12:00:00.456Z',
    },
    '2026-12-03T10:15:00.123Z',
    '2026-12-20T12:00:00.456Z',
  ],
  [
    'the start of the type and the days of the event after it',
    { starts_at: '2026-12-01T09:00:00Z', timezone: 'Europe/Madrid', valid_from: '2026-12-01T15:00:00Z' },
    '2026-12-01T15:00:00.000Z',
    '2026-12-02T05:00:00.000Z',
  ],
  [
    'the days of the event up to the end of the type',
    { starts_at: '2026-12-01T09:00:00Z', timezone: 'Europe/Madrid', valid_until: '2026-12-01T15:00:00Z' },
    '2026-11-30T23:00:00.000Z',
    '2026-12-01T15:00:00.000Z',
  ],
  [
    'from an instant of the type on, without any end',
    { valid_from: '2026-12-01T15:00:00Z' },
    '2026-12-01T15:00:00.000Z',
    null,
  ],
  [
    'up to an instant of the type, without any start',
    { valid_until: '2026-12-01T15:00:00Z' },
    null,
    '2026-12-01T15:00:00.000Z',
  ],
]

const shift = (instant: string, milliseconds: number) =>
  new Date(Date.parse(instant) + milliseconds).toISOString()

for (const [what, dates, from, until] of windows) {
  test(`a ticket is valid for ${what}`, async t => {
    const { scanAt, db } = await startWithDates(t, dates)
    const refuse = async (instant: string) => {
      const before = await readState(db)
      const { status, body } = await scanAt(instant)
      assert.deepEqual(
        [status, body.error?.type, body.error?.code],
        [422, 'invalid_request_error', 'not_valid_today'],
      )
      assert.deepEqual(body.error.details, { valid_from: from, valid_until: until }, instant)
      assert.deepEqual(await readState(db), before)
    }
    if (from !== null) {
      await refuse(shift(from, -1))
      assert.equal((await scanAt(from)).status, 201)
    }
    if (until !== null) {
      const last = await scanAt(shift(until, -1))
      assert.equal(last.status, 201)
      assert.equal(last.body.checked_in_at, shift(until, -1))
      await refuse(until)
    }
  })
}

test('a ticket is always valid where neither the event nor the type has dates', async t => {
  const { scanAt } = await startWithDates(t, {})
  for (const instant of ['2026-11-21T12:00:00Z', '2040-01-01T00:00:00Z', '2099-12-31T23:59:59Z']) {
    assert.equal((await scanAt(instant)).status, 201)
  }
})

test('a check-in before the event, or long after it, is refused', async t => {
  const { scanAt } = await startWithDates(t, { starts_at: '2027-06-01T09:00:00Z', timezone: 'Europe/Madrid' })
  for (const instant of ['2026-11-22T00:00:00Z', '2027-12-01T12:00:00Z']) {
    assert.equal((await scanAt(instant)).body.error.code, 'not_valid_today')
  }
})
