import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR, MINUTE } from '#base/time.ts'
import { ROWS_A_FILE } from '#machinery/ticket-documents/list-pdf.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { readOutbox } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration } from '#test/support/requests.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const AWFUL = '<b>"Ā&amp;‮'

interface Ticket {
  id: string
  name: string
  qr_code: string
}

async function start(t: TestContext) {
  const autumn = {
    slug: 'autumn',
    title: 'Autumn',
    registration_types: [{ name: 'A', price: 0, capacity: 9 }],
  }
  const pending = registration('later', {
    status: 'pending',
    buyer: { name: 'Late', email: 'l@example.org' },
  })
  const file = organization({
    event: { registrations: [pending] },
    events: [{ ...autumn, registrations: [registration('x', { registration_type: 'A' })] }],
  })
  const server = await startDashboard(t, file)
  const { applied, client, db, eventId, accountId } = server
  const buyer = { name: 'Grace', email: 'grace@example.org' }
  const attendees = ['Grace', 'Zoë', AWFUL].map(name => ({ name, email: 'secret@example.org', seat: 'A1' }))
  const made = await client.post('/registrations', newRegistration(server, { buyer, attendees }))
  const tickets: Ticket[] = made.body.attendees
  const elsewhere = applied.events.autumn?.id as string
  const ticketsOf = async (event: string): Promise<Ticket[]> => {
    const { data } = (await client.get(`/registrations?event_id=${event}`)).body
    return data.flatMap((each: { attendees: Ticket[] }) => each.attendees)
  }
  const [foreign] = await ticketsOf(elsewhere)
  return {
    ...server,
    registration: made.body.id as string,
    tickets: tickets as [Ticket, Ticket, Ticket],
    foreign: foreign as Ticket,
    elsewhere,
    path: `/manage/e/${eventId}/check-in`,
    checkedIn: async () => (await client.get('/check-ins')).body.data.length as number,
    lastEntry: async () => (await db.read(accountId, tx => accessLog.list(tx, 1)))[0],
    ticketsOf,
  }
}

const FIELD = 'Scan a ticket'

test('a code that is typed and sent is checked in at once, which the page says, and the field is free for the next', async t => {
  const { member, path, tickets, clock, checkedIn, lastEntry } = await start(t)
  const door = await member('door')
  const page = await (await door.open(path)).fill({ [FIELD]: tickets[1].qr_code }).press('Go')
  assert.equal(page.status, 200)
  assert.deepEqual(page.messages, ['AdmittedZoëStandard · seat A1 · bought by GraceUndo'])
  assert.match(page.title, /^Admitted: Zoë · Check-in/)
  const field = page.field(FIELD)
  assert.deepEqual([field.value, field.hasAttribute('autofocus')], ['', true])
  assert.equal(await checkedIn(), 1)
  const entry = await lastEntry()
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.target_id],
    ['check_in.create', `user:${door.user.id}`, tickets[1].id],
  )
  clock.advance(MINUTE)
  // Caps Lock was on, and somebody had begun to write a name.
  const typed = `ada ${tickets[0].qr_code.toLowerCase()} `
  const next = await page.fill({ [FIELD]: typed }).press('Go')
  assert.match(next.messages.join(), /^AdmittedGrace/)
  assert.equal(await checkedIn(), 2)
})

test('who is not admitted is told why and, where the ticket is of this event, whose it is', async t => {
  const server = await start(t)
  const { member, path, tickets, foreign, client, ticketsOf, eventId, registration: id, apply } = server
  const page = await (await member('door')).open(path)
  const scan = async (code: string) => {
    const { status, messages } = await page.fill({ [FIELD]: code }).press('Go')
    assert.equal(status, 200)
    return messages.join()
  }
  const noTicket = /^Not admittedThis code is no ticket of yours/
  assert.match(await scan('SVC1.AAAA'), noTicket)
  // Two scans that ran into each other admit neither ticket.
  assert.match(await scan(`${tickets[0].qr_code}${tickets[1].qr_code}`), noTicket)
  assert.equal(await scan(foreign.qr_code), 'Not admittedThe ticket is of another event.')
  const bob = { ...registration('bob'), buyer: { name: 'Bob', email: 'bob@example.org' } }
  const other = await apply(organization({ email: 'bob@example.org', event: { registrations: [bob] } }))
  const theirs = await server.clientOf(other.account_id)
  const [stranger] = (await theirs.get('/registrations')).body.data[0].attendees
  assert.match(await scan(stranger.qr_code), noTicket)
  const late = (await ticketsOf(eventId)).find(({ name }) => name === 'Late') as Ticket
  assert.match(await scan(late.qr_code), /^Not admittedIts registration is not confirmed\.LateStandard$/)
  await scan(tickets[0].qr_code)
  assert.match(await scan(tickets[0].qr_code), /^Already usedChecked in 21 Nov 2026, \d\d:\d\d\.Grace/)
  await client.post(`/registrations/${id}/cancel`)
  assert.match(await scan(tickets[1].qr_code), /^Not admittedIts registration was cancelled\.Zoë/)
  assert.equal(await server.checkedIn(), 1)
  assert.equal((await server.lastEntry())?.details.code, 'registration_cancelled')
})

test('a ticket is refused outside its days, with the instants', async t => {
  const { member, path, tickets, clock, checkedIn } = await start(t)
  clock.advance(72 * HOUR)
  const door = await member('door')
  const page = await (await door.open(path)).fill({ [FIELD]: tickets[0].qr_code }).press('Go')
  assert.match(
    page.messages.join(),
    /^Not admittedThe ticket is not valid now\. Valid from 21 Nov 2026, 00:00 until 23 Nov 2026, 06:00\.Grace/,
  )
  assert.equal(await checkedIn(), 0)
})

test('people are looked up by name, e-mail, reference and code, and checked in one after another by button', async t => {
  const { member, path, tickets, client, registration: id, checkedIn } = await start(t)
  const door = await member('door')
  const { reference } = (await client.get(`/registrations/${id}`)).body
  const find = async (q: string) => (await door.open(path)).fill({ [FIELD]: q }).press('Go')
  const namesOf = async (q: string) =>
    [...(await find(q)).document.querySelectorAll('#found tbody th')].map(cell => cell.textContent)
  assert.deepEqual(await namesOf('zoe'), ['Zoë'])
  assert.deepEqual(await namesOf('l@example.org'), ['Late'])
  for (const q of [reference ?? id, 'GRACE@example.org']) assert.equal((await namesOf(q)).length, 3, q)
  const byCode = await door.open(`${path}?q=${tickets[1].qr_code}`)
  assert.match(byCode.rows()[0] as string, /^ZoëStandard · seat A1 · bought by GraceNot yetCheck in$/)
  assert.equal(await checkedIn(), 0, 'looking admits nobody')

  const found = await find('grace@example.org')
  const first = await found.press('Check in Zoë')
  assert.match(first.messages.join(), /^AdmittedZoë/)
  assert.match(first.text, /Tickets for “grace@example.org”/)
  assert.equal(first.document.querySelectorAll('#found button').length, 2)
  const second = await first.press('Check in Grace')
  assert.match(second.messages.join(), /^AdmittedGrace/)
  assert.equal(await checkedIn(), 2)
  // A check-in that was shown as free is free no longer.
  assert.match((await found.press('Check in Zoë')).messages.join(), /^Already used/)
  assert.equal(await checkedIn(), 2)
  assert.match(
    (await find('nobody at all')).messages.join(),
    /^Nobody foundThere is no ticket for “nobody at all”/,
  )
  assert.doesNotMatch((await find('late')).text, /Check in Late/)
})

test('the numbers are of this moment: inside of all, of the last five minutes and by type, renewed without prolonging', async t => {
  const { member, path, tickets, clock } = await start(t)
  const door = await member('door')
  const figures = async (headers = {}) => {
    const { document } = await door.open(path, headers)
    return document.querySelector('dl')?.textContent?.replace(/\s+/g, ' ').trim()
  }
  const live = (await door.open(path)).document.querySelector('#figures')
  assert.equal(live?.getAttribute('data-live'), '5')
  assert.equal(await figures(), 'Inside0 of 4Last 5 minutes0')
  await door.post(path, { q: tickets[0].qr_code })
  assert.equal(await figures(), 'Inside1 of 4Last 5 minutes1')
  clock.advance(5 * MINUTE + 1)
  await door.post(path, { q: tickets[1].qr_code })
  assert.equal(await figures({ 'X-Live': '1' }), 'Inside2 of 4Last 5 minutes1')
  assert.match((await door.open(path)).text, /By type.*Standard2 of 4Free0 of 0/)
  clock.advance(11 * HOUR)
  await figures({ 'X-Live': '1' })
  clock.advance(2 * HOUR)
  assert.equal((await door.open(path)).heading, 'Sign in')
})

test('a check-in is undone with a reason, and shown with who made it', async t => {
  const { member, path, tickets, client, checkedIn, lastEntry } = await start(t)
  const door = await member('door')
  await door.post(path, { q: tickets[1].qr_code })
  await client.post('/check-ins', { attendee_id: tickets[0].id })
  const page = await door.open(path)
  assert.deepEqual(
    page
      .rows()
      .slice(0, 2)
      .map(row => row.replace(/\d\d Nov, \d\d:\d\d/, '')),
    [
      'GraceStandard · seat A1the API key “test”Undo…',
      'ZoëStandard · seat A1 · bought by GracePerson doorUndo…',
    ],
  )
  const form = await page.follow('Undo… the check-in of Zoë')
  assert.equal(form.heading, 'Undo the check-in of Zoë?')
  const empty = await form.press('Undo the check-in')
  assert.equal(empty.status, 422)
  assert.match(empty.messages.join(), /Reason/)
  const done = await form.fill({ Reason: 'Wrong person' }).press('Undo the check-in')
  assert.deepEqual(done.messages, ['Zoë is not checked in.'])
  assert.equal(await checkedIn(), 1)
  const entry = await lastEntry()
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.details.reason],
    ['check_in.undo', `user:${door.user.id}`, 'Wrong person'],
  )
  // Sent twice it leads on; another check-in of the same ticket is not taken back by a page that did not know it.
  assert.equal((await form.press('Undo the check-in')).heading, 'Check-in')
  await door.post(path, { q: tickets[1].qr_code })
  const stale = await door.open(`${path}/${tickets[1].id}/undo`)
  const again = await stale.fill({ Reason: 'One' }).press('Undo the check-in')
  assert.equal(again.heading, 'Check-in')
  const gone = await door.open(`${path}/${tickets[1].id}/undo`)
  assert.equal(gone.heading, 'Zoë is not checked in.')
  assert.equal(await checkedIn(), 1)
})

test('a page that was about an earlier check-in does not take back a later one', async t => {
  const { member, path, tickets, clock, checkedIn } = await start(t)
  const door = await member('door')
  await door.post(path, { q: tickets[1].qr_code })
  const first = await door.open(`${path}/${tickets[1].id}/undo`)
  const other = await door.open(`${path}/${tickets[1].id}/undo`)
  await other.fill({ Reason: 'One' }).press('Undo the check-in')
  clock.advance(MINUTE)
  await door.post(path, { q: tickets[1].qr_code })
  const refused = await first.fill({ Reason: 'Two' }).press('Undo the check-in')
  assert.equal(refused.status, 409)
  assert.match(refused.messages.join(), /Look at it again/)
  assert.equal(refused.field('Reason').value, 'Two')
  assert.equal(await checkedIn(), 1)
})

test('the last check-in is undone by one press, and no later one by the same button', async t => {
  const { member, path, tickets, checkedIn, lastEntry } = await start(t)
  const door = await member('door')
  const page = await door.post(path, { q: tickets[1].qr_code })
  assert.deepEqual((await page.press('Undo')).messages, ['Zoë is not checked in.'])
  assert.equal(await checkedIn(), 0)
  assert.equal((await lastEntry())?.details.reason, 'Undone at once')
  await door.post(path, { q: tickets[1].qr_code })
  const entry = await lastEntry()
  const repeated = await page.press('Undo')
  assert.deepEqual([repeated.status, repeated.messages], [200, []])
  assert.equal(await checkedIn(), 1)
  assert.deepEqual(await lastEntry(), entry)
})

test('who works a door sees neither e-mails nor money nor other screens, and people are shown as they wrote themselves', async t => {
  const { member, path, tickets } = await start(t)
  const door = await member('door')
  const page = await door.post(path, { q: tickets[2].qr_code })
  assert.ok(page.messages.join().includes(AWFUL))
  for (const shown of [page, await door.open(`${path}?q=grace`), await door.open(`${path}/list`)]) {
    assert.equal(shown.status, 200)
    assert.ok(shown.text.includes(AWFUL))
    assert.doesNotMatch(shown.html, /<b>"|@example\.org|€|EUR|50\.00/)
  }
  const links = page.links().join()
  assert.match(links, /Check-in/)
  assert.doesNotMatch(links, /Waitlist|settings/)
})

test('other roles, other events and other accounts get 403 and 404, and nothing changes', async t => {
  const { member, path, tickets, foreign, elsewhere, eventId, apply, checkedIn } = await start(t)
  await (await member('owner')).post(path, { q: tickets[0].qr_code })
  const undo = { reason: 'No' }
  const [ticket] = tickets
  const addresses = [path, `${path}/list`, `${path}/${ticket.id}/undo`]
  const posts: [string, Record<string, string>][] = [
    [path, { q: tickets[1].qr_code }],
    [path, { ticket: tickets[1].id }],
    [`${path}/${ticket.id}/undo`, undo],
    [`${path}/${ticket.id}/undo/chk_1`, {}],
  ]
  const other = await apply(organization({ email: 'bob@example.org' }))
  const askers = [
    [await member('finance'), 403],
    [await member('chair'), 403],
    [await member('reviewer'), 403],
    [await member('door', { email: 'd@example.org', eventIds: [elsewhere] }), 404],
    [await member('owner', { email: 'o@example.org', accountId: other.account_id }), 404],
  ] as const
  for (const [asker, status] of askers) {
    for (const address of addresses) assert.equal((await asker.open(address)).status, status, address)
    for (const [to, body] of posts) assert.equal((await asker.post(to, body)).status, status, to)
  }
  // The tickets are of another event, at the door of this one, and the person may see both.
  const manager = await member('manager')
  const strange = `/manage/e/${elsewhere}/check-in`
  for (const [to, body] of [
    [`${strange}/${ticket.id}/undo`, undo],
    [`${strange}/${ticket.id}/undo/chk_1`, {}],
    [path, { ticket: 'none' }],
    [path, { ticket: eventId }],
  ] as const) {
    assert.equal((await manager.post(to, body)).status, 404, to)
  }
  assert.match((await manager.post(path, { ticket: foreign.id })).messages.join(), /another event/)
  assert.equal(await checkedIn(), 1)
})

test('the page speaks Spanish to whoever does', async t => {
  const { member, path, tickets } = await start(t)
  const door = await member('door', { language: 'es' })
  const page = await (await door.open(path)).fill({ 'Escanea una entrada': tickets[0].qr_code }).press('Ir')
  assert.match(page.messages.join(), /^AdelanteGraceStandard · asiento A1Deshacer$/)
  assert.match(
    (await door.post(path, { q: tickets[0].qr_code })).messages.join(),
    /^Ya usadaAcreditada el 21 nov 2026/,
  )
  assert.match((await door.open(`${path}?q=zzz`)).messages.join(), /^No hay nadie/)
  assert.equal((await door.open(`${path}/list`)).heading, 'Lista de acreditación: Spring Meeting')
})

test('the printed list has each ticket once by name, with boxes, and those inside are crossed', async t => {
  const { member, path, tickets } = await start(t)
  const door = await member('door')
  await door.post(path, { q: tickets[1].qr_code })
  const list = await door.open(`${path}/list`)
  assert.equal(list.heading, 'Check-in list: Spring Meeting')
  assert.deepEqual(list.rows(), [
    `${AWFUL} bought by GraceStandard · seat A1`,
    'GraceStandard · seat A1',
    'LateStandard Not confirmed',
    'insideZoë bought by GraceStandard · seat A1',
  ])
  assert.equal(list.document.querySelectorAll('.box').length, 4)
  assert.equal(list.document.querySelectorAll('.box.crossed').length, 1)
})

test('a list on paper that is longer than a file is several, each with its part, and the page says why', async t => {
  const { member, db, accountId, eventId } = await start(t)
  const page = `/manage/e/${eventId}/doors/paper`
  const owner = await member('owner')
  const files = async () => {
    const { document, text } = await owner.open(page)
    const links = [...document.querySelectorAll('td a.button')]
    const ofAll = links.filter(link => !link.getAttribute('href')?.includes('type='))
    return { hrefs: ofAll.map(link => link.getAttribute('href')), text }
  }
  const one = await files()
  assert.deepEqual(one.hrefs, [`${page}/list`])
  assert.doesNotMatch(one.text, /so that a printer/)
  await db.write(accountId, tx =>
    tx.run('UPDATE registration_types SET capacity = 50000, sold = 50000 WHERE event_id = $1 AND name = $2', [
      eventId,
      'Standard',
    ]),
  )
  const several = await files()
  const parts = Math.ceil(50_000 / ROWS_A_FILE)
  assert.ok(parts > 1)
  assert.deepEqual(
    several.hrefs,
    Array.from({ length: parts }, (_, at) => `${page}/list?part=${at + 1}`),
  )
  assert.match(several.text, /so that a printer and this server can take it\. A longer list is several files/)
})

test('a check-in at the desk, or on a guest’s page, is of the source scanner wherever it is told; a program’s is api', async t => {
  const { db, accountId, member, path, tickets, client, eventId, registration } = await start(t)
  await subscribeToAll(db, accountId)
  const door = await member('manager')
  const guest = `/manage/e/${eventId}/guests/${registration}/tickets`
  const [one, other, third] = tickets
  await (await door.open(path)).fill({ [FIELD]: one.qr_code }).press('Go')
  await door.post(`${guest}/${other.id}/check-in`)
  const headers = { 'Idempotency-Key': 'third' }
  const first = await client.post('/check-ins', { attendee_id: third.id }, { headers })
  const expected: Record<string, string> = { [one.id]: 'scanner', [other.id]: 'scanner', [third.id]: 'api' }
  const { data } = (await client.get('/check-ins')).body
  const sources = (some: { attendee_id: string; source: string }[]) =>
    Object.fromEntries(some.map(({ attendee_id, source }) => [attendee_id, source]))
  assert.deepEqual(sources(data), expected)
  const replayed = await client.post('/check-ins', { attendee_id: third.id }, { headers })
  assert.deepEqual([replayed.text, replayed.body.source], [first.text, 'api'])
  const sourcesOf = async (type: string) =>
    sources((await readOutbox(db)).filter(each => each.type === type).map(({ data }) => data.object))
  assert.deepEqual(await sourcesOf('checkin.created'), expected)
  for (const { id } of [one, other]) await db.write(accountId, tx => checkIns.undo(tx, id))
  assert.deepEqual(await sourcesOf('checkin.undone'), { [one.id]: 'scanner', [other.id]: 'scanner' })
})
