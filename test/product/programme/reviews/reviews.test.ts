import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem, type ProblemCode } from '#base/problem.ts'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as emails from '#machinery/mail/rules.ts'
import { give, listChoices, propose, take } from '#product/programme/reviews/assignments.ts'
import { listQueue, read } from '#product/programme/reviews/reading.ts'
import { MAX_REVIEWERS } from '#product/programme/reviews/reviewer-schemas.ts'
import * as reviewers from '#product/programme/reviews/reviewers.ts'
import * as reviews from '#product/programme/reviews/reviews.ts'
import { MAX_REVIEWS } from '#product/programme/reviews/round-schemas.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { assignAll, inviteOne, openReview, readAs, review } from '#test/support/reviews.ts'
import { isSaid } from '#test/support/said.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext, changes: Parameters<typeof openReview>[1] = {}) {
  const server = await startDashboard(t)
  await openCall(server, { per_person: 50 })
  const round = await openReview(server, changes)
  const { db, accountId } = server
  const submit = async (title: string) => {
    const { submission } = await begin(server)
    const abstract = await send(server, submission.id, contentOf({ title }))
    return { ...abstract, submissionId: submission.id }
  }
  const mails = async () => {
    const all = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
    return all
      .filter(({ kind }) => kind.startsWith('review_'))
      .map(({ recipient, kind }) => `${kind} ${recipient}`)
  }
  const queueOf = async (reviewer: Parameters<typeof listQueue>[1]) =>
    (await db.read(accountId, tx => listQueue(tx, reviewer))).map(({ title }) => title)
  return { ...server, round, submit, mails, queueOf }
}

const isProblem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

test('whoever is asked to review gets one mail, and no second one for being asked again', async t => {
  const at = await start(t)
  const rosa = await inviteOne(at)
  const again = await inviteOne(at, { email: 'ROSA@reviews.example', name: 'Somebody' })
  assert.deepEqual([again.id, again.name], [rosa.id, 'Rosa Ruiz'])
  assert.deepEqual(await at.mails(), ['review_invited rosa@reviews.example'])
})

test('an event has 500 reviewers and an abstract ten reviews, and what is more is refused in words', async t => {
  const at = await start(t)
  const { id } = await at.submit('One')
  const people: string[] = []
  for (let n = 0; n < MAX_REVIEWERS; n++) {
    // Each has a domain of their own, so that nobody has a conflict.
    people.push((await inviteOne(at, { name: `Reviewer ${n}`, email: `r@n${n}.example` })).id)
  }
  const more = { name: 'More', email: 'more@reviews.example' }
  await assert.rejects(inviteOne(at, more), isSaid('too_many_reviewers'))
  const giveTo = (reviewer_id: string) =>
    at.db.write(at.accountId, tx => give(tx, at.eventId, { abstract_id: id, reviewer_id }))
  for (const reviewer of people.slice(0, MAX_REVIEWS)) await giveTo(reviewer)
  await assert.rejects(giveTo(people[MAX_REVIEWS] as string), isSaid('too_many_reviews'))
  // Whoever is taken out makes room for somebody else.
  await at.db.write(at.accountId, tx => reviewers.leave(tx, at.eventId, people[0] as string))
  await inviteOne(at, more)
  await giveTo(people[MAX_REVIEWS] as string)
})

test('what is proposed is assigned once: the same again adds what is missing, and gathers the mails', async t => {
  const at = await start(t, { wanted: 2 })
  for (const title of ['One', 'Two', 'Three']) await at.submit(title)
  const rosa = await inviteOne(at)
  await inviteOne(at, { name: 'Ben', email: 'ben@other.example' })
  assert.equal(await assignAll(at), 6)
  assert.equal(await assignAll(at), 0)
  assert.deepEqual((await at.queueOf(rosa)).sort(), ['One', 'Three', 'Two'])
  await at.submit('Four')
  assert.equal(await assignAll(at), 2)
  assert.deepEqual((await at.mails()).sort(), [
    ...['review_assigned ben@other.example', 'review_assigned rosa@reviews.example'],
    ...['review_invited ben@other.example', 'review_invited rosa@reviews.example'],
  ])
})

test('a proposal changes nothing, and leaves out what is decided or withdrawn, and who has left', async t => {
  const at = await start(t, { wanted: 1 })
  const gone = await at.submit('Gone')
  const decided = await at.submit('Decided')
  await at.submit('Open')
  const ben = await inviteOne(at, { name: 'Ben', email: 'ben@other.example' })
  const rosa = await inviteOne(at)
  await at.db.write(at.accountId, tx => sending.withdraw(tx, gone.submissionId))
  assert.equal(
    (await at.client.post(`/abstracts/${decided.id}/decision`, { decision: 'accepted' })).status,
    200,
  )
  await at.db.write(at.accountId, tx => reviewers.leave(tx, at.eventId, ben.id))
  const { assignments } = await propose(at.db, at.accountId, at.eventId)
  assert.deepEqual(
    assignments.map(({ reviewer_id }) => reviewer_id),
    [rosa.id],
  )
  assert.deepEqual(await at.queueOf(rosa), [])
})

test('a review may be saved half, is done only whole, and stays whole once it is done', async t => {
  const at = await start(t, {
    criteria: [
      { name: 'Originality', weight: 3 },
      { name: 'Clarity', weight: 1 },
    ],
  })
  const { code, id } = await at.submit('One')
  const rosa = await inviteOne(at)
  await assignAll(at)
  const [first, second] = at.round.criteria.map(criterion => criterion.id) as [string, string]
  const save = (said: Parameters<typeof reviews.save>[3]) =>
    at.db.write(at.accountId, tx => reviews.save(tx, rosa, code, said))
  const half = { scores: { [first]: 5 }, recommendation: null, to_authors: 'So far.', to_chairs: null }
  await save({ review: half, isDone: false })
  assert.deepEqual((await readAs(at, rosa, code)).review, half)
  await assert.rejects(save({ review: half, isDone: true }), isProblem('review_incomplete'))
  const whole = { ...half, scores: { [first]: 5, [second]: 1 }, recommendation: 'accept' as const }
  await save({ review: whole, isDone: true })
  await assert.rejects(save({ review: half, isDone: false }), isProblem('review_incomplete'))
  await save({ review: { ...whole, recommendation: 'reject' }, isDone: false })
  const [kept] = await at.db.read(at.accountId, tx => reviews.listOfAbstract(tx, id))
  assert.equal(kept?.recommendation, 'reject')
  assert.notEqual(kept?.done_at, null)
  assert.equal(reviews.meanOf(kept as NonNullable<typeof kept>, at.round), 4)
})

test('what is given back leaves the list, keeps nothing typed, and is not given to the same person again', async t => {
  const at = await start(t, { wanted: 1 })
  const { code, id } = await at.submit('One')
  const rosa = await inviteOne(at)
  await assignAll(at)
  const typed = { scores: {}, recommendation: null, to_authors: 'Hm.', to_chairs: null }
  await at.db.write(at.accountId, tx => reviews.save(tx, rosa, code, { review: typed, isDone: false }))
  await at.db.write(at.accountId, tx => reviews.giveBack(tx, rosa, code, 'conflict'))
  assert.deepEqual(await at.queueOf(rosa), [])
  assert.equal(await assignAll(at), 0)
  const [left] = await at.db.read(at.accountId, tx => reviews.listOfAbstract(tx, id))
  assert.deepEqual([left?.returned, left?.to_authors, left?.done_at], ['conflict', null, null])
  await inviteOne(at, { name: 'Ben', email: 'ben@other.example' })
  assert.equal(await assignAll(at), 1)
  // A chair takes back what was given back by mistake.
  await at.db.write(at.accountId, tx => take(tx, at.eventId, { abstract_id: id, reviewer_id: rosa.id }))
  await at.db.write(at.accountId, tx => give(tx, at.eventId, { abstract_id: id, reviewer_id: rosa.id }))
  assert.deepEqual(await at.queueOf(rosa), ['One'])
})

test('what is done cannot be given back or taken away', async t => {
  const at = await start(t)
  const { code, id } = await at.submit('One')
  const rosa = await inviteOne(at)
  await assignAll(at)
  await review(at, rosa, code)
  const back = at.db.write(at.accountId, tx => reviews.giveBack(tx, rosa, code, 'field'))
  await assert.rejects(back, isProblem('review_done'))
  const taken = at.db.write(at.accountId, tx =>
    take(tx, at.eventId, { abstract_id: id, reviewer_id: rosa.id }),
  )
  await assert.rejects(taken, isProblem('not_found'))
})

test('a reviewer reaches nothing that is not theirs, nor what was withdrawn, and all of it looks alike', async t => {
  const at = await start(t, { wanted: 1 })
  const one = await at.submit('One')
  const rosa = await inviteOne(at)
  await assignAll(at)
  const other = await at.submit('Other')
  for (const code of [other.code, '0000', ''])
    await assert.rejects(readAs(at, rosa, code), isProblem('not_found'))
  await at.db.write(at.accountId, tx => sending.withdraw(tx, one.submissionId))
  await assert.rejects(readAs(at, rosa, one.code), isProblem('not_found'))
  assert.deepEqual(await at.queueOf(rosa), [])
})

test('reviews are taken through the last minute, and nothing is written after it', async t => {
  const at = await start(t)
  const { code, id } = await at.submit('One')
  const rosa = await inviteOne(at)
  await assignAll(at)
  at.clock.advance(Date.parse(at.round.closes_at) + MINUTE - 1 - at.clock())
  await review(at, rosa, code)
  at.clock.advance(1)
  await assert.rejects(review(at, rosa, code), isProblem('review_over'))
  await assert.rejects(inviteOne(at, { email: 'ben@other.example' }), isProblem('review_over'))
  const given = at.db.write(at.accountId, tx =>
    give(tx, at.eventId, { abstract_id: id, reviewer_id: rosa.id }),
  )
  await assert.rejects(given, isProblem('review_over'))
  await assert.rejects(
    at.db.write(at.accountId, tx => reviewers.remind(tx, at.eventId)),
    isProblem('review_over'),
  )
  assert.equal(rounds.phaseOf(at.round, at.clock()), 'over')
  assert.equal(rounds.phaseOf(at.round, at.clock() + 30 * DAY), 'gone')
})

test('a chair gives an abstract to nobody with a conflict, and sees why', async t => {
  const at = await start(t)
  const { id } = await at.submit('One')
  const lin = await inviteOne(at, { name: 'Mei', email: 'lin@example.org' })
  const rosa = await inviteOne(at)
  const choices = await at.db.read(at.accountId, tx => listChoices(tx, at.eventId, id))
  assert.deepEqual(
    choices.map(({ reviewer, conflict }) => [reviewer.id, conflict]),
    [
      [lin.id, 'person'],
      [rosa.id, undefined],
    ],
  )
  const given = at.db.write(at.accountId, tx =>
    give(tx, at.eventId, { abstract_id: id, reviewer_id: lin.id }),
  )
  await assert.rejects(given, isProblem('review_conflict'))
})

test('a reviewer who is taken out keeps what is done, and comes back with another link', async t => {
  const at = await start(t)
  const { code, id } = await at.submit('One')
  await at.submit('Two')
  const rosa = await inviteOne(at)
  await assignAll(at)
  await review(at, rosa, code)
  await at.db.write(at.accountId, tx => reviewers.leave(tx, at.eventId, rosa.id))
  assert.equal((await at.db.read(at.accountId, tx => reviews.listOfAbstract(tx, id))).length, 1)
  assert.deepEqual(await at.queueOf(rosa), ['One'])
  const back = await inviteOne(at)
  assert.equal(back.id, rosa.id)
  assert.notEqual(back.secret_version, rosa.secret_version)
  assert.equal((await at.mails()).filter(mail => mail.startsWith('review_invited')).length, 2)
})

test('those who are not done are reminded, once in a day', async t => {
  const at = await start(t)
  const { code } = await at.submit('One')
  const rosa = await inviteOne(at)
  const ben = await inviteOne(at, { name: 'Ben', email: 'ben@other.example' })
  await assignAll(at)
  await review(at, rosa, code)
  const remind = () => at.db.write(at.accountId, tx => reviewers.remind(tx, at.eventId))
  assert.equal(await remind(), 1)
  assert.equal(await remind(), 0)
  at.clock.advance(20 * HOUR)
  assert.equal(await remind(), 1)
  await review(at, ben, code)
  at.clock.advance(20 * HOUR)
  assert.equal(await remind(), 0)
})

test('abstracts stand in an order of each reviewer’s own, which stays the same', async t => {
  const at = await start(t, { wanted: 2 })
  const titles = Array.from({ length: 8 }, (_, n) => `Abstract ${n}`)
  for (const title of titles) await at.submit(title)
  const rosa = await inviteOne(at)
  const ben = await inviteOne(at, { name: 'Ben', email: 'ben@other.example' })
  await assignAll(at)
  const [ofRosa, ofBen] = [await at.queueOf(rosa), await at.queueOf(ben)]
  assert.deepEqual(await at.queueOf(rosa), ofRosa)
  assert.notDeepEqual(ofRosa, ofBen)
  assert.deepEqual([...ofRosa].sort(), titles)
})

test('a criterion that is renamed in its place keeps its scores, and one that is left out counts no more', async t => {
  const at = await start(t, {
    criteria: [
      { name: 'A', weight: 1 },
      { name: 'B', weight: 1 },
    ],
  })
  const { code, id } = await at.submit('One')
  const rosa = await inviteOne(at)
  await assignAll(at)
  const [a, b] = at.round.criteria.map(criterion => criterion.id) as [string, string]
  await review(at, rosa, code, { scores: { [a]: 5, [b]: 1 } })
  const renamed = await openReview(at, {
    criteria: [
      { name: 'A', weight: 1 },
      { name: 'C', weight: 3 },
    ],
  })
  const [kept] = await at.db.read(at.accountId, tx => reviews.listOfAbstract(tx, id))
  assert.equal(reviews.meanOf(kept as NonNullable<typeof kept>, renamed), 2)
  const less = await openReview(at, { criteria: [{ name: 'A', weight: 1 }] })
  assert.equal(reviews.meanOf(kept as NonNullable<typeof kept>, less), 5)
  // Saved again, the score of the one that has retired stays.
  await review(at, rosa, code, { scores: { [a]: 3 } })
  const again = await at.db.read(at.accountId, tx => reviews.listOfAbstract(tx, id))
  assert.deepEqual(again[0]?.scores, { [a]: 3, [b]: 1 })
  assert.equal((await at.db.read(at.accountId, tx => read(tx, rosa, code))).isDone, true)
})
