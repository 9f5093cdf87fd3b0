import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE, type ReadTx } from '#machinery/db/port.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { listLater } from '#product/catalog/events/later-dates.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as types from '#product/catalog/registration-types/rules.ts'
import { repeatEvent } from '#product/data-care/duplication/repeat.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { photo, pngOf } from '#test/support/picture-files.ts'

const LATER = 'This date and the later ones (2)'

/** The event begins on 21 November 2026 at 10:00 in Madrid, and is repeated on two days of March. */
async function startWithSeries(t: Parameters<typeof startDashboard>[0]) {
  const server = await startDashboard(t, organization({}))
  const { db, accountId, eventId } = server
  const dates = await db.write(accountId, async tx => {
    const starts = ['2027-03-01T09:00:00Z', '2027-03-02T09:00:00Z'].map(Date.parse)
    return (await repeatEvent(tx, eventId, { name: 'Talks', slug: 'talks', starts })).made.map(({ id }) => id)
  })
  const all = () =>
    db.read(accountId, tx => Promise.all([eventId, ...dates].map(id => events.getDetails(tx, id))))
  const logged = (action: string) =>
    db.read(INSTANCE, tx =>
      tx.all<{ target_id: string; details: string }>(
        'SELECT target_id, details FROM access_log WHERE action = $1 ORDER BY created_at, id',
        [action],
      ),
    )
  const settings = (of = eventId) => `/manage/e/${of}/settings`
  return { ...server, dates, all, logged, settings }
}

test('without a choice only this date changes, and an event without later dates has no choice', async t => {
  const { member, dates, all, settings } = await startWithSeries(t)
  const manager = await member('manager')
  for (const path of ['', '/page', '/sale', '/waitlist', '/mails'])
    assert.match((await manager.open(settings() + path)).text, /Save for.*Only this date/, path)
  const [, , last] = await all()
  assert.doesNotMatch((await manager.open(settings(dates[1]))).text, /Save for/)
  const saved = await (await manager.open(settings())).fill({ Name: 'Another talk' }).press('Save')
  assert.match(saved.messages.join(), /“Another talk” is saved\./)
  assert.deepEqual((await all()).map(({ title }) => title).slice(1), [last?.title, last?.title])
})

test('a change goes to the later dates too, each with its entry in the access log, and what was not changed does not', async t => {
  const { member, dates, eventId, all, logged, settings } = await startWithSeries(t)
  const manager = await member('manager')
  await (await manager.open(settings(dates[0]))).fill({ Name: 'Guest talk' }).press('Save')
  const before = (await logged('event.update')).length
  const form = await manager.open(`${settings()}/page`)
  const saved = await form.fill({ Venue: 'Great Hall', [LATER]: true }).press('Save')
  assert.match(saved.messages.join(), /is saved, on 2 later dates too/)
  const [one, two, three] = await all()
  assert.deepEqual([one?.venue, two?.venue, three?.venue], ['Great Hall', 'Great Hall', 'Great Hall'])
  assert.equal(two?.title, 'Guest talk')
  const entries = (await logged('event.update')).slice(before)
  assert.deepEqual(entries.map(({ target_id }) => target_id).sort(), [eventId, ...dates].sort())
  for (const { details } of entries) assert.deepEqual(JSON.parse(details), { changed: ['venue'] })
  const asItIs = await (await manager.open(settings())).fill({ [LATER]: true }).press('Save')
  assert.match(asItIs.messages.join(), /is saved\./)
  assert.equal((await logged('event.update')).length, before + 3, 'nothing changed, and nothing is logged')
})

test('what a later date cannot take is said by its date with the reason, the choice stays, and nothing is saved', async t => {
  const { member, dates, all, settings, db, accountId } = await startWithSeries(t)
  await db.write(accountId, tx =>
    events.update(tx, dates[1] as string, { ends_at: Date.parse('2027-03-02T10:30:00Z') }),
  )
  const before = await all()
  const form = await (await member('manager')).open(settings())
  const typed = { Name: 'Later', Starts: '2026-11-21T12:00', [LATER]: true }
  const refused = await form.fill(typed).press('Save')
  assert.equal(refused.status, 409)
  assert.match(refused.messages.join(), /some of the later dates cannot take this: 1/)
  assert.match(refused.text, /2027-03-02, 10:00: [^.]*before its beginning/)
  assert.equal((refused.field(LATER) as HTMLInputElement).checked, true)
  assert.equal(refused.field('Name').value, 'Later')
  assert.deepEqual(await all(), before)
  const saved = await refused.fill({ 'Only this date': true }).press('Save')
  assert.match(saved.messages.join(), /“Later” is saved\./)
  assert.deepEqual((await all()).slice(1), before.slice(1))
})

test('a ticket type is changed and added for the later dates too, with an entry for each, and a refusal names its date', async t => {
  const { member, dates, eventId, logged, db, accountId } = await startWithSeries(t)
  const manager = await member('manager')
  const tickets = `/manage/e/${eventId}/tickets`
  const listed = () =>
    db.read(accountId, tx => Promise.all([eventId, ...dates].map(id => types.listDetails(tx, id))))
  const idsOf = async (name: string) =>
    (await listed()).flatMap(all => all.flatMap(type => (type.name === name ? [type.id] : [])))
  const targets = async (action: string) => (await logged(action)).map(({ target_id }) => target_id).sort()
  const added = await (await manager.open(`${tickets}/new`))
    .fill({ Name: 'Guest', Price: '0', Available: '5', [LATER]: true })
    .press('Add the type')
  assert.match(added.messages.join(), /“Guest” is added, to 2 later dates too\./)
  const guests = await idsOf('Guest')
  assert.equal(guests.length, 3)
  assert.deepEqual(await targets('registration_type.create'), guests.toSorted())
  const form = await manager.open(`${tickets}/${guests[0]}`)
  const alone = await form.fill({ Name: 'Visitor' }).press('Save')
  assert.match(alone.messages.join(), /“Visitor” is saved\./)
  assert.equal((await idsOf('Guest')).length, 2)
  const again = await manager.open(`${tickets}/${guests[0]}`)
  const refused = await again.fill({ Available: '9', [LATER]: true }).press('Save')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /2027-03-01, 10:00: This date has no ticket type “Visitor”\./)
  assert.equal((refused.field(LATER) as HTMLInputElement).checked, true)
  const [standard] = await idsOf('Standard')
  const before = await targets('registration_type.update')
  const saved = await (await manager.open(`${tickets}/${standard}`))
    .fill({ Available: '80', [LATER]: true })
    .press('Save')
  assert.match(saved.messages.join(), /“Standard” is saved, on 2 later dates too/)
  for (const all of await listed()) {
    assert.equal(all.find(({ name }) => name === 'Standard')?.capacity, 80)
    assert.notEqual(all.find(({ name }) => name === 'Visitor')?.capacity, 9)
  }
  const after = await targets('registration_type.update')
  assert.deepEqual(after, [...before, ...(await idsOf('Standard'))].sort())
  assert.doesNotMatch((await manager.open(`/manage/e/${dates[1]}/tickets/new`)).text, /Save for/)
})

test('codes, questions, the colour and the logo of a date go to the later ones by their forms, each with an entry', async t => {
  const { member, dates, eventId, logged, db, accountId } = await startWithSeries(t)
  const manager = await member('manager')
  const at = (path: string) => manager.open(`/manage/e/${eventId}/${path}`)
  const each = <Result>(read: (tx: ReadTx, id: string) => Promise<Result>) =>
    db.read(accountId, tx => Promise.all([eventId, ...dates].map(id => read(tx, id))))
  const count = async (action: string) => (await logged(action)).length
  const code = await (await at('tickets/codes/new'))
    .fill({ Code: 'EARLY', Percentage: '10', [LATER]: true })
    .press('Add the code')
  assert.match(code.messages.join(), /“EARLY” is added, to 2 later dates too\./)
  const all = await each((tx, id) => codes.listAll(tx, id))
  assert.deepEqual(
    all.map(some => some.map(({ percent }) => percent)),
    [[10], [10], [10]],
  )
  const edit = await at(`tickets/codes/${all[0]?.[0]?.id}`)
  const saved = await edit.fill({ Percentage: '20', [LATER]: true }).press('Save')
  assert.match(saved.messages.join(), /“EARLY” is saved, on 2 later dates too/)
  assert.deepEqual([await count('code.create'), await count('code.update')], [3, 3])
  const question = await (await at('tickets/questions/new'))
    .fill({ Question: 'Allergy', [LATER]: true })
    .press('Add the question')
  assert.match(question.messages.join(), /“Allergy” is added, to 2 later dates too\./)
  const [asked] = await each((tx, id) => questions.list(tx, id))
  const again = await at(`tickets/questions/${asked?.[0]?.id}`)
  assert.match(
    (await again.fill({ Question: 'Allergies', [LATER]: true }).press('Save')).messages.join(),
    /“Allergies” is saved, on 2 later dates too/,
  )
  const labels = (await each((tx, id) => questions.list(tx, id))).map(some => some.map(({ label }) => label))
  assert.deepEqual(labels, [['Allergies'], ['Allergies'], ['Allergies']])
  assert.deepEqual([await count('question.create'), await count('question.update')], [3, 3])
  const looksOf = () => each((tx, id) => looks.findOwn(tx, id))
  const coloured = { 'A colour of its own': true, Colour: '#008800' }
  await (await at('settings/look')).fill({ ...coloured, [LATER]: true }).press('Save')
  assert.deepEqual(
    (await looksOf()).map(({ colour }) => colour),
    ['#008800', '#008800', '#008800'],
  )
  await (await at('settings/look')).fill({ Colour: '#880000' }).press('Save')
  assert.deepEqual(
    (await looksOf()).map(({ colour }) => colour),
    ['#880000', '#008800', '#008800'],
  )
  await (await at('settings/look')).fill({ [LATER]: true }).press('Save')
  assert.equal((await looksOf())[1]?.colour, '#008800', 'what was not changed goes nowhere')
  const logo = new Uint8Array(pngOf(photo(80, 20)))
  const upload = async () => (await at('settings/look/logo')).choose('File', 'logo.png', logo)
  const placed = await (await upload()).press('Upload for this date and the later ones (2)')
  assert.match(placed.messages.join(), /on 2 later dates too/)
  assert.deepEqual(
    (await looksOf()).map(own => own.logo?.width),
    [80, 80, 80],
  )
  await placed.press('Remove it')
  assert.deepEqual(
    (await looksOf()).map(own => own.logo?.width),
    [undefined, 80, 80],
  )
  await (await upload()).press('Upload for')
  await (await at('settings/look')).press('Take it off the later dates (2) too')
  assert.deepEqual(
    (await looksOf()).map(({ logo }) => logo),
    [null, null, null],
  )
  assert.deepEqual([await count('event.logo'), await count('event.logo_remove')], [6, 4])
  const { text } = await manager.open(`/manage/e/${dates[1]}/settings/look/logo`)
  assert.doesNotMatch(text, /later/)
})

test('another account finds no later dates of an event that is not its own', async t => {
  const { all, apply, db, accountId } = await startWithSeries(t)
  const [event] = (await all()) as [EventDetails]
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  assert.equal((await db.read(accountId, tx => listLater(tx, event, null))).length, 2)
  assert.deepEqual(await db.read(other, tx => listLater(tx, event, null)), [])
})

test('a member of some events changes no later date of others', async t => {
  const { member, dates, eventId, all, settings, db, accountId } = await startWithSeries(t)
  const ids = [eventId, dates[1] as string]
  const some = await member('manager', { email: 'some@example.org', eventIds: ids })
  const form = await some.open(settings())
  const saved = await form.fill({ Name: 'Mine', 'This date and the later one (1)': true }).press('Save')
  assert.match(saved.messages.join(), /on 1 later date too/)
  const [one, two, three] = await all()
  assert.deepEqual([one?.title, three?.title], ['Mine', 'Mine'])
  assert.notEqual(two?.title, 'Mine')
  const added = await (await some.open(`/manage/e/${eventId}/tickets/new`))
    .fill({ Name: 'Guest', Price: '0', Available: '5', 'This date and the later one (1)': true })
    .press('Add the type')
  assert.match(added.messages.join(), /“Guest” is added, to 1 later date too\./)
  const guests = await db.read(accountId, tx =>
    Promise.all([eventId, ...dates].map(id => types.listDetails(tx, id))),
  )
  const has = guests.map(listed => listed.some(({ name }) => name === 'Guest'))
  assert.deepEqual(has, [true, false, true])
})
