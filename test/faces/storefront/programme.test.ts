import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import ICAL from 'ical.js'
import { DAY, HOUR } from '#base/time.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as abstracts from '#product/programme/abstracts/submitted.ts'
import { PublicProgramme } from '#product/programme/published/reading.ts'
import * as publishing from '#product/programme/publishing/publish.ts'
import * as sessions from '#product/programme/timetable/sessions.ts'
import * as versions from '#product/programme/versions/rules.ts'
import { parsePage } from '#test/support/people/page-reader.ts'
import { startStorefront } from '#test/support/people/storefront.ts'
import { acceptOne, addSession, openProgrammeCall } from '#test/support/published.ts'

const PATH = '/ada/spring-meeting/programme'

/** Stands in each field of an abstract and a session that visitors never see. */
const CANARIES = {
  contactEmail: 'canary-contact@writers.example',
  contactName: 'Canary Contact',
  phone: '+34 600 123 987',
  authorEmail: 'canary-author@writers.example',
  orcid: '0000-0002-1825-0097',
  chairEmail: 'canary@chairs.example',
  note: 'canary-note-to-authors',
  answer: 'canary-answer',
}

async function start(t: TestContext) {
  const server = await startStorefront(t)
  const call = await openProgrammeCall(server)
  const [talk, poster] = call.kinds.map(({ id }) => id) as [string, string]
  const one = await acceptOne(
    server,
    {
      title: 'Rooms of many doors',
      kind_id: talk,
      sections: [{ heading: '', text: 'Corridors are $x^2$ long.\n\nAnd **wide**.' }],
      contact: { name: CANARIES.contactName, phone: CANARIES.phone },
      authors: [
        {
          ...{ given: 'Ada', family: 'Lovelace', email: CANARIES.authorEmail, orcid: CANARIES.orcid },
          ...{ affiliations: [0], presenting: true },
        },
        { given: 'José', family: 'Ñandú', email: null, orcid: null, affiliations: [1], presenting: false },
      ],
      affiliations: ['Institute of Rooms', 'Academy of Doors'],
    },
    CANARIES.contactEmail,
  )
  const two = await acceptOne(server, { title: 'Posters on walls', kind_id: poster })
  await server.write(tx =>
    tx.run('UPDATE abstracts SET decision_note = $1 WHERE id = $2', [CANARIES.note, one.id]),
  )
  await server.write(async tx => {
    const [row] = await tx.all<{ content: string }>(
      'SELECT r.content FROM abstract_revisions r WHERE r.account_id = $1 AND r.abstract_id = $2',
      [tx.accountId, one.id],
    )
    const content = { ...JSON.parse(row?.content ?? ''), answers: { any: CANARIES.answer } }
    await tx.run('UPDATE abstract_revisions SET content = $1 WHERE abstract_id = $2', [
      JSON.stringify(content),
      one.id,
    ])
  })
  const room = { title: 'Opening', room: 'Main hall', chairs: ['Canary Chairwoman'] }
  const session = await addSession(server, room, ['Welcome', one])
  const posters = await addSession(server, { title: 'Wall', from: server.clock() + 2 * DAY }, [
    { id: two.id, minutes: 0 },
  ])
  const publish = () =>
    server.write(tx => publishing.publish(tx, server.eventId, { by: 'cli', language: 'en' }))
  const look = async (path = '') => {
    const answer = await server.visit(PATH + path)
    return { ...answer, page: parsePage(answer.text) }
  }
  return { ...server, one, two, session, posters, publish, look, talk }
}

test('nothing of a programme is public before it is published, and it says so once it was taken back', async t => {
  const at = await start(t)
  for (const path of ['', '/O-01', '/calendar.ics', '/book', '?q=rooms'])
    assert.equal((await at.look(path)).status, 404, path)
  assert.doesNotMatch((await at.visit('/ada/spring-meeting/')).text, /programme/)
  await at.publish()
  assert.equal((await at.look()).status, 200)
  const event = parsePage((await at.visit('/ada/spring-meeting/')).text)
  assert.ok(event.querySelector(`a[href="${PATH}"]`))
  await at.write(tx => publishing.unpublish(tx, at.eventId))
  const gone = await at.look()
  assert.equal(gone.status, 404)
  assert.match(gone.text, /not public at the moment/)
  for (const path of ['/O-01', '/calendar.ics', '/book', '?q=rooms'])
    assert.doesNotMatch((await at.look(path)).text, /Rooms of many doors/, path)
})

test('a day has its sessions by time, with room, chairs, times, numbers, titles, authors and affiliations', async t => {
  const at = await start(t)
  await at.publish()
  const { page } = await at.look()
  const text = page.querySelector('main')?.textContent ?? ''
  for (const part of [
    ...['Opening', 'Main hall', 'Chair: Canary Chairwoman', 'Welcome', 'O-01', 'Rooms of many doors'],
    ...['Ada Lovelace', 'José Ñandú', 'Institute of Rooms', 'Academy of Doors'],
  ])
    assert.ok(text.includes(part), part)
  assert.equal(page.querySelector('script'), null)
  assert.doesNotMatch(text, /Posters on walls/)
  const [, second] = [...page.querySelectorAll('.days a')]
  const next = await at.visit(second?.getAttribute('href') ?? '')
  assert.match(next.text, /P-001/)
  assert.match(next.text, /Posters on walls/)
  assert.equal((await at.look('?day=2001-01-01')).status, 404)
})

test('an abstract has a page with its text, formulas drawn, and says when and where', async t => {
  const at = await start(t)
  await at.publish()
  const { page, status } = await at.look('/o-01')
  assert.equal(status, 200)
  assert.equal(page.querySelector('h1')?.textContent, 'Rooms of many doors')
  assert.ok(page.querySelector('math'))
  assert.equal(page.querySelector('strong')?.textContent, 'wide')
  assert.match(page.querySelector('ul.plain')?.textContent ?? '', /Main hall · Opening/)
  assert.equal((await at.look('/O-99')).status, 404)
  assert.equal((await at.look('/1234')).status, 404)
})

/** Returns what any page, search, calendar or book shows that is not for visitors. */
async function findLeaks(at: Awaited<ReturnType<typeof start>>): Promise<string[]> {
  const canaries = { ...CANARIES, code: at.one.code, anyEmail: '@writers.example' }
  const paths = ['', '/O-01', '?q=rooms', '/calendar.ics', '/O-01/calendar.ics', '/book', '?lang=es']
  const leaks: string[] = []
  for (const path of [...paths, `/sessions/${at.session.id}/calendar.ics`]) {
    const { status, text, headers } = await at.look(path)
    assert.equal(status, 200, path)
    assert.ok(text.includes('Rooms of many doors'), path)
    const seen = text.replaceAll(/\r\n /g, '') + JSON.stringify(headers)
    for (const [what, canary] of Object.entries(canaries))
      if (seen.includes(canary)) leaks.push(`${path} shows ${what}`)
  }
  for (const [what, canary] of Object.entries(canaries))
    if (!/Nothing was found/.test((await at.look(`?q=${encodeURIComponent(canary)}`)).text))
      leaks.push(`a search finds ${what}`)
  return leaks
}

test('no page, search, calendar or book has anything of an abstract but what the programme names', async t => {
  const at = await start(t)
  await at.publish()
  assert.deepEqual(await findLeaks(at), [])
})

test('what reads one thing more for visitors is found out', async t => {
  const at = await start(t)
  await at.publish()
  const { readAbstracts } = PublicProgramme.prototype
  type Read = typeof readAbstracts
  t.mock.method(PublicProgramme.prototype, 'readAbstracts', async function (this: PublicProgramme, tx, ids) {
    const read = await readAbstracts.call(this, tx, ids)
    const rows = await tx.all<{ id: string; contact: string }>(
      'SELECT b.id, b.contact FROM abstracts b WHERE b.account_id = $1',
      [tx.accountId],
    )
    const contactOf = (id: string) => rows.find(row => row.id === id)?.contact
    return new Map([...read].map(([id, one]) => [id, { ...one, title: `${one.title} ${contactOf(id)}` }]))
  } satisfies Read)
  t.mock.method(PublicProgramme.prototype, 'findMaybe', async (_: unknown, ids: readonly string[]) => [
    ...ids,
  ])
  const leaks = await findLeaks(at)
  for (const what of ['contactEmail', 'contactName', 'phone'])
    for (const path of ['/O-01', '?q=rooms', '/O-01/calendar.ics', '/book'])
      assert.ok(leaks.includes(`${path} shows ${what}`), `${path} ${what}`)
  assert.ok(leaks.includes('a search finds contactEmail'))
})

test('texts are public from their instant on, on pages, in searches and in the book; titles and authors before', async t => {
  const at = await start(t)
  await at.publish()
  await at.write(tx => versions.setTextsFrom(tx, at.eventId, at.clock() + HOUR))
  for (const path of ['/O-01', '/book', '']) {
    const { text } = await at.look(path)
    assert.match(text, /Rooms of many doors/, path)
    assert.doesNotMatch(text, /Corridors/, path)
  }
  assert.match((await at.look('?q=corridors')).text, /Nothing was found/)
  assert.match((await at.look('?q=nandu')).text, /O-01/)
  at.clock.advance(HOUR)
  assert.match((await at.look('/O-01')).text, /Corridors/)
  assert.match((await at.look('/book')).text, /Corridors/)
  assert.match((await at.look('?q=corridors academy')).text, /O-01/)
})

test('what was withdrawn says so, and has no text, no authors and no place any more', async t => {
  const at = await start(t)
  await at.publish()
  await at.write(tx => abstracts.withdraw(tx, at.one.id))
  const { page, text } = await at.look('/O-01')
  assert.match(text, /was withdrawn/)
  assert.doesNotMatch(text, /Corridors|Lovelace|Institute of Rooms|Main hall/)
  assert.equal(page.querySelector('ul.plain'), null)
  const day = await at.look()
  assert.match(day.text, /Withdrawn/)
  assert.doesNotMatch(day.text, /Lovelace/)
  assert.doesNotMatch((await at.look('/book')).text, /Corridors|Lovelace/)
  assert.match((await at.look('?q=corridors')).text, /Nothing was found/)
  assert.match((await at.look('/O-01/calendar.ics')).text, /STATUS:CANCELLED/)
})

test('visitors see the version that was published, whatever is built meanwhile', async t => {
  const at = await start(t)
  await at.publish()
  const before = (await at.look('/O-01')).page.querySelector('ul.plain')?.textContent
  const times = { starts_at: at.session.starts_at + HOUR, ends_at: at.session.ends_at + HOUR }
  await at.write(tx => sessions.change(tx, at.eventId, at.session.id, times))
  assert.equal((await at.look('/O-01')).page.querySelector('ul.plain')?.textContent, before)
  await at.publish()
  assert.notEqual((await at.look('/O-01')).page.querySelector('ul.plain')?.textContent, before)
})

test('a browser that has a page asks whether it is the same, and a change is seen at once', async t => {
  const at = await start(t)
  await at.publish()
  for (const path of ['', '/O-01', '/book']) {
    const first = await at.look(path)
    const etag = String(first.headers.etag)
    const again = await at.visit(PATH + path, { 'if-none-match': etag })
    assert.equal(again.status, 304, path)
    const packed = await at.visit(PATH + path, { 'accept-encoding': 'gzip' })
    assert.equal(gunzipSync(packed.bytes).toString(), first.text, path)
  }
  const etag = String((await at.look('/O-01')).headers.etag)
  await at.write(tx => tx.run('UPDATE abstracts SET title = $1 WHERE id = $2', ['Other rooms', at.one.id]))
  const changed = await at.visit(`${PATH}/O-01`, { 'if-none-match': etag })
  assert.match(changed.text, /Other rooms/)
})

test('calendars get stable entries whose sequence is the version, in UTC, without a secret', async t => {
  const at = await start(t)
  await at.publish()
  const eventsIn = (text: string) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map(each => new ICAL.Event(each))
  const all = eventsIn((await at.look('/calendar.ics')).text)
  assert.deepEqual(
    all.map(({ uid, summary, sequence, location }) => [uid, summary, sequence, location?.split(', ')[0]]),
    [
      [at.session.id, 'Opening', 1, 'Main hall'],
      [at.posters.id, 'Wall', 1, 'Main Hall'],
    ],
  )
  assert.match(all[0]?.description ?? '', /Welcome\nO-01 Rooms of many doors/)
  assert.equal(all[0]?.startDate.toJSDate().getTime(), at.session.starts_at)
  await at.write(tx =>
    sessions.change(tx, at.eventId, at.session.id, { ends_at: at.session.ends_at + HOUR, title: 'Begin' }),
  )
  await at.write(tx => tx.run('UPDATE slots SET minutes = 30 WHERE abstract_id = $1', [at.one.id]))
  await at.publish()
  const [one] = eventsIn((await at.look('/O-01/calendar.ics')).text)
  assert.deepEqual([one?.uid, one?.sequence, one?.summary], [at.one.id, 2, 'O-01 Rooms of many doors'])
  assert.equal((await at.look(`/sessions/${at.one.id}/calendar.ics`)).status, 404)
})

test('a private event shows its programme to whoever has a code, keeps it nowhere, and shares no code in calendars', async t => {
  const at = await start(t)
  await at.publish()
  await at.change({ visibility: 'private' })
  assert.equal((await at.look()).status, 404)
  const { code } = await at.write(tx =>
    codes.create(tx, at.eventId, {
      ...{ code: 'SESAME', percent: null, amount: null, registration_type_ids: null, valid_from: null },
      ...{ valid_until: null, max_tickets: null, active: true, note: null },
    }),
  )
  const answer = await at.look(`?code=${code}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['x-robots-tag'], 'noindex')
  assert.ok(answer.page.querySelector(`a[href="${PATH}/O-01?code=${code}"]`))
  assert.equal(answer.page.querySelector('input[name=code]')?.getAttribute('value'), code)
  assert.equal(answer.headers.etag, undefined)
  assert.doesNotMatch((await at.look(`/calendar.ics?code=${code}`)).text, /SESAME/)
})
