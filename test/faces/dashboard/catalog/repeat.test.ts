import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { seller } from '#test/support/people/organizer.ts'

/** The event begins on Tuesday, 1 December 2026, at 10:00 in Madrid. */
async function startRepeating(t: Parameters<typeof startDashboard>[0]) {
  const server = await startDashboard(t, organization({ event: { status: 'draft' } }))
  const { db, accountId, eventId, member } = server
  await db.write(accountId, tx => accounts.update(tx, seller))
  const manager = await member('manager')
  const all = async () => db.read(accountId, tx => events.listAll(tx))
  const logged = (action: string) =>
    db.read(INSTANCE, tx =>
      tx.all<{ details: string }>(
        'SELECT details FROM access_log WHERE action = $1 ORDER BY created_at, id',
        [action],
      ),
    )
  const start = async () => (await manager.open(`/manage/e/${eventId}`)).follow('Repeat…')
  return { ...server, manager, all, logged, start }
}

test('each date is shown before it is made, one can be left out, and the rest become drafts, once', async t => {
  const { all, start, logged } = await startRepeating(t)
  const form = await start()
  assert.match(form.text, /Nothing|Each date becomes an event of its own/)
  const page = await form
    .fill({
      Monday: true,
      Thursday: true,
      'Times of day': '10:00, 18:30',
      From: '2027-01-01',
      Until: '2027-01-12',
    })
    .press('Show the dates')
  assert.equal((await all()).length, 1)
  for (const shown of [
    'Monday, 4 January 2027, 10:00',
    'Thursday, 7 January 2027, 18:30',
    'Monday, 11 January 2027, 18:30',
  ])
    assert.ok(page.text.includes(shown), shown)
  assert.ok(!page.text.includes('14 January'))
  page.fill({ 'Monday, 4 January 2027, 10:00': false, 'Name of the series': 'Winter talks' })
  const [made] = [await page.press('Make the drafts'), await page.press('Make the drafts')]
  assert.match(made.messages.join(), /“Winter talks” has 5 new drafts/)
  const slugs = (await all()).map(({ slug }) => slug)
  assert.equal(slugs.length, 6)
  assert.ok(slugs.includes('winter-talks-2027-01-04') && slugs.includes('winter-talks-2027-01-07-1830'))
  assert.ok((await all()).every(({ status }) => status === 'draft'))
  assert.deepEqual(
    (await logged('event.repeat')).map(({ details }) => JSON.parse(details).dates),
    [5],
  )
})

test('what cannot be is said by name beside the rest, and what is asked wrongly where it stands', async t => {
  const { all, start } = await startRepeating(t)
  const nothing = await (await start()).press('Show the dates')
  assert.match(nothing.messages.join(), /Choose days of the week with a first and a last day, or paste dates/)
  const wrong = await nothing
    .fill({
      Monday: true,
      'Times of day': '10',
      From: '2027-01-05',
      Until: '2027-01-04',
      'On dates of your own': 'soon',
    })
    .press('Show the dates')
  const said = wrong.messages.join('\n')
  assert.match(said, /A time of day is written like 9:00/)
  assert.match(said, /The last day is before the first/)
  assert.match(said, /Line 1 is no date: soon/)
  const many = await (await start())
    .fill({ Monday: true, 'Times of day': '10:00', From: '2027-01-01', Until: '2037-01-01' })
    .press('Show the dates')
  assert.match(many.messages.join(), /at most 200 can be made at once/)
  const pasted =
    '2027-02-29 10:00\n2027-03-28 02:30\n2026-01-01 10:00\n1.3.2027 9:00\n1.3.2027 9:00\n31.10.2027 2:30'
  const page = await (await start()).fill({ 'On dates of your own': pasted }).press('Show the dates')
  for (const shown of [
    'Left out: 4 dates',
    '2027-02-29, 10:00: there is no such day',
    '2027-03-28, 02:30: the clocks skip this time on that day',
    '2026-01-01, 10:00: it is past',
    '2027-03-01, 09:00: it comes twice',
    'Sunday, 31 October 2027, 02:30 (the clocks show this time twice: the first counts)',
  ])
    assert.ok(page.text.includes(shown), `${shown} in ${page.text}`)
  const back = await page.press('Change the dates')
  assert.equal(back.field('On dates of your own').value, pasted)
  assert.equal((await all()).length, 1)
  await page.press('Make the drafts')
  assert.equal((await all()).length, 3)
  const again = await (await start())
    .fill({ 'On dates of your own': '2027-03-01 9:00' })
    .press('Show the dates')
  assert.match(again.text, /the series has this date already/)
  assert.match(again.text, /None of these dates can be made/)
})

test('each page of a date of a series says which it is and its head leads to all dates; another event has its name alone', async t => {
  const { all, start, manager, eventId } = await startRepeating(t)
  const overview = await manager.open(`/manage/e/${eventId}`)
  assert.match(overview.text, /Draft21 – 22 Nov 2026/)
  assert.ok(!overview.text.includes('All dates'))
  const dates = await (await start())
    .fill({ 'On dates of your own': '2027-03-01 10:00 18:30' })
    .press('Show the dates')
  const made = await dates.fill({ 'Name of the series': 'Talks' }).press('Make the drafts')
  assert.ok(made.text.includes('Mon, 1 Mar 2027, 18:30'))
  const late = (await all()).find(({ slug }) => slug.endsWith('1830'))
  const guests = await manager.open(`/manage/e/${late?.id}/guests`)
  assert.match(guests.text, /Spring Meeting\s*Mon, 1 Mar 2027, 18:30/)
  assert.match(guests.document.title, /Spring Meeting · Mon, 1 Mar 2027, 18:30/)
  const head = await manager.open(`/manage/e/${late?.id}`)
  assert.equal((await head.follow('All dates')).heading, 'Talks')
})

test('all drafts to come are published at once, or none; the page of the series says what there is', async t => {
  const { all, start, logged, accountId, eventId, db, member } = await startRepeating(t)
  const dates = await (await start())
    .fill({ 'On dates of your own': '2027-03-01\n2027-03-02\n2027-03-03' })
    .press('Show the dates')
  const page = await dates.press('Make the drafts')
  assert.match(page.text, /4 dates/)
  const ask = await page.follow('Publish 4 drafts')
  assert.match(ask.text, /4 drafts are published/)
  await db.write(accountId, tx => accounts.update(tx, { slug: null } as never))
  const refused = await ask.press('Publish 4 drafts')
  assert.ok(
    (await all()).every(({ status }) => status === 'draft'),
    refused.text,
  )
  await db.write(accountId, tx => accounts.update(tx, { slug: 'ada' }))
  const published = await (await page.follow('Publish 4 drafts')).press('Publish 4 drafts')
  assert.match(published.messages.join(), /4 dates are published/)
  assert.ok((await all()).every(({ status }) => status === 'published'))
  assert.equal((await logged('series.publish')).length, 2)
  assert.ok(!published.links().includes('Publish'))
  const renamed = await (await published.follow('Name and link'))
    .fill({ 'Name of the series': 'Talks', 'Link name': 'talks' })
    .press('Save')
  assert.match(renamed.messages.join(), /“Talks” is saved/)
  assert.ok(!renamed.text.includes(eventId))
  const log = await (await member('owner', { email: 'owner@example.org' })).open(`/manage/a/${accountId}/log`)
  assert.match(log.rows().join('\n'), /Published the drafts of a series Talks/)
  const names = [...log.document.querySelectorAll<HTMLAnchorElement>('tbody th a')]
  assert.ok(
    names.some(a => a.textContent === 'Talks' && a.pathname === new URL(renamed.path, 'http://x').pathname),
  )
})

test('nobody else repeats an event or sees the dates of another: members of some events, and other accounts', async t => {
  const { start, member, eventId, accountId, all, apply } = await startRepeating(t)
  const made = await (
    await (await start()).fill({ 'On dates of your own': '2027-03-01\n2027-03-02' }).press('Show the dates')
  ).press('Make the drafts')
  const some = await member('manager', { email: 'some@example.org', eventIds: [eventId] })
  const { path } = made
  for (const refused of [
    `/manage/e/${eventId}/repeat`,
    `/manage/e/${eventId}/repeat/dates`,
    `${path}/publish`,
    `${path}/name`,
  ])
    assert.equal((await some.open(refused)).status, 403, refused)
  assert.match((await some.open(path)).text, /1 date\b/)
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  const stranger = await member('owner', { accountId: other })
  assert.equal((await stranger.open(path)).status, 404)
  assert.equal((await stranger.open(path.replace(accountId, other))).status, 404)
  assert.equal((await all()).length, 3)
})

test('200 pasted dates travel in forms, not in addresses: nothing is written before they are made, and no log has them', async t => {
  const { all, start, db, log, eventId } = await startRepeating(t)
  const counts = () =>
    db.read(INSTANCE, async tx => {
      const count = async (table: string) =>
        (await tx.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n
      return {
        events: await count('events'),
        log: await count('access_log'),
        forms: await count('form_receipts'),
      }
    })
  const before = await counts()
  const line = (at: number) => new Date(Date.UTC(2027, 0, 1 + at)).toISOString().slice(0, 10)
  // Each line is as long as lines are that somebody has copied from a table.
  const pasted = Array.from({ length: 200 }, (_, at) => `${line(at)}${' '.repeat(60)}10:00`).join('\r\n')
  const page = await (await start()).fill({ 'On dates of your own': pasted }).press('Show the dates')
  assert.equal(page.path, `/manage/e/${eventId}/repeat`)
  assert.equal(page.document.querySelectorAll('input[name="dates"]').length, 200)
  const again = await (await page.press('Change the dates')).press('Show the dates')
  assert.deepEqual(await counts(), before)
  assert.doesNotMatch(again.html, /(href|action)="[^"]*2027-/)
  const made = await again.press('Make the drafts')
  assert.match(made.messages.join(), /has 200 new drafts/)
  assert.equal((await all()).length, 201)
  assert.doesNotMatch(JSON.stringify(log), /pasted|2027-01-02/)
})

test('the addresses between lead to the form by themselves, and a form without dates makes nothing', async t => {
  const { all, manager, eventId } = await startRepeating(t)
  for (const path of ['dates', 'change']) {
    const page = await manager.open(`/manage/e/${eventId}/repeat/${path}`)
    assert.equal(page.path, `/manage/e/${eventId}/repeat`)
  }
  for (const fields of [
    {},
    { dates: '2027-03-01T10:00' },
    { pasted: '2027-03-01', dates: 'x', every: '0' },
  ]) {
    const page = await manager.post(`/manage/e/${eventId}/repeat/dates`, fields as Record<string, string>)
    assert.notEqual(page.status, 200, JSON.stringify(fields))
  }
  assert.equal((await all()).length, 1)
})
