import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Problem, type ProblemCode } from '#base/problem.ts'
import { DAY, HOUR } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as proposals from '#product/programme/abstracts/proposals.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { findCode } from '#product/programme/decisions/registration-codes.ts'
import * as sending from '#product/programme/decisions/sending.ts'
import type { SendingInput } from '#product/programme/decisions/sending-schemas.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import * as submitting from '#product/programme/submissions/send.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { proposeFor } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const empty = { abstract: '', contact: { name: 'Max', email: 'max@example.org' } }
  const file = organizationWith([abstract('A-1', { keywords: 'rooms, doors' }), abstract('A-2', empty)])
  const server = await startDashboard(t, file)
  const { db, accountId, eventId, app, clock, applied } = server
  const kinds = [
    { name: 'Talk', minutes: 20, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ]
  const call = await openCall(server, { per_person: 50, kinds })
  const submit = async (title: string, changes: Parameters<typeof contentOf>[0] = {}) => {
    const { submission } = await begin(server, { email: `${title.toLowerCase()}@writers.example` })
    const sent = await send(
      server,
      submission.id,
      contentOf({ title, kind_id: call.kinds[0]?.id ?? null, ...changes }),
    )
    return { ...sent, submissionId: submission.id }
  }
  await server.member('manager')
  const manager = await db.read(accountId, tx =>
    tx.one<{ id: string }>("SELECT user_id AS id FROM members WHERE role = 'manager'"),
  )
  const by = `user:${manager?.id}`
  const input: SendingInput = {
    ...{ comments: true, presenters: true, confirm_by: clock() + 14 * DAY, language: 'en' },
    code: { percent: 100, registration_type_ids: null, valid_until: null },
  }
  const order = (changes: Partial<sending.NewSending> = {}) =>
    db.write(accountId, tx => sending.send(tx, eventId, { input, except: [], by, ...changes }))
  const mails = async () =>
    (await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 })))
      .filter(({ kind }) => kind === 'abstract_accepted' || kind === 'abstract_rejected')
      .map(({ kind, recipient }) => `${kind} ${recipient}`)
      .sort()
  const get = (id: string) => db.read(accountId, tx => getSubmitted(tx, id))
  const codeOf = (id: string) =>
    db.read(accountId, async tx => {
      const terms = await findTerms(tx, id)
      return terms && findCode(tx, terms)
    })
  const left = async () => (await db.read(accountId, tx => proposals.listOfEvent(tx, eventId))).length
  const idOf = (code: string) => applied.events['spring-meeting']?.abstracts[code] as string
  const finish = () => app.settled('jobs')
  return { ...server, call, submit, input, order, by, mails, get, codeOf, left, idOf, finish }
}

const isProblem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

const presenting = (email: string | null) => [
  { given: 'Ada', family: 'Lovelace', email, orcid: null, affiliations: [0], presenting: true },
]

test('what was proposed is decided, logged, coded and mailed once each, as it was proposed', async t => {
  const at = await start(t)
  const one = await at.submit('One', { authors: presenting('ada@writers.example') })
  const two = await at.submit('Two', { authors: presenting('two@writers.example') })
  const three = await at.submit('Three')
  await proposeFor(at, one.id, { kind_id: at.call.kinds[1]?.id ?? null, note: 'A poster, please.' })
  await proposeFor(at, two.id, { note: null })
  await proposeFor(at, three.id, { decision: 'rejected', note: null })
  const job = await at.order()
  await at.finish()
  const is = await Promise.all([one, two, three].map(({ id }) => at.get(id)))
  assert.deepEqual(
    is.map(({ status, decision_note, kind, decision_number }) => [
      status,
      decision_note,
      kind?.name,
      decision_number,
    ]),
    [
      ['accepted', 'A poster, please.', 'Poster', 1],
      ['accepted', null, 'Talk', 1],
      ['rejected', null, 'Talk', 1],
    ],
  )
  assert.deepEqual(await at.mails(), [
    'abstract_accepted ada@writers.example',
    'abstract_accepted one@writers.example',
    'abstract_accepted two@writers.example',
    'abstract_rejected three@writers.example',
  ])
  const given = await Promise.all([one, two, three].map(({ id }) => at.codeOf(id)))
  assert.deepEqual(
    given.map(code => code && [code.max_tickets, code.percent, code.active, code.note]),
    [[1, 100, true, one.code], [1, 100, true, two.code], undefined],
  )
  assert.notEqual(given[0]?.code, given[1]?.code)
  const log = await at.db.read(at.accountId, tx => accessLog.list(tx, 100))
  const decided = log.filter(({ action }) => action === 'abstract.decide')
  assert.deepEqual(
    decided.map(({ actor, target_id }) => [actor, target_id]).sort(),
    [one, two, three].map(({ id }) => [at.by, id]).sort(),
  )
  const ended = await at.db.read(at.accountId, tx => jobs.get(tx, job.id))
  assert.deepEqual(
    [ended.state, ended.done, ended.outcome],
    ['done', 3, { accepted: 2, rejected: 1, mails: 4 }],
  )
  assert.equal(await at.left(), 0)
  await assert.rejects(at.order(), isProblem('nothing_to_send'))
  // The same again says nothing new, and mails nobody.
  await proposeFor(at, two.id, { note: null })
  await at.order()
  await at.finish()
  assert.equal((await at.mails()).length, 4)
  assert.equal((await at.codeOf(two.id))?.id, given[1]?.id)
})

test('until its instant a sending changes nothing outside, and once stopped all is proposed as before', async t => {
  const at = await start(t)
  const one = await at.submit('One')
  await proposeFor(at, one.id)
  const outside = () =>
    at.db.read(INSTANCE, async tx => ({
      abstracts: await tx.all('SELECT * FROM abstracts ORDER BY id'),
      mails: await tx.all('SELECT id FROM emails ORDER BY id'),
      codes: await tx.all('SELECT id FROM codes'),
      events: await tx.all('SELECT id FROM webhook_events ORDER BY id'),
    }))
  const before = await outside()
  const job = await at.order({ notBefore: at.clock() + HOUR })
  await at.finish()
  assert.deepEqual(await outside(), before)
  await assert.rejects(at.order(), isProblem('nothing_to_send'))
  await assert.rejects(proposeFor(at, one.id, { decision: 'rejected' }), isProblem('being_sent'))
  const stop = (eventId: string) => at.db.write(at.accountId, tx => sending.stop(tx, eventId, job.id))
  await assert.rejects(stop(at.accountId), isProblem('not_found'))
  await stop(at.eventId)
  at.clock.advance(2 * HOUR)
  await at.finish()
  assert.deepEqual(await outside(), before)
  await proposeFor(at, one.id, { decision: 'rejected' })
  await at.order({ notBefore: at.clock() + HOUR })
  at.clock.advance(2 * HOUR)
  await at.finish()
  assert.equal((await at.get(one.id)).status, 'rejected')
})

test('what is withdrawn or decided otherwise between the mails and the sending is left out', async t => {
  const at = await start(t)
  const [gone, other, one] = [await at.submit('Gone'), await at.submit('Other'), await at.submit('One')]
  for (const { id } of [gone, other, one]) await proposeFor(at, id)
  await at.order({ notBefore: at.clock() + HOUR })
  await at.db.write(at.accountId, async tx => {
    await submitting.withdraw(tx, gone.submissionId)
    await abstracts.decide(tx, other.id, { decision: 'rejected' })
  })
  at.clock.advance(2 * HOUR)
  await at.finish()
  const is = await Promise.all([gone, other, one].map(({ id }) => at.get(id)))
  assert.deepEqual(
    is.map(({ status }) => status),
    ['submitted', 'rejected', 'accepted'],
  )
  assert.deepEqual(await at.mails(), ['abstract_accepted one@writers.example'])
  const [job] = await at.db.read(at.accountId, tx => sending.listSendings(tx, at.eventId))
  assert.deepEqual([job?.state, job?.outcome], ['done', { accepted: 1, rejected: 0, mails: 1 }])
})

test('whoever may no longer change tickets gives no codes, and what was not sent is proposed as before', async t => {
  const at = await start(t)
  const { id } = await at.submit('One')
  await proposeFor(at, id)
  await at.order({ notBefore: at.clock() + HOUR })
  await at.db.write(at.accountId, tx => tx.run("UPDATE members SET role = 'chair'"))
  at.clock.advance(2 * HOUR)
  await at.finish()
  const [job] = await at.db.read(at.accountId, tx => sending.listSendings(tx, at.eventId))
  assert.deepEqual([job?.state, job?.outcome], ['failed', { code: 'no_longer_allowed' }])
  assert.deepEqual(
    [(await at.get(id)).status, await at.codeOf(id), await at.mails()],
    ['submitted', undefined, []],
  )
  await at.order({ input: { ...at.input, code: null } })
  await at.finish()
  assert.equal((await at.get(id)).status, 'accepted')
})

test('what somebody may not see is left for somebody else', async t => {
  const at = await start(t)
  const [one, own] = [await at.submit('One'), await at.submit('Own')]
  for (const { id } of [one, own]) await proposeFor(at, id)
  await at.order({ except: [own.id] })
  await at.finish()
  assert.deepEqual([(await at.get(one.id)).status, (await at.get(own.id)).status], ['accepted', 'submitted'])
  assert.equal(await at.left(), 1)
  await at.order()
  await at.finish()
  assert.equal((await at.get(own.id)).status, 'accepted')
})

test('a code that nobody has used ends with the acceptance, and comes back with it', async t => {
  const at = await start(t)
  const { id } = await at.submit('One')
  const sendAs = async (decision: 'accepted' | 'rejected') => {
    await proposeFor(at, id, { decision })
    await at.order()
    await at.finish()
    return at.codeOf(id)
  }
  const given = await sendAs('accepted')
  assert.equal(given?.active, true)
  assert.deepEqual(await sendAs('rejected'), { ...given, active: false })
  assert.deepEqual(await sendAs('accepted'), given)
  const removed = () => at.db.write(at.accountId, tx => codes.remove(tx, at.eventId, given?.id ?? ''))
  await removed()
  await sendAs('rejected')
  assert.notEqual((await sendAs('accepted'))?.id, given?.id)
})

test('who is decided otherwise by hand, and accepted again, is asked to confirm by no day of before', async t => {
  const at = await start(t)
  const { id } = await at.submit('One')
  await proposeFor(at, id)
  await at.order()
  await at.finish()
  const until = () => at.db.read(at.accountId, async tx => (await findTerms(tx, id))?.confirm_by)
  const decide = (decided: abstracts.Decided) =>
    at.db.write(at.accountId, tx => abstracts.decide(tx, id, decided))
  await decide({ decision: 'accepted', note: 'In the hall.' })
  assert.equal(await until(), at.input.confirm_by)
  await decide({ decision: 'rejected' })
  await decide({ decision: 'accepted' })
  assert.equal(await until(), null)
})

test('the contact of what a file has brought becomes the person behind it, and the abstract stays as it is', async t => {
  const at = await start(t)
  const ids = [at.idOf('A-1'), at.idOf('A-2')]
  const before = await Promise.all(ids.map(at.get))
  for (const id of ids) await proposeFor(at, id)
  await at.order()
  await at.finish()
  const [first, second] = await Promise.all(ids.map(at.get))
  const changed = (is: typeof first, was: typeof first) => ({
    ...{ ...is, status: was?.status, decided_at: null, decision_note: null, decision_number: 0 },
    revision: was?.revision,
  })
  assert.deepEqual([changed(first, before[0]), changed(second, before[1])], before)
  const behind = await at.db.read(at.accountId, tx => submissions.findByAbstract(tx, ids[0] as string))
  assert.equal(behind?.submitter.email, 'lin@example.org')
  // Whoever knows its id is not led to it.
  const stranger = await begin(at, { formId: ids[0] as string, email: 'eve@example.org' })
  assert.notEqual(stranger.submission.id, behind?.submission.id)
  const { content } = await at.db.read(at.accountId, tx =>
    submitting.readSent(tx, behind?.submission ?? { abstract_id: null }),
  )
  assert.deepEqual([content.title, content.keywords], ['Title of A-1', ['rooms', 'doors']])
  // What nobody could send so, such as one without a text, has no page, and is told all the same.
  assert.equal(
    await at.db.read(at.accountId, tx => submissions.findByAbstract(tx, ids[1] as string)),
    undefined,
  )
  assert.deepEqual(await at.mails(), [
    'abstract_accepted lin@example.org',
    'abstract_accepted max@example.org',
  ])
})
