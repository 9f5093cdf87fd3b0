import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { XLSX } from '#machinery/workbooks/writing.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { readSheetRows } from '#test/support/read-sheet.ts'

async function start(t: TestContext, event: object = {}) {
  const guest = (reference: string, name: string, changes: object = {}) =>
    registration(reference, {
      buyer: { name, email: `${reference}@example.org` },
      created_at: '2026-10-05T22:30:00Z',
      confirmed_at: '2026-10-05T22:31:00Z',
      ...changes,
    })
  const file = organization({
    event: {
      timezone: 'Europe/Madrid',
      registrations: [
        guest('a', 'Ada Lovelace', {
          amount_total: 4950,
          quantity: 2,
          answers: { diet: 'Vegan', zone: '=1+1' },
          attendees: [{ name: '=SUM(A1)', seat: '7' }, { name: 'Bo' }],
        }),
        guest('b', 'Eve', { registration_type: 'Free', answers: { diet: 'None' } }),
      ],
      ...event,
    },
  })
  const server = await startDashboard(t, file)
  const { db, accountId, eventId } = server
  await db.write(accountId, tx =>
    questions.create(tx, eventId, {
      ...{ key: 'diet', label: 'What do you eat?', help: null, kind: 'text', choices: [] },
      ...{ required: false, asked_for: 'order', registration_type_ids: null },
    }),
  )
  return { ...server, guests: `/manage/e/${eventId}/guests`, reports: `/manage/e/${eventId}/reports` }
}

test('guests come as a spreadsheet: names first, answers under their question, money as numbers, ids last', async t => {
  const { member, guests, db, accountId } = await start(t)
  const finance = await member('finance')
  const page = await finance.open(guests)
  assert.ok(page.links().indexOf('Download these for Excel') < page.links().indexOf('Download these as CSV'))
  const { status, headers, bytes } = await finance.download(`${guests}.xlsx`)
  assert.deepEqual(
    [status, headers['content-type'], headers['content-disposition']],
    [200, XLSX, 'attachment; filename="guests-spring-meeting.xlsx"'],
  )
  const [head = [], ...rows] = await readSheetRows(bytes)
  assert.deepEqual(head.slice(0, 3), ['Name', 'E-mail', 'Ticket type'])
  assert.deepEqual(head.slice(12, 14), ['What do you eat?', 'zone'])
  assert.deepEqual(head.slice(-3), ['Id of the ticket', 'Id of the registration', 'Id of the ticket type'])
  const records = rows.map(row => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ''])))
  const ada = records.find(({ Seat }) => Seat === '7')
  assert.deepEqual(
    [ada?.Name, ada?.Buyer, ada?.['Ticket type'], ada?.Status],
    ['=SUM(A1)', 'Ada Lovelace', 'Standard', 'Confirmed'],
  )
  // The clocks of Madrid are two hours ahead of UTC on that day, and so on the next one.
  assert.deepEqual(
    [ada?.Registered, ada?.Confirmed, ada?.Cancelled],
    ['2026-10-06 00:30', '2026-10-06 00:31', ''],
  )
  assert.deepEqual([ada?.['What do you eat?'], ada?.zone], ['Vegan', '=1+1'])
  assert.deepEqual(
    [ada?.['Tickets together'], ada?.['Charged together'], ada?.Currency],
    ['2', '49.5', 'EUR'],
  )
  assert.deepEqual(records.map(({ Name }) => Name).sort(), ['=SUM(A1)', 'Bo', 'Eve'])
  const ids = await db.read(accountId, tx => tx.all<{ id: string }>('SELECT id FROM attendees ORDER BY id'))
  assert.deepEqual(
    records.map(each => each['Id of the ticket']).sort(),
    ids.map(({ id }) => id),
  )
})

test('the spreadsheet has those whom the list is narrowed to, in the words of its reader', async t => {
  const { member, guests } = await start(t)
  const owner = await member('owner', { language: 'es' })
  const page = await owner.open(`${guests}?q=eve`)
  const link = [...page.document.querySelectorAll('a')].find(a => /para Excel/.test(a.textContent ?? ''))
  const { bytes } = await owner.download(link?.getAttribute('href') ?? '')
  const [head = [], ...rows] = await readSheetRows(bytes)
  assert.deepEqual(head.slice(0, 3), ['Nombre', 'Correo', 'Tipo de entrada'])
  assert.deepEqual(
    rows.map(([name]) => name),
    ['Eve'],
  )
  assert.equal((await owner.download(`${guests}.xlsx?state=unheard-of`)).status, 404)
})

test('the spreadsheet is for those who may see the guests', async t => {
  const { member, guests, reports, visitor, eventId } = await start(t)
  const [chair, reviewer] = [await member('chair'), await member('reviewer')]
  const door = await member('door', { eventIds: [eventId] })
  for (const [reader, path] of [
    [chair, `${guests}.xlsx`],
    [chair, `${reports}/registrations.xlsx`],
    [reviewer, `${guests}.xlsx`],
    [reviewer, `${reports}/registrations.xlsx`],
    [door, `${reports}/registrations.xlsx`],
    [visitor(), `${guests}.xlsx`],
  ] as const) {
    const { headers, bytes } = await reader.download(path)
    assert.doesNotMatch(String(headers['content-type']), /spreadsheet/)
    assert.notEqual(bytes.subarray(0, 2).toString(), 'PK')
  }
})

test('the report of registrations is a spreadsheet first, and CSV and JSON as before', async t => {
  const { member, reports, client, eventId } = await start(t)
  const finance = await member('finance')
  const page = await finance.open(reports)
  assert.deepEqual(
    page.links().filter(link => /^Download/.test(link)),
    ['Download for Excel', 'Download CSV', 'Download JSON'],
  )
  const { headers, bytes } = await finance.download(`${reports}/registrations.xlsx`)
  assert.equal(headers['content-disposition'], 'attachment; filename="registrations-spring-meeting.xlsx"')
  const rows = await readSheetRows(bytes)
  // The oldest registration comes first, as in the report.
  assert.deepEqual(
    rows.map(([name]) => name),
    ['Name', '=SUM(A1)', 'Bo', 'Eve'],
  )
  const csv = await finance.download(`${reports}/registrations.csv`)
  const api = await client.get(`/reports/registrations?event_id=${eventId}&format=csv`)
  assert.equal(csv.bytes.toString().replace('\ufeff', ''), String(api.text).replace('\ufeff', ''))
})

test('a currency without cents has none in the spreadsheet', async t => {
  const { member, guests } = await start(t, {
    currency: 'JPY',
    registrations: [registration('a', { amount_total: 4950 })],
  })
  const { bytes } = await (await member('owner')).download(`${guests}.xlsx`)
  const [head = [], row = []] = await readSheetRows(bytes)
  assert.equal(row[head.indexOf('Charged together')], '4950')
})
