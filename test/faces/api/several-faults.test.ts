import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readState } from '#test/support/observations.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { startSubscribed } from '#test/support/webhooks.ts'

const GRACE = { name: 'Grace', email: 'grace@example.org' }

test('everything that is wrong with a body is told at once, in the order of its fields, one fault of each', async t => {
  const server = await startSubscribed(t)
  const before = await readState(server.db)
  const { status, body } = await server.client.post('/registrations', {
    event_id: 'spring',
    buyer: { name: ' ', mail: 'grace@example.org', phone: '1' },
    quantity: 0,
    attendees: [GRACE, { name: 7, seat: 's'.repeat(51) }, null, { ...GRACE, row: 1 }],
    answers: { diet: 1 },
    language: 'de',
    quantiy: 2,
    langauge: 'en',
  })
  assert.equal(status, 400)
  const { code, param, message, details } = body.error
  assert.deepEqual(
    [code, param, message],
    ['invalid_parameter', 'event_id', 'event_id must be a UUID.'],
    'the first is told where it always was',
  )
  assert.deepEqual(details, {
    issues: [
      { param: 'event_id', message: 'event_id must be a UUID.' },
      { param: 'registration_type_id', message: 'registration_type_id is required.' },
      { param: 'buyer.name', message: 'buyer.name must not be white space alone.' },
      { param: 'buyer.email', message: 'buyer.email is required.' },
      { param: 'buyer.mail', message: 'buyer.mail is not known (did you mean email?).' },
      { param: 'buyer.phone', message: 'buyer.phone is not known.' },
      { param: 'quantity', message: 'quantity must be an integer from 1 to 100.' },
      { param: 'attendees.1.name', message: 'attendees.1.name must be a string.' },
      { param: 'attendees.1.seat', message: 'attendees.1.seat must have 0 to 50 characters.' },
      { param: 'attendees.2', message: 'attendees.2 must be an object.' },
      { param: 'attendees.3.row', message: 'attendees.3.row is not known.' },
      {
        param: 'answers',
        message: 'answers must have strings of at most 5000 well-formed characters as values.',
      },
      { param: 'language', message: "language must be 'en' or 'es'." },
      { param: 'quantiy', message: 'quantiy is not known.' },
      { param: 'langauge', message: 'langauge is not known.' },
    ],
  })
  assert.deepEqual(await readState(server.db), before)
})

test('one fault alone is told in the same place, of the whole body without a param', async t => {
  const server = await startWithOrganization(t)
  const ask = async (body: unknown) => (await server.client.post('/check-ins', body)).body.error
  const one = await ask({ attendee_id: 'grace' })
  assert.deepEqual(one.details.issues, [{ param: 'attendee_id', message: 'attendee_id must be a UUID.' }])
  const both = { message: 'Send exactly one of qr_code and attendee_id.' }
  assert.deepEqual((await ask({})).details.issues, [both])
  assert.deepEqual((await ask([])).details.issues, [{ message: 'The body must be an object.' }])
  const unknown = await ask({ scanner: 1 })
  assert.equal(unknown.code, 'unknown_parameter')
  assert.deepEqual(unknown.details.issues, [{ param: 'scanner', message: 'scanner is not known.' }])
})

test('everything that is wrong with a query is told at once: what is repeated first, and once', async t => {
  const { client } = await startWithOrganization(t)
  const { status, body } = await client.get(
    '/registrations?status=paid&limit=0&colour=red&limit=2&limit=3&event_id=1&size=7&size=8',
  )
  assert.deepEqual(
    [status, body.error.param, body.error.message],
    [400, 'limit', 'limit must not be repeated.'],
  )
  assert.deepEqual(body.error.details.issues, [
    { param: 'limit', message: 'limit must not be repeated.' },
    { param: 'size', message: 'size must not be repeated.' },
    { param: 'event_id', message: 'event_id must be a UUID.' },
    { param: 'status', message: 'status must be one of pending, confirmed, failed, refunded, cancelled.' },
    { param: 'colour', message: 'colour is not known.' },
  ])
  const write = await client.post('/check-ins?a=1&b=2', {})
  assert.equal(write.body.error.code, 'unknown_parameter')
  assert.deepEqual(
    write.body.error.details.issues.map(({ param }: { param: string }) => param),
    ['a', 'b'],
  )
})

test('at most 20 faults are told, and no more than these are looked for', async t => {
  const server = await startWithOrganization(t)
  const marks = 'e\u0301\u0316'.repeat(260)
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))
  const bodies: Record<string, [object, first: string, normalized: number]> = {
    'a hundred names to be normalized': [
      newRegistration(server, { attendees: Array(100).fill({ name: marks }) }),
      'attendees.0.name',
      21,
    ],
    'a hundred attendees with a hundred unknown fields': [
      newRegistration(server, { attendees: Array(95).fill({ ...GRACE, ...keys(100) }) }),
      'attendees.0.k0',
      2,
    ],
    'thousands of unknown fields': [{ ...newRegistration(server), ...keys(9000) }, 'k0', 1],
  }
  for (const [what, [body, first, most]] of Object.entries(bodies)) {
    const normalize = t.mock.method(String.prototype, 'normalize')
    const { error } = (await server.client.post('/registrations', body)).body
    assert.equal(error.param, first, what)
    assert.equal(error.details.issues.length, 20, what)
    const calls = normalize.mock.callCount()
    normalize.mock.restore()
    assert.ok(calls <= most, `${what}: ${calls} names were normalized`)
  }
  const query = Array.from({ length: 1000 }, (_, at) => `p${at}=1&p${at}=2`).join('&')
  const repeated = await server.client.get(`/events?${query}`)
  assert.equal(repeated.body.error.details.issues.length, 20)
})

test('a rule that refuses a value tells of it in the same place', async t => {
  const { client } = await startWithOrganization(t)
  const future = await client.get('/reports/monthly?month=2099-01')
  assert.deepEqual(future.body.error.details.issues, [{ param: 'month', message: 'month is in the future.' }])
  const values = await client.post('/check-ins', `[${'0,'.repeat(10_000)}0]`)
  assert.deepEqual(values.body.error.details.issues, [{ message: 'The body has more than 10,000 values.' }])
})
