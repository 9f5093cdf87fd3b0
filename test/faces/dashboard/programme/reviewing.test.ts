import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY, toLocalTime } from '#base/time.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { Role } from '#product/administration/users/roles.ts'
import * as members from '#product/administration/users/rules.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t, organization({ event: { takes_abstracts: true } }))
  await openCall(server, { per_person: 50 })
  const { db, accountId, eventId } = server
  const submit = async (title: string, changes: Parameters<typeof contentOf>[0] = {}) => {
    // Members have e-mails of another domain, so that they are no colleagues.
    const { submission } = await begin(server, { email: 'lin@writers.example' })
    return send(server, submission.id, contentOf({ title, ...changes }))
  }
  const base = `/manage/e/${eventId}`
  return {
    ...{ ...server, submit, base, path: `${base}/review` },
    mails: async () =>
      (await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 })))
        .filter(({ kind }) => kind.startsWith('review_'))
        .map(({ recipient, kind }) => `${kind} ${recipient}`)
        .sort(),
    emailOf: async (role: Role) =>
      (await db.read(accountId, tx => members.list(tx))).find(each => each.role === role)?.user
        .email as string,
    people: () => db.read(accountId, tx => reviewers.listOfEvent(tx, eventId)),
    entries: async () =>
      (await db.read(accountId, tx => accessLog.list(tx, 100)))
        .filter(({ action }) => /^review/.test(action))
        .map(({ action, details }) => [action, details])
        .reverse(),
  }
}

test('while nothing is submitted yet, the review and the programme can be prepared, and reviews get three weeks behind the call', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const list = await chair.open(`${at.base}/abstracts`)
  assert.ok(!list.links().includes('Decisions'))
  assert.match((await list.follow('Programme')).text, /There is no session yet/)
  const form = await (await list.follow('Review')).follow('Set up the review')
  const day = toLocalTime(at.clock() + (14 + 21) * DAY, 'Europe/Madrid').slice(0, 10)
  assert.equal(form.field('Deadline').value, `${day}T23:59`)
})

test('from nothing to reviews that are assigned: set up, invite, look at what it gives, assign', async t => {
  const at = await start(t)
  for (const title of ['One', 'Two', 'Three']) await at.submit(title)
  const chair = await at.member('chair')
  const list = await chair.open(`${at.base}/abstracts`)
  const none = await list.follow('Review')
  assert.match(none.text, /Nobody reviews yet/)
  const form = await none.follow('Set up the review')
  assert.equal(form.field('Reviewers do not see').checked, true)
  assert.equal(form.field('What is scored').value, 'Overall')
  const refused = await form
    .fill({ 'What is scored': 'Originality, 12', 'Reviews an abstract': '2' })
    .press('Set up the review')
  assert.match(refused.text, /Originality: enter a weight from 1 to 9\./)
  const six = await refused.fill({ 'What is scored': 'A\nB\nC\nD\nE\nF' }).press('Set up the review')
  assert.match(six.text, /Write one a line: one to 5, and each once\./)
  const page = await six.fill({ 'What is scored': 'Originality, 2\nClarity' }).press('Set up the review')
  assert.deepEqual(page.messages, ['The review is saved.'])
  const round = await at.db.read(at.accountId, tx => rounds.get(tx, at.eventId))
  assert.deepEqual(
    round.criteria.map(({ name, weight }) => [name, weight]),
    [
      ['Originality', 2],
      ['Clarity', 1],
    ],
  )
  const invite = await page.follow('Invite reviewers')
  const wrong = await invite.fill({ People: 'Rosa Ruiz, rosa@a.example\nnobody' }).press('Invite them')
  assert.match(wrong.text, /This line has no name and e-mail: “nobody”\./)
  const lines = [
    'Rosa Ruiz, rosa@a.example, Hospital, Madrid',
    'Ben <ben@b.example>',
    'Lin Mei, lin@writers.example',
  ]
  const invited = await wrong.fill({ People: lines.join('\n') }).press('Invite them')
  assert.deepEqual(invited.messages, ['3 people are invited.'])
  assert.deepEqual(
    (await at.people()).map(({ name, email, affiliation }) => [name, email, affiliation]).sort(),
    [
      ['Ben', 'ben@b.example', null],
      ['Lin Mei', 'lin@writers.example', null],
      ['Rosa Ruiz', 'rosa@a.example', 'Hospital, Madrid'],
    ],
  )
  const plan = await invited.follow('Assign abstracts')
  // Lin has written all of them.
  assert.match(plan.text, /Most abstracts for one reviewer/)
  assert.match(plan.text, /2 reviews? would be assigned|4 reviews would be assigned/)
  const more = await plan.fill({ 'Most abstracts': '3' }).press('Show what that gives')
  assert.match(more.text, /6 reviews would be assigned\./)
  assert.deepEqual(more.rows().sort(), ['Ben03', 'Lin Mei00', 'Rosa Ruiz03'])
  assert.equal((await at.mails()).filter(mail => mail.startsWith('review_assigned')).length, 0)
  const assigned = await more.press('Assign 6 reviews')
  assert.deepEqual(assigned.messages, ['6 reviews are assigned.'])
  assert.match(assigned.text, /Done: 0 of 6 reviews\./)
  assert.deepEqual(await at.mails(), [
    ...['review_assigned ben@b.example', 'review_assigned rosa@a.example'],
    ...[
      'review_invited ben@b.example',
      'review_invited lin@writers.example',
      'review_invited rosa@a.example',
    ],
  ])
  assert.match((await assigned.follow('Assign abstracts')).text, /There is nothing to assign/)
  assert.deepEqual(
    (await at.entries()).map(([action]) => action),
    ['review.change', 'reviewer.invite', 'review.assign'],
  )
})

test('a chair reads the reviews of an abstract with their mean, and who has not done theirs', async t => {
  const at = await start(t)
  const { id, code } = await at.submit('One')
  await openReview(at)
  const rosa = await inviteOne(at)
  const ben = await inviteOne(at, { name: 'Ben', email: 'ben@b.example' })
  await assignAll(at)
  await review(at, rosa, code, { to_chairs: 'For <b>you</b>.' })
  const page = await (await at.member('chair')).open(`${at.base}/abstracts/${id}`)
  assert.match(page.text, /Mean score: 4 of 5\./)
  assert.match(page.text, /Rosa Ruiz ?Done ?Accept/)
  assert.match(page.text, /Well told\./)
  assert.match(page.text, /For <b>you<\/b>\./)
  const taken = await page.press('Take it away from Ben')
  assert.deepEqual(taken.messages, ['The abstract is taken away.'])
  const give = await taken.follow('Give to a reviewer')
  const given = await give.fill({ Reviewer: ben.id }).press('Give it')
  assert.deepEqual(given.messages, ['The abstract is assigned.'])
  const again = await given.follow('Give to a reviewer')
  assert.match(again.text, /Nobody is left who can review it\./)
  const list = await (await at.member('owner')).open(at.path)
  assert.deepEqual(list.rows(), ['Rosa Ruiz 01 of 1', 'Ben 00 of 1'])
})

test('whoever is behind an abstract sees none of its reviews, and does not decide it; others do', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const owner = await at.member('owner')
  const author = { given: 'C', family: 'H', orcid: null, affiliations: [], presenting: true }
  const email = await at.emailOf('chair')
  const { id, code } = await at.submit('Own', { authors: [{ ...author, email }] })
  const other = await at.submit('Other')
  await openReview(at)
  const rosa = await inviteOne(at)
  await assignAll(at)
  await review(at, rosa, code, { to_chairs: 'Weak.' })
  const page = await chair.open(`${at.base}/abstracts/${id}`)
  assert.match(page.text, /You are one of the people behind this abstract/)
  assert.doesNotMatch(page.text, /Rosa|Weak|Mean score/)
  const refused = await page.fill({ Accept: true }).press('Save the decision')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /others decide it/)
  assert.equal((await chair.open(`${at.base}/abstracts/${id}/give`)).status, 409)
  // Nor by the list, nor by way of the reviewer.
  const many = await chair.open(`${at.base}/abstracts/decide?decision=accepted&id=${id}&id=${other.id}`)
  assert.equal((await many.press('Accept 2 abstracts')).status, 409)
  const ofRosa = await chair.open(`${at.path}/reviewers/${rosa.id}`)
  assert.match(ofRosa.text, /Other/)
  assert.doesNotMatch(ofRosa.text, /Own/)
  // What each reviewer has, and would get, counts without it too.
  await inviteOne(at, { name: 'Ben Li', email: 'ben@b.example' })
  assert.match((await chair.open(`${at.path}/assign`)).text, /Rosa Ruiz11Ben Li01/)
  assert.match((await owner.open(`${at.path}/assign`)).text, /Rosa Ruiz22Ben Li02/)
  assert.equal((await at.client.get(`/abstracts/${id}`)).body.status, 'submitted')
  const seen = await owner.open(`${at.base}/abstracts/${id}`)
  assert.match(seen.text, /Weak\./)
  const decided = await seen.fill({ Accept: true }).press('Save the decision')
  assert.equal(decided.status, 200)
})

test('an owner decides an abstract of their own where nobody else could, and the log says so', async t => {
  const at = await start(t)
  const owner = await at.member('owner')
  const email = await at.emailOf('owner')
  const author = { given: 'O', family: 'W', orcid: null, affiliations: [], presenting: true }
  const { id } = await at.submit('Own', { authors: [{ ...author, email }] })
  const page = await owner.open(`${at.base}/abstracts/${id}`)
  assert.equal((await page.fill({ Accept: true }).press('Save the decision')).status, 200)
  const all = await at.db.read(at.accountId, tx => accessLog.list(tx, 10))
  const entry = all.find(({ action }) => action === 'abstract.decide')
  assert.deepEqual(entry?.details, { decision: 'accepted', own: true })
})

test('a reviewer is sent a new link, and is taken out; who only reviews reaches none of these pages', async t => {
  const at = await start(t)
  await at.submit('One')
  await openReview(at)
  const rosa = await inviteOne(at)
  await assignAll(at)
  const manager = await at.member('manager')
  const page = await (await manager.open(at.path)).follow('Rosa Ruiz')
  assert.match(page.text, /One ?Not done/)
  const renewed = await (await page.follow('Send a new link')).press('Send it')
  assert.deepEqual(renewed.messages, ['The new link is on its way.'])
  assert.equal((await at.people())[0]?.secret_version, rosa.secret_version + 1)
  const removed = await (await renewed.follow('Take out…')).press('Take out')
  assert.deepEqual(removed.messages, ['Rosa Ruiz is taken out.'])
  assert.match(removed.text, /Rosa Ruiz ?Taken out/)
  const reviewer = await at.member('reviewer')
  for (const what of ['', '/settings', '/invite', '/assign', `/reviewers/${rosa.id}`])
    assert.equal((await reviewer.open(`${at.path}${what}`)).status, 403, what)
})

test('a member who reviews is led from the dashboard to their own list', async t => {
  const at = await start(t)
  await at.submit('One')
  await openReview(at)
  const reviewer = await at.member('reviewer')
  assert.match((await reviewer.open(at.base)).text, /will be shown here once/)
  const email = await at.emailOf('reviewer')
  await inviteOne(at, { name: 'Member', email })
  await assignAll(at)
  const list = await (await reviewer.open(at.base)).follow('Go to what you review for')
  assert.equal(list.heading, 'Your reviews')
  assert.match(list.text, /One/)
})
