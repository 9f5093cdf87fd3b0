import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '#base/log.ts'
import { daysOf } from '#faces/dashboard/selling/sales.tsx'
import * as events from '#product/catalog/events/rules.ts'
import { FigureCounter } from '#product/reporting/figures/counter.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration } from '#test/support/requests.ts'

const paid = {
  registrations: [
    // In Madrid it is the nineteenth already.
    registration('a', { quantity: 2, amount_total: 10_000, created_at: '2026-11-18T23:30:00Z' }),
    registration('b', { amount_total: 5_000, created_at: '2026-11-20T10:00:00Z' }),
  ],
}

test('the overview shows tickets by day, as a picture and as a table, what was charged, and who is in', async t => {
  const server = await startDashboard(t, organization({ event: paid }))
  const { member, client, eventId } = server
  const made = await client.post('/registrations', newRegistration(server))
  await client.post('/check-ins', { attendee_id: made.body.attendees[0].id })
  const page = await (await member('finance')).open(`/manage/e/${eventId}`)
  assert.match(page.text, /Tickets sold4 of 200/)
  // The ticket of the API was not charged.
  assert.match(page.text, /Sales€150\.00 ?Before fees and refunds/)
  assert.match(page.text, /Checked in1 of 4/)
  const chart = page.document.querySelector('svg[role=img]')
  assert.equal(
    chart?.getAttribute('aria-label'),
    'Tickets by day from 19 Nov 2026 to 21 Nov 2026. Most: 2 tickets on 19 Nov 2026',
  )
  assert.deepEqual(
    [...(chart?.querySelectorAll('rect title') ?? [])].map(each => each.textContent),
    ['19 Nov 2026: 2 tickets', '20 Nov 2026: 1 ticket', '21 Nov 2026: 1 ticket'],
  )
  const rows = [...page.document.querySelectorAll('details tbody tr')].map(row => row.textContent)
  assert.deepEqual(rows, ['21 Nov 20261', '20 Nov 20261', '19 Nov 20262'])
  assert.match(page.rows().join('\n'), /Standard4 of 1001€50\.00/)
  assert.doesNotMatch(page.html, /style=/)
})

test('types that share a pool are counted as far as the pool goes: on the overview, in the tickets and in the list of events', async t => {
  const { member, eventId, accountId } = await startDashboard(
    t,
    organization({
      event: {
        registration_types: ['Standard', 'Member', 'Workshop'].map(name => ({
          name,
          price: 0,
          capacity: 120,
        })),
        pools: [{ name: 'Hall', capacity: 110, registration_types: ['Standard', 'Member'] }],
      },
    }),
  )
  const owner = await member('owner')
  const overview = await owner.open(`/manage/e/${eventId}`)
  assert.match(overview.text, /Tickets sold0 of 230/)
  const tickets = await owner.open(`/manage/e/${eventId}/tickets`)
  for (const page of [overview, tickets]) {
    const rows = page.rows().join('\n')
    assert.match(rows, /Standard0 of 110/)
    assert.match(rows, /Workshop0 of 120/)
  }
  assert.match((await owner.open(`/manage/a/${accountId}`)).rows()[0] ?? '', /0 of 230/)
})

test('tables of types say which are extras: on the overview, in the tickets, at the desk and with the doors', async t => {
  const registration_types = [
    { name: 'Standard', price: 0, capacity: 10 },
    { name: 'Dinner', kind: 'extra', price: 0, capacity: 10 },
  ]
  const { member, eventId, client } = await startDashboard(t, organization({ event: { registration_types } }))
  const owner = await member('owner')
  const made = await owner.open(`/manage/e/${eventId}/doors/new`)
  await made.fill({ Door: 'North' }).press('Add, and show its code')
  await client.get('/events')
  for (const path of ['', '/tickets', '/check-in', '/doors']) {
    const rows = (await owner.open(`/manage/e/${eventId}${path}`)).rows()
    assert.ok(
      rows.some(row => /^Dinner · An extra/.test(row)),
      `${path}: ${rows.join(' | ')}`,
    )
    assert.ok(
      rows.some(row => /^Standard\d/.test(row)),
      path,
    )
  }
})

test('where nothing was charged there is no money, and whoever does not read reports sees none', async t => {
  const free = await startDashboard(t)
  await free.client.post('/registrations', newRegistration(free))
  const owner = await free.member('owner')
  assert.doesNotMatch((await owner.open(`/manage/e/${free.eventId}`)).text, /Before fees/)
  assert.doesNotMatch((await owner.open(`/manage/a/${free.accountId}`)).text, /Before fees/)
  const charged = await startDashboard(t, organization({ event: paid }))
  for (const role of ['door', 'chair', 'reviewer'] as const) {
    const reader = await charged.member(role)
    for (const path of [`/manage/e/${charged.eventId}`, `/manage/a/${charged.accountId}`]) {
      const page = await reader.open(path)
      assert.equal(page.status, 200)
      assert.doesNotMatch(page.text, /Before fees|150\.00/, `${role} ${path}`)
    }
  }
})

test('a large event shows what was counted in the background, and of when; before that, that it is being counted', async t => {
  const server = await startDashboard(
    t,
    organization({ event: { registration_types: [{ name: 'Standard', price: 0, capacity: 100_000 }] } }),
  )
  const { member, data, accountId, eventId, types, db, clock } = server
  await insertCrowd({ data, accountId, eventId, typeId: types.Standard as string }, { count: 20_001 })
  const owner = await member('owner')
  const before = await owner.open(`/manage/e/${eventId}`)
  assert.match(before.text, /Tickets sold20,001 of 1,000,000/)
  assert.match(before.text, /Being counted: it takes some minutes/)
  assert.doesNotMatch(before.text, /Tickets by day/)
  assert.match((await owner.open(`/manage/a/${accountId}`)).rows()[0] ?? '', /…20,001 of 1,000,000/)
  const log = openLog('silent', { write: () => {} })
  await new FigureCounter({ db, clock, log, monotonic: clock }).look()
  const after = await owner.open(`/manage/e/${eventId}`)
  assert.match(after.text, /Sales and check-ins as of 21 Nov 2026, \d\d:\d\d: a large event/)
  assert.match(after.text, /Most: 20,001 tickets on 1 Oct 2026/)
  assert.match((await owner.open(`/manage/a/${accountId}`)).rows()[0] ?? '', /0 at 21 Nov, \d\d:\d\d20,001/)
})

test('the picture has a bar for each of sixty days at most, until today or until the last sale', () => {
  const sale = (day: string) => ({ day, registrations: 1, tickets: 2, amounts: {} })
  assert.deepEqual(daysOf([], '2026-11-21'), [])
  const gap = daysOf([sale('2026-03-28'), sale('2026-03-30')], '2026-03-31')
  // The clocks change in between.
  assert.deepEqual(
    gap.map(({ day, tickets }) => [day.slice(-2), tickets]),
    [
      ['28', 2],
      ['29', 0],
      ['30', 2],
      ['31', 0],
    ],
  )
  const long = daysOf([sale('2026-01-01'), sale('2026-11-01')], '2026-11-21')
  assert.deepEqual([long.length, long[0]?.day, long.at(-1)?.day], [60, '2026-09-23', '2026-11-21'])
  const old = daysOf([sale('2025-01-01'), sale('2025-01-03')], '2026-11-21')
  assert.deepEqual([old.length, old.at(-1)?.day], [3, '2025-01-03'])
  // The sale is of a clock that is ahead.
  assert.equal(daysOf([sale('2026-11-22')], '2026-11-21').length, 1)
})

test('the description is Markdown on the overview, and is previewed in the settings before it is saved', async t => {
  const server = await startDashboard(t)
  const { member, eventId, db, accountId, clock } = server
  const reader = await member('manager')
  const settings = `/manage/e/${eventId}/settings/page`
  const form = await reader.open(settings)
  assert.doesNotMatch(form.text, /as people see it/)
  const typed = '## Hello\n\n**bold** <script>alert(1)</script> [x](javascript:alert(1))'
  const preview = await form.fill({ Description: typed, City: 'New city' }).press('Preview')
  assert.equal(preview.status, 200)
  const shown = preview.document.querySelector('.prose')
  assert.equal(shown?.querySelector('strong')?.textContent, 'bold')
  assert.equal(shown?.querySelectorAll('script, a').length, 0)
  assert.equal(preview.field('Description').value, typed)
  const saved = () => db.read(accountId, tx => events.getDetails(tx, eventId))
  assert.equal((await saved()).description, null, 'a preview saves nothing')
  // Somebody else saves meanwhile: the preview has kept what the form was shown with.
  const other = await member('owner')
  await (await other.open(settings)).fill({ Venue: 'Theirs' }).press('Save')
  await preview.press('Save')
  const { description, city, venue } = await saved()
  assert.deepEqual([description, city, venue], [typed, 'New city', 'Theirs'])
  const overview = await reader.open(`/manage/e/${eventId}`)
  assert.equal(overview.document.querySelector('.prose h3')?.textContent, 'Hello')
  assert.equal((await reader.open(`${settings}/preview`)).path, settings)
  const finance = await member('finance')
  assert.equal((await finance.post(`${settings}/preview`, { title: 'X' })).status, 403)
  // A session that ends before the preview loses nothing of what was typed.
  const late = await reader.open(settings)
  clock.advance(13 * 60 * 60 * 1000)
  const signInPage = await late.fill({ Description: 'Kept' }).press('Preview')
  assert.equal(signInPage.status, 401)
})

test('a published event without guests leads to what comes next, whoever may do it, until somebody has a ticket', async t => {
  const server = await startDashboard(t)
  const path = `/manage/e/${server.eventId}`
  const manager = await server.member('manager')
  assert.match((await manager.open(path)).text, /What comes next.*guest list.*Import.*Check-in/)
  const spanish = await server.member('owner', { language: 'es' })
  assert.match((await spanish.open(path)).text, /Y ahora.*lista de asistentes.*Importar/)
  for (const role of ['door', 'finance', 'chair', 'reviewer'] as const) {
    assert.doesNotMatch((await (await server.member(role)).open(path)).text, /What comes next/, role)
  }
  await server.client.post('/registrations', newRegistration(server))
  assert.doesNotMatch((await manager.open(path)).text, /What comes next/)
})
