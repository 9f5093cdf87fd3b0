import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { MINUTE, SECOND } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import { DoorClient, pairDoor, secretOf } from '#test/support/door/door.ts'
import { organization, registration } from '#test/support/organization.ts'
import { PdfFile, withoutPoppler } from '#test/support/pdf.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'

async function start(t: TestContext) {
  const dashboard = await startDashboard(t, organization({ events: [{ slug: 'second', title: 'Second' }] }))
  const { client, db, accountId, eventId, clock } = dashboard
  const path = `/manage/e/${eventId}/doors`
  const sell = async (name = 'Grace') => {
    const buyer = { name, email: 'grace@example.org' }
    const { body } = await client.post(
      '/registrations',
      newRegistration(dashboard, { buyer, attendees: [{ name }] }),
    )
    return { ticket: body.attendees[0].id as string, code: body.attendees[0].qr_code as string }
  }
  const pair = (name: string) => pairDoor(dashboard, accountId, { event_id: eventId, name })
  const scans = () =>
    db.read(accountId, async tx =>
      [...(await scanLog.list(tx, eventId, 'all', { limit: 100 }))].map(({ resource }) => resource),
    )
  const logged = async () =>
    (await db.read(accountId, tx => accessLog.list(tx, 50)))
      .filter(({ action }) => /^(device|scan)\./.test(action))
      .map(({ action }) => action)
      .reverse()
  const inside = async () => (await client.get('/check-ins?limit=100')).body.data as { attendee_id: string }[]
  return { ...dashboard, path, sell, pair, scans, logged, inside, clock }
}

test('a door is added, its code is shown once and pairs a phone; the list says how it is, and live numbers what it did', async t => {
  const { member, app, clock, path, sell, db, accountId, eventId, log, logged, client } = await start(t)
  const owner = await member('owner')
  const empty = await owner.open(path)
  assert.match(empty.text, /No door yet/)
  const form = await empty.follow('Add a door')
  const refused = await form.fill({ Door: '' }).press('Add, and show its code')
  assert.equal(refused.status, 422)
  const shown = await refused
    .fill({ Door: 'Main <b>door</b>', 'Finds people': false, Standard: true })
    .press('Add, and show its code')
  assert.equal(shown.heading, 'Pair a phone: Main <b>door</b>')
  const address = shown.field('The address in the code').value
  assert.match(address, /^http.*\/door\/#pair=[\w-]{22}$/)
  assert.ok(shown.document.querySelector('svg.qr') !== null)
  assert.equal(shown.document.querySelectorAll('ol li').length, 3)
  const again = await refused.press('Add, and show its code')
  assert.equal(again.heading, 'Doors')
  const [device, ...others] = await db.read(accountId, tx => doors.list(tx, eventId))
  assert.deepEqual(
    [others, device?.search, device?.unlisted, device?.registration_type_ids?.length],
    [[], false, true, 1],
  )
  assert.match(again.rows()[0] as string, /^Main <b>door<\/b>Waits for its phoneStandard · admits who/)

  const phone = new DoorClient(app.siteUrl, clock)
  assert.equal((await phone.pair(secretOf(address))).status, 201)
  const { code } = await sell()
  assert.equal((await phone.one(phone.scan({ code }))).outcome, 'admitted')
  await phone.send([], 3)
  const { ticket } = await sell()
  await client.post('/check-ins', { attendee_id: ticket })
  const live = await owner.open(path)
  assert.match(live.text, /Inside ?2 of 2 ?Last 5 minutes ?2.*Not sent yet ?3/)
  assert.match(live.text, /By door.*Main <b>door<\/b> ?1 ?Here, or by a program ?1/)
  assert.match(live.rows()[0] as string, /Active.*3 scans/)
  assert.equal(live.document.querySelector('[data-live]')?.id, 'figures')
  assert.match(live.html, /<noscript><meta http-equiv="refresh" content="30"/)
  clock.advance(6 * MINUTE)
  assert.match((await owner.open(path)).rows()[0] as string, /Not heard of lately/)
  // The secret is nowhere but in that answer.
  for (const text of [live.html, again.html, JSON.stringify(log)])
    assert.ok(!text.includes(secretOf(address)))
  assert.deepEqual(await logged(), ['device.create'])
})

test('a door is renamed and gets other types by a form, as long as it is not revoked', async t => {
  const { member, path, pair, db, accountId, eventId, logged } = await start(t)
  const owner = await member('owner')
  const { id } = await pair('North')
  const form = await (await owner.open(path)).follow('Change… North')
  assert.equal(form.field('Door').value, 'North')
  assert.equal((await form.fill({ Door: ' ' }).press('Save the door')).status, 422)
  const saved = await form.fill({ Door: 'South', Standard: true }).press('Save the door')
  assert.match(saved.text, /The door “South” is changed/)
  const [device] = await db.read(accountId, tx => doors.list(tx, eventId))
  assert.deepEqual([device?.name, device?.registration_type_ids?.length], ['South', 1])
  assert.deepEqual((await logged()).at(-1), 'device.update')
  await db.write(accountId, tx => doors.revoke(tx, id))
  assert.equal((await owner.open(`${path}/${id}/change`)).status, 404)
})

test('a new code takes the place of the old, and a door is revoked by a page that asks', async t => {
  const { member, path, pair, app, clock, logged, sell } = await start(t)
  const { door } = await pair('Main door')
  const person = await member('door')
  await door.send([], 4)
  const asks = await (await person.open(path)).follow('New code', 'Main door')
  assert.match(asks.text, /works until another one uses the code/)
  const shown = await asks.press('Make the code')
  assert.equal((await door.copy()).status, 200)
  const other = new DoorClient(app.siteUrl, clock)
  await other.pair(secretOf(shown.field('The address in the code').value))
  assert.equal((await door.copy()).status, 401)
  const question = await (await person.open(path)).follow('Revoke', 'Main door')
  assert.match(question.text, /4 scans are only on the phone/)
  assert.equal((await other.copy()).status, 200)
  const done = await question.press('Revoke the door')
  assert.match(done.messages.join(), /“Main door” is revoked/)
  assert.match(done.rows()[0] as string, /Revoked/)
  assert.deepEqual(
    done.links().filter(text => /New code|Revoke/.test(text)),
    [],
  )
  assert.equal((await other.copy()).status, 403)
  assert.equal((await person.post(asks.path)).status, 404)
  const { code } = await sell()
  assert.equal((await other.one(other.scan({ code }, { shown: 'admitted' }))).outcome, 'held')
  assert.deepEqual(await logged(), ['device.pair', 'device.revoke'])
})

test('what is held, and who was admitted twice, is told to managers and decided by them; a door member sees it alone', async t => {
  const { member, path, pair, sell, db, accountId, eventId, scans, logged, inside, clock } = await start(t)
  const { door: a } = await pair('Door A')
  const { door: b, id: bId } = await pair('Door B')
  const [ada, bea, cleo] = [await sell('Ada'), await sell('Bea'), await sell('Cleo')]
  await a.one(a.scan({ code: ada.code }))
  await b.one(b.scan({ code: ada.code }, { shown: 'admitted' }))
  await db.write(accountId, tx => doors.revoke(tx, bId))
  await b.one(b.scan({ code: bea.code }, { shown: 'admitted' }))
  clock.advance(SECOND)
  await b.one(b.scan({ code: cleo.code }, { shown: 'admitted' }))
  const manager = await member('manager')
  const home = await manager.open(`/manage/a/${accountId}`)
  assert.match(home.text, /3 tickets at doors need a look/)
  const list = await (await manager.open(`/manage/e/${eventId}`)).follow('Look')
  assert.equal(list.rows().length, 2)
  assert.match(list.rows()[0] as string, /Cleo.*To decide.*revoked.*The guest was let in/)
  assert.match(list.text, /To decide 2 ?Conflicts 1/)

  const person = await member('door')
  const seen = await person.open(`${path}/scans?show=held`)
  assert.equal(seen.rows().length, 2)
  assert.equal(seen.document.querySelector('main form'), null)
  assert.doesNotMatch((await person.open(`/manage/a/${accountId}`)).text, /need a look/)
  const [, one] = (await scans()).filter(({ outcome }) => outcome === 'held')
  const conflict = (await scans()).find(({ outcome }) => outcome === 'conflict')
  for (const [id, what] of [
    [one?.id, 'admit'],
    [one?.id, 'dismiss'],
    [conflict?.id, 'seen'],
    [conflict?.id, 'undo'],
  ]) {
    assert.equal((await person.post(`${path}/scans/${id}/${what}`)).status, 403)
  }

  const counts = await list.press('Let it count: the scan of Bea')
  assert.match(counts.messages.join(), /counts now: admitted/)
  const dismissed = await counts.press('Dismiss the scan of Cleo')
  assert.match(dismissed.text, /Nothing to decide/)
  assert.equal((await inside()).length, 2)
  const back = await dismissed.press('Undo')
  assert.match(back.messages.join(), /The scan of Cleo counts now: admitted/)
  assert.equal((await inside()).length, 3)

  const twice = await manager.open(`${path}/scans?show=conflict`)
  assert.match(twice.rows().join(), /Ada.*Conflict.*in with it already.*Its check-in is of .*: Door A/)
  const none = await twice.press('Seen')
  assert.match(none.text, /No conflicts/)
  assert.doesNotMatch((await manager.open(`/manage/a/${accountId}`)).text, /need a look/)
  assert.match((await manager.open(`${path}/scans`)).rows().join(), /Conflict/)
  const late = await list.press('Let it count: the scan of Bea')
  assert.match(late.messages.join(), /Nothing can be done about this scan/)
  assert.deepEqual((await logged()).slice(-5), [
    'scan.admit',
    'scan.dismiss',
    'scan.admit',
    'scan.seen',
    'scan.admit',
  ])
})

test('a scan is undone with a reason by whoever works at the door, once, and the log of scans says so', async t => {
  const { member, path, pair, sell, inside, client, scans, clock } = await start(t)
  const { door } = await pair('Main door')
  const { code } = await sell('Ada')
  await door.one(door.scan({ code }))
  const { ticket } = await sell('Bea')
  await client.post('/check-ins', { attendee_id: ticket })
  clock.advance(SECOND)
  const person = await member('door')
  const form = await (await person.open(`${path}/scans`)).follow('Undo', 'Ada')
  const empty = await form.press('Undo the scan')
  assert.equal(empty.status, 422)
  const done = await empty.fill({ Reason: 'Wrong <i>guest</i>' }).press('Undo the scan')
  assert.match(done.messages.join(), /The scan of Ada is undone/)
  assert.match(done.rows()[0] as string, /Ada.*Undo.*Wrong <i>guest<\/i>.*Here, or by a program/)
  assert.match(done.rows()[1] as string, /Ada.*Undone/)
  assert.equal((await inside()).length, 1)
  const again = await form.fill({ Reason: 'Again' }).press('Undo the scan')
  assert.ok([200, 409].includes(again.status))
  assert.equal((await scans()).length, 2)
  const page = await person.open(form.path)
  assert.match(page.text, /nothing that could be undone/)
  // Such a scan was brought from a box, where it stayed.
  await door.one(door.undo(randomUUID()))
  const after = await person.open(`${path}/scans`)
  assert.match(after.rows()[0] as string, /^A scan that is not here/)
})

test('doors and scans of another event or account are not there', async t => {
  const { member, applied, accountId, path, pair, sell, scans, apply } = await start(t)
  const { door, id } = await pair('Main door')
  await door.one(door.scan({ code: (await sell()).code }))
  const [scan] = await scans()
  const second = applied.events.second?.id as string
  const other = await apply(organization({ email: 'eve@example.org' }))
  const owner = await member('owner')
  const stranger = await member('owner', { email: 'eve-owner@example.org', accountId: other.account_id })
  const limited = await member('door', { email: 'limited@example.org', accountId, eventIds: [second] })
  const finance = await member('finance')
  for (const below of [
    '',
    '/new',
    '/scans',
    '/paper',
    '/paper/list',
    `/${id}/pair`,
    `/scans/${scan?.id}/undo`,
  ]) {
    assert.equal((await stranger.open(path + below)).status, 404, below)
    assert.equal((await limited.open(path + below)).status, 404, below)
    assert.equal((await finance.open(path + below)).status, 403, below)
  }
  const elsewhere = `/manage/e/${second}/doors`
  for (const below of [
    `/${id}/pair`,
    `/${id}/revoke`,
    `/scans/${scan?.id}/undo`,
    `/scans/${scan?.id}/admit`,
  ]) {
    assert.equal((await owner.post(elsewhere + below)).status, 404, below)
  }
  for (const below of ['/paper/list?part=2', '/paper/list?part=x', `/paper/list?type=${id}`]) {
    assert.equal((await owner.open(path + below)).status, 404, below)
  }
})

test('everybody with a ticket is printed by name as PDF, with boxes, by type too', {
  skip: withoutPoppler,
}, async t => {
  const names = ['zoé', 'Ángel', 'محمد عبد الرحمن', 'Bea', '<b>Cleo</b>', 'x'.repeat(200)]
  const people = [...names, ...Array.from({ length: 40 }, (_, at) => `Person ${at + 10}`)]
  const registrations = people.map((name, at) =>
    registration(`r${at}`, {
      registration_type: at === 3 ? 'Free' : 'Standard',
      attendees: [
        { name, seat: at === 1 ? 'A1' : null, checked_in_at: at === 0 ? '2026-11-21T10:00:00Z' : null },
      ],
    }),
  )
  const { member, eventId, types, app } = await startDashboard(t, organization({ event: { registrations } }))
  const owner = await member('owner', { language: 'es' })
  const lists = await owner.open(`/manage/e/${eventId}/doors/paper`)
  assert.equal(lists.rows().length, 3)
  const load = async (query = '') => {
    const cookie = `session=${owner.cookies.get('session')}`
    const answer = await fetch(`${app.siteUrl}/manage/e/${eventId}/doors/paper/list${query}`, {
      headers: { cookie },
    })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'])
    return new PdfFile(t, Buffer.from(await answer.arrayBuffer()))
  }
  const all = await load()
  assert.match(all.info(), /Pages: +2\n/)
  const first = all.text(1, '-layout')
  const second = all.text(2, '-layout')
  assert.match(first, /Spring Meeting/)
  assert.match(first, /Página 1 de 2/)
  assert.match(second, /Página 2 de 2/)
  assert.ok(
    first.indexOf('<b>Cleo</b>') < first.indexOf('Ángel') && first.indexOf('Ángel') < first.indexOf('Bea'),
  )
  assert.match(first, /Ángel.*Standard · asiento A1/)
  assert.match(second, /zoé.*dentro/)
  assert.match(second, /no se puede imprimir todo el texto|x{50}/)
  const free = await load(`?type=${types.Free}`)
  assert.match(free.text(1), /Bea/)
  assert.doesNotMatch(free.text(1), /Ángel/)
})

test('doors in Spanish', async t => {
  const { member, path, pair } = await start(t)
  await pair('Puerta principal')
  const owner = await member('owner', { language: 'es' })
  const page = await owner.open(path)
  assert.match(page.text, /Puertas.*Añadir una puerta.*Dentro.*Espera a su teléfono/)
  const form = await page.follow('Añadir una puerta')
  const shown = await form.fill({ Puerta: 'Lateral' }).press('Añadir y ver su código')
  assert.match(shown.text, /Vincular un teléfono: Lateral/)
})
