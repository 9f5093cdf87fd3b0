import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ERASED_NAME } from '#base/words.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { readOutbox, readSold, readState } from '#test/support/observations.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { newRegistration, UNKNOWN_ID } from '#test/support/requests.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

const holders = [
  { name: 'Grace Hopper', email: 'grace@example.org', seat: 'A1' },
  { name: '<b>Alan</b>', email: 'alan@example.org' },
]

/** Starts with a registration of two tickets on the day of the event, and with people who wait for its places. */
async function start(t: TestContext) {
  const waiting = (reference: string, quantity: number) => ({
    ...{ reference, quantity, registration_type: 'Free' },
    ...{ name: 'Wanda', email: `${reference}@example.org` },
  })
  const server = await startDashboard(
    t,
    organization({
      event: {
        registration_types: [
          { name: 'Standard', price: 5000, capacity: 200 },
          { name: 'Free', price: 0, capacity: 3 },
        ],
        registrations: [registration('paid', { amount_total: 5000 })],
        waitlist: [waiting('one', 2), waiting('two', 9), waiting('three', 1)],
      },
    }),
  )
  const { client, eventId, types, applied } = server
  await subscribeToAll(server.db, server.accountId)
  const made = await client.post(
    '/registrations',
    newRegistration(server, {
      registration_type_id: types.Free,
      attendees: holders,
      answers: { diet: 'vegan', __proto__x: 'y' },
    }),
  )
  const list = `/manage/e/${eventId}/guests`
  const id: string = made.body.id
  const read = async () => (await client.get(`/registrations/${id}`)).body
  const paid = applied.events['spring-meeting']?.registrations.paid as string
  return { ...server, list, id, path: `${list}/${id}`, read, paid }
}

test('a registration shows its buyer, tickets, answers and what has happened, as text', async t => {
  const { member, path } = await start(t)
  const manager = await member('manager')
  const page = await manager.open(path)
  assert.equal(page.heading, 'Grace')
  assert.match(page.text, /Confirmed/)
  assert.deepEqual(page.rows().length, 2)
  assert.match(page.rows()[1] as string, /<b>Alan<\/b>.*alan@example.org/)
  assert.match(page.text, /dietvegan/)
  assert.match(page.text, /Registered21 Nov 2026, 1\d:\d\d by the API key “test”/)
})

test('the banner of a check-in undoes that one, and no later one of the same ticket; pressed twice, it undoes once', async t => {
  const { member, path, db, clock } = await start(t)
  const manager = await member('manager')
  const done = await (await manager.open(path)).press('Check in: Grace Hopper')
  const form = await (await manager.open(path)).follow('Undo the check-in: Grace Hopper')
  clock.advance(1000)
  const first = await done.press('Undo')
  assert.match(first.messages.join(), /is undone/)
  assert.equal((await done.press('Undo')).heading, 'Grace')
  await first.press('Check in: Grace Hopper')
  const stale = await done.press('Undo')
  assert.ok(!stale.messages.join().includes('undone'))
  // The form that was about the first check-in does not either.
  const late = await form.fill({ Reason: 'Wrong person' }).press('Undo the check-in')
  assert.equal(late.status, 409)
  const checkIns = await db.read(INSTANCE, tx => tx.all('SELECT id FROM check_ins'))
  assert.equal(checkIns.length, 1)
  const undone = await db.read(INSTANCE, tx =>
    tx.all("SELECT id FROM access_log WHERE action = 'check_in.undo'"),
  )
  assert.equal(undone.length, 1)
})

test('a ticket is checked in at once, which the banner undoes; later it takes a reason', async t => {
  const { member, path, read, db } = await start(t)
  const manager = await member('manager')
  const done = await (await manager.open(path)).press('Check in: Grace Hopper')
  assert.match(done.messages.join(), /Grace Hopper is checked in/)
  assert.equal((await read()).attendees[0].checked_in, true)
  assert.equal((await read()).attendees[1].checked_in, false)
  const undone = await done.press('Undo')
  assert.match(undone.messages.join(), /The check-in of Grace Hopper is undone/)
  assert.equal((await read()).attendees[0].checked_in, false)

  await undone.press('Check in: Grace Hopper')
  const confirmation = await (await manager.open(path)).follow('Undo the check-in: Grace Hopper')
  const refused = await confirmation.fill({ Reason: '' }).press('Undo the check-in')
  assert.equal(refused.status, 422)
  assert.equal((await read()).attendees[0].checked_in, true)
  const page = await refused.fill({ Reason: 'Wrong person' }).press('Undo the check-in')
  assert.match(page.text, /The check-in of Grace Hopper was undoneWrong person.*by Person manager/)
  const outbox = await readOutbox(db)
  assert.deepEqual(
    outbox.map(({ type }) => type),
    ['registration.created', 'checkin.created', 'checkin.undone', 'checkin.created', 'checkin.undone'],
  )
})

test('a check-in that the rule refuses is told in words, and admits nobody', async t => {
  const { member, path, list, paid, clock, read } = await start(t)
  const manager = await member('manager')
  const page = await manager.open(path)
  clock.set('2026-12-24T12:00:00Z')
  const again = await member('manager', { email: 'later@example.org' })
  const late = await again.open(path)
  const refused = await late.press('Check in: Grace Hopper')
  assert.match(refused.messages.join(), /not valid now/)
  assert.equal((await read()).attendees[0].checked_in, false)
  const [ticket] = (await read()).attendees
  assert.equal((await again.post(`${list}/${paid}/tickets/${ticket.id}/check-in`)).status, 404)
  assert.ok(page)
})

test('an edit changes what was typed alone, and the search finds the new name', async t => {
  const { member, path, list, read } = await start(t)
  const manager = await member('manager')
  const form = await (await manager.open(path)).follow('Edit')
  const saved = await form
    .fill({
      'Name on ticket 2': 'Alan Turing',
      'E-mail on ticket 1': '',
      diet: 'none\nat all',
      Note: 'Front row',
    })
    .press('Save')
  assert.match(saved.messages.join(), /is saved/)
  assert.match(saved.text, /Changed: .*name on ticket 2/)
  const is = await read()
  assert.equal(is.attendees[1].name, 'Alan Turing')
  assert.equal(is.attendees[0].email, null)
  assert.equal(is.attendees[0].seat, 'A1')
  assert.deepEqual(is.answers, { diet: 'none\nat all', __proto__x: 'y' })
  assert.match((await manager.open(`${list}?q=turing`)).text, /All 1/)
  const removed = await (await manager.open(`${path}/edit`)).fill({ diet: '' }).press('Save')
  assert.doesNotMatch(removed.text, /none at all/)
  assert.deepEqual((await read()).answers, { __proto__x: 'y' })
})

test('what is wrong is told beside its field, with all that was typed, and nothing is changed', async t => {
  const { member, path, read } = await start(t)
  const manager = await member('manager')
  const before = await read()
  const refused = await (await manager.open(`${path}/edit`))
    .fill({
      'Name of the buyer': '',
      'E-mail on ticket 2': 'no mail',
      'Seat of ticket 1': 'x'.repeat(51),
      Note: 'Kept',
    })
    .press('Save')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /E-mail on ticket 2: Enter an e-mail address/)
  assert.match(refused.messages.join(), /Seat of ticket 1: This takes at most 50/)
  assert.equal(refused.field('Note').value, 'Kept')
  assert.deepEqual(await read(), before)
})

test('of two who edit at once the second sees what the first has written, and what only one has changed stays', async t => {
  const { member, path, read } = await start(t)
  const one = await (await member('manager')).open(`${path}/edit`)
  const two = await (await member('owner')).open(`${path}/edit`)
  await one.fill({ 'Name on ticket 1': 'First', 'Seat of ticket 2': 'B7' }).press('Save')
  const conflict = await two.fill({ 'Name on ticket 1': 'Second', Note: 'mine' }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Somebody changed this to “First”/)
  assert.equal((await read()).attendees[0].name, 'First')
  await conflict.press('Save')
  const is = await read()
  assert.equal(is.attendees[0].name, 'Second')
  assert.equal(is.attendees[1].seat, 'B7')
})

test('a hundred tickets are edited in one form', async t => {
  const { member, list, client, eventId, types } = await start(t)
  const attendees = Array.from({ length: 100 }, (_, at) => ({ name: `Guest ${at + 1}`, seat: `S${at + 1}` }))
  const { body } = await client.post('/registrations', newRegistration({ eventId, types }, { attendees }))
  const manager = await member('manager')
  const form = await manager.open(`${list}/${body.id}/edit`)
  const saved = await form.fill({ 'Name on ticket 100': 'The last', 'Seat of ticket 99': '' }).press('Save')
  assert.equal(saved.status, 200)
  const is = (await client.get(`/registrations/${body.id}`)).body.attendees
  assert.deepEqual([is[99].name, is[98].name, is[98].seat], ['The last', 'Guest 99', null])
})

test('a cancellation says what it will do, and does that', async t => {
  const { member, path, read, db, types } = await start(t)
  const manager = await member('manager')
  const confirmation = await (await manager.open(path)).follow('Cancel…')
  assert.equal(confirmation.heading, 'Cancel the registration of Grace?')
  // Three places are free then: for one who wants two, and one who wants one.
  assert.match(
    confirmation.text,
    /2 tickets become void.*2 places are free again.*2 people on the waitlist are notified/,
  )
  assert.equal((await read()).status, 'confirmed')
  const done = await confirmation.press('Cancel the registration')
  assert.match(done.messages.join(), /is cancelled/)
  assert.match(done.text, /Cancelled: the tickets are void.*by Person manager/)
  assert.ok(!done.links().some(link => link.startsWith('Cancel')))
  assert.equal((await read()).status, 'cancelled')
  assert.equal(await readSold(db, types.Free), 0)
  const { waitlist } = await readState(db)
  const notified = waitlist.map(entry => (entry as { notified_at: number | null }).notified_at !== null)
  assert.equal(notified.filter(Boolean).length, 2)
  assert.deepEqual(
    (await readOutbox(db)).map(({ type }) => type),
    ['registration.created', 'registration.cancelled'],
  )
  const twice = await confirmation.press('Cancel the registration')
  assert.equal(twice.heading, 'Grace', 'a double click leads to where the first has led')
  assert.equal((await readOutbox(db)).length, 2)
})

test('a cancellation is asked for again where somebody was checked in meanwhile, and a paid one is refused', async t => {
  const { member, path, list, paid, client, read } = await start(t)
  const manager = await member('manager')
  const confirmation = await manager.open(`${path}/cancel`)
  const [ticket] = (await read()).attendees
  await client.post('/check-ins', { attendee_id: ticket.id })
  const again = await confirmation.press('Cancel the registration')
  assert.equal(again.status, 409)
  assert.match(again.text, /1 ticket is checked in/)
  assert.equal((await read()).status, 'confirmed')
  const refused = await manager.open(`${list}/${paid}/cancel`)
  assert.equal(refused.status, 409)
  assert.match(refused.text, /only together with its refund/)
  assert.ok(!(await manager.open(`${list}/${paid}`)).links().includes('Cancel…'))
})

test('an owner makes the buyer anonymous, after a page that says where the person is; others stay', async t => {
  const { member, path, read, db } = await start(t)
  const manager = await member('manager')
  assert.ok(!(await manager.open(path)).links().includes('Erase personal data…'))
  for (const answer of [manager.open(`${path}/erase`), manager.post(`${path}/erase`)]) {
    assert.equal((await answer).status, 403)
  }
  const owner = await member('owner')
  const confirmation = await (await owner.open(path)).follow('Erase personal data…')
  assert.match(confirmation.text, /grace@example.org.*2 registrations.*2 tickets.*1 ticket of others/)
  assert.equal((await read()).buyer.name, 'Grace')
  const unseen = await owner.post(`${path}/erase`)
  assert.equal(unseen.status, 409)
  assert.equal((await read()).buyer.name, 'Grace', 'nothing is done unseen')
  const done = await confirmation.press('Erase personal data')
  assert.match(done.messages.join(), /anonymous now/)
  assert.equal(done.heading, ERASED_NAME)
  const is = await read()
  assert.deepEqual(
    is.attendees.map(({ name }: { name: string }) => name),
    [ERASED_NAME, '<b>Alan</b>'],
  )
  assert.deepEqual(is.answers, {})
  assert.ok(!done.links().includes('Edit'))
  assert.equal((await owner.open(`${path}/edit`)).status, 409)
  assert.equal((await confirmation.press('Erase personal data')).status, 409)
  assert.equal((await read()).attendees[1].name, '<b>Alan</b>', 'a double click takes nobody else')
  const other = await (await owner.open(path)).follow('Erase personal data…')
  assert.equal(other.heading, 'Erase the personal data of <b>Alan</b>?')
  await other.press('Erase personal data')
  assert.equal((await read()).attendees[1].name, ERASED_NAME)
  const log = await db.read(INSTANCE, tx =>
    tx.all<{ details: string }>("SELECT details FROM access_log WHERE action = 'person.erase'"),
  )
  assert.equal(log.length, 2)
  assert.doesNotMatch(JSON.stringify(log), /grace|alan/i)
})

test('a guest is added by hand once, by the rule of the API', async t => {
  const { member, list, client, db, types } = await start(t)
  const manager = await member('manager')
  const form = await (await manager.open(list)).follow('Add a guest')
  form.fill({
    'Ticket type': types.Standard as string,
    'Name of the buyer': 'Zoë',
    'E-mail of the buyer': 'zoe@example.org',
    Names: 'Hopper, Grace, g@example.org\n\n Ada \n',
    diet: 'vegan',
    Note: 'VIP',
  })
  const made = await form.press('Add the guest')
  assert.match(made.messages.join(), /Zoë is registered/)
  assert.match(made.text, /VIP/)
  const again = await form.press('Add the guest')
  assert.equal(again.heading, 'Zoë')
  const { body } = await client.get('/registrations?email=zoe@example.org')
  assert.equal(body.data.length, 1)
  const [one] = body.data
  assert.deepEqual(
    one.attendees.map(({ name, email }: { name: string; email: string }) => [name, email]),
    [
      ['Hopper, Grace', 'g@example.org'],
      ['Ada', null],
    ],
  )
  assert.deepEqual([one.answers, one.amount_total, one.status], [{ diet: 'vegan' }, 0, 'confirmed'])
  assert.equal((await readOutbox(db)).at(-1).data.object.id, one.id)
  assert.match(made.text, /Registered.*by Person manager/)
})

test('a type that is sold out is told beside it, with what was typed, and takes nothing', async t => {
  const { member, list, db, types, client } = await start(t)
  const manager = await member('manager')
  const before = await readState(db)
  const refused = await (await manager.open(`${list}/new`))
    .fill({
      'Ticket type': types.Free as string,
      'Name of the buyer': 'Zoë',
      'E-mail of the buyer': 'zoe@example.org',
      Tickets: '2',
    })
    .press('Add the guest')
  assert.equal(refused.status, 409)
  assert.match(
    refused.messages.join(),
    /Ticket type: There are not enough places left: 1 of this type is free/,
  )
  assert.equal(refused.field('Name of').value, 'Zoë')
  assert.deepEqual(await readState(db), before)
  const wrong = await refused.fill({ Tickets: '3', Names: 'One\nTwo, two@\nThree' }).press('Add the guest')
  assert.match(wrong.messages.join(), /Names: Line 2/)
  const unequal = await wrong.fill({ Names: 'One\nTwo' }).press('Add the guest')
  assert.match(unequal.messages.join(), /more or fewer names than tickets/)
  assert.deepEqual(await readState(db), before)
  const fits = await unequal.fill({ Tickets: '1', Names: '' }).press('Add the guest')
  assert.equal(fits.heading, 'Zoë')
  assert.equal((await client.get('/registrations?email=zoe@example.org')).body.data[0].quantity, 1)
})

test('what is of another event or account is not there, and roles that lack the permission change nothing', async t => {
  const { member, list, path, id, apply, read, db, eventId } = await start(t)
  const [ticket] = (await read()).attendees
  const { account_id: bob, events } = await apply(organization({ email: 'bob@example.org' }))
  const stranger = await member('owner', { email: 'bob-owner@example.org', accountId: bob })
  const elsewhere = `/manage/e/${events['spring-meeting']?.id}/guests/${id}`
  const manager = await member('manager')
  const finance = await member('finance')
  const door = await member('door')
  const before = await readState(db)
  const actions = [
    '/edit',
    '/cancel',
    '/erase',
    ...['check-in', 'undo', `undo-at-once/${UNKNOWN_ID}`].map(each => `/tickets/${ticket.id}/${each}`),
  ]
  for (const action of actions) {
    for (const base of [path, elsewhere])
      assert.equal((await stranger.post(base + action)).status, 404, action)
    assert.equal((await finance.post(path + action)).status, 403, action)
    if (action !== '/erase')
      assert.equal((await manager.post(`${list}/${UNKNOWN_ID}${action}`)).status, 404, action)
  }
  for (const reader of [stranger])
    for (const base of [path, elsewhere]) assert.equal((await reader.open(base)).status, 404)
  assert.equal((await finance.open(path)).status, 200)
  assert.ok(!/<button[^>]*>Check in|Edit</.test((await finance.open(path)).html))
  assert.equal((await door.open(path)).status, 403)
  assert.equal((await manager.open(`${list}/nothing`)).status, 404)
  assert.deepEqual(await readState(db), before)
  assert.ok(eventId)
})

test('the pages of a registration speak Spanish', async t => {
  const { member, path } = await start(t)
  const owner = await member('owner', { language: 'es' })
  for (const page of ['', '/edit', '/cancel', '/erase']) {
    const { text, status } = await owner.open(path + page)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /\b(?:Tickets?|Name|Seat|Cancel|Edit|Registered|Check|people|the)\b/, page)
  }
})
