import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, MINUTE } from '#base/time.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import type { NewCall } from '#product/programme/calls/schemas.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { begin, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext, file = organization()) {
  const server = await startDashboard(t, file)
  const { db, accountId, eventId } = server
  return {
    ...server,
    path: `/manage/e/${eventId}/abstracts`,
    form: `/manage/e/${eventId}/abstracts/call`,
    find: () => db.read(accountId, tx => calls.find(tx, eventId)),
    put: (changes: Partial<NewCall>) =>
      db.write(accountId, tx =>
        calls.put(tx, eventId, { ...calls.defaultsAt(server.clock(), 'Europe/Madrid'), ...changes }),
      ),
    /** Returns what was logged of the call, oldest first. */
    entries: async () => {
      const all = await db.read(accountId, tx => accessLog.list(tx, 100))
      const own = all.filter(({ action }) => action === 'call.change').reverse()
      return own.map(({ target_type, target_id, details }) => {
        assert.deepEqual([target_type, target_id], ['event', eventId])
        return details
      })
    },
  }
}

/** The organization has a name in links, so that visitors find its event. */
function withLinkName() {
  const file = organization({ event: { takes_abstracts: true } })
  return { ...file, account: { ...file.account, slug: 'acme' } }
}

test('an empty list leads to a form that is filled in already, and one press opens the call for six weeks', async t => {
  const { member, path, form, find, entries, clock } = await start(t)
  const owner = await member('owner')
  const list = await owner.open(path)
  const page = await list.follow('Set up the call for abstracts')
  assert.equal(page.path, form)
  assert.equal(page.field('Opens').value, '2026-11-21T13:00')
  assert.equal(page.field('Deadline').value, '2027-01-02T23:59')
  assert.equal(page.field('That of the event: Europe/Madrid').checked, true)
  assert.match(page.text, /authors read the deadline as: 2 Jan 2027, 23:59 \(CET\)/)
  assert.match(page.text, /This minute still counts: 23:59 means until midnight/)
  const saved = await page.press('Set up the call')
  assert.equal(saved.path, path)
  assert.deepEqual(saved.messages, ['The call for abstracts is saved.'])
  assert.match(saved.text, /Open ?Authors can submit until 2 Jan 2027, 23:59 \(CET\)/)
  const call = await find()
  const minute = Math.floor(clock() / MINUTE) * MINUTE
  assert.deepEqual(
    [call?.opens_at, call?.closes_at, call?.zone, call?.max_words, call?.topics],
    [new Date(minute).toISOString(), '2027-01-02T22:59:00.000Z', null, 300, []],
  )
  assert.deepEqual(await entries(), [{}])
})

test('the same form sent twice sets up one call, and the second changes nothing', async t => {
  const { member, form, find, entries } = await start(t)
  const page = await (await member('manager')).open(form)
  page.fill({ 'Most words': '250' })
  await page.press('Set up the call')
  const first = await find()
  const again = await page.press('Set up the call')
  assert.equal(again.status, 200)
  assert.deepEqual(await find(), first)
  assert.equal((await entries()).length, 1)
})

test('all that a call asks for is entered in plain lines, and stands in the form again as it was entered', async t => {
  const { member, form, find } = await start(t)
  const owner = await member('owner')
  const entered = {
    'What you ask for': '**Short** texts.',
    'Most words': '400',
    Sections: 'Background\n\n Methods \nResults',
    Topics: 'Rooms, halls\nDoors',
    Talks: 'Long talk, 30\nLightning, 5 min\nPanel, with guests\nOpen end',
    Posters: 'Poster',
    'Abstracts a person': '2',
  }
  await (await owner.open(form)).fill(entered).press('Set up the call')
  const call = await find()
  assert.deepEqual(
    call?.kinds.map(({ name, minutes, poster }) => [name, minutes, poster]),
    [
      ['Long talk', 30, false],
      ['Lightning', 5, false],
      ['Panel, with guests', null, false],
      ['Open end', null, false],
      ['Poster', null, true],
    ],
  )
  assert.deepEqual(call?.sections, ['Background', 'Methods', 'Results'])
  assert.deepEqual(
    call?.topics.map(({ name }) => name),
    ['Rooms, halls', 'Doors'],
  )
  assert.deepEqual([call?.about, call?.max_words, call?.per_person], ['**Short** texts.', 400, 2])
  const page = await owner.open(form)
  assert.equal(page.field('Talks').value, 'Long talk, 30\nLightning, 5\nPanel, with guests\nOpen end')
  assert.equal(page.field('Posters').value, 'Poster')
  assert.equal(page.field('Topics').value, 'Rooms, halls\nDoors')
})

test('a change takes only what was changed, keeps the ids of topics, and is logged by the names of its fields', async t => {
  const { member, form, find, put, entries, accountId } = await start(t)
  const seconds = Date.parse('2026-12-31T22:59:30.250Z')
  const kinds = [
    { name: 'Poster', minutes: null, poster: true },
    { name: 'Talk', minutes: 20, poster: false },
  ]
  await put({ topics: ['Rooms', 'Doors'], kinds, closes_at: seconds, file: 'required', max_file_mib: 9 })
  const was = await find()
  const owner = await member('owner')
  await (await owner.open(form)).press('Save')
  assert.deepEqual(await entries(), [])
  await (await owner.open(form)).fill({ Topics: 'Doors\nRooms\nKeys', 'Most words': '99' }).press('Save')
  const call = await find()
  assert.deepEqual(
    call?.topics.slice(0, 2).map(({ id }) => id),
    [was?.topics[1]?.id, was?.topics[0]?.id],
  )
  // What the form does not show, or shows less of, stays: the file, the seconds, the order of the kinds.
  assert.deepEqual(
    [call?.file, call?.max_file_mib, call?.closes_at, call?.kinds],
    ['required', 9, was?.closes_at, was?.kinds],
  )
  assert.deepEqual(await entries(), [{ changed: ['max_words', 'topics'] }])
  const log = await owner.open(`/manage/a/${accountId}/log`)
  assert.match(log.text, /Changed the call for abstracts.*Changed: most words, topics/)
})

test('a deadline anywhere on earth keeps the day and hour that were typed, which is what authors read', async t => {
  const { member, form, find } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(form)
  page.fill({ Deadline: '2027-01-31T23:59', 'Anywhere on earth': true })
  await page.press('Set up the call')
  assert.equal((await find())?.closes_at, '2027-02-01T11:59:00.000Z')
  const again = await owner.open(form)
  assert.equal(again.field('Deadline').value, '2027-01-31T23:59')
  assert.match(again.text, /read the deadline as: 31 Jan 2027, 23:59 \(anywhere on earth\)/)
  // Nothing was changed, so nothing is.
  await again.fill({ 'Most words': '299' }).press('Save')
  assert.equal((await find())?.closes_at, '2027-02-01T11:59:00.000Z')
  // The opening stays where it is when the deadline is read by other clocks.
  const opens = (await find())?.opens_at
  await (await owner.open(form)).fill({ 'That of the event': true }).press('Save')
  assert.deepEqual([(await find())?.opens_at, (await find())?.closes_at], [opens, '2027-01-31T22:59:00.000Z'])
})

test('what is wrong stands beside its field in words, with all that was typed', async t => {
  const { member, form, find } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(form)
  const wrong = await page
    .fill({
      Opens: '',
      Deadline: '',
      Sections: 'Aims\naims',
      Topics: Array.from({ length: 51 }, (_, at) => `Topic ${at}`).join('\n'),
      Talks: 'Talk, 0',
      'Most words': '2001',
    })
    .press('Set up the call')
  assert.equal(wrong.status, 422)
  const said = wrong.messages.join()
  assert.match(said, /Opens: Fill this in.*Deadline: Fill this in/)
  assert.match(said, /Most words: Enter a whole number from 1 to 2000/)
  assert.match(said, /Sections: Write one a line: at most 8, and each once/)
  assert.match(said, /Topics: Write one a line: at most 50, and each once/)
  assert.match(said, /Talks: Talk: enter 1 to 1440 minutes/)
  assert.equal(wrong.field('Talks').value, 'Talk, 0')
  const late = await wrong
    .fill({
      ...{ Opens: '2027-01-02T09:00', Deadline: '2027-01-01T09:00', Sections: '', Topics: '' },
      ...{ Talks: 'Talk, 15', 'Most words': '300' },
    })
    .press('Set up the call')
  assert.match(late.messages.join(), /Deadline: This is before its beginning/)
  const twice = await late.fill({ Deadline: '2027-02-01T09:00', Posters: 'talk' }).press('Set up the call')
  assert.match(twice.messages.join(), /Posters: Talks and posters together are at most 10/)
  const skipped = await twice.fill({ Deadline: '2027-03-28T02:30', Posters: '' }).press('Set up the call')
  assert.match(skipped.messages.join(), /Deadline: .*skip/i)
  assert.equal(await find(), undefined)
})

test('a deadline that its new clocks skip is refused beside it', async t => {
  const { member, form, put, find } = await start(t)
  await put({ zone: 'Etc/GMT+12', closes_at: Date.parse('2027-03-28T14:30:00Z') })
  const page = await (await member('owner')).open(form)
  assert.equal(page.field('Deadline').value, '2027-03-28T02:30')
  const refused = await page.fill({ 'That of the event': true }).press('Save')
  assert.match(refused.messages.join(), /Deadline: The clocks skip this time/)
  assert.equal((await find())?.zone, 'Etc/GMT+12')
})

test('two who set up the call at once see what the other has written, and neither overwrites it unseen', async t => {
  const { member, form, find } = await start(t)
  const [owner, manager] = [await member('owner'), await member('manager')]
  const [first, second] = [await owner.open(form), await manager.open(form)]
  await first.fill({ 'Most words': '250' }).press('Set up the call')
  const refused = await second.fill({ 'Most words': '500' }).press('Set up the call')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /250/)
  assert.equal((await find())?.max_words, 250)
  await refused.press('Save')
  assert.equal((await find())?.max_words, 500)
})

test('the list says where the call stands, how many came and how many are begun, and at which address', async t => {
  const place = await start(t, withLinkName())
  const { member, visitor, path, put, clock, app } = place
  const owner = await member('owner')
  await put({ opens_at: clock() + DAY, closes_at: clock() + 9 * DAY })
  const before = await owner.open(path)
  assert.match(
    before.text,
    /Not open yet ?Opens on 22 Nov 2026, 13:00 \(CET\), and is open until 30 Nov 2026/,
  )
  await openCall(place)
  const { submission } = await begin(place)
  await send(place, submission.id)
  await begin(place, { email: 'ada@example.org' })
  const open = await owner.open(path)
  assert.match(open.text, /Open ?Authors can submit until 5 Dec 2026, 13:00 \(CET\)/)
  assert.match(open.text, /Received: 1\. Begun and not sent: 1\./)
  const address = open.document.querySelector<HTMLInputElement>('[aria-label="Address for authors"]')
  assert.equal(address?.value, `${app.siteUrl}/acme/spring-meeting/abstracts`)
  const call = await visitor().open('/acme/spring-meeting/abstracts')
  assert.match(call.text, /Deadline: 5 Dec 2026, 13:00 \(CET\)/)
  await put({ opens_at: clock() - 9 * DAY, closes_at: clock() - DAY })
  const over = await owner.open(path)
  assert.match(over.text, /Closed ?Authors could submit until 20 Nov 2026, 13:00 \(CET\)/)
  // A part of the list has the page for itself.
  assert.doesNotMatch((await owner.open(`${path}?status=submitted`)).text, /Call for abstracts/)
})

test('a draft has no address for authors yet, and the list says why', async t => {
  const { member, path, put } = await start(
    t,
    organization({ event: { status: 'draft', takes_abstracts: true } }),
  )
  await put({})
  const page = await (await member('owner')).open(path)
  assert.match(page.text, /Visitors see the event once it is published/)
  assert.equal(page.document.querySelector('[aria-label="Address for authors"]'), null)
})

test('a call of an event without abstracts switched on has no address, and the list says why', async t => {
  const { member, path, put } = await start(t)
  await put({})
  const page = await (await member('owner')).open(path)
  assert.match(page.text, /Authors see it once abstracts are switched on in the settings/)
})

test('a private event gives authors the address with its code', async t => {
  const { account, events } = withLinkName()
  const event = { ...events[0], visibility: 'private', codes: [{ code: 'GUEST', percent: 10 }] }
  const { member, path, put, app, visitor } = await start(t, { account, events: [event] } as never)
  await put({})
  const page = await (await member('owner')).open(path)
  const address = page.document.querySelector<HTMLInputElement>('[aria-label="Address for authors"]')?.value
  assert.equal(address, `${app.siteUrl}/acme/spring-meeting/abstracts?code=GUEST`)
  assert.match((await visitor().open(address.slice(app.siteUrl.length))).heading, /^Call for abstracts/)
})

test('only members who decide about abstracts open the call, a chair among them', async t => {
  const { member, form, find } = await start(t)
  await (await (await member('chair')).open(form)).press('Set up the call')
  assert.notEqual(await find(), undefined)
  for (const role of ['finance', 'door', 'reviewer'] as const)
    assert.equal((await (await member(role)).open(form)).status, 403, role)
})

test('the form in Spanish', async t => {
  const { member, form } = await start(t)
  const page = await (await member('owner', { language: 'es' })).open(form)
  assert.equal(page.heading, 'Convocatoria de propuestas')
  const saved = await page.fill({ 'En cualquier lugar de la Tierra': true }).press('Crear la convocatoria')
  assert.match(saved.text, /hasta el 2 ene 2027, 23:59 \(en cualquier lugar de la Tierra\)/)
})

test('a chair says whether a file comes with an abstract, and how large it may be', async t => {
  const { member, form, find, put, eventId } = await start(t)
  await put({})
  const chair = await member('chair', { eventIds: [eventId] })
  const page = await chair.open(form)
  assert.equal(page.field('No file').checked, true)
  const refused = await page
    .fill({ 'Each abstract needs one': true, 'Largest file, in MB': '11' })
    .press('Save')
  assert.equal(refused.status, 422)
  assert.equal((await find())?.file, 'none')
  await refused.fill({ 'Largest file, in MB': '10' }).press('Save')
  const call = await find()
  assert.deepEqual([call?.file, call?.max_file_mib], ['required', 10])
})
