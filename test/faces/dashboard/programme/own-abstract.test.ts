import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { Role } from '#product/administration/users/roles.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import { give } from '#product/programme/reviews/assignments.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

/** The others are enough for each reviewer to be adjusted. */
const OTHERS = 6

/** Starts with abstracts of which the first is by a member. */
async function start(t: TestContext, role: Role) {
  const server = await startDashboard(t, organization({ event: { takes_abstracts: true } }))
  const { db, accountId, eventId } = server
  const writer = await server.member(role, { email: `${role}@chairs.example` })
  await openCall(server, { per_person: 50 })
  const { criteria } = await openReview(server, { wanted: 2 })
  const reviewers = [
    await inviteOne(server),
    await inviteOne(server, { name: 'Ben', email: 'ben@b.example' }),
  ]
  const submit = async (title: string, email: string) => {
    const { submission } = await begin(server, { email })
    return send(server, submission.id, contentOf({ title }))
  }
  const own = await submit('Own', `${role}@chairs.example`)
  const others: { id: string; code: string }[] = []
  for (let at = 0; at < OTHERS; at++) others.push(await submit(`Other ${at}`, 'lin@writers.example'))
  const say = async (
    abstract: { id: string; code: string },
    score: number,
    which: readonly number[] = [0, 1],
  ) => {
    for (const at of which) {
      const reviewer = reviewers[at] as (typeof reviewers)[0]
      const scores = Object.fromEntries(criteria.map(({ id }) => [id, score]))
      await db.write(accountId, tx =>
        give(tx, eventId, { abstract_id: abstract.id, reviewer_id: reviewer.id }).catch(() => undefined),
      )
      const recommendation = score > 3 ? 'accept' : 'reject'
      await review(server, reviewer, abstract.code, { scores, recommendation })
    }
  }
  for (const [at, other] of others.entries()) await say(other, 1 + (at % 5))
  const base = `/manage/e/${eventId}`
  return { ...server, writer, reviewers, own, others, say, base, table: `${base}/decisions` }
}

type At = Awaited<ReturnType<typeof start>>

/** Reads all that tells a chair of reviews and proposals, of any abstract: byte for byte, but for what is new in each answer. */
async function readAll({ writer, own, others, reviewers, base, table }: At): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const sorts = ['mean', 'adjusted', 'spread', 'reviews', 'recommended', 'proposal', '-mean', '-proposal']
  const looks = [
    ...sorts.map(sort => `${table}?sort=${sort}`),
    ...[
      'proposal=none',
      'proposal=accepted',
      'proposal=rejected',
      'few=yes',
      'least=1',
      'most=5',
      'q=own',
    ].map(query => `${table}?${query}`),
    ...['', '?sort=proposal', '?proposal=none', '?least=1'].map(query => `${table}.csv${query}`),
    ...['accepted', 'rejected', 'none'].flatMap(decision => [
      `${table}/propose?decision=${decision}&id=${own.code}&id=${others[0]?.code}`,
      `${table}/propose?decision=${decision}&first=50`,
    ]),
    ...[`${base}/abstracts`, `${base}/review`, `${base}/abstracts/${own.id}`],
    ...[`${base}/abstracts/${own.id}/proposal`, `${base}/abstracts/${others[0]?.id}`],
    ...reviewers.map(({ id }) => `${base}/review/reviewers/${id}`),
  ]
  for (const address of looks) {
    const { status, bytes } = await writer.download(address)
    assert.equal(status, 200, address)
    found.set(address, bytes.toString('utf8').replace(/name="form.id" value="[^"]*"/g, ''))
  }
  return found
}

function assertSame(one: Map<string, string>, other: Map<string, string>): void {
  assert.equal(one.size, other.size)
  for (const [what, answer] of one) assert.equal(other.get(what), answer, what)
}

test('whatever is said and proposed of an abstract of their own, no page and no file of a chair has another byte', async t => {
  const at = await start(t, 'chair')
  await proposeFor(at, at.others[1]?.id as string)
  const before = await readAll(at)
  assert.match(before.get(`${at.table}?sort=mean`) ?? '', /Other 4/)
  await at.say(at.own, 5, [0])
  assertSame(before, await readAll(at))
  await proposeFor(at, at.own.id)
  assertSame(before, await readAll(at))
  await at.say(at.own, 1)
  await proposeFor(at, at.own.id, { decision: 'rejected', note: null })
  assertSame(before, await readAll(at))
})

test('the same look finds what is said and proposed of an abstract of others', async t => {
  const at = await start(t, 'chair')
  const before = await readAll(at)
  const [first] = at.others as [(typeof at.others)[0]]
  await at.say(first, 5)
  const said = await readAll(at)
  for (const what of [`${at.table}?sort=mean`, `${at.table}.csv`])
    assert.notEqual(said.get(what), before.get(what))
  await proposeFor(at, first.id)
  const proposed = await readAll(at)
  for (const what of [`${at.table}?sort=mean`, `${at.table}.csv`, `${at.table}?proposal=none`])
    assert.notEqual(proposed.get(what), said.get(what))
})

test('nobody proposes a decision about their own, among many, by itself, or by taking back', async t => {
  const at = await start(t, 'chair')
  await at.member('owner')
  await proposeFor(at, at.own.id)
  const [first] = at.others as [(typeof at.others)[0]]
  const page = await at.writer.open(at.table)
  const ticked = page.fill({ 'Select “Own”': true, 'Select “Other 0”': true })
  const asked = await ticked.press('Reject', 'Propose for those')
  assert.match(asked.text, /1 is left out: you are one of the people behind it/)
  // What the form hides is not trusted.
  const which = asked.document.querySelector<HTMLInputElement>('input[name="which"]')
  if (which !== null) which.value = `${first.id} ${at.own.id}`
  const done = await asked.press('Propose to reject 1')
  assert.deepEqual(done.messages, ['1 proposal is kept. Nobody is told yet. 1 was left out.'])
  const own = await at.writer.open(`${at.base}/abstracts/${at.own.id}/proposal`)
  const refused = await own.fill({ Reject: true }).press('Keep the proposal')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /others decide it/)
  const { base } = at
  const back = await at.writer.post(`${base}/abstracts/${at.own.id}/proposal/take-back`, {})
  assert.match(back.text, /others decide it/)
  const all = await at.db.read(at.accountId, tx => proposals.listOfEvent(tx, at.eventId))
  assert.deepEqual(all.map(({ title, decision }) => `${title} ${decision}`).sort(), [
    ...['Other 0 rejected', 'Own accepted'],
  ])
})

test('an owner whom nobody can stand in for proposes about their own, and the log says so', async t => {
  const at = await start(t, 'owner')
  const page = await at.writer.open(at.table)
  const asked = await page.fill({ 'Select “Own”': true }).press('Accept', 'Propose for those')
  const done = await asked.press('Propose to accept 1')
  assert.deepEqual(done.messages, ['1 proposal is kept. Nobody is told yet.'])
  // They see nothing of it either.
  assert.match(done.text, /Nothing is proposed yet/)
  const all = await at.db.read(at.accountId, tx => accessLog.list(tx, 20))
  const entry = all.find(({ action }) => action === 'abstract.propose')
  assert.deepEqual([entry?.target_id, entry?.details], [at.own.id, { decision: 'accepted', own: true }])
})
