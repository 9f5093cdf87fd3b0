import assert from 'node:assert/strict'
import { test } from 'node:test'
import { narrow, type Sort, sortBy, sorts } from '#product/programme/decisions/narrowing.ts'
import { ENOUGH, figuresOf, leaningsOf, type Scored } from '#product/programme/decisions/scores.ts'
import { readStandings, type Standing } from '#product/programme/decisions/standings.ts'
import { withdraw } from '#product/programme/submissions/send.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { assignAll, inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

const scored = (abstract_id: string, reviewer_id: string, mean: number | undefined): Scored => ({
  ...{ abstract_id, reviewer_id, mean },
  recommendation: mean === undefined ? null : mean >= 3 ? 'accept' : 'reject',
})

test('the spread is the highest less the lowest, of two reviews or more', () => {
  const nobody = new Map<string, number>()
  const of = (...means: number[]) =>
    figuresOf(
      means.map((mean, at) => scored('a', `r${at}`, mean)),
      nobody,
    )
  assert.deepEqual(of(), {
    ...{ done: 0, mean: undefined, spread: undefined, adjusted: undefined },
    recommended: { accept: 0, unsure: 0, reject: 0 },
  })
  assert.deepEqual([of(4).mean, of(4).spread], [4, undefined])
  assert.deepEqual([of(1, 5, 3).mean, of(1, 5, 3).spread], [3, 4])
  assert.deepEqual(of(1, 5, 3).recommended, { accept: 2, unsure: 0, reject: 1 })
  const mixed = figuresOf([scored('a', 'r', undefined), scored('a', 's', 2)], nobody)
  assert.deepEqual([mixed.done, mixed.mean, mixed.spread], [2, 2, undefined])
})

test('a kind reviewer is brought down and a strict one up, from five reviews on, and others stay', () => {
  const kind = Array.from({ length: ENOUGH }, (_, at) => scored(`a${at}`, 'kind', 5))
  const strict = Array.from({ length: ENOUGH }, (_, at) => scored(`a${at}`, 'strict', 1))
  const new4 = Array.from({ length: ENOUGH - 1 }, (_, at) => scored(`a${at}`, 'new', 3))
  const all = [...kind, ...strict, ...new4]
  const leanings = leaningsOf(all)
  assert.deepEqual(
    [...leanings],
    [
      ['kind', 2],
      ['strict', -2],
    ],
  )
  const of = (id: string) =>
    figuresOf(
      all.filter(each => each.abstract_id === id),
      leanings,
    )
  assert.deepEqual([of('a0').mean, of('a0').adjusted], [3, 3])
  const alone = figuresOf([scored('b', 'kind', 5)], leanings)
  assert.deepEqual([alone.mean, alone.adjusted], [5, 3])
  assert.equal(figuresOf([scored('b', 'new', 3)], leanings).adjusted, 3)
  // Where nobody has five, nothing is adjusted, and nothing pretends to be.
  assert.equal(figuresOf(new4.slice(0, 1), leaningsOf(new4)).adjusted, undefined)
})

const standing = (code: string, changes: Partial<Standing> = {}): Standing => ({
  ...{
    id: code,
    code,
    title: `T${code}`,
    language: 'en',
    status: 'submitted',
    topic_id: null,
    kind_id: null,
  },
  ...{ topic: undefined, kind: undefined, isOwn: false, proposal: undefined },
  figures: figuresOf([], new Map()),
  ...changes,
})

const withMeans = (...means: number[]) =>
  figuresOf(
    means.map((mean, at) => scored('a', `r${at}`, mean)),
    new Map(),
  )

test('what has no value comes last in each order, also turned around, and equals are in the order of their codes', () => {
  const rows = [
    standing('10'),
    standing('9', { figures: withMeans(2, 4), topic: 'B' }),
    standing('7', { figures: withMeans(5), topic: 'A', language: null }),
    standing('8', { figures: withMeans(3, 3, 3), topic: 'b' }),
  ]
  const order = (sort: Sort, isReversed = false) =>
    sortBy(rows, { sort, isReversed }, 'en')
      .map(({ code }) => code)
      .join(' ')
  assert.equal(order('mean'), '7 8 9 10')
  assert.equal(order('mean', true), '8 9 7 10')
  assert.equal(order('spread'), '9 8 7 10')
  assert.equal(order('reviews'), '10 7 9 8')
  assert.equal(order('topic'), '7 8 9 10')
  assert.equal(order('code', true), '10 9 8 7')
  assert.equal(order('language'), '8 9 10 7')
  for (const sort of sorts)
    for (const isReversed of [false, true])
      assert.equal(new Set(sortBy(rows, { sort, isReversed }, 'en')).size, rows.length, sort)
})

test('a filter of reviews and proposals leaves out what one has written, whatever is said of it', () => {
  const own = standing('1', { isOwn: true, figures: undefined, topic_id: 't' })
  const good = standing('2', { figures: withMeans(4.333), topic_id: 't' })
  const none = standing('3')
  const proposal = {
    decision: 'accepted',
    kind: undefined,
    note: null,
    by: 'user:x',
    isSending: false,
  } as const
  const proposed = standing('4', { figures: withMeans(2, 2), proposal, status: 'in_review' })
  const codes = (wanted: Parameters<typeof narrow>[1]) =>
    narrow([own, good, none, proposed], wanted)
      .map(({ code }) => code)
      .join('')
  assert.equal(codes({}), '1234')
  assert.equal(codes({ topic: 't' }), '12')
  assert.equal(codes({ status: 'submitted' }), '123')
  assert.equal(codes({ proposal: 'none' }), '23')
  assert.equal(codes({ proposal: 'accepted' }), '4')
  assert.equal(codes({ proposal: 'rejected' }), '')
  // As it is shown: 4.333 is 4.33.
  assert.equal(codes({ least: 4.33 }), '2')
  assert.equal(codes({ most: 4.33 }), '24')
  assert.equal(codes({ least: 3, most: 4 }), '')
  assert.equal(codes({ fewerThan: 2 }), '23')
})

test('whoever looks has no count or mean with what they have written, and what was withdrawn stands nowhere', async t => {
  const at = await startDashboard(t)
  await openCall(at, { per_person: 50 })
  await openReview(at, { wanted: 1 })
  const submit = async (title: string, email: string) => {
    const { submission } = await begin(at, { email })
    return send(at, submission.id, contentOf({ title }))
  }
  const own = await submit('Own', 'Chair@Chairs.example')
  const other = await submit('Other', 'lin@writers.example')
  const { submission } = await begin(at, { email: 'lin@writers.example' })
  await send(at, submission.id, contentOf({ title: 'Gone' }))
  const rosa = await inviteOne(at)
  await assignAll(at)
  await at.db.write(at.accountId, tx => withdraw(tx, submission.id))
  await review(at, rosa, own.code, { recommendation: 'reject' })
  await review(at, rosa, other.code)
  await proposeFor(at, own.id)
  await proposeFor(at, other.id, { decision: 'rejected', note: null })
  const read = (email: string, text?: string) =>
    readStandings(at.db, { accountId: at.accountId, eventId: at.eventId, email }, text)
  const chair = await read('chair@chairs.example')
  assert.deepEqual([chair.count, chair.proposed], [2, { accepted: 0, rejected: 1, sending: 0 }])
  const told = chair.rows.map(({ title, isOwn, figures, proposal }) => [
    ...[title, isOwn, figures?.mean, figures?.done, proposal?.decision],
  ])
  assert.deepEqual(told.sort(), [
    ['Other', false, 4, 1, 'rejected'],
    ['Own', true, undefined, undefined, undefined],
  ])
  const stranger = await read('somebody@chairs.example')
  assert.deepEqual(stranger.proposed, { accepted: 1, rejected: 1, sending: 0 })
  // A search narrows the rows, not the counts.
  const found = await read('somebody@chairs.example', 'LIN@writers')
  assert.deepEqual([found.rows.map(({ title }) => title), found.count], [['Other'], 2])
})
