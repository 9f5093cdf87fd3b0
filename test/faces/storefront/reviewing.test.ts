import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import { reviewerUrl } from '#product/programme/reviews/links.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import { startSale } from '#test/support/people/sale.ts'
import { assignAll, inviteOne, openReview } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(
  t: TestContext,
  changes: Parameters<typeof openReview>[1] = {},
  titles: readonly string[] = ['One', 'Two'],
) {
  const sale = await startSale(t, {}, { takes_abstracts: true })
  const call = await openCall(sale, { topics: ['Rooms', 'Doors'] })
  const topic_id = call.topics[0]?.id ?? null
  await openReview(sale, { wanted: 1, ...changes })
  const { db, accountId } = sale
  const abstracts: { id: string; code: string }[] = []
  for (const title of titles) {
    const { submission } = await begin(sale)
    abstracts.push(await send(sale, submission.id, contentOf({ title, topic_id })))
  }
  const rosa = await inviteOne(sale)
  await assignAll(sale)
  const row = await db.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )
  const path = reviewerUrl({ baseUrl: '', secret: row?.cursor_secret as string }, rosa)
  const ofAbstract = (id: string) => db.read(accountId, tx => reviews.listOfAbstract(tx, id))
  const first = abstracts[0] as (typeof abstracts)[0]
  return { ...sale, abstracts, first, rosa, path, ofAbstract }
}

test('whoever has the link reviews all that they have, one after the other, and is told when all is done', async t => {
  const at = await start(t)
  const list = await at.visitor().open(at.path)
  assert.equal(list.heading, 'Your reviews')
  assert.match(list.text, /Done: 0 of 2\./)
  const page = await list.follow(list.links().find(text => /One|Two/.test(text)) as string)
  const refused = await page.press('Done, and on to the next')
  assert.equal(refused.status, 422)
  assert.deepEqual(refused.messages, [
    'One thing needs another lookA done review has each score and a recommendation. Choose those that are missing.',
  ])
  const said = { '4': true, Accept: true, 'Comments to the authors': 'Well told.' }
  const next = await refused.fill(said).press('Done, and on to the next')
  assert.deepEqual(next.messages, ['Done.'])
  assert.notEqual(next.heading, page.heading)
  const half = await next.fill({ 'Comments to the authors': 'Hm.' }).press('Save')
  assert.deepEqual(half.messages, ['It is saved, and not done yet.'])
  const end = await half.fill({ '2': true, Reject: true }).press('Done, and on to the next')
  assert.equal(end.path, `${at.path}?done`)
  assert.match(end.text, /Done: 2 of 2\. ?All of your reviews are done\. Thank you!/)
  const kept = await Promise.all(at.abstracts.map(({ id }) => at.ofAbstract(id)))
  assert.deepEqual(
    kept
      .flat()
      .map(each => each.recommendation)
      .sort(),
    ['accept', 'reject'],
  )
})

test('a comment has 5,000 characters, and what is longer is refused in words with all of it', async t => {
  const at = await start(t)
  const page = await at.visitor().open(`${at.path}/abstracts/${at.first.code}`)
  const most = 'x'.repeat(5_000)
  const refused = await page.fill({ 'Comments to the authors': `${most}x` }).press('Save')
  assert.equal(refused.status, 422)
  assert.match(refused.messages.join(), /Comments to the authors: [^.]*5,?000/)
  assert.equal(refused.field('Comments to the authors').value.length, 5_001)
  assert.deepEqual(
    (await at.ofAbstract(at.first.id)).map(each => each.to_authors),
    [null],
  )
  await refused.fill({ 'Comments to the authors': most }).press('Save')
  assert.deepEqual(
    (await at.ofAbstract(at.first.id)).map(each => each.to_authors?.length),
    [5_000],
  )
})

test('what is skipped saves nothing, comes back behind all that is left, and cannot be once it is the last', async t => {
  const at = await start(t, {}, ['One', 'Two', 'Three'])
  const list = await at.visitor().open(at.path)
  const titles = list.links().filter(text => /One|Two|Three/.test(text))
  const said = { '4': true, Accept: true }
  const first = await list.follow(titles[0] as string)
  const second = await first.fill(said).follow('Skip for now')
  assert.match(second.messages.join(), /skipped, and comes back behind all/)
  assert.deepEqual(
    (await Promise.all(at.abstracts.map(({ id }) => at.ofAbstract(id)))).flat().map(each => each.scores),
    [{}, {}, {}],
  )
  const third = await second.fill(said).press('Done, and on to the next')
  const back = await third.follow('Skip for now')
  assert.equal(back.heading, first.heading)
  const last = await back.fill(said).press('Done, and on to the next')
  assert.equal(last.heading, third.heading)
  assert.ok(!last.links().includes('Skip for now'))
})

test('list and review say how far their reviewer is, until when with its zone, and what to look at', async t => {
  const at = await start(t, { about: 'Look for *doors*.' })
  const list = await at.visitor().open(at.path)
  assert.match(list.text, /Reviews are taken until \d+ \w+ \d{4}, \d\d:\d\d \(CET\)\./)
  const [what] = list
    .links()
    .flatMap((text, place) => (text === 'What you know, and conflicts' ? [place] : []))
  const first = list.links().findIndex(text => /One|Two/.test(text))
  assert.ok((what as number) < first, 'nobody reads a list to its end to say what they know')
  const page = await list.follow(list.links()[first] as string)
  assert.match(page.text, /Done: 0 of 2\. ?Reviews are taken until [^.]+ \(CET\)\./)
  assert.match(page.text, /What to look at ?Look for doors\./)
  at.clock.advance(60 * DAY)
  const over = await at.visitor().open(at.path)
  assert.doesNotMatch(over.text, /Reviews are taken until/)
})

test('what two tabs say of the same field is shown side by side, and nothing is lost', async t => {
  const at = await start(t)
  const { code } = at.first
  const one = await at.visitor().open(`${at.path}/abstracts/${code}`)
  const other = await at.visitor().open(`${at.path}/abstracts/${code}`)
  await one.fill({ 'Comments to the authors': 'From one.', '3': true }).press('Save')
  const conflict = await other.fill({ 'Comments to the authors': 'From the other.' }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /From one\./)
  assert.equal(conflict.field('Comments to the authors').value, 'From the other.')
  assert.equal(conflict.field('3').checked, true)
  await conflict.press('Save')
  const again = await at.visitor().open(`${at.path}/abstracts/${code}`)
  assert.equal(again.field('Comments to the authors').value, 'From the other.')
})

test('what is not for a reviewer is given back in two clicks, and the log says by whom and why', async t => {
  const at = await start(t)
  const { code, id } = at.first
  const page = await at.visitor().open(`${at.path}/abstracts/${code}`)
  const ask = await page.follow('I cannot review this…')
  assert.equal(ask.heading, 'Give this abstract back?')
  const list = await ask.press('I have a conflict of interest')
  assert.deepEqual(list.messages, ['The abstract is given back.'])
  assert.match(list.text, /Done: 0 of 1\./)
  assert.equal((await at.ofAbstract(id))[0]?.returned, 'conflict')
  const [entry] = await at.db.read(at.accountId, tx => accessLog.list(tx, 1))
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.details],
    ['review.give_back', `reviewer:${at.rosa.id}`, { abstract: code, reason: 'conflict' }],
  )
  assert.equal((await at.visitor().open(`${at.path}/abstracts/${code}`)).status, 404)
})

test('a reviewer says what they know and whose abstracts they should not get, and it counts from then on', async t => {
  const at = await start(t)
  const profile = await (await at.visitor().open(at.path)).follow('What you know, and conflicts')
  const saved = await profile
    .fill({ 'Your affiliation': 'Hospital', Doors: true, 'Conflicts of interest': 'Lin\nuni.example' })
    .press('Save')
  assert.deepEqual(saved.messages, ['It is saved.'])
  assert.equal(saved.field('Conflicts of interest').value, 'Lin\nuni.example')
  const rosa = await at.db.read(at.accountId, tx => reviewers.get(tx, at.rosa.id))
  assert.deepEqual(
    [rosa.affiliation, rosa.topics.length, rosa.conflicts],
    ['Hospital', 1, ['Lin', 'uni.example']],
  )
  // What they have already stays: else a conflict would tell who has written it.
  assert.match((await at.visitor().open(at.path)).text, /Done: 0 of 2\./)
  const tooMany = await saved
    .fill({ 'Conflicts of interest': Array.from({ length: 31 }, (_, n) => `N${n}`).join('\n') })
    .press('Save')
  assert.equal(tooMany.status, 422)
})

test('after the deadline a reviewer reads what they wrote, writes nothing, and finds nothing after 30 days', async t => {
  const at = await start(t)
  const { code } = at.first
  const browser = at.visitor()
  const page = await browser.open(`${at.path}/abstracts/${code}`)
  page.fill({ '4': true, Accept: true, 'Comments to the authors': 'Well told.' })
  await page.press('Done, and on to the next')
  const late = await browser.open(`${at.path}/abstracts/${code}`)
  at.clock.advance(15 * DAY)
  const refused = await late.fill({ 'Comments to the authors': 'Late.' }).press('Save')
  assert.equal(refused.status, 409)
  const read = await browser.open(`${at.path}/abstracts/${code}`)
  assert.match(read.text, /The review was over on .*Overall ?4 ?Recommendation ?Accept.*Well told\./)
  assert.doesNotMatch(read.text, /I cannot review this|Save/)
  at.clock.advance(30 * DAY)
  assert.equal((await browser.open(at.path)).status, 404)
})

test('a link that was renewed, one of somebody who was taken out, and a made-up one lead nowhere', async t => {
  const at = await start(t)
  const open = (path = at.path) => at.visitor().open(path)
  assert.equal((await open()).status, 200)
  await at.db.write(at.accountId, tx => reviewers.renew(tx, at.eventId, at.rosa.id))
  const answers = [await open(), await open(`/review/${'A'.repeat(46)}`)]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 404],
  )
})

test('each page of a reviewer speaks Spanish where its reader does', async t => {
  const at = await start(t)
  const { code } = at.first
  for (const path of ['', '/all', '/profile', `/abstracts/${code}`, `/abstracts/${code}/back`]) {
    const page = await at.visitor('es').open(`${at.path}${path}?lang=es`)
    assert.equal(page.status, 200)
    assert.equal(page.document.documentElement.lang, 'es')
    assert.doesNotMatch(page.text, /review|Give|Save|Topics/)
  }
})
