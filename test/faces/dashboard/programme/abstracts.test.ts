import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { DASHBOARD_PATH } from '#faces/dashboard/frame/paths.ts'
import { pages } from '#faces/dashboard/routes.ts'
import { fillPath } from '#machinery/web/link.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { readOutbox } from '#test/support/observations.ts'
import { organization } from '#test/support/organization.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import { begin, openCall } from '#test/support/submissions.ts'
import { subscribeToAll } from '#test/support/subscriber.ts'

async function start(
  t: TestContext,
  abstracts: object[] = [abstract('A-1'), abstract('A-2'), abstract('A-3')],
) {
  const file = organizationWith(abstracts, {
    events: [{ slug: 'other', title: 'Other', abstracts: [abstract('O-1')] }],
  })
  const server = await startDashboard(t, file)
  const { applied, client, db, accountId, eventId } = server
  await subscribeToAll(db, accountId)
  const idOf = (code: string, slug = 'spring-meeting') => applied.events[slug]?.abstracts[code] as string
  return {
    ...server,
    idOf,
    path: `/manage/e/${eventId}/abstracts`,
    /** Returns lines such as `A-1 accepted Note` for all abstracts that a decision has changed. */
    decided: async () => {
      const { data } = (await client.get('/abstracts')).body
      const changed = data.filter(({ status }: { status: string }) => status !== 'submitted')
      return changed.map(({ code, status, decision_note }: Record<string, unknown>) => [
        code,
        status,
        decision_note,
      ])
    },
    /** Returns what people did, oldest first. */
    entries: async () => {
      const all = await db.read(accountId, tx => accessLog.list(tx, 100))
      const own = all.filter(({ action, actor }) => action === 'abstract.decide' && actor.startsWith('user:'))
      return own.reverse().map(({ actor, target_id, details }) => [actor, target_id, details])
    },
  }
}

const many = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    abstract(`A-${at}`, { submitted_at: new Date(Date.UTC(2026, 9, 1, 0, at)).toISOString() }),
  )

test('an abstract is found, read with its line breaks, and decided with a note', async t => {
  const text = 'First line\nSecond <b>line</b>\n\n  Third'
  const changes = { title: 'On <i>queues</i>', abstract: text, keywords: 'doors', file_name: 'a.pdf' }
  const { member, path, idOf, decided, entries, db } = await start(t, [
    abstract('A-1', changes),
    abstract('A-2'),
  ])
  const manager = await member('manager')
  const list = await manager.open(path)
  assert.equal(list.heading, 'Abstracts')
  assert.equal(list.rows().length, 2)
  const page = await list.follow('A-1')
  assert.equal(page.heading, 'On <i>queues</i>')
  assert.equal(page.document.querySelector('.written')?.textContent, text)
  assert.match(page.text, /Keywords\s*doors.*File\s*a\.pdf.*Lin.*lin@example\.org/)
  const saved = await page.fill({ Accept: true, Note: 'A talk.\nTwenty minutes.' }).press('Save the decision')
  assert.deepEqual(saved.messages, ['On <i>queues</i> is accepted.'])
  assert.match(saved.text, /What happened.*Accepted.*21 Nov 2026, 13:00 by Person manager/)
  assert.equal(saved.field('Note').value, 'A talk.\nTwenty minutes.')
  assert.deepEqual(await decided(), [['A-1', 'accepted', 'A talk.\nTwenty minutes.']])
  assert.deepEqual(await entries(), [[`user:${manager.user.id}`, idOf('A-1'), { decision: 'accepted' }]])
  const [event, ...more] = await readOutbox(db)
  assert.deepEqual([event.type, event.data.object.id, more], ['abstract.decided', idOf('A-1'), []])
})

test('saving what stands there already decides nothing, and a note alone decides nothing either', async t => {
  const { member, path, idOf, decided, entries, db } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(`${path}/${idOf('A-1')}`)
  for (const Note of ['', 'A note alone']) {
    const refused = await page.fill({ Note }).press('Save the decision')
    assert.equal(refused.status, 400)
    assert.match(refused.messages.join(), /Decision: Choose a decision first/)
    assert.equal(refused.field('Note').value, Note)
  }
  const accepted = await page.fill({ Accept: true, Note: '' }).press('Save the decision')
  await accepted.press('Save the decision')
  assert.deepEqual(await decided(), [['A-1', 'accepted', null]])
  assert.equal((await entries()).length, 1)
  assert.equal((await readOutbox(db)).length, 1)
})

test('a note that is too long is refused with what was typed, and nothing is decided', async t => {
  const { member, path, idOf, decided } = await start(t)
  const owner = await member('owner')
  const long = 'x'.repeat(2001)
  const page = await owner.open(`${path}/${idOf('A-1')}`)
  const refused = await page.fill({ Reject: true, Note: long }).press('Save the decision')
  assert.equal(refused.status, 422)
  assert.equal(refused.field('Note').value, long)
  assert.equal(refused.field('Reject').checked, true)
  assert.deepEqual(await decided(), [])
})

test('two people who decide at once: the second sees in words what the first has decided, and saving again decides', async t => {
  const { member, path, idOf, decided } = await start(t)
  const [owner, chair] = [await member('owner'), await member('chair', { language: 'es' })]
  const address = `${path}/${idOf('A-1')}`
  const [mine, theirs] = await Promise.all([chair.open(address), owner.open(address)])
  await theirs.fill({ Accept: true, Note: 'Good.' }).press('Save')
  const conflict = await mine.fill({ Rechazar: true }).press('Guardar')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Alguien ha cambiado esto a «Aceptar»/)
  assert.equal(conflict.field('Nota').value, 'Good.')
  assert.deepEqual(await decided(), [['A-1', 'accepted', 'Good.']])
  await conflict.press('Guardar')
  assert.deepEqual(await decided(), [['A-1', 'rejected', 'Good.']])
})

test('ticked abstracts are decided together by a page that says which and how many, each with its entry and its webhook', async t => {
  const came = { status: 'accepted', decided_at: '2026-11-01T10:00:00Z', decision_note: 'As it was' }
  const abstracts = [
    abstract('A-1'),
    abstract('A-2', { status: 'in_review' }),
    abstract('A-3', came),
    abstract('A-4'),
  ]
  const { member, path, idOf, decided, entries, db } = await start(t, abstracts)
  const owner = await member('owner')
  const list = await owner.open(path)
  list.fill({ 'Select “Title of A-1”': true, 'Select “Title of A-2”': true, 'Select “Title of A-3”': true })
  const confirmation = await list.press('Accept')
  assert.equal(confirmation.heading, 'Accept 2 abstracts?')
  assert.match(
    confirmation.text,
    /1 is only submitted so far\..*1 is in review\..*1 is that already, and stays as it is/,
  )
  const done = await confirmation.fill({ 'Note to all': 'Welcome.' }).press('Accept 2 abstracts')
  assert.deepEqual(done.messages, ['2 abstracts are accepted.'])
  assert.equal(done.heading, 'Abstracts')
  assert.deepEqual((await decided()).sort(), [
    ['A-1', 'accepted', 'Welcome.'],
    ['A-2', 'accepted', 'Welcome.'],
    ['A-3', 'accepted', 'As it was'],
  ])
  const who = `user:${owner.user.id}`
  const targets = ['A-2', 'A-1'].map(code => idOf(code))
  assert.deepEqual((await entries()).sort(), targets.map(id => [who, id, { decision: 'accepted' }]).sort())
  const emitted = (await readOutbox(db)).map(({ data }) => data.object.id)
  assert.deepEqual(emitted.sort(), targets.sort())
  // The same page is sent again, as by going back.
  assert.deepEqual((await confirmation.press('Accept 2 abstracts')).status, 200)
  assert.equal((await readOutbox(db)).length, 2)
})

test('if others have decided one of them meanwhile, the page asks again and nothing is decided', async t => {
  const { member, path, client, idOf, decided } = await start(t)
  const owner = await member('owner')
  const list = await owner.open(path)
  list.fill({ 'Select “Title of A-1”': true, 'Select “Title of A-2”': true })
  const confirmation = await list.press('Reject')
  await client.post(`/abstracts/${idOf('A-1')}/decision`, { decision: 'rejected' })
  const again = await confirmation.press('Reject 2 abstracts')
  assert.equal(again.status, 409)
  assert.match(again.messages.join(), /changed meanwhile/)
  assert.equal(again.heading, 'Reject 1 abstract?')
  assert.deepEqual(await decided(), [['A-1', 'rejected', null]])
  assert.deepEqual((await again.press('Reject 1 abstract')).messages, ['1 abstract is rejected.'])
})

test("nothing that is ticked, too much, another event's or nobody's is decided", async t => {
  const { member, path, idOf, decided, entries } = await start(t)
  const owner = await member('owner')
  const ask = (ids: string[]) =>
    owner.open(`${path}/decide?decision=accepted&${ids.map(id => `id=${id}`).join('&')}`)
  assert.equal((await ask([])).text.includes('Nothing is ticked'), true)
  const codes = Array.from({ length: 21 }, (_, at) => `0197a0b4-4b10-7c55-b1a0-0000000000${at + 10}`)
  for (const ids of [[idOf('A-1'), idOf('O-1', 'other')], [idOf('A-1'), 'nonsense'], codes]) {
    assert.equal((await ask(ids)).status, 404)
    const query = ids.map(id => `id=${id}`).join('&')
    assert.equal((await owner.post(`${path}/decide?decision=accepted&${query}`, { note: '' })).status, 404)
  }
  assert.equal((await owner.open(`${path}/${idOf('O-1', 'other')}`)).status, 404)
  assert.deepEqual(await decided(), [])
  assert.deepEqual(await entries(), [])
})

test('tabs, search and pages find what they say, and reading goes on to the next of the same list', async t => {
  const own = [
    ...many(23),
    abstract('B-1', {
      title: 'Über Türen',
      authors: [{ name: 'Zoë Ñandú' }],
      submitted_at: '2026-11-01T00:00:00Z',
    }),
    abstract('B-2', {
      title: 'Doors',
      status: 'in_review',
      contact: { name: 'Z', email: 'zoe@example.org' },
    }),
  ]
  const { member, path } = await start(t, own)
  const owner = await member('owner')
  const list = await owner.open(path)
  assert.match(list.text, /All 25 ?Submitted 24 ?In review 1 ?Accepted 0 ?Rejected 0/)
  assert.equal(list.rows().length, 20)
  assert.equal((await list.follow('Older')).rows().length, 5)
  assert.equal((await list.follow('In review')).rows().length, 1)
  for (const [q, expected] of [
    ['uber turen', ['B-1']],
    ['NANDU', ['B-1']],
    ['zoe', ['B-1', 'B-2']],
    ['zoe doors', ['B-2']],
    ['a-22', ['A-22']],
    ['nobody at all', []],
  ] as const) {
    const found = await owner.open(`${path}?q=${encodeURIComponent(q)}`)
    assert.deepEqual(
      found
        .rows()
        .map(row => row.split(' ')[0])
        .sort(),
      expected,
      q,
    )
    if (expected.length === 0) assert.match(found.text, /Nothing found/)
  }
  const first = await (await owner.open(`${path}?q=zoe`)).follow('B-')
  assert.equal(first.links().includes('Previous'), false)
  const next = await first.follow('Next')
  assert.notEqual(next.heading, first.heading)
  assert.equal(next.links().includes('Next'), false)
  assert.equal((await next.follow('Previous')).heading, first.heading)
  // An abstract that is decided leaves the tab, and the link to the next one stays.
  const inTab = await (await owner.open(`${path}?status=submitted&q=title`)).follow('A-', 'A-10')
  const saved = await inTab.fill({ Accept: true }).press('Save')
  assert.equal((await saved.follow('Next')).heading, 'Title of A-9')
  assert.equal((await saved.follow('Previous')).heading, 'Title of A-11')
})

test('a chair reads and decides the abstracts of their events, and sees no other event and nothing else', async t => {
  const { member, path, eventId, accountId, applied, idOf, decided } = await start(t)
  const other = applied.events.other?.id as string
  const chair = await member('chair', { eventIds: [eventId] })
  const page = await chair.open(`${path}/${idOf('A-1')}`)
  assert.equal((await page.fill({ Reject: true }).press('Save')).status, 200)
  const foreign = `/manage/e/${other}/abstracts`
  assert.equal((await chair.open(foreign)).status, 404)
  assert.equal((await chair.open(`${foreign}/${idOf('O-1', 'other')}`)).status, 404)
  assert.equal((await chair.open(`${path}/${idOf('O-1', 'other')}`)).status, 404)
  assert.equal((await chair.post(`${foreign}/${idOf('O-1', 'other')}`, { decision: 'accepted' })).status, 404)
  assert.equal((await chair.open(`/manage/e/${eventId}/reports`)).status, 403)
  assert.equal((await chair.open(`/manage/a/${accountId}/reports`)).status, 403)
  assert.deepEqual(await decided(), [['A-1', 'rejected', null]])
})

test('a reviewer opens no page of abstracts, and decides none: neither of all events nor of the one they have', async t => {
  const { member, eventId, idOf, decided, ...place } = await start(t)
  await openCall({ ...place, eventId })
  const { submitter } = await begin({ ...place, eventId })
  const ids = {
    ...{ event: eventId, abstract: idOf('A-1'), submitter: submitter.id, version: '1' },
    ...{ import: eventId, asked: eventId },
  }
  const ofAbstracts = pages.filter(page => page.path.startsWith('/e/{event}/abstracts'))
  assert.ok(ofAbstracts.length >= 3)
  const readers = [
    await member('reviewer'),
    await member('reviewer', { email: 'of-one@example.org', eventIds: [eventId] }),
  ]
  for (const reader of readers) {
    for (const page of ofAbstracts) {
      const at = DASHBOARD_PATH + fillPath(page.path, ids)
      const address = `${at}?decision=accepted&id=${idOf('A-1')}`
      const answers = [
        page.get && (await reader.open(address)),
        page.post && (await reader.post(address, { decision: 'accepted', note: '' })),
      ]
      for (const answer of answers.filter(each => each !== undefined)) {
        assert.equal(answer.status, 403, page.path)
        assert.doesNotMatch(answer.html, /Title of A-1|lin@example\.org/, page.path)
      }
    }
  }
  assert.deepEqual(await decided(), [])
})

test('who lacks the permission or belongs to another organization decides nothing', async t => {
  const { member, path, idOf, apply, decided } = await start(t)
  const theirs = await apply(organization({ email: 'bob@example.org' }))
  const people = [
    [await member('finance'), 403],
    [await member('door'), 403],
    [await member('owner', { accountId: theirs.account_id, email: 'b@example.org' }), 404],
  ] as const
  for (const [reader, status] of people) {
    const one = `${path}/${idOf('A-1')}`
    const bulk = `${path}/decide?decision=accepted&id=${idOf('A-1')}`
    for (const address of [path, one, bulk]) assert.equal((await reader.open(address)).status, status)
    assert.equal((await reader.post(one, { decision: 'accepted', note: '' })).status, status)
    assert.equal((await reader.post(bulk, { note: '' })).status, status)
  }
  assert.deepEqual(await decided(), [])
})

test('a decision that was sent after the session had ended is there again after the sign-in, about the same abstracts', async t => {
  const { member, path, clock, decided } = await start(t)
  const owner = await member('owner')
  const list = await owner.open(`${path}?status=submitted`)
  list.fill({ 'Select “Title of A-1”': true, 'Select “Title of A-2”': true })
  const confirmation = await list.press('Accept')
  clock.advance(13 * HOUR)
  const signIn = await confirmation.fill({ 'Note to all': 'Kept' }).press('Accept 2 abstracts')
  assert.equal(signIn.heading, 'Sign in')
  const again = await signIn.fill({ 'E-mail': 'owner@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(again.heading, 'Accept 2 abstracts?')
  assert.equal(again.field('Note to all').value, 'Kept')
  assert.deepEqual(await decided(), [])
  await again.press('Accept 2 abstracts')
  assert.equal((await decided()).length, 2)
})

test('an event without abstracts says what they are, and the pages speak Spanish', async t => {
  const { member, path, applied, idOf } = await start(t, [])
  const owner = await member('owner', { language: 'es' })
  const empty = await owner.open(path)
  assert.match(empty.text, /Todavía no hay propuestas/)
  const other = `/manage/e/${applied.events.other?.id}/abstracts`
  const page = await owner.open(`${other}/${idOf('O-1', 'other')}`)
  const saved = await page.fill({ Aceptar: true }).press('Guardar la decisión')
  assert.deepEqual(saved.messages, ['Title of O-1 está aceptada.'])
  assert.match(saved.text, /Qué ha pasado.*Aceptada.*por Person owner/)
})
