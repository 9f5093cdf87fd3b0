import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import * as calls from '#product/programme/calls/rules.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { openReview } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

const SECTIONS = [
  { heading: 'Aims', text: 'To <b>count</b>.' },
  { heading: 'Results', text: 'Three  doors.' },
]

/** Starts a server with an abstract that was submitted to a call, and one that a file has brought. */
async function start(t: TestContext) {
  const server = await startDashboard(t, organizationWith([abstract('A-1')]))
  const { db, accountId, eventId } = server
  const kinds = [{ name: 'Long talk', minutes: 30, poster: false }]
  const call = await openCall(server, { sections: ['Aims', 'Results'], topics: ['Rooms & halls'], kinds })
  const { submission, submitter } = await begin(server)
  const content = contentOf({
    ...{ title: 'On doors', sections: SECTIONS, language: 'pt' },
    ...{ topic_id: call.topics[0]?.id ?? null, kind_id: call.kinds[0]?.id ?? null },
  })
  const sent = await send(server, submission.id, content)
  return {
    ...server,
    content,
    submission,
    submitter,
    sent,
    list: `/manage/e/${eventId}/abstracts`,
    path: `/manage/e/${eventId}/abstracts/${sent.id}`,
    withdraw: () => db.write(accountId, tx => sending.withdraw(tx, submission.id)),
  }
}

test('an abstract that was submitted is read in its sections, with topic, kind, language and who has sent it', async t => {
  const { member, path, db, accountId, submitter } = await start(t)
  const owner = await member('owner')
  const page = await owner.open(path)
  assert.equal(page.heading, 'On doors')
  const headings = [...page.document.querySelectorAll('[aria-labelledby=text] h3')].map(
    each => each.textContent,
  )
  assert.deepEqual(headings, ['Aims', 'Results'])
  const texts = [...page.document.querySelectorAll('[aria-labelledby=text] .prose')]
  assert.deepEqual(
    texts.map(each => [each.textContent, each.getAttribute('lang')]),
    // Paragraphs stand apart without the lines between them.
    SECTIONS.map(({ text }) => [text.replace('\n\n', ''), 'pt']),
  )
  assert.match(
    page.text,
    /Topic ?Rooms & halls ?Kind ?Long talk \(30 minutes\) ?Language ?Portuguese ?Keywords ?rooms/,
  )
  assert.match(page.text, /Lin Mei \(presents it\) ?Institute of Rooms ?Aristotle/)
  assert.match(page.text, /Submitted by ?Lin Mei ?lin@example\.org ?E-mail not confirmed/)
  await db.write(accountId, tx => submissions.confirm(tx, submitter.id))
  assert.match((await owner.open(path)).text, /Submitted by ?Lin Mei ?lin@example\.org ?E-mail confirmed/)
})

test('a topic that was taken out of the call stays with the abstract that has it', async t => {
  const { member, path, db, accountId, eventId } = await start(t)
  const owner = await member('owner')
  await (await owner.open(`/manage/e/${eventId}/abstracts/call`)).fill({ Topics: '' }).press('Save')
  const call = await db.read(accountId, tx => calls.get(tx, eventId))
  assert.deepEqual(
    call.topics.map(({ retired }) => retired),
    [true],
  )
  assert.match((await owner.open(path)).text, /Topic ?Rooms & halls/)
})

test('each change of a submitted abstract stands among what happened, between its sending and its decision', async t => {
  const place = await start(t)
  const { member, path, clock, submission, content } = place
  clock.advance(HOUR)
  await send(place, submission.id, { ...content, title: 'On many doors' })
  clock.advance(HOUR)
  const page = await (await member('owner')).open(path)
  assert.equal(page.heading, 'On many doors')
  const decided = await page.fill({ Accept: true }).press('Save the decision')
  const happened = [...decided.document.querySelectorAll('.timeline li')].map(each =>
    (each.textContent ?? '').replace(/\s+/g, ' ').trim(),
  )
  assert.deepEqual(
    happened.map(each => each.replace(/\d+ Nov 2026, /, ' ')),
    ['Accepted 15:00 by Person owner', 'Changed by its author 14:00 Version 2', 'Submitted 13:00 Version 1'],
  )
})

test('an abstract of a file has no sections and no submitter', async t => {
  const { member, list } = await start(t)
  const page = await (await (await member('owner')).open(list)).follow('A-1')
  assert.equal(page.document.querySelectorAll('[aria-labelledby=text] h3').length, 0)
  assert.equal(page.document.querySelector('.written')?.getAttribute('lang'), null)
  assert.doesNotMatch(page.text, /Submitted by|Topic|Language|confirmed/)
})

test('a withdrawn abstract is read and not decided, and a decision that was on its way is refused in words', async t => {
  const { member, path, list, withdraw } = await start(t)
  const owner = await member('owner')
  const late = await owner.open(path)
  await withdraw()
  const refused = await late.fill({ Accept: true }).press('Save the decision')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /The abstract was withdrawn/)
  const page = await owner.open(path)
  assert.match(page.text, /Withdrawn.*Its author has withdrawn this abstract/)
  assert.match(page.text, /What happened.*Withdrawn by its author/)
  assert.equal(page.document.querySelector('main form [name=decision]'), null)
  assert.equal((await owner.open(list)).rows().length, 1)
})

test('of the ticked abstracts, one that was withdrawn meanwhile is left out before the others are decided', async t => {
  const { member, list, sent, withdraw, db, accountId, applied } = await start(t)
  const owner = await member('owner')
  const other = applied.events['spring-meeting']?.abstracts['A-1'] as string
  const page = await owner.open(`${list}/decide?decision=accepted&id=${sent.id}&id=${other}`)
  assert.equal(page.heading, 'Accept 2 abstracts?')
  await withdraw()
  const again = await page.press('Accept 2 abstracts')
  assert.equal(again.status, 409)
  assert.equal(again.heading, 'Accept 1 abstract?')
  const done = await again.press('Accept 1 abstract')
  assert.deepEqual(done.messages, ['1 abstract is accepted.'])
  const { abstract: left } = await db.read(accountId, tx => sending.readSent(tx, { abstract_id: sent.id }))
  assert.deepEqual([left.status, left.withdrawn_at !== null], ['submitted', true])
})

test('a chair reads what in a text tells reviewers who has written it, unless these may know', async t => {
  const { member, path, content, submission, ...place } = await start(t)
  const sections = [SECTIONS[0], { heading: 'Results', text: 'As Mei showed.' }] as typeof SECTIONS
  await send(place, submission.id, { ...content, sections })
  const chair = await member('chair')
  assert.match((await chair.open(path)).text, /Reviewers may see here who has written it: Mei\./)
  await openReview(place, { blind: false })
  assert.doesNotMatch((await chair.open(path)).text, /Reviewers may see here/)
})
