import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { readOutbox, readSold, readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { insertCrowd } from '#test/support/reports.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { onceSettled } from '#test/support/settled.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const LONG = 'Bartholomew '.repeat(16).trim()

const free = (reference: string, name: string, changes: object = {}) =>
  registration(reference, {
    registration_type: 'Free',
    buyer: { name, email: `${reference}@example.org` },
    created_at: `2026-10-0${reference.length}T10:00:00Z`,
    ...changes,
  })

/** Makes guests of each state, and a waitlist. */
const file = () =>
  organization({
    event: {
      registrations: [
        free('a', 'Ada Lovelace', { answers: { diet: 'vegan' } }),
        free('bb', 'Grace Hopper', {
          attendees: [{ name: 'Alan Turing', email: 'alan@example.org' }, { name: 'Linus' }],
        }),
        free('ccc', 'ليلى حداد', { status: 'pending' }),
        free('dddd', 'Gone Again', { status: 'cancelled' }),
        free('eeeee', LONG, { registration_type: 'Standard', amount_total: 5000 }),
      ],
      waitlist: [{ reference: 'w', registration_type: 'Free', name: 'Wanda', email: 'w@example.org' }],
    },
  })

async function start(t: TestContext) {
  const server = await startDashboard(t, file())
  const { eventId, applied, db, accountId } = server
  await subscribeToAll(db, accountId)
  const ids = applied.events['spring-meeting']?.registrations as Record<string, string>
  const list = `/manage/e/${eventId}/guests`
  const job = (reader: { open: (path: string) => Promise<{ text: string }> }, path: string) =>
    onceSettled(server, 'jobs', 'the end of the job', async () => {
      const page = await reader.open(path)
      return /Done|Failed|Stopped/.test(page.text) && page
    })
  return { ...server, ids, list, ended: job }
}

test('the guests are listed newest first, with tabs that count each state', async t => {
  const { member, list } = await start(t)
  const manager = await member('manager')
  const page = await manager.open(list)
  assert.equal(page.heading, 'Guests')
  assert.deepEqual(
    page.rows().map(row => /Ada|Grace|ليلى|Gone|Bartholomew/.exec(row)?.[0]),
    ['Bartholomew', 'Gone', 'ليلى', 'Grace', 'Grace', 'Ada'],
  )
  for (const tab of ['All 5', 'Confirmed 3', 'Pending 1', 'Cancelled 1'])
    assert.ok(page.links().includes(tab), tab)
  const pending = await page.follow('Pending')
  assert.equal(pending.rows().length, 1)
  assert.match(pending.text, /ليلى حداد/)
  assert.equal((await pending.follow('ليلى')).heading, 'ليلى حداد')
})

test('a search by name, e-mail, reference, attendee or ticket code finds whose it is, and keeps to its tab', async t => {
  const { member, list, client, ids } = await start(t)
  const manager = await member('manager')
  const code = (await client.get(`/registrations/${ids.bb}`)).body.attendees[1].qr_code
  for (const q of ['hopp', 'bb@example.org', 'bb', 'turing', code]) {
    const found = await (await manager.open(list)).fill({ Name: q }).press('Search')
    const isOne = q === 'turing' || q === code
    assert.equal(found.rows().length, isOne ? 1 : 2, q)
    for (const row of found.rows()) assert.match(row, /Grace Hopper/)
    assert.equal(found.field('Name').value, q)
  }
  const kept = await (await manager.open(`${list}?state=pending`)).fill({ Name: 'hopp' }).press('Search')
  assert.match(kept.text, /Nobody found/)
  assert.match(kept.text, /Confirmed 1/)
  const odd = await manager.open(`${list}?q=${encodeURIComponent('\u0000<b>')}`)
  assert.equal(odd.status, 200)
  assert.match(odd.text, /Nobody found/)
})

test('a filter by type shows as a chip that takes it away again, and an unknown one finds nobody', async t => {
  const { member, list, types } = await start(t)
  const manager = await member('manager')
  const filtered = await (await manager.open(list))
    .fill({ 'Ticket type': types.Standard as string })
    .press('Apply')
  assert.equal(filtered.rows().length, 1)
  const all = await filtered.follow('Ticket type: Standard')
  assert.equal(all.rows().length, 6)
  const unknown = await manager.open(`${list}?type=${UNKNOWN_ID}`)
  assert.equal(unknown.rows().length, 0)
})

test('pages go on by a cursor, which fits no other filter', async t => {
  const { member, list, data, accountId, eventId, types } = await start(t)
  const manager = await member('manager')
  await insertCrowd({ data, accountId, eventId, typeId: types.Free as string }, { count: 70 })
  const first = await manager.open(list)
  // A page has 50 registrations, of which one has two tickets.
  assert.equal(first.rows().length, 51)
  const second = await first.follow('Older')
  assert.equal(second.rows().length, 25)
  assert.ok(!second.links().includes('Older'))
  const cursor = new URL(second.path, 'http://x').searchParams.get('after')
  assert.equal((await manager.open(`${list}?state=pending&after=${cursor}`)).status, 400)
})

test('the CSV has what is filtered, with a row a ticket, and no cell that a spreadsheet evaluates', async t => {
  const { member, list, client, eventId, types } = await start(t)
  const evil = { buyer: { name: '=HYPERLINK("x")', email: 'evil@example.org' }, answers: { diet: '+1' } }
  await client.post('/registrations', newRegistration({ eventId, types }, evil))
  const finance = await member('finance')
  const csv = async (query: string) => {
    const page = await finance.open(`${list}.csv${query}`)
    assert.equal(page.status, 200, page.text)
    assert.equal(page.headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(page.headers['content-disposition'], 'attachment; filename="guests-spring-meeting.csv"')
    return page.html.trimEnd().split('\r\n')
  }
  const all = await csv('')
  assert.equal(all.length, 1 + 7)
  assert.match(all[1] as string, /"'=HYPERLINK\(""x""\)"/)
  assert.match(all[1] as string, /"'\+1"/)
  assert.equal((await csv('?q=grace')).length, 1 + 2)
  assert.equal((await csv('?state=pending')).length, 1 + 1)
  assert.equal((await csv(`?type=${types.Free}`)).length, 1 + 5)
})

test('all that match are cancelled in the background, after a page that says what that does', async t => {
  const { member, list, client, ids, db, types, ended } = await start(t)
  const manager = await member('manager')
  const confirmation = await manager.open(`${list}/cancel?scope=all`)
  assert.equal(confirmation.heading, 'Cancel 3 registrations?')
  assert.match(
    confirmation.text,
    /4 tickets become void.*4 places are free again.*1 person waits.*1 paid registration stays/,
  )
  assert.equal((await client.get(`/registrations/${ids.a}`)).body.status, 'confirmed')
  const begun = await confirmation.press('Cancel 3 registrations')
  assert.equal(begun.heading, 'Cancelling 3 registrations')
  const done = await ended(manager, new URL(begun.path, 'http://x').pathname)
  assert.match(done.text, /Done 3 of 3.*Cancelled3.*Tickets that are void now4/)
  assert.equal(await readSold(db, types.Free), 0)
  assert.equal((await client.get(`/registrations/${ids.eeeee}`)).body.status, 'confirmed')
  const outbox = await readOutbox(db)
  assert.deepEqual(
    outbox.map(({ type }) => type),
    ['registration.cancelled', 'registration.cancelled', 'registration.cancelled'],
  )
  const { waitlist } = await readState(db)
  assert.notEqual((waitlist[0] as { notified_at: number | null }).notified_at, null)
})

test('ticked guests, or those of a page, are cancelled: those of other events are as if they were not there', async t => {
  const { member, list, apply, clientOf, db } = await start(t)
  const other = await apply(
    organization({ email: 'bob@example.org', event: { registrations: [free('z', 'Zoe')] } }),
  )
  const zoe = other.events['spring-meeting']?.registrations.z as string
  const manager = await member('manager')
  const page = await manager.open(list)
  const ticked = await page.fill({ 'Select Ada Lovelace': true, 'Select Gone': true }).press('Cancel…')
  assert.equal(ticked.heading, 'Cancel 1 registration?')
  assert.match(ticked.text, /1 was cancelled already/)
  const ofPage = await (await manager.open(list)).fill({ Which: 'page' }).press('Cancel…')
  assert.equal(ofPage.heading, 'Cancel 3 registrations?')
  const before = await readState(db)
  const foreign = await manager.open(`${list}/cancel?scope=ticked&id=${zoe}&id=${UNKNOWN_ID}&id=x`)
  assert.equal(foreign.heading, 'There is nothing to cancel')
  await manager.post(`${list}/cancel?scope=ticked&id=${zoe}`)
  await manager.post(`${list}/cancel?scope=all&type=${UNKNOWN_ID}`)
  await manager.post(`${list}/cancel?scope=all`)
  assert.deepEqual(await readState(db), before)
  const client = await clientOf(other.account_id)
  assert.equal((await client.get(`/registrations/${zoe}`)).body.status, 'confirmed')
})

test('where others have changed what would happen, the page is shown again, and a double click makes one job', async t => {
  const { member, list, client, ids, db } = await start(t)
  const manager = await member('manager')
  const confirmation = await manager.open(`${list}/cancel?scope=all`)
  await client.post(`/registrations/${ids.a}/cancel`)
  const again = await confirmation.press('Cancel 3 registrations')
  assert.equal(again.status, 409)
  assert.match(again.messages.join(), /has changed meanwhile/)
  const begun = () => db.read(INSTANCE, tx => tx.all('SELECT id FROM jobs'))
  assert.equal((await begun()).length, 0)
  await again.press('Cancel 2 registrations')
  await again.press('Cancel 2 registrations')
  assert.equal((await begun()).length, 1)
})

test('a job can be stopped, and one of another event or account is not there', async t => {
  const { member, list, db, accountId, eventId, apply } = await start(t)
  const manager = await member('manager')
  // Nobody works on it: it waits until it is stopped.
  const make = (event: string | null) => {
    const job = { kind: 'guests.cancel', eventId: event, input: { ids: [] }, total: 5, by: 'cli' }
    return db.write(accountId, tx => jobs.prepare(tx, job))
  }
  const own = await make(eventId)
  const path = `/manage/e/${eventId}/jobs/${own.id}`
  const page = await manager.open(path)
  assert.match(page.text, /0 of 5/)
  assert.match(page.html, /http-equiv="refresh" content="2"/)
  assert.match(page.html, /data-live="2"/)
  const stopped = await page.press('Stop')
  assert.match(stopped.text, /It is stopped.*Stopped/)
  assert.doesNotMatch(stopped.html, /http-equiv="refresh"|data-live/)
  assert.ok(stopped.links().includes('Back to the guests'))
  const elsewhere = await make(null)
  assert.equal((await manager.open(`/manage/e/${eventId}/jobs/${elsewhere.id}`)).status, 404)
  assert.equal((await manager.open(`/manage/e/${eventId}/jobs/nothing`)).status, 404)
  const { account_id: bob } = await apply(organization({ email: 'bob@example.org' }))
  const stranger = await member('owner', { email: 'bob-owner@example.org', accountId: bob })
  for (const address of [path, list, `${list}.csv`, `${list}/new`, `${list}/cancel?scope=all`]) {
    assert.equal((await stranger.open(address)).status, 404, address)
  }
  assert.equal((await stranger.post(`${path}/stop`)).status, 404)
})

test('who may read guests alone sees no button, and is refused what it does; the door sees none of it', async t => {
  const { member, list, db } = await start(t)
  const finance = await member('finance')
  const page = await finance.open(list)
  assert.equal(page.rows().length, 6)
  assert.ok(!page.links().includes('Add a guest'))
  assert.doesNotMatch(page.html, /type="checkbox"/)
  const before = await readState(db)
  for (const address of [`${list}/new`, `${list}/cancel?scope=all`]) {
    assert.equal((await finance.open(address)).status, 403, address)
    assert.equal((await finance.post(address, { type: 'x' })).status, 403, address)
  }
  const door = await member('door')
  for (const address of [list, `${list}.csv`]) assert.equal((await door.open(address)).status, 403, address)
  assert.deepEqual(await readState(db), before)
})

test('an event without guests says what they are, and the list speaks Spanish', async t => {
  const { member, eventId } = await startDashboard(t)
  const manager = await member('manager', { language: 'es' })
  const page = await manager.open(`/manage/e/${eventId}/guests`)
  assert.match(page.text, /Todavía no hay asistentes/)
  const form = await page.follow('Añadir asistente')
  assert.equal(form.heading, 'Añadir asistente')
  const refused = await form.press('Añadir')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /Rellena esto/)
  assert.doesNotMatch(refused.text, /Name|Ticket|E-mail/)
})
