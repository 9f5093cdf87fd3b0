import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readCsvRows } from '#test/support/csv.ts'
import { organization, registration } from '#test/support/organization.ts'
import { FIXED_COLUMNS } from '#test/support/reports.ts'
import { newRegistration, UNKNOWN_ID, withoutRequestId } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

type Row = Record<string, unknown>

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`

async function start(t: TestContext, registrations: object[] = [], events: object[] = []) {
  const server = await startWithOrganization(t, organization({ event: { registrations }, events }))
  const path = `/reports/registrations?event_id=${server.eventId}`
  const rows = async (): Promise<Row[]> => (await server.client.get(path)).body.data
  return { ...server, path, rows }
}

test('the report has one row an attendee, with every column in its order', async t => {
  const server = await start(t, [
    registration('r', {
      quantity: 2,
      amount_total: 9000,
      processor_fee: 200,
      buyer: { name: 'Grace', email: 'Grace@Example.org' },
      created_at: at(1),
      confirmed_at: at(2),
      answers: { diet: 'vegan', age: '' },
      attendees: [
        { name: 'Ann', email: 'ann@example.org', seat: 'A1', checked_in_at: at(3) },
        { name: null, email: null, seat: null },
      ],
    }),
  ])
  const read = (await server.client.get('/registrations')).body.data[0]
  const { status, body } = await server.client.get(server.path)
  assert.equal(status, 200)
  const columns = [...FIXED_COLUMNS, 'answer:age', 'answer:diet']
  const common = {
    registration_id: read.id,
    status: 'confirmed',
    source: 'checkout',
    event_id: server.eventId,
    registration_type_id: server.types.Standard,
    registration_type_name: 'Standard',
    buyer_name: 'Grace',
    buyer_email: 'Grace@Example.org',
    quantity: 2,
    amount_subtotal: 10000,
    amount_total: 9000,
    currency: 'EUR',
    created_at: at(1),
    confirmed_at: at(2),
    cancelled_at: null,
    'answer:age': '',
    'answer:diet': 'vegan',
  }
  assert.deepEqual(body, {
    object: 'registration_report',
    event_id: server.eventId,
    generated_at: '2026-11-21T12:00:00.000Z',
    columns,
    data: [
      {
        ...common,
        attendee_id: read.attendees[0].id,
        attendee_name: 'Ann',
        attendee_email: 'ann@example.org',
        seat: 'A1',
        checked_in: true,
        checked_in_at: at(3),
        voided: false,
      },
      {
        ...common,
        attendee_id: read.attendees[1].id,
        attendee_name: null,
        attendee_email: null,
        seat: null,
        checked_in: false,
        checked_in_at: null,
        voided: false,
      },
    ],
  })
  for (const row of body.data) assert.deepEqual(Object.keys(row), columns)
})

test('json is the default, and both formats have the same rows; null is an empty cell', async t => {
  const server = await start(t, [
    registration('a', { answers: { diet: 'vegan' }, quantity: 2 }),
    registration('b', { status: 'cancelled', answers: { 'shirt size': 'XL' } }),
  ])
  const plain = await server.client.get(server.path)
  const json = await server.client.get(`${server.path}&format=json`)
  assert.equal(json.text, plain.text)
  const csv = readCsvRows((await server.client.get(`${server.path}&format=csv`)).text)
  const expected = json.body.data.map((row: Row) =>
    Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, String(cell ?? '')])),
  )
  assert.deepEqual(csv, expected)
  assert.deepEqual(Object.keys(csv[0] ?? {}), json.body.columns)
  assert.deepEqual([csv[0]?.checked_in, csv[0]?.seat, csv[2]?.voided], ['false', '', 'true'])
})

test('registrations of every state are in it, oldest first, with what became of their tickets', async t => {
  const paid = { amount_total: 5000 }
  const { rows } = await start(t, [
    registration('3', { status: 'refunded', ...paid, refunded_at: at(9), created_at: at(3) }),
    registration('1', { status: 'confirmed', created_at: at(1) }),
    registration('5', { status: 'failed', ...paid, created_at: at(5) }),
    registration('2', { status: 'cancelled', cancelled_at: at(8), created_at: at(2) }),
    registration('4', { status: 'pending', ...paid, created_at: at(4) }),
  ])
  assert.deepEqual(
    (await rows()).map(row => [row.status, row.created_at, row.confirmed_at, row.cancelled_at, row.voided]),
    [
      ['confirmed', at(1), at(1), null, false],
      ['cancelled', at(2), at(2), at(8), true],
      ['refunded', at(3), at(3), null, true],
      ['pending', at(4), null, null, false],
      ['failed', at(5), null, null, true],
    ],
  )
})

test('the attendees of a registration stand together, in their order, however many they are', async t => {
  const server = await start(t)
  const expected: string[] = []
  for (let group = 0; group < 8; group++) {
    const quantity = group % 2 === 0 ? 1 : 12
    const attendees = Array.from({ length: quantity }, (_, place) => ({ name: `${group}.${99 - place}` }))
    expected.push(...attendees.map(({ name }) => name))
    assert.equal(
      (await server.client.post('/registrations', newRegistration(server, { attendees }))).status,
      201,
    )
  }
  assert.deepEqual(
    (await server.rows()).map(row => row.attendee_name),
    expected,
  )
})

test('the next report shows the changes of the API: an import, a check-in, a cancel', async t => {
  const server = await start(t)
  assert.deepEqual(await server.rows(), [])
  const { body } = await server.client.post(
    '/registrations',
    newRegistration(server, { answers: { diet: '' } }),
  )
  server.clock.advance(1000)
  await server.client.post('/check-ins', { attendee_id: body.attendees[0].id })
  server.clock.advance(1000)
  await server.client.post(`/registrations/${body.id}/cancel`)
  const [row, ...more] = await server.rows()
  assert.deepEqual(more, [])
  assert.deepEqual(
    [row?.status, row?.source, row?.voided, row?.checked_in, row?.checked_in_at, row?.cancelled_at],
    ['cancelled', 'api', true, true, '2026-11-21T12:00:01.000Z', '2026-11-21T12:00:02.000Z'],
  )
  assert.equal(row?.['answer:diet'], '')
})

test('a registration that a file dates into the future is in it, and one made when the clock was ahead', async t => {
  const server = await start(t, [registration('later', { created_at: '2027-06-01T10:00:00Z' })])
  await server.client.post('/registrations', newRegistration(server))
  server.clock.set('2026-11-21T11:00:00Z')
  assert.deepEqual(
    (await server.rows()).map(row => row.created_at),
    ['2026-11-21T12:00:00.000Z', '2027-06-01T10:00:00.000Z'],
  )
})

test('answers of any key are columns in the order of their keys, `__proto__` and `constructor` too', async t => {
  const server = await start(t)
  const keys = [
    'b',
    '__proto__',
    'constructor',
    'a',
    'Z',
    '10',
    '9',
    'é',
    'with "quotes", and\r\nlines',
    '=1+1',
  ]
  for (const key of keys) {
    const answers = Object.fromEntries([[key, `to ${key}`]])
    const made = await server.client.post('/registrations', newRegistration(server, { answers }))
    assert.equal(made.status, 201, key)
  }
  const { body } = await server.client.get(server.path)
  const columns = [...keys].sort().map(key => `answer:${key}`)
  assert.deepEqual(body.columns, [...FIXED_COLUMNS, ...columns])
  for (const [number, key] of keys.entries()) {
    const row = body.data[number]
    assert.deepEqual(Object.keys(row), body.columns)
    for (const column of columns) {
      assert.equal(row[column], column === `answer:${key}` ? `to ${key}` : null, `${key}, ${column}`)
    }
  }
  const rows = readCsvRows((await server.client.get(`${server.path}&format=csv`)).text)
  assert.deepEqual(Object.keys(rows[0] ?? {}), body.columns)
  assert.deepEqual(
    rows.map((row, number) => row[`answer:${keys[number]}`]),
    keys.map(key => (key === '=1+1' ? 'to =1+1' : `to ${key}`)),
  )
})

test('an event without registrations has a report without rows', async t => {
  const { client, path } = await start(t)
  const { body } = await client.get(path)
  assert.deepEqual([body.columns, body.data], [FIXED_COLUMNS, []])
  const csv = await client.get(`${path}&format=csv`)
  assert.equal(csv.text, `\ufeff${FIXED_COLUMNS.map(column => `"${column}"`).join(',')}\r\n`)
})

test('only the event is in it, also beside others of the account', async t => {
  const other = {
    slug: 'other',
    title: 'Other',
    registration_types: [{ name: 'Standard', price: 100, capacity: 9 }],
    registrations: [registration('x', { answers: { secret: 'of the other' } })],
  }
  const server = await start(t, [registration('a')], [other])
  const { text, body } = await server.client.get(server.path)
  assert.equal(body.data.length, 1)
  assert.ok(!text.includes('secret'))
})

test('an unknown event, or one of another account, is one and the same 404', async t => {
  const server = await start(t, [registration('a')])
  const { account_id } = await server.apply(organization({ email: 'bob@example.org' }))
  const stranger = await server.clientOf(account_id)
  for (const format of ['json', 'csv']) {
    const unknown = await stranger.get(`/reports/registrations?event_id=${UNKNOWN_ID}&format=${format}`)
    assert.deepEqual(
      [unknown.status, unknown.body.error.code, unknown.body.error.param],
      [404, 'not_found', 'event_id'],
    )
    const foreign = await stranger.get(`${server.path}&format=${format}`)
    assert.equal(foreign.status, 404)
    assert.equal(withoutRequestId(foreign), withoutRequestId(unknown))
  }
})

test('a missing, unknown or malformed query parameter is a 400 that names it', async t => {
  const { client, path, eventId } = await start(t)
  const refused: [string, string, string][] = [
    ['/reports/registrations', 'event_id', 'invalid_parameter'],
    ['/reports/registrations?event_id=', 'event_id', 'invalid_parameter'],
    ['/reports/registrations?event_id=spring-meeting', 'event_id', 'invalid_parameter'],
    [`${path}&event_id=${eventId}`, 'event_id', 'invalid_parameter'],
    [`${path}&format=`, 'format', 'invalid_parameter'],
    [`${path}&format=CSV`, 'format', 'invalid_parameter'],
    [`${path}&format=xlsx`, 'format', 'invalid_parameter'],
    [`${path}&limit=10`, 'limit', 'unknown_parameter'],
    [`${path}&status=confirmed`, 'status', 'unknown_parameter'],
  ]
  for (const [query, param, code] of refused) {
    const { status, body } = await client.get(query)
    assert.deepEqual([status, body.error.code, body.error.param], [400, code, param], query)
  }
  assert.equal((await client.get(`/reports/registrations?event_id=${eventId.toUpperCase()}`)).status, 200)
})

test('reports ask for a key with reports:read, within its limit', async t => {
  const { anonymous, applied, clientOf, path } = await start(t)
  const reader = await clientOf(applied.account_id, { scopes: ['registrations:read', 'events:read'] })
  for (const report of [path, `${path}&format=csv`, '/reports/monthly']) {
    assert.equal((await anonymous.get(report)).status, 401)
    assert.equal((await reader.get(report)).status, 403)
    const limited = await clientOf(applied.account_id, { scopes: ['reports:read'], rateLimit: 1 })
    assert.equal((await limited.get(report)).status, 200)
    assert.equal((await limited.get(report)).status, 429)
  }
})
