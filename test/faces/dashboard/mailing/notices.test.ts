import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { findUnnotified } from '#product/catalog/events/date-place.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { NewOrder } from '#product/selling/orders/place.ts'
import { readCsv } from '#test/support/csv.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'
import { calendarIn, orderFree, startTicketMail, subjectsOf, type Ticket } from '#test/support/ticket-mail.ts'

const lin = registration('lin', {
  registration_type: 'Free',
  buyer: { name: 'Lin', email: 'lin@example.org' },
})

/** Starts with an event that Grace has ordered tickets of for herself and Bob, and that Lin was imported to. */
async function start(t: TestContext) {
  const file = organization({
    event: { starts_at: '2026-11-27T09:00:00Z', ends_at: '2026-11-27T17:00:00Z', registrations: [lin] },
  })
  const dashboard = await startDashboard(t, file)
  const { db, accountId, eventId, clock, types, member } = dashboard
  const mail = await startTicketMail(t, db, clock)
  const order = (buyer: string, tickets?: Ticket[], changes?: Partial<NewOrder>) =>
    orderFree(db, { accountId, eventId, typeId: types.Free as string }, buyer, tickets, changes)
  await order('Grace', [
    ['Grace', null],
    ['Bob', 'bob@example.org'],
  ])
  await mail.take()
  const manager = await member('manager')
  /** Waits for the end of the job whose page this is. */
  const end = (path: string) =>
    onceSettled(dashboard, 'jobs', 'the end of the job', async () => {
      const page = await manager.open(path)
      return /Done/.test(page.text) && page
    })
  const path = `/manage/e/${eventId}`
  return { ...dashboard, mail, order, manager, end, path }
}

const NOTE = /Date or place have changed, and those who registered have not been told/

test('after a change of date and place the organizer is asked, and each is told once of what was and what is', async t => {
  const { manager, path, mail, end, db, accountId, eventId, order } = await start(t)
  const waiting = await db.write(accountId, tx =>
    tx.run('UPDATE events SET requires_approval = 1 WHERE id = $1', [eventId]),
  )
  assert.equal(waiting, 1)
  await order('Wes', [['Will', 'will@example.org']], { language: 'es' })
  await mail.take()
  const form = await manager.open(`${path}/settings`)
  assert.doesNotMatch(form.text, NOTE)
  const moved = await form.fill({ Starts: '2026-11-28T11:00', Ends: '2026-11-28T20:00' }).press('Save')
  assert.match(moved.text, NOTE)
  const page = await manager.open(`${path}/settings/page`)
  const saved = await page.fill({ Venue: 'New <b>Hall</b>' }).press('Save')
  assert.match(saved.text, NOTE)
  assert.match((await manager.open(path)).text, NOTE)
  assert.deepEqual(await mail.take(), [])
  const confirmation = await saved.follow('Tell those who registered…')
  assert.match(
    confirmation.text,
    /28 Nov 2026, 11:00 – 20:00 \(Europe\/Madrid\)\s*before: 27 Nov 2026, 10:00 – 18:00/,
  )
  assert.match(confirmation.text, /4 people have registered or hold a ticket/)
  const sending = await confirmation.press('Send the mails')
  const ended = await end(sending.path)
  assert.match(ended.text, /4 of 4/)
  const mails = await mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['bob@example.org', 'Changed: Spring Meeting'],
    ['grace@example.org', 'Changed: Spring Meeting'],
    ['lin@example.org', 'Changed: Spring Meeting'],
    ['wes@example.org', 'Cambios: Spring Meeting'],
  ])
  const [bob, , , wes] = mails
  const lines = [
    'When: 28 Nov 2026, 11:00 – 20:00 (Europe/Madrid)',
    'before: 27 Nov 2026, 10:00 – 18:00 (Europe/Madrid)',
    '',
    'Where: New <b>Hall</b>, Madrid',
    'before: Main Hall, Madrid',
  ]
  assert.ok(bob?.parsed.text?.includes(lines.join('\n')), bob?.parsed.text)
  assert.doesNotMatch(String(bob?.parsed.html), /<b>Hall/)
  const { header: _, organizer: __, ...calendar } = (bob && calendarIn(bob)) ?? {}
  assert.deepEqual(calendar, {
    ...{ method: 'PUBLISH', status: 'CONFIRMED', uid: eventId, sequence: 2 },
    ...{ starts: '2026-11-28T10:00:00Z', place: 'New <b>Hall</b>, Madrid' },
  })
  assert.equal(wes && calendarIn(wes), undefined)
  assert.doesNotMatch((await manager.open(path)).text, NOTE)
  assert.equal((await manager.open(`${path}/tell`)).status, 404)
  assert.deepEqual(await mail.take(), [])
})

test('a change that is taken back, or that nobody needs to know, asks no more; nor does one of anything else', async t => {
  const { manager, path, mail, db, accountId, eventId } = await start(t)
  const save = async (what: Record<string, string>, page = 'settings/page') =>
    (await manager.open(`${path}/${page}`)).fill(what).press('Save')
  assert.doesNotMatch((await save({ Name: 'Spring Meeting!' }, 'settings')).text, NOTE)
  assert.match((await save({ Venue: 'Mian Hall' })).text, NOTE)
  assert.match((await save({ Venue: 'Other Hall' })).text, NOTE)
  assert.doesNotMatch((await save({ Venue: 'Main Hall' })).text, NOTE)
  assert.match((await save({ 'Online link': 'https://meet.example/room' })).text, NOTE)
  const done = await (await manager.open(`${path}/tell`)).press('Nobody needs to know')
  assert.deepEqual(done.messages, ['Nobody is told of that change.'])
  assert.equal(await db.read(accountId, tx => findUnnotified(tx, eventId)), undefined)
  assert.deepEqual(await mail.take(), [])
})

test('whoever cancels an event tells all who have a ticket, unless the tick is taken away; it leaves their calendars', async t => {
  for (const isNotified of [true, false]) {
    const { manager, path, mail, end, db } = await start(t)
    const confirmation = await manager.open(`${path}/cancel`)
    assert.match(confirmation.text, /3 people have registered or hold a ticket/)
    const ticked = isNotified ? confirmation : confirmation.fill({ 'Tell those who registered': false })
    const done = await ticked.press('Cancel the event')
    assert.match(done.messages.join(), / is cancelled/)
    if (!isNotified) {
      assert.deepEqual(await db.read(INSTANCE, tx => tx.all('SELECT id FROM jobs')), [])
      assert.deepEqual(await mail.take(), [])
      continue
    }
    await end(done.path)
    const mails = await mail.take()
    assert.deepEqual(subjectsOf(mails), [
      ['bob@example.org', 'Cancelled: Spring Meeting'],
      ['grace@example.org', 'Cancelled: Spring Meeting'],
      ['lin@example.org', 'Cancelled: Spring Meeting'],
    ])
    for (const each of mails) {
      const { method, status, sequence } = calendarIn(each) ?? {}
      assert.deepEqual([method, status, sequence], ['CANCEL', 'CANCELLED', 1])
      assert.equal(each.parsed.headers.get('auto-submitted'), 'auto-generated')
    }
  }
})

test('an event that two cancel at the same time is told of once', async t => {
  const { manager, path, mail, end, db } = await start(t)
  const [one, other] = [await manager.open(`${path}/cancel`), await manager.open(`${path}/cancel`)]
  await end((await one.press('Cancel the event')).path)
  const again = await other.press('Cancel the event')
  assert.match(again.messages.join(), / is cancelled/)
  assert.equal((await db.read(INSTANCE, tx => tx.all('SELECT id FROM jobs'))).length, 1)
  assert.equal((await mail.take()).length, 3)
})

test('whoever cancels a registration of an order tells its people, unless the tick is taken away', async t => {
  const { manager, path, mail, db } = await start(t)
  const [grace] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>('SELECT id FROM registrations WHERE order_id IS NOT NULL'),
  )
  const confirmation = await manager.open(`${path}/guests/${grace?.id}/cancel`)
  assert.equal(confirmation.field('Tell the guest by mail').checked, true)
  await confirmation.press('Cancel the registration')
  assert.deepEqual(subjectsOf(await mail.take()), [
    ['bob@example.org', 'Your ticket for Spring Meeting is cancelled'],
    ['grace@example.org', 'Cancelled: Spring Meeting'],
  ])
  const [imported] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>('SELECT id FROM registrations WHERE order_id IS NULL'),
  )
  const other = await manager.open(`${path}/guests/${imported?.id}/cancel`)
  assert.equal(other.field('Tell the guest by mail').checked, false)
  await other.press('Cancel the registration')
  assert.deepEqual(await mail.take(), [])
})

test('the texts are changed with their placeholders, and shown with real data; an unknown one is refused', async t => {
  const { manager, path } = await start(t)
  for (const kind of [
    'reminder',
    'event_changed',
    'event_cancelled',
    'order_cancelled',
    'ticket_cancelled',
  ]) {
    const form = await manager.open(`${path}/messages/texts/${kind}.en`)
    assert.match(form.text, /With the newest that fits/, kind)
    const wrong = await form.fill({ Subject: 'X {nothing}' }).press('Save')
    assert.equal(wrong.status, 400, kind)
    assert.match(wrong.text, /nothing to fill in for \{nothing\}/, kind)
    const saved = await wrong.fill({ Subject: 'X {name} {event} {when}' }).press('Save')
    assert.match(saved.text, /X Grace Spring Meeting 27 Nov 2026, 10:00/, kind)
    const back = await (await saved.follow('Restore the standard text…')).press('Restore the standard text')
    assert.equal(back.status, 200)
  }
})

test('those who may not write to guests are asked nothing, and can send nothing; other accounts find nothing', async t => {
  const { manager, member, path, mail, apply, eventId } = await start(t)
  await (await manager.open(`${path}/settings/page`)).fill({ Venue: 'New Hall' }).press('Save')
  const other = await apply(organization({ email: 'other@example.org' }))
  const foreign = await member('manager', { email: 'eve@example.org', accountId: other.account_id })
  assert.equal((await foreign.open(`/manage/e/${eventId}/tell`)).status, 404)
  for (const role of ['finance', 'door', 'chair', 'reviewer'] as const) {
    const reader = await member(role)
    assert.doesNotMatch((await reader.open(path)).text, NOTE)
    assert.equal((await reader.open(`${path}/tell`)).status, 403)
    await reader.post(`${path}/tell`)
    await reader.post(`${path}/tell/nobody`)
  }
  assert.match((await manager.open(path)).text, NOTE)
  assert.deepEqual(await mail.take(), [])
  const spanish = await member('manager', { email: 'sol@example.org', language: 'es' })
  const confirmation = await spanish.open(`${path}/tell`)
  assert.equal(confirmation.heading, '¿Avisar a quienes están inscritos?')
  assert.match(confirmation.text, /3 personas se han inscrito o tienen una entrada/)
})

test('guests come as a file with the address of each good ticket, for those who may write to them; the plain file has none', async t => {
  const { manager, member, path, db, accountId, eventId, app } = await start(t)
  const read = async (file: string) => {
    const { status, html } = await manager.open(`${path}/${file}.csv`)
    assert.equal(status, 200)
    return readCsv(`\ufeff${html.replace('\ufeff', '')}`)
  }
  const plain = await read('guests')
  const linked = await read('guests-with-links')
  assert.deepEqual(linked[0], [...(plain[0] ?? []), 'ticket_url'])
  assert.deepEqual(
    linked.map(row => row.slice(0, -1)),
    plain,
  )
  const urls = linked.slice(1).map(row => [row[linked[0]?.indexOf('attendee_name') ?? 0], row.at(-1)])
  const of = (name: string) => urls.find(([holder]) => holder === name)?.[1] ?? ''
  for (const name of ['Grace', 'Bob']) {
    const page = await fetch(of(name))
    assert.equal(page.status, 200)
    assert.match(await page.text(), new RegExp(name))
  }
  assert.notEqual(of('Grace'), of('Bob'))
  assert.ok(of('Bob').startsWith(`${app.siteUrl}/tickets/`))
  // The guest was imported, and has not ordered here.
  assert.equal(linked.length, 4)
  for (const [, url] of urls) assert.equal((await fetch(url as string)).status, 200)
  const [grace] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>('SELECT id FROM registrations WHERE event_id = $1 AND order_id IS NOT NULL', [
      eventId,
    ]),
  )
  await db.write(accountId, tx => registrations.cancel(tx, grace?.id as string))
  const later = await read('guests-with-links')
  assert.deepEqual(
    later.slice(1).map(row => row.at(-1) === ''),
    later.slice(1).map(row => row.includes('cancelled')),
  )
  assert.equal(later.filter(row => row.at(-1) === '').length, 2)
  const finance = await member('finance')
  assert.equal((await finance.open(`${path}/guests-with-links.csv`)).status, 403)
  assert.equal((await finance.open(`${path}/guests.csv`)).status, 200)
})
