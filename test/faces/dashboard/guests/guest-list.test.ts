import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as attendees from '#product/guests/attendees/rules.ts'
import { gatherTickets } from '#product/guests/registrations/gathered-tickets.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { insertCrowd } from '#test/support/reports.ts'

const guest = (reference: string, changes: object = {}) =>
  registration(reference, {
    registration_type: 'Free',
    buyer: { name: reference, email: `${reference.toLowerCase()}@example.org` },
    ...changes,
  })

/** Zoe has three tickets, one for herself, one for Bea and one for Émile; Adam has paid for a ticket; Kim is cancelled. */
async function start(t: TestContext) {
  const file = organization({
    event: {
      registrations: [
        guest('Adam', {
          registration_type: 'Standard',
          ...{ amount_total: 5000, created_at: '2026-10-03T10:00:00Z' },
        }),
        guest('Zoe', {
          created_at: '2026-10-02T10:00:00Z',
          attendees: [
            { name: 'Zoe' },
            { name: 'Bea', email: 'bea@example.org', checked_in_at: '2026-11-21T10:00:00Z' },
            { name: 'Émile', checked_in_at: '2026-11-21T11:00:00Z' },
          ],
        }),
        guest('Kim', { created_at: '2026-10-01T10:00:00Z', status: 'cancelled' }),
      ],
    },
  })
  const dashboard = await startDashboard(t, file)
  const { accountId, applied, db, eventId, member } = dashboard
  const list = `/manage/e/${eventId}/guests`
  const ids = applied.events['spring-meeting']?.registrations as Record<string, string>
  const mailTo = async (...names: string[]) => {
    const { attendees: tickets } = await db.read(accountId, tx => registrations.get(tx, ids.Zoe as string))
    const some = tickets.filter(({ name }) => names.includes(name ?? ''))
    await db.write(accountId, tx =>
      attendees.noteMailed(
        tx,
        some.map(({ id }) => id),
      ),
    )
  }
  return { ...dashboard, manager: await member('manager'), list, ids, mailTo }
}

/** Returns the cells of the rows, without the boxes. */
const cellsOf = ({ document }: ReadPage) =>
  [...document.querySelectorAll('tbody tr')].map(row =>
    [...row.querySelectorAll('td:not(.pick), th')].map(cell => (cell.textContent ?? '').trim()),
  )
const namesOf = ({ document }: ReadPage) =>
  [...document.querySelectorAll('tbody tr th a')].map(({ textContent }) => textContent ?? undefined)

test('the list has a row for each ticket: name with e-mail and the buyer if another, type, state, what was paid, and when', async t => {
  const { manager, list } = await start(t)
  const page = await manager.open(list)
  assert.deepEqual(
    [...page.document.querySelectorAll('thead th:not(.pick)')].map(({ textContent }) => textContent),
    ['Name', 'Ticket type', 'State', 'Paid', 'Registered'],
  )
  assert.deepEqual(
    cellsOf(page).map(cells => cells.slice(0, 4).map(cell => cell.replace(/\s+/g, ' '))),
    [
      ['Adamadam@example.org', 'Standard', 'Not here yet', '€50.00'],
      ['Zoezoe@example.org', 'Free', 'Not here yet', ''],
      ['Beabea@example.orgBought by Zoe', 'Free', 'Checked in 21 Nov, 11:00', ''],
      ['Émilezoe@example.orgBought by Zoe', 'Free', 'Checked in 21 Nov, 12:00', ''],
      ['Kimkim@example.org', 'Free', 'Cancelled', ''],
    ],
  )
  // A box ticks a whole registration, so each registration has one.
  assert.equal(page.document.querySelectorAll('tbody input[name=id]').length, 3)
  assert.equal((await page.follow('Bea')).heading, 'Zoe')
})

test('of one name and e-mail twice in a registration, each row says which ticket it is; the tabs say what they count', async t => {
  const twice = guest('Twin', { attendees: [{ name: 'Twin' }, { name: 'Twin' }, { name: 'Other' }] })
  const { member, eventId } = await startDashboard(
    t,
    organization({ event: { registrations: [twice, guest('Alone')] } }),
  )
  const manager = await member('manager')
  const page = await manager.open(`/manage/e/${eventId}/guests`)
  assert.deepEqual(
    cellsOf(page)
      .map(([name]) => name)
      .sort(),
    [
      'Alonealone@example.org',
      'Othertwin@example.orgBought by Twin',
      'Twintwin@example.org · ticket 1 of 3',
      'Twintwin@example.org · ticket 2 of 3',
    ],
  )
  assert.match(page.text, /All 2.*These numbers count registrations/)
  assert.doesNotMatch((await manager.open(`/manage/e/${eventId}/guests?q=alone`)).text, /These numbers count/)
})

test('the list is sorted by name, type, check-in or date, in each state and search, over all of its pages', async t => {
  const { manager, list, data, accountId, eventId, types } = await start(t)
  const page = await manager.open(list)
  assert.deepEqual(namesOf(await page.follow('Name')), ['Adam', 'Bea', 'Émile', 'Kim', 'Zoe'])
  assert.deepEqual(namesOf(await page.follow('Ticket type')), ['Adam', 'Bea', 'Émile', 'Kim', 'Zoe'])
  const byCheckIn = await page.follow('Last checked in')
  assert.deepEqual(namesOf(byCheckIn).slice(0, 2), ['Émile', 'Bea'])
  assert.deepEqual(namesOf(await byCheckIn.follow('Newest first')), ['Adam', 'Zoe', 'Bea', 'Émile', 'Kim'])
  assert.deepEqual(namesOf(await manager.open(`${list}?sort=name&state=confirmed`)), [
    'Adam',
    'Bea',
    'Émile',
    'Zoe',
  ])
  assert.deepEqual(namesOf(await manager.open(`${list}?sort=name&q=zoe`)), ['Bea', 'Émile', 'Zoe'].slice(2))
  assert.deepEqual(namesOf(await manager.open(`${list}?sort=nothing`)), [
    'Adam',
    'Zoe',
    'Bea',
    'Émile',
    'Kim',
  ])
  await insertCrowd({ data, accountId, eventId, typeId: types.Free as string }, { count: 70 })
  const seen: (string | undefined)[] = []
  let next = await manager.open(`${list}?sort=name`)
  for (;;) {
    seen.push(...namesOf(next))
    if (!next.links().includes('Next')) break
    next = await next.follow('Next')
  }
  assert.equal(seen.length, 75)
  assert.deepEqual(
    [...seen].sort((one, other) => (one ?? '').localeCompare(other ?? '', 'en')),
    seen,
  )
  const cursor = new URL(next.path, 'http://x').searchParams.get('after')
  assert.equal((await manager.open(`${list}?sort=type&after=${cursor}`)).status, 400)
})

test('the list is narrowed to tickets that were sent or were not; what is chosen, cancelled and downloaded follows', async t => {
  const { manager, list, mailTo } = await start(t)
  await mailTo('Bea')
  assert.deepEqual(namesOf(await manager.open(`${list}?sent=yes`)), ['Bea'])
  const open = await (await manager.open(list)).fill({ 'Mail with the ticket': 'no' }).press('Apply')
  assert.deepEqual(namesOf(open), ['Adam', 'Zoe', 'Émile'])
  assert.match(open.text, /Mail with the ticket: Not sent yet/)
  await mailTo('Zoe', 'Bea', 'Émile')
  assert.deepEqual(namesOf(await manager.open(`${list}?sent=no`)), ['Adam'])
  const send = await (await manager.open(`${list}?sent=no`)).fill({ Which: 'all' }).press('Send tickets…')
  assert.equal(send.heading, 'Send 1 ticket?')
  assert.equal((await manager.open(`${list}/cancel?scope=all&sent=yes`)).heading, 'Cancel 1 registration?')
  const csv = await manager.open(`${list}.csv?sent=yes`)
  assert.equal(csv.html.trimEnd().split('\r\n').length, 1 + 3)
  assert.equal((await manager.open(`${list}?sent=maybe`)).rows().length, 0)
})

test('more tickets than can be sorted stand newest first, and the page says so', async t => {
  const { db, accountId, eventId, manager, list, data, types } = await start(t)
  const typeIds = [types.Standard, types.Free] as string[]
  const gather = (most: number) =>
    gatherTickets(db, accountId, { event_id: eventId }, { sort: 'name', typeIds }, most)
  const all = await gather(5)
  assert.deepEqual([all.tickets.length, all.isMore, all.counts.all.count], [5, false, 3])
  const few = await gather(4)
  assert.deepEqual([few.tickets.length, few.isMore], [4, true])
  await insertCrowd({ data, accountId, eventId, typeId: types.Free as string }, { count: 201, tickets: 100 })
  const page = await manager.open(`${list}?sort=name`)
  assert.match(page.text, /more than 20,000 tickets, so the newest come first/)
  assert.deepEqual(namesOf(page).slice(0, 2), ['Adam', 'Zoe'])
})
