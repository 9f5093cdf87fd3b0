import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { registration } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { addRoom, addSession, addSlot, read } from '#test/support/programme.ts'
import { openCall } from '#test/support/submissions.ts'

const accepted = { status: 'accepted', decided_at: '2026-11-01T00:00:00Z' }
const presents = (name: string, email: string) => ({ authors: [{ name, email, presenting: true }] })

async function start(t: TestContext) {
  const file = organizationWith(
    [
      abstract('A-1', { ...accepted, ...presents('Grace', 'grace@example.org'), title: 'On counting' }),
      abstract('A-2', { ...accepted, ...presents('Bob', 'bob@example.org'), title: 'On walls' }),
      abstract('A-3', { ...accepted, ...presents('Eve', 'eve@example.org'), title: 'On nothing' }),
      abstract('R-1', { title: 'Not decided' }),
    ],
    {
      event: { takes_abstracts: true, registrations: [registration('one')] },
      events: [{ slug: 'other', title: 'Other' }],
    },
  )
  const server = await startDashboard(t, file)
  const kinds = [
    { name: 'Talk', minutes: 20, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ]
  await openCall(server, { topics: ['Numbers', 'Bricks'], kinds })
  const { db, accountId, eventId, applied } = server
  const call = await db.read(accountId, tx => calls.get(tx, eventId))
  const choose = (code: string, topic: number, kind: number) =>
    db.write(accountId, tx =>
      tx.run('UPDATE abstracts SET topic_id = $3, kind_id = $4 WHERE account_id = $1 AND code = $2', [
        ...[accountId, code, call.topics[topic]?.id as string, call.kinds[kind]?.id as string],
      ]),
    )
  await choose('A-1', 1, 0)
  await choose('A-2', 0, 0)
  await choose('A-3', 0, 1)
  const path = `/manage/e/${eventId}/programme`
  return {
    ...{ ...server, path, otherId: applied.events.other?.id as string },
    /** Returns what stands in the sessions: by session, each with its minutes. */
    placed: async () =>
      (await read(server)).sessions.map(({ title, slots }) => [
        title,
        ...slots.map(({ abstract: of, title: text, minutes }) => `${of?.code ?? text} ${minutes}`),
      ]),
    entries: async () =>
      (await db.read(accountId, tx => accessLog.list(tx, 100)))
        .filter(({ action }) => /^(room|slot|programme_session)\./.test(action))
        .map(({ action, details }) => [action, details])
        .reverse(),
  }
}

const listIn = (page: ReadPage, within: string) =>
  [...page.document.querySelectorAll(`${within} .slots > li`)].map(each =>
    (each.querySelector('a, bdi')?.textContent ?? '').trim(),
  )

test('from nothing to a session by forms alone: a room, a session, abstracts by topic, a text, and each is moved and removed', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const list = await chair.open(`/manage/e/${at.eventId}/abstracts`)
  const empty = await list.follow('Programme')
  assert.match(empty.text, /There is no session yet/)
  assert.match(empty.text, /Not placed yet: 3 abstracts/)
  assert.deepEqual(listIn(empty, '.card'), ['A-2 On walls', 'A-3 On nothing', 'A-1 On counting'])
  assert.match(empty.text, /Bob · Numbers · Talk · 20 minutes/)
  const rooms = await (await empty.follow('Rooms')).follow('Add a room')
  assert.deepEqual((await rooms.fill({ Name: 'Main hall' }).press('Add it')).messages, [
    'The room “Main hall” is saved.',
  ])
  const form = await empty.follow('Add a session')
  assert.equal(form.field('Beginning').value, '2026-11-21T09:00')
  assert.equal(form.field('End').value, '2026-11-21T10:30')
  const room = [...form.document.querySelectorAll('option')].find(each => each.textContent === 'Main hall')
  const session = await form
    .fill({ Title: 'Opening', Room: room?.value ?? '', Chairs: 'Chiara, chiara@example.org\nDan' })
    .press('Add it')
  assert.deepEqual(session.messages, ['The session “Opening” is saved.'])
  assert.match(session.text, /Chiara \(chiara@example\.org\), Dan/)
  const add = await session.follow('Add abstracts')
  assert.deepEqual(
    [...add.document.querySelectorAll('legend')].map(each => each.textContent),
    ['Accepted abstracts', 'Numbers', 'Bricks'],
  )
  const added = await add
    .fill({ 'A-2 On walls – Bob': true, 'A-3 On nothing – Eve': true, 'A-1 On counting – Grace': true })
    .press('Add them')
  assert.ok(added.messages.includes('3 entries are added.'))
  const text = await added.follow('Add a text')
  const whole = await text.fill({ Text: 'Coffee', Minutes: '30' }).press('Add it')
  assert.deepEqual(await at.placed(), [['Opening', 'A-2 20', 'A-3 0', 'A-1 20', 'Coffee 30']])
  assert.match(whole.text, /Over at 10:10\. 20 minutes are left\./)
  const up = await whole.press('Move Coffee up')
  assert.ok(up.messages.includes('“Coffee” is moved.'))
  const down = await up.press('Move A-2 On walls down')
  assert.deepEqual(await at.placed(), [['Opening', 'A-3 0', 'A-2 20', 'Coffee 30', 'A-1 20']])
  const change = await down.follow('Change Coffee')
  const changed = await change.fill({ Text: 'Tea', Minutes: '45' }).press('Save')
  assert.ok(changed.messages.includes('“Tea” is saved.'))
  await changed.press('Remove A-3 On nothing')
  assert.deepEqual(await at.placed(), [['Opening', 'A-2 20', 'Tea 45', 'A-1 20']])
  const overview = await chair.open(at.path)
  assert.deepEqual(listIn(overview, '.by-room'), ['A-2 On walls', 'Tea', 'A-1 On counting'])
  assert.deepEqual(listIn(overview, '[aria-labelledby=unplaced]'), ['A-3 On nothing'])
  const place = await overview.follow('Place On nothing')
  const option = [...place.document.querySelectorAll('option')].find(each =>
    /Opening/.test(each.textContent ?? ''),
  )
  assert.equal(option?.textContent, '21 Nov, 09:00 · Opening · Main hall')
  const back = await place.fill({ Session: option?.value ?? '' }).press('Place it')
  assert.equal(back.path, `${at.path}?day=2026-11-21`)
  assert.match(back.text, /All accepted abstracts have their places/)
  assert.deepEqual(await at.entries(), [
    ['room.add', {}],
    ['programme_session.add', {}],
    ['slot.add', { count: 3 }],
    ['slot.add', { count: 1 }],
    ['slot.move', {}],
    ['slot.move', {}],
    ['slot.change', { changed: ['title', 'minutes'] }],
    ['slot.remove', { name: 'On nothing' }],
    ['slot.add', { count: 1 }],
  ])
})

test('two chairs lose nothing of each other: what both change is asked, what is gone is said, and a form sent twice adds once', async t => {
  const at = await start(t)
  const one = await addSession(at, { title: 'One' })
  const two = await addSession(at, { title: 'Two' })
  for (const title of ['a', 'b', 'c']) await addSlot(at, one, { title, minutes: 10 })
  const chair = await at.member('chair')
  const other = await at.member('chair', { email: 'other@example.org' })
  const pathOf = ({ id }: { id: string }) => `${at.path}/sessions/${id}`
  const [mine, theirs] = [await chair.open(pathOf(one)), await other.open(pathOf(one))]
  // Each changes other fields of the same session: both stay.
  const [form, same] = [await mine.follow('Change the session'), await theirs.follow('Change the session')]
  await form.fill({ Title: 'Morning' }).press('Save')
  const merged = await same.fill({ Chairs: 'Chiara' }).press('Save')
  assert.equal(merged.heading, 'Morning')
  assert.match(merged.text, /Chiara/)
  // Both change the same field: the second is asked.
  const stale = await same.fill({ Title: 'Forenoon' }).press('Save')
  assert.equal(stale.status, 409)
  assert.match(stale.text, /Somebody changed this to “Morning” while you wrote/)
  // What one has moved elsewhere is not drawn back by the arrow of the other.
  const move = await mine.follow('Change b')
  await move.fill({ Session: two.id }).press('Save')
  const gone = await theirs.press('Move b up')
  assert.deepEqual(gone.messages.at(0), 'What would happen has changed meanwhile. Look at it again.')
  const beside = await theirs.press('Move c up')
  assert.match(beside.messages.join(), /What would happen has changed meanwhile/)
  assert.deepEqual(await at.placed(), [
    ['Morning', 'a 10', 'c 10'],
    ['Two', 'b 10'],
  ])
  // The same form twice, and the same abstract by two.
  const text = await mine.follow('Add a text')
  text.fill({ Text: 'Coffee' })
  await text.press('Add it')
  await text.press('Add it')
  const [first, second] = [await mine.follow('Add abstracts'), await theirs.follow('Add abstracts')]
  for (const add of [first, second]) await add.fill({ 'A-1 On counting': true }).press('Add them')
  assert.deepEqual((await at.placed())[0], ['Morning', 'a 10', 'c 10', 'Coffee 15', 'A-1 20'])
})

test('what can be added to a session is narrowed to a topic and a kind, and all that is listed then comes with one tick', async t => {
  const at = await start(t)
  const one = await addSession(at, { title: 'One' })
  const chair = await at.member('chair')
  const add = await chair.open(`${at.path}/sessions/${one.id}/add`)
  const topic = [...add.document.querySelectorAll('option')].find(each => each.textContent === 'Numbers')
  const narrow = await add.fill({ Topic: topic?.value ?? '' }).press('Show')
  assert.match(narrow.text, /All 2 that are listed here/)
  assert.doesNotMatch(narrow.text, /A-1 On counting/)
  const added = await narrow.fill({ 'All 2 that are listed here': true }).press('Add them')
  assert.deepEqual(added.messages.slice(0, 1), ['2 entries are added.'])
  assert.deepEqual(await at.placed(), [['One', 'A-2 20', 'A-3 0']])
  const nothing = await chair.open(`${at.path}/sessions/${one.id}/add?topic=${topic?.value}`)
  assert.match(nothing.text, /None of this topic and kind is left\./)
  assert.match((await nothing.follow('Show also those that have a place')).text, /A-2 On walls/)
})

test('what is dragged is sent to the addresses of the forms, and comes back to the page it was dragged on', async t => {
  const at = await start(t)
  const one = await addSession(at, { title: 'One' })
  const two = await addSession(at, { title: 'Two' })
  const slot = await addSlot(at, one, { title: 'a', minutes: 10 })
  const next = await addSlot(at, two, { title: 'b', minutes: 10 })
  const chair = await at.member('chair')
  const page = await chair.open(at.path)
  const { move, place } = page.document.getElementById('programme')?.dataset ?? {}
  const headers = page.headers['content-security-policy']
  assert.match(String(headers), /script-src 'self'/)
  const moved = await chair.send(
    (move ?? '').replace('ID', slot),
    `from=${one.id}&session=${two.id}&before=${next}`,
    at.path,
  )
  assert.equal(moved.path.split('?')[0], at.path)
  const [row] = await at.db.read(at.accountId, tx =>
    tx.all<{ id: string }>("SELECT id FROM abstracts WHERE account_id = $1 AND code = 'A-2'", [at.accountId]),
  )
  const drop = () =>
    chair.send((place ?? '').replace('ID', row?.id as string), `session=${two.id}&before=${next}`, at.path)
  assert.match((await drop()).messages.join(), /1 entry is added/)
  assert.match((await drop()).messages.join(), /That stands in the session already/)
  assert.deepEqual(await at.placed(), [['One'], ['Two', 'a 10', 'A-2 20', 'b 10']])
  // The way back leads nowhere else.
  const astray = await chair.send(
    `${at.path}/slots/${slot}/move?back=https://evil.example/`,
    `from=${two.id}&session=${two.id}`,
    at.path,
  )
  assert.equal(astray.path, `${at.path}/sessions/${two.id}`)
  // What no page has written stands in no address.
  const odd = await chair.send(`${at.path}/slots/${slot}/move`, 'from=%0d%0aa&session=%ff', at.path)
  assert.equal(odd.path, at.path)
})

test('what is warned of is counted, linked, and forbidden nowhere', async t => {
  const at = await start(t)
  const hall = await addRoom(at, 'Hall')
  const chairs = [{ name: 'Grace', email: 'grace@example.org' }]
  const one = await addSession(at, { title: 'One', room_id: hall.id, chairs })
  const two = await addSession(at, { title: 'Two', room_id: hall.id })
  const chair = await at.member('chair')
  const add = await chair.open(`${at.path}/sessions/${two.id}/add`)
  const page = await add
    .fill({ 'A-1 On counting': true, 'A-2 On walls': true, 'A-3 On nothing': true })
    .press('Add them')
  // On the page of a session stands what is wrong with its place. Those without a ticket are counted beside it, and mark nothing.
  assert.match(page.text, /2 warnings/)
  assert.doesNotMatch(page.text, /has no ticket/)
  assert.equal(page.text.match(/Look at this/g)?.length, 1)
  assert.match((await chair.open(at.path)).text, /2 warnings · 2 presenters without a ticket/)
  const all = (await chair.open(`${at.path}/warnings`)).links()
  const said = all.filter(text => text.endsWith('.'))
  assert.equal(said.length, 4)
  // Grace has a ticket; Bob and Eve have none.
  assert.ok(
    said.some(text => /^Bob has no ticket, and presents “A-2 On walls”/.test(text)),
    said.join('\n'),
  )
  assert.ok(said.some(text => /^Eve has no ticket/.test(text)))
  assert.ok(said.some(text => /^Hall is used twice at once: for “One” .* and for “Two”/.test(text)))
  assert.ok(said.some(text => /^Grace is in two places at once: /.test(text)))
  await at.db.write(at.accountId, tx =>
    tx.run("UPDATE abstracts SET withdrawn_at = 1 WHERE account_id = $1 AND code = 'A-1'", [at.accountId]),
  )
  const overview = await chair.open(at.path)
  assert.match(overview.text, /“A-1 On counting” \(.*\) was withdrawn\./)
  assert.match(overview.text, /2 warnings · 2 presenters without a ticket/)
  assert.deepEqual(listIn(overview, '.by-room').sort(), ['A-1 On counting', 'A-2 On walls', 'A-3 On nothing'])
  assert.equal(one.title, 'One')
})

test('sessions stand on the days of the event’s time zone, each by its room', async t => {
  const at = await start(t)
  const hall = await addRoom(at, 'Hall')
  // In Madrid this is 0:30 of the 22nd.
  await addSession(at, { title: 'Night', starts_at: Date.parse('2026-11-21T23:30:00Z'), room_id: hall.id })
  await addSession(at, { title: 'Noon', starts_at: Date.parse('2026-11-21T11:00:00Z') })
  const chair = await at.member('chair', { language: 'es' })
  const first = await chair.open(at.path)
  assert.match(first.text, /Aún sin sala12:00–13:00Noon/)
  assert.doesNotMatch(first.text, /Night/)
  const next = await chair.open(`${at.path}?day=2026-11-22`)
  assert.match(next.text, /Hall00:30–01:30Night/)
  assert.equal((await chair.open(`${at.path}?day=nonsense`)).status, 200)
})

test('only those who may see the abstracts of an event see its programme', async t => {
  const at = await start(t)
  const session = await addSession(at)
  const chairs = await at.member('chair', { email: 'elsewhere@example.org', eventIds: [at.otherId] })
  for (const path of [
    at.path,
    `${at.path}/warnings`,
    `${at.path}/rooms`,
    `${at.path}/sessions/${session.id}`,
  ]) {
    assert.equal((await chairs.open(path)).status, 404)
    for (const role of ['reviewer', 'door', 'finance'] as const) {
      const member = await at.member(role, { email: `${role}-${path.length}@example.org` })
      assert.ok([403, 404].includes((await member.open(path)).status), `${role} ${path}`)
    }
  }
})

test('what a form brings that no session takes is refused in words', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const form = await chair.open(`${at.path}/sessions/new`)
  const refused = await form
    .fill({ Title: 'x', End: '2026-11-21T08:00', Chairs: ', mail@example.org' })
    .press('Add it')
  assert.equal(refused.status, 422)
  assert.match(refused.text, /This line has no name: “, mail@example\.org”/)
  const again = await refused.fill({ Chairs: 'A\n'.repeat(11) }).press('Add it')
  assert.match(again.text, /Write at most 10\./)
  const early = await again.fill({ Chairs: '' }).press('Add it')
  assert.match(early.text, /A session ends after it begins, and within seven days\./)
  const skipped = await early.fill({ Beginning: '2026-03-29T02:30' }).press('Add it')
  assert.match(skipped.text, /The clocks skip this time/)
  assert.deepEqual(await at.placed(), [])
})
