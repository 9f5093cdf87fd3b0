import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { give } from '#product/programme/reviews/assignments.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import { readCsv } from '#test/support/csv.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { askAuthors, begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t, organization({ event: { takes_abstracts: true } }))
  const kinds = [
    { name: 'Talk', minutes: 20, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ]
  const call = await openCall(server, { per_person: 50, topics: ['Rooms', 'Doors'], kinds })
  const { db, accountId, eventId } = server
  const submit = async (title: string, changes: Parameters<typeof contentOf>[0] = {}) => {
    const { submission } = await begin(server, { email: 'lin@writers.example' })
    const of = { topic_id: call.topics[0]?.id ?? null, kind_id: call.kinds[0]?.id ?? null }
    return send(server, submission.id, contentOf({ title, ...of, ...changes }))
  }
  const people = () => db.read(accountId, tx => reviewers.listOfEvent(tx, eventId))
  return {
    ...{ ...server, call, submit, path: `/manage/e/${eventId}/decisions`, base: `/manage/e/${eventId}` },
    /** Has somebody review an abstract, with these scores one by one. */
    reviewed: async ({ id, code }: { id: string; code: string }, ...scores: number[]) => {
      for (const [at, score] of scores.entries()) {
        const email = `r${at}@reviews.example`
        const name = `Reviewer ${at}`
        const reviewer =
          (await people()).find(each => each.email === email) ?? (await inviteOne(server, { name, email }))
        await db.write(accountId, tx => give(tx, eventId, { abstract_id: id, reviewer_id: reviewer.id }))
        const { criteria } = await openReviewOf(server)
        const said = Object.fromEntries(criteria.map(each => [each.id, score]))
        const recommendation = score > 3 ? 'accept' : score < 3 ? 'reject' : 'unsure'
        await review(server, reviewer, code, { scores: said, recommendation })
      }
    },
    proposed: async () => {
      const all = await db.read(accountId, tx => proposals.listOfEvent(tx, eventId))
      return all.map(({ title, decision, kind_id, note }) => [title, decision, kind_id, note]).sort()
    },
    entries: async () =>
      (await db.read(accountId, tx => accessLog.list(tx, 100)))
        .filter(({ action }) => /propos/.test(action))
        .map(({ action, target_id, details }) => [action, target_id, details])
        .reverse(),
  }
}

const openReviewOf = (server: Parameters<typeof openReview>[0]) => openReview(server, { wanted: 2 })

/** Returns the titles of the table in its order. */
const titles = (page: ReadPage) =>
  page.rows().map(row => (/^\d+ (\S+)/.exec(row)?.[1] ?? row).replace(/(Rooms|Doors)$/, ''))

/** Ticks rows of the table. */
function tick(page: ReadPage, ...wanted: string[]): ReadPage {
  return page.fill(Object.fromEntries(wanted.map(title => [`Select “${title}”`, true])))
}

test('abstracts are compared by what their reviews say, sorted by each column and narrowed, and the address keeps it', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const [talk, poster] = at.call.kinds.map(({ id }) => id) as [string, string]
  const empty = await chair.open(at.path)
  assert.match(empty.text, /No abstract yet/)
  const one = await at.submit('Best')
  const two = await at.submit('Split', { kind_id: poster, language: 'es' })
  await at.submit('Unread', { topic_id: at.call.topics[1]?.id ?? null })
  const unreviewed = await (await chair.open(`${at.base}/abstracts`)).follow('Decisions')
  assert.match(unreviewed.text, /Nobody reviews these abstracts yet/)
  await openReviewOf(at)
  assert.match((await chair.open(at.path)).text, /No review is done yet/)
  await at.reviewed(one, 5, 4)
  await at.reviewed(two, 5, 1)
  const page = await (await chair.open(`${at.base}/review`)).follow('Decisions')
  assert.deepEqual(titles(page), ['Best', 'Split', 'Unread'])
  const [best, split, unread] = page.rows() as [string, string, string]
  assert.match(best, /2 of 2 ?4\.5 ?Mean ?1 ?– ?2 accept/)
  assert.match(split, /Rooms · Poster · es ?2 of 2 ?3 ?Mean ?4 ?– ?1 accept, 1 reject/)
  assert.match(unread, /Doors · Talk · en ?0 of 2 ?– ?Mean ?– ?–/)
  const orders: [string, string[]][] = [
    ['Spread', ['Split', 'Best', 'Unread']],
    ['Reviews', ['Unread', 'Best', 'Split']],
    ['Recommended', ['Best', 'Split', 'Unread']],
    ['Title', ['Best', 'Split', 'Unread']],
    ['Topic', ['Unread', 'Best', 'Split']],
    ['Kind', ['Split', 'Best', 'Unread']],
    ['Language', ['Best', 'Unread', 'Split']],
  ]
  for (const [name, wanted] of orders) {
    const sorted = await page.follow(name)
    const ties = ['Reviews', 'Recommended', 'Topic', 'Kind', 'Language']
    const shown = titles(sorted)
    if (ties.includes(name)) assert.deepEqual([...shown].sort(), [...wanted].sort())
    else assert.deepEqual(shown, wanted, name)
    assert.ok(sorted.document.querySelector('th[aria-sort]') !== null, name)
  }
  const byTitle = await page.follow('Title')
  const around = await byTitle.follow('Title')
  assert.deepEqual(titles(around), ['Unread', 'Split', 'Best'])
  assert.match(around.path, /sort=-title/)
  const narrowed: [string, string[]][] = [
    [`topic=${at.call.topics[1]?.id}`, ['Unread']],
    [`kind=${talk}&sort=title`, ['Best', 'Unread']],
    ['few=yes', ['Unread']],
    ['least=4.5', ['Best']],
    ['most=4,4', ['Split']],
    ['state=accepted', []],
    ['proposal=none&sort=title', ['Best', 'Split', 'Unread']],
    [`q=${two.code}`, ['Split']],
    ['q=aristotle+split', ['Split']],
    // What no abstract can be narrows to none, and is never left out.
    ['least=many', []],
    ['topic=none', []],
    ['state=new', []],
    ['few=no', []],
  ]
  for (const [query, wanted] of narrowed)
    assert.deepEqual(titles(await chair.open(`${at.path}?${query}`)), wanted, query)
  const kept = await (await chair.open(`${at.path}?kind=${talk}&most=5`)).follow('Spread')
  assert.match(kept.path, new RegExp(`kind=${talk}&most=5&sort=spread`))
})

test('many are proposed by ticks, as a kind and with a note, told of to nobody, and taken back', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const [one, two] = [await at.submit('One'), await at.submit('Two')]
  const poster = at.call.kinds[1]?.id as string
  await openReviewOf(at)
  const page = await chair.open(`${at.path}?sort=title`)
  assert.match(page.text, /Nothing is proposed yet/)
  assert.doesNotMatch(page.text, /Send decisions/)
  assert.match((await page.press('Accept', 'Propose for those')).text, /Tick abstracts in the table first/)
  const asked = await tick(page, 'One', 'Two').press('Accept', 'Propose for those')
  assert.equal(asked.heading, 'Propose to accept 2 abstracts?')
  assert.match(
    asked.text,
    /Nobody outside the chairs sees this\. Nothing is mailed until you send decisions\./,
  )
  const chosen = asked.fill({ 'As which kind': poster, Note: 'In the hall.' })
  const done = await chosen.press('Propose to accept 2')
  assert.deepEqual(done.messages, ['2 proposals are kept. Nobody is told yet.'])
  assert.match(done.path, /sort=title/)
  assert.deepEqual(await at.proposed(), [
    ['One', 'accepted', poster, 'In the hall.'],
    ['Two', 'accepted', poster, 'In the hall.'],
  ])
  assert.match(done.text, /Proposed: accept 2, reject 0/)
  assert.match(done.rows()[0] ?? '', /Accept ?as Poster ?by Person chair/)
  assert.deepEqual(done.links().filter(name => name.startsWith('Send decisions')).length, 1)
  const rejecting = await tick(done, 'Two').press('Reject', 'Propose for those')
  assert.match(rejecting.text, /1 has a proposal already, which this replaces/)
  assert.throws(() => rejecting.field('As which kind'))
  const rejected = await rejecting.press('Propose to reject 1')
  // The same again changes nothing, and leaves no entry.
  const again = await tick(rejected, 'Two').press('Reject', 'Propose for those')
  const same = await again.press('Propose to reject 1')
  const taking = await tick(same, 'One', 'Two').press('Take back', 'Propose for those')
  const taken = await taking.press('Take 2 proposals back')
  assert.deepEqual(taken.messages, ['2 proposals are taken back.'])
  assert.deepEqual(await at.proposed(), [])
  const nothing = await tick(taken, 'One').press('Take back', 'Propose for those')
  assert.match(nothing.text, /1 is left out: nothing is proposed for it/)
  const [accept, reject, back] = [
    ['abstract.propose', { decision: 'accepted' }],
    ['abstract.propose', { decision: 'rejected' }],
    ['abstract.take_proposal_back', {}],
  ] as const
  const found = (await at.entries()).map(([action, id, details]) => [id === one.id ? 1 : 2, action, details])
  assert.deepEqual(found, [
    [1, ...accept],
    [2, ...accept],
    [2, ...reject],
    [1, ...back],
    [2, ...back],
  ])
  assert.equal((await at.client.get(`/abstracts/${two.id}`)).body.status, 'submitted')
})

test('the first of a list are proposed as it is sorted and narrowed, and exactly those that were shown', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  await openReviewOf(at)
  const three = [await at.submit('Low'), await at.submit('Middle'), await at.submit('High')]
  for (const [place, abstract] of three.entries()) await at.reviewed(abstract, place + 2)
  const page = await chair.open(at.path)
  const asked = await page
    .fill({ 'Propose for the first of this list': '2' })
    .press('Accept', 'Propose for the first')
  assert.match(asked.text, /High.*Middle/)
  // Meanwhile another is the best.
  const best = await at.submit('Newest')
  await at.reviewed(best, 5)
  await asked.press('Propose to accept 2')
  assert.deepEqual(
    (await at.proposed()).map(([title]) => title),
    ['High', 'Middle'],
  )
  const rest = await chair.open(`${at.path}?proposal=none&sort=-mean`)
  const reject = await rest
    .fill({ 'Propose for the first of this list': '1' })
    .press('Reject', 'Propose for the first')
  await reject.press('Propose to reject 1')
  assert.deepEqual(
    (await at.proposed()).map(([title, decision]) => `${title} ${decision}`),
    [...['High accepted', 'Low rejected', 'Middle accepted']],
  )
  for (const first of ['0', 'x', '-1'])
    assert.match(
      (await chair.open(`${at.path}/propose?decision=accepted&first=${first}`)).text,
      /nothing to propose/,
    )
})

test('what is about to be sent is left out, and says so', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  await openReviewOf(at)
  const one = await at.submit('One')
  await at.submit('Two')
  await proposeFor(at, one.id)
  const { db, accountId, eventId, clock } = at
  const page = await chair.open(at.path)
  const asked = await tick(page, 'One', 'Two').press('Reject', 'Propose for those')
  await db.write(accountId, async tx => {
    const of = { kind: 'test', eventId, input: {}, total: 1, by: 'user:chair', notBefore: clock() + 60_000 }
    const { id } = await jobs.start(tx, of)
    await proposals.handOver(tx, eventId, id, { except: [] })
  })
  // The sending has begun while the page was open.
  const done = await asked.press('Propose to reject 2')
  assert.deepEqual(done.messages, ['1 proposal is kept. Nobody is told yet. 1 was left out.'])
  assert.deepEqual(
    (await at.proposed()).map(([title, decision]) => `${title} ${decision}`),
    [...['One accepted', 'Two rejected']],
  )
  assert.match(done.text, /Proposed: accept 0, reject 1\..*Being sent: 1\./)
  assert.match(done.rows().join(), /Being sent/)
  const again = await tick(done, 'One').press('Reject', 'Propose for those')
  assert.match(again.text, /1 is left out: its decision is about to be sent/)
  const own = await chair.open(`${at.base}/abstracts/${one.id}`)
  assert.match(own.text, /Being sent/)
  assert.doesNotMatch(own.text, /Change the proposal|Take it back/)
  const form = await chair.open(`${at.base}/abstracts/${one.id}/proposal`)
  const refused = await form.fill({ Reject: true }).press('Keep the proposal')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /about to be sent as it was shown/)
})

test('one is proposed on its page beside deciding it, changed, and taken back', async t => {
  const at = await start(t)
  const chair = await at.member('chair', { language: 'en' })
  const { id } = await at.submit('One')
  const address = `${at.base}/abstracts/${id}`
  const page = await chair.open(address)
  assert.match(page.text, /Nothing is proposed\./)
  const form = await page.follow('Propose…')
  const missing = await form.press('Keep the proposal')
  assert.equal(missing.status, 422)
  const kept = await missing.fill({ Accept: true, Note: 'Good.' }).press('Keep the proposal')
  assert.match(kept.text, /Accept ?by Person chair ?Good\./)
  const changing = await kept.follow('Change the proposal…')
  assert.equal(changing.field('Note').value, 'Good.')
  const changed = await changing.fill({ Reject: true, Note: '' }).press('Keep the proposal')
  assert.deepEqual(await at.proposed(), [['One', 'rejected', null, null]])
  const taken = await changed.press('Take it back')
  assert.deepEqual(taken.messages, ['1 proposal is taken back.'])
  assert.deepEqual(await at.proposed(), [])
  assert.deepEqual(
    (await at.entries()).map(([action, , details]) => [action, details]),
    [
      ['abstract.propose', { decision: 'accepted' }],
      ['abstract.propose', { decision: 'rejected' }],
      ['abstract.take_proposal_back', {}],
    ],
  )
  // A decision ends it.
  await proposeFor(at, id)
  await (await chair.open(address)).fill({ Accept: true }).press('Save the decision')
  assert.deepEqual(await at.proposed(), [])
})

test('the table is a file too, whose cells no program takes for a formula', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  await openReviewOf(at)
  const one = await at.submit('=1+1')
  const two = await at.submit('Two')
  await at.reviewed(one, 5, 4)
  await proposeFor(at, one.id, { note: '@sum', kind_id: at.call.kinds[1]?.id ?? null })
  const file = await chair.download(`${at.path}.csv?least=1`)
  assert.equal(file.headers['content-disposition'], 'attachment; filename="decisions-spring-meeting.csv"')
  const [head, ...lines] = readCsv(file.bytes.toString('utf8'))
  assert.equal(head?.length, 18)
  assert.deepEqual(lines, [
    [
      ...[one.code, "'=1+1", 'Rooms', 'Talk', 'en', 'submitted', '2', '2', '4.5', '1', ''],
      ...['2', '0', '0', 'accepted', 'Poster', "'@sum", 'somebody who has left'],
    ],
  ])
  const all = readCsv((await chair.download(`${at.path}.csv?sort=code`)).bytes.toString('utf8'))
  assert.deepEqual(
    all.slice(1).map(([code]) => code),
    [one.code, two.code].sort(),
  )
})

test('the file has what authors answered, a column a question, and no column where nothing is asked', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  await askAuthors(at)
  await askAuthors(at, { key: 'funds', label: 'Who pays?', kind: 'text' })
  const one = await at.submit('One', { answers: { award: 'yes', funds: '=Nobody' } })
  const two = await at.submit('Two')
  const [head, ...lines] = readCsv((await chair.download(`${at.path}.csv?sort=title`)).bytes.toString('utf8'))
  assert.deepEqual(head?.slice(18), ['answer:award', 'answer:funds'])
  assert.deepEqual(
    lines.map(line => [line[0], ...line.slice(18)]),
    [
      [one.code, 'yes', "'=Nobody"],
      [two.code, '', ''],
    ],
  )
})

test('the table is narrowed to texts that may tell who wrote them, unless the review is not blind', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  await at.submit('One', { sections: [{ heading: '', text: 'As Mei has shown, they fill.' }] })
  await at.submit('Two')
  const table = await chair.open(at.path)
  assert.deepEqual(titles(table).sort(), ['One', 'Two'])
  const named = await table.fill({ Text: 'named' }).press('Apply')
  assert.deepEqual(titles(named), ['One'])
  assert.equal(readCsv((await chair.download(`${at.path}.csv?text=named`)).bytes.toString('utf8')).length, 2)
  await openReview(at, { blind: false })
  const open = await chair.open(`${at.path}?text=named`)
  assert.match(open.text, /Nothing found/)
  assert.doesNotMatch(open.text, /May tell who wrote it/)
})
