import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem, type ProblemCode } from '#base/problem.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { proposeFor } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const server = await startDashboard(t)
  const kinds = [
    { name: 'Talk', minutes: 20, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ]
  const call = await openCall(server, { per_person: 50, kinds })
  const submit = async (title: string) => {
    const { submission } = await begin(server)
    const kind_id = call.kinds[0]?.id ?? null
    const abstract = await send(server, submission.id, contentOf({ title, kind_id }))
    return { ...abstract, submissionId: submission.id }
  }
  const { db, accountId, eventId } = server
  const proposed = async () => {
    const all = await db.read(accountId, tx => proposals.listOfEvent(tx, eventId))
    return all.map(({ title, decision }) => `${title}: ${decision}`).sort()
  }
  const decide = (id: string, decided: abstracts.Decided) =>
    db.write(accountId, tx => abstracts.decide(tx, id, decided))
  return { ...server, call, submit, proposed, decide }
}

const isProblem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

/** Reads all that somebody outside could see of abstracts, and when it changed. */
function readOutside({ db }: Awaited<ReturnType<typeof start>>) {
  return db.read(INSTANCE, async tx => ({
    abstracts: await tx.all('SELECT * FROM abstracts ORDER BY id'),
    events: await tx.all('SELECT id FROM webhook_events ORDER BY id'),
    mails: await tx.all('SELECT id FROM emails ORDER BY id'),
  }))
}

test('what is proposed, changed and taken back changes nothing that anybody else can see', async t => {
  const at = await start(t)
  const one = await at.submit('One')
  const two = await at.submit('Two')
  const before = await readOutside(at)
  at.clock.advance(60_000)
  await proposeFor(at, one.id)
  await proposeFor(at, one.id, { decision: 'rejected', note: null })
  await proposeFor(at, two.id, { kind_id: at.call.kinds[1]?.id ?? null })
  assert.deepEqual(await at.proposed(), ['One: rejected', 'Two: accepted'])
  await at.db.write(at.accountId, tx => proposals.takeBack(tx, at.eventId, two.id))
  await at.db.write(at.accountId, tx => proposals.takeBack(tx, at.eventId, two.id))
  assert.deepEqual(await at.proposed(), ['One: rejected'])
  assert.deepEqual(await readOutside(at), before)
})

test('nothing is proposed for what was withdrawn, is of another event, or as a kind that the call does not offer', async t => {
  const at = await start(t)
  const gone = await at.submit('Gone')
  const one = await at.submit('One')
  await proposeFor(at, gone.id)
  await at.db.write(at.accountId, tx => sending.withdraw(tx, gone.submissionId))
  assert.deepEqual(await at.proposed(), [])
  await assert.rejects(proposeFor(at, gone.id), isProblem('abstract_withdrawn'))
  await assert.rejects(proposeFor(at, one.id, { kind_id: at.eventId }), isProblem('invalid_parameter'))
  await assert.rejects(proposeFor({ ...at, eventId: at.accountId }, one.id), isProblem('not_found'))
  const wrong = at.db.write(at.accountId, tx => proposals.takeBack(tx, at.accountId, one.id))
  await wrong
  await proposeFor(at, one.id)
  await assert.rejects(
    at.db.write(at.accountId, tx => proposals.takeBack(tx, at.accountId, one.id)),
    isProblem('not_found'),
  )
  assert.deepEqual(await at.proposed(), ['One: accepted'])
})

test('what is about to be sent is changed by nobody, until that has ended', async t => {
  const at = await start(t)
  const one = await at.submit('One')
  await proposeFor(at, one.id)
  const job = await at.db.write(at.accountId, async tx => {
    const of = { kind: 'test', eventId: at.eventId, input: {}, total: 1, by: 'user:chair' }
    const { id } = await jobs.start(tx, { ...of, notBefore: at.clock() + 60_000 })
    await proposals.handOver(tx, at.eventId, id, { except: [] })
    return id
  })
  assert.deepEqual(
    (await at.db.read(at.accountId, tx => proposals.listOfJob(tx, job, 10))).map(({ title }) => title),
    ['One'],
  )
  const takeBack = () => at.db.write(at.accountId, tx => proposals.takeBack(tx, at.eventId, one.id))
  await assert.rejects(proposeFor(at, one.id, { decision: 'rejected' }), isProblem('being_sent'))
  await assert.rejects(takeBack(), isProblem('being_sent'))
  await at.db.write(at.accountId, tx => jobs.stop(tx, job))
  await proposeFor(at, one.id, { decision: 'rejected' })
  assert.deepEqual(await at.proposed(), ['One: rejected'])
  await takeBack()
  assert.deepEqual(await at.proposed(), [])
})

test('a decision counts on when it says something else, and ends what was proposed', async t => {
  const at = await start(t)
  const { id } = await at.submit('One')
  const [talk, poster] = at.call.kinds.map(kind => kind.id)
  await proposeFor(at, id)
  const course: [abstracts.Decided, number, string | null][] = [
    [{ decision: 'accepted' }, 1, 'Talk'],
    [{ decision: 'accepted' }, 1, 'Talk'],
    [{ decision: 'accepted', note: 'In the hall.' }, 2, 'Talk'],
    [{ decision: 'accepted', note: 'In the hall.', kind_id: poster }, 3, 'Poster'],
    [{ decision: 'accepted', note: 'In the hall.', kind_id: poster }, 3, 'Poster'],
    [{ decision: 'rejected', kind_id: talk }, 4, 'Talk'],
    [{ decision: 'in_review' }, 5, 'Talk'],
    [{ decision: 'rejected' }, 6, 'Talk'],
  ]
  for (const [decided, number, kind] of course) {
    const outcome = await at.decide(id, decided)
    assert.deepEqual([outcome.number, outcome.resource.kind?.name ?? null], [number, kind])
  }
  assert.deepEqual(await at.proposed(), [])
  assert.equal((await at.db.read(at.accountId, tx => getSubmitted(tx, id))).decision_number, 6)
})
