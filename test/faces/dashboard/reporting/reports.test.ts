import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import { toMonthlyCsv } from '#product/reporting/reports/monthly-csv.ts'
import { listMonths, readMonthlyReport } from '#product/reporting/reports/monthly-report.ts'
import { MonthlyReports } from '#product/reporting/reports/monthly-reports.ts'
import { totalsOf } from '#product/reporting/reports/totals.ts'
import { readCsvRows } from '#test/support/csv.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { eventually } from '#test/support/webhooks.ts'

/** Three events in two currencies; of one payment nobody knows the fee. */
async function start(t: TestContext) {
  const paid = (reference: string, changes: object = {}) =>
    registration(reference, {
      amount_total: 5000,
      processor_fee: 100,
      created_at: '2026-10-05T10:00:00Z',
      confirmed_at: '2026-10-05T10:00:00Z',
      ...changes,
    })
  const others = (currency: string, slug: string, changes: object) => ({
    ...{ slug, title: `=Event ${slug}`, currency, starts_at: '2026-12-01T09:00:00Z', status: 'published' },
    registration_types: [{ name: 'Standard', price: 5000, capacity: 10 }],
    registrations: [paid(slug, changes)],
  })
  const file = organization({
    event: { registrations: [paid('a'), paid('b', { answers: { diet: '=1+1' } })] },
    events: [others('EUR', 'unknown', { processor_fee: null }), others('JPY', 'japan', {})],
  })
  const server = await startDashboard(t, file)
  return {
    ...server,
    path: `/manage/e/${server.eventId}/reports`,
    monthly: `/manage/a/${server.accountId}/reports`,
  }
}

test('the registrations are downloaded as CSV and JSON, the same as by the API', async t => {
  const { member, path, client, eventId } = await start(t)
  const finance = await member('finance')
  const page = await finance.open(path)
  assert.equal(page.heading, 'Reports')
  assert.match(page.text, /2 tickets are sold now.*answer:diet/)
  const csv = await page.follow('Download CSV')
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(csv.headers['content-disposition'], 'attachment; filename="registrations-spring-meeting.csv"')
  const same = await client.get(`/reports/registrations?event_id=${eventId}&format=csv`)
  assert.equal(csv.html.replace(/^\ufeff/, ''), same.text.replace(/^\ufeff/, ''))
  assert.equal(readCsvRows(same.text)[1]?.['answer:diet'], "'=1+1")
  const json = await page.follow('Download JSON')
  assert.match(json.headers['content-disposition'] as string, /registrations-spring-meeting\.json/)
  assert.deepEqual(
    JSON.parse(json.html).data,
    (await client.get(`/reports/registrations?event_id=${eventId}`)).body.data,
  )
})

test('the month says per event and currency what is known, and of what is not, why', async t => {
  const { member, monthly } = await start(t)
  const owner = await member('owner')
  const page = await (await owner.open(monthly)).fill({ Month: '2026-10' }).press('Show')
  assert.equal(page.heading, 'Report of October 2026')
  assert.match(page.text, /Not everything is known/)
  const sections = [...page.document.querySelectorAll('section')].map(each =>
    (each.textContent ?? '').replace(/\s+/g, ' '),
  )
  const [euros, yen, ...events] = sections
  assert.match(euros as string, /^All 2 events in EUR.*Taken in€150\.00.*Payment feesNot known/)
  assert.match(yen as string, /^1 event in JPY.*Taken inJP¥5,000/)
  assert.doesNotMatch(page.text, /20,000|200\.00/, 'currencies are never added up')
  assert.match(page.text, /Amounts in different currencies are not added up/)
  const spring = events.find(text => text.startsWith('Spring Meeting')) as string
  assert.match(
    spring,
    /Registrations2 ?2 tickets.*Taken in€100\.00.*Service fee€3\.10.*Payment fees€2\.00.*Left over€94\.90/,
  )
  assert.match(spring, /Tickets by type ?Standard: 2/)
  const unknown = events.find(text => text.startsWith('=Event unknown')) as string
  assert.match(unknown, /Payment feesNot known ?Of one paid registration or more, nobody has said/)
  assert.match(unknown, /Left overNot known ?It takes the payment fees, which are not known/)
})

test('only the months that there are can be chosen, and another address is not found', async t => {
  const { member, monthly } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(monthly)
  assert.equal(page.heading, 'Report of November 2026')
  assert.match(page.text, /Month under way/)
  const options = [...page.document.querySelectorAll('option')].map(({ value }) => value)
  assert.deepEqual(options, ['2026-11', '2026-10'])
  for (const month of ['2026-09', '2026-12', 'nonsense', '2026-13']) {
    assert.equal((await owner.open(`${monthly}?month=${month}`)).status, 404, month)
    assert.equal((await owner.open(`${monthly}/monthly.csv?month=${month}`)).status, 404, month)
  }
})

test('the CSV of a month has a row for each event, is no formula, and leaves empty what is not known', async t => {
  const { member, monthly } = await start(t)
  const finance = await member('finance')
  const csv = await (await finance.open(`${monthly}?month=2026-10`)).follow('Download CSV')
  assert.equal(csv.headers['content-disposition'], 'attachment; filename="month-2026-10.csv"')
  const rows = readCsvRows(`\ufeff${csv.html}`)
  const of = (title: string) => rows.find(({ event_title }) => event_title === title)
  assert.equal(rows.length, 3)
  assert.equal(of('Spring Meeting')?.net, '94.90')
  assert.equal(of("'=Event japan")?.gross, '5000')
  const { processor_fee, net, not_known, tickets_by_type } = of("'=Event unknown") ?? {}
  assert.deepEqual([processor_fee, net, tickets_by_type], ['', '', 'Standard: 1'])
  assert.equal(not_known, 'processor_fee: not_reported; net: depends_on_unknown')
})

test('a member of some events sees the figures of those alone, on the page and in the file', async t => {
  const { member, monthly, eventId } = await start(t)
  const finance = await member('finance', { eventIds: [eventId] })
  const page = await finance.open(`${monthly}?month=2026-10`)
  assert.match(page.text, /Spring Meeting/)
  assert.doesNotMatch(page.text, /=Event|JPY/)
  assert.deepEqual(
    readCsvRows(`\ufeff${(await page.follow('Download CSV')).html}`).map(({ event_title }) => event_title),
    ['Spring Meeting'],
  )
})

test('who may not see reports, or belongs to another organization, gets none of them', async t => {
  const { member, path, monthly, apply } = await start(t)
  const theirs = await apply(organization({ email: 'bob@example.org' }))
  const people = [
    [await member('door'), 403],
    [await member('chair'), 403],
    [await member('reviewer'), 403],
    [await member('owner', { accountId: theirs.account_id, email: 'b@example.org' }), 404],
  ] as const
  const files = [`${path}/registrations.csv`, `${path}/registrations.json`, `${monthly}/monthly.csv`]
  for (const [reader, status] of people) {
    for (const address of [path, monthly, ...files]) {
      const answer = await reader.open(address)
      assert.equal(answer.status, status, address)
      assert.doesNotMatch(answer.html, /grace@example/)
    }
  }
})

test('a month with very much is summed up in the background, told so, and there when it is done', async t => {
  const { db, accountId, eventId, types, data, clock } = await start(t)
  const place = { data, accountId, eventId, typeId: types.Standard as string }
  await insertCrowd(place, { count: 600, createdAt: Date.parse('2026-10-10T10:00:00Z') })
  const failures: unknown[] = []
  const reports = new MonthlyReports(db, error => failures.push(error), 500)
  assert.equal(await reports.look(accountId, '2026-10', clock()), undefined)
  const done = await eventually('the sums', () => reports.look(accountId, '2026-10', clock()))
  assert.deepEqual(done?.report, await readMonthlyReport(db, accountId, '2026-10', clock()))
  // Later the report shows the stored figures until they are summed up anew.
  clock.advance(2 * MINUTE)
  assert.equal((await reports.look(accountId, '2026-10', clock()))?.at, done?.at)
  await eventually('newer sums', async () => {
    const newer = await reports.look(accountId, '2026-10', clock())
    return newer?.at === clock()
  })
  // A month with few rows is exact at once.
  assert.equal((await reports.look(accountId, '2026-11', clock()))?.at, clock())
  assert.deepEqual(failures, [])
})

test('a month that is being summed up looks again by itself, with and without the script', async t => {
  const { member, monthly, accountId, eventId, types, data } = await start(t)
  const place = { data, accountId, eventId, typeId: types.Standard as string }
  await insertCrowd(place, { count: 10_001, createdAt: Date.parse('2026-10-10T10:00:00Z') })
  const owner = await member('owner')
  const waiting = await owner.open(`${monthly}?month=2026-10`)
  assert.match(waiting.text, /Being summed up/)
  assert.match(waiting.html, /<noscript><meta http-equiv="refresh"/)
  assert.equal(waiting.document.querySelector('#figures')?.getAttribute('data-live'), '2')
  const page = await eventually('the figures', async () => {
    const now = await owner.open(`${monthly}?month=2026-10`)
    return now.text.includes('Being summed up') ? undefined : now
  })
  assert.match(page.text, /10,004/)
  assert.equal(page.document.querySelector('[data-live]'), null)
})

test('sums of several events are one a currency, and lack what one of them lacks', () => {
  const row = (currency: string, gross: number, net: number | null) => ({
    ...{ event_id: 'e', event_title: 'E', currency, registrations: 1, tickets_by_type: [], gross },
    ...{ service_fee: 0, processor_fee: net, refunds: 0, net, check_ins: 1 },
    reasons: {},
  })
  const totals = totalsOf([row('EUR', 1, 1), row('JPY', 5, 5), row('EUR', 2, null)])
  assert.deepEqual(
    totals.map(({ currency, events, gross, net, check_ins }) => [currency, events, gross, net, check_ins]),
    [
      ['EUR', 2, 3, null, 2],
      ['JPY', 1, 5, 5, 1],
    ],
  )
  const month = { object: 'monthly_report', month: '2026-10', timezone: 'UTC', complete: true } as const
  assert.match(toMonthlyCsv({ ...month, data: [] }), /^\ufeff"month","event_id",[^\n]*\r\n$/)
})

test('the months reach from the current one back to the earliest, across years', async t => {
  const { db, accountId } = await start(t)
  const months = await db.read(accountId, tx => listMonths(tx, Date.parse('2027-02-03T00:00:00Z')))
  assert.deepEqual(months, ['2027-02', '2027-01', '2026-12', '2026-11', '2026-10'])
  // The clock was set back.
  assert.deepEqual(await db.read(accountId, tx => listMonths(tx, 0)), ['1970-01'])
})

test('the reports speak Spanish', async t => {
  const { member, path, monthly } = await start(t)
  const owner = await member('owner', { language: 'es' })
  assert.match((await owner.open(path)).text, /Inscripciones.*Ahora hay 2 entradas vendidas.*Qué contiene/)
  const page = await owner.open(`${monthly}?month=2026-10`)
  assert.equal(page.heading, 'Informe de octubre de 2026')
  assert.match(
    page.text,
    /No se sabe todo.*Comisiones de pago ?No se sabe ?De una inscripción pagada o más, nadie ha dicho/,
  )
})
