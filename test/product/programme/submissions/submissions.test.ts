import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Problem, type ProblemCode } from '#base/problem.ts'
import { DAY } from '#base/time.ts'
import * as emails from '#machinery/mail/rules.ts'
import { isOrcid } from '#product/programme/abstracts/orcid.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { listRevisions } from '#product/programme/abstracts/submitted.ts'
import type { Author } from '#product/programme/submissions/content.ts'
import { findMisfits } from '#product/programme/submissions/fit.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { MAX_DRAFT } from '#product/programme/submissions/schemas.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { begin, contentOf, draftOf, openCall, saveIn, send } from '#test/support/submissions.ts'

async function start(t: TestContext, changes: Parameters<typeof openCall>[1] = {}) {
  const server = await startDashboard(t)
  const call = await openCall(server, changes)
  const { db, accountId } = server
  const mails = async () => {
    const all = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
    return all.map(({ recipient, kind }) => `${kind} ${recipient}`).sort()
  }
  return { ...server, call, mails }
}

const isProblem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

test('the first save keeps the draft and mails the link, and the same form sent twice begins one', async t => {
  const at = await start(t)
  const formId = randomUUID()
  const [one, other] = await Promise.all([begin(at, { formId }), begin(at, { formId })])
  assert.equal(one.submission.id, other.submission.id)
  assert.deepEqual(one.submission.draft, draftOf('On rooms'))
  assert.equal(one.submission.abstract_id, null)
  assert.deepEqual(await at.mails(), ['abstract_link lin@example.org'])
  assert.deepEqual((await at.client.get('/abstracts')).body.data, [])
})

test('what is sent is in the API as it was typed, with a code that tells no order, and each change is kept', async t => {
  const at = await start(t, { sections: ['Aim', 'Result'] })
  const { submission } = await begin(at)
  const sections = [
    { heading: 'Aim', text: 'To fill rooms.' },
    { heading: 'Result', text: 'Filled.' },
  ]
  const sent = await send(at, submission.id, contentOf({ sections, keywords: ['rooms', 'doors'] }))
  const shown = (await at.client.get(`/abstracts/${sent.id}`)).body
  assert.deepEqual(
    [shown.title, shown.abstract, shown.keywords, shown.status, shown.file_name, shown.decision_note],
    ['On rooms', 'Aim: To fill rooms.\n\nResult: Filled.', 'rooms, doors', 'submitted', null, null],
  )
  assert.deepEqual(shown.authors, [
    {
      ...{ name: 'Lin Mei', email: null, affiliation: 'Institute of Rooms', presenting: true },
      ...{ orcid: null, affiliations: ['Institute of Rooms'] },
    },
    { name: 'Aristotle', email: null, affiliation: null, presenting: false, orcid: null, affiliations: [] },
  ])
  assert.deepEqual(shown.contact, { name: 'Lin Mei', email: 'lin@example.org', phone: null })
  assert.match(shown.code, /^[1-9]\d{3}$/)
  at.clock.advance(1000)
  const revised = contentOf({ sections, title: 'On other rooms' })
  await send(at, submission.id, revised)
  await send(at, submission.id, revised)
  const { abstract, content } = await at.db.read(at.accountId, async tx =>
    sending.readSent(tx, (await submissions.get(tx, submission.id)).submission),
  )
  assert.deepEqual([abstract.id, abstract.code, abstract.title], [sent.id, sent.code, 'On other rooms'])
  assert.deepEqual(content, revised)
  const revisions = await at.db.read(at.accountId, tx => listRevisions(tx, sent.id))
  assert.deepEqual(
    revisions.map(({ number }) => number),
    [2, 1],
  )
  assert.deepEqual(await at.mails(), ['abstract_link lin@example.org', 'abstract_received lin@example.org'])
})

test('a draft is kept as it is typed, also of an abstract that was sent, and is forgotten once it is sent', async t => {
  const at = await start(t)
  const { db, accountId, clock } = at
  const { submission } = await begin(at)
  const sent = await send(at, submission.id)
  const arrival = { begunAt: clock() }
  const saved = await db.write(accountId, tx => saveIn(tx, submission.id, draftOf('On roms'), arrival))
  assert.deepEqual(saved.draft, draftOf('On roms'))
  assert.equal((await at.client.get(`/abstracts/${sent.id}`)).body.title, 'On rooms')
  await send(at, submission.id, contentOf({ title: 'On Rome' }))
  const after = await db.read(accountId, tx => submissions.get(tx, submission.id))
  assert.equal(after.submission.draft, null)
  assert.ok(after.submission.draft_revision > saved.draft_revision)
  const long = { ...draftOf(''), typed: { title: ['x'.repeat(MAX_DRAFT)] } }
  await assert.rejects(
    db.write(accountId, tx => saveIn(tx, submission.id, long, arrival)),
    isProblem('draft_too_long'),
  )
})

test('what somebody has not seen is neither overwritten nor sent, whoever saves or sends at once', async t => {
  const at = await start(t)
  const { db, accountId, clock } = at
  const { submission } = await begin(at)
  const seen = { begunAt: clock(), revision: submission.draft_revision }
  const save = (title: string) =>
    db.write(accountId, tx => submissions.save(tx, submission.id, draftOf(title), seen))
  const saved = await Promise.allSettled([save('One'), save('Other')])
  assert.deepEqual(saved.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const sendSeen = db.write(accountId, tx => sending.send(tx, submission.id, contentOf(), null, seen))
  await assert.rejects(sendSeen, isProblem('seen_changed'))
  const { submission: after } = await db.read(accountId, tx => submissions.get(tx, submission.id))
  assert.deepEqual([after.draft, after.abstract_id], [draftOf('One'), null])
})

test('nothing is begun, saved or sent before the call or after it, except by whoever may be late', async t => {
  const at = await start(t)
  const { clock, db, accountId } = at
  const early = { begunAt: clock() - 2 * DAY }
  await assert.rejects(begin(at, { arrival: early }), isProblem('call_not_open'))
  const { submission } = await begin(at)
  clock.advance(15 * DAY)
  await assert.rejects(begin(at), isProblem('call_over'))
  await assert.rejects(send(at, submission.id), isProblem('call_over'))
  const save = db.write(accountId, tx => saveIn(tx, submission.id, draftOf('x'), { begunAt: clock() }))
  await assert.rejects(save, isProblem('call_over'))
  await db.write(accountId, tx =>
    tx.run('UPDATE submitters SET late_until = $2 WHERE account_id = $1', [accountId, clock() + DAY]),
  )
  assert.equal((await send(at, submission.id)).title, 'On rooms')
})

test('a person sends as many as the call takes, and what strangers send under an e-mail takes none of its owner', async t => {
  const at = await start(t, { per_person: 2 })
  const { db, accountId } = at
  const ofStrangers = [await begin(at), await begin(at), await begin(at)]
  for (const { submission } of ofStrangers.slice(0, 2)) await send(at, submission.id)
  const third = ofStrangers[2]?.submission.id as string
  await assert.rejects(send(at, third), isProblem('too_many_abstracts'))
  const submitterId = ofStrangers[0]?.submitter.id as string
  const own = await begin(at, { submitterId })
  assert.equal(own.submission.is_confirmed, true)
  await send(at, own.submission.id)
  const next = await begin(at, { submitterId })
  await send(at, next.submission.id)
  const last = await begin(at, { submitterId })
  await assert.rejects(send(at, last.submission.id), isProblem('too_many_abstracts'))
  await db.write(accountId, tx => sending.withdraw(tx, next.submission.id))
  await send(at, last.submission.id)
})

test('whoever types somebody else’s e-mail changes nothing of that person', async t => {
  const at = await start(t)
  await begin(at)
  const { submitter } = await begin(at, { name: 'Mallory', email: 'LIN@example.org', language: 'es' })
  assert.deepEqual(
    [submitter.name, submitter.email, submitter.language],
    ['Lin Mei', 'lin@example.org', 'en'],
  )
})

test('an address gets three mails with links an hour, however many are begun under it', async t => {
  const at = await start(t)
  for (let times = 0; times < 5; times++) await begin(at)
  const request = (email: string) =>
    at.db.write(at.accountId, tx => submissions.requestLink(tx, at.eventId, { email, networks: [] }))
  await request('lin@example.org')
  await request('nobody@example.org')
  assert.deepEqual(
    await at.mails(),
    Array.from({ length: 3 }, () => 'abstract_link lin@example.org'),
  )
})

test('a withdrawn abstract is in no list, is not decided, and is changed by nobody; a draft is forgotten', async t => {
  const at = await start(t)
  const { db, accountId, client } = at
  const [kept, gone] = [await begin(at), await begin(at)]
  const abstract = await send(at, gone.submission.id)
  await db.write(accountId, async tx => {
    await sending.withdraw(tx, gone.submission.id)
    await sending.withdraw(tx, gone.submission.id)
    await sending.withdraw(tx, kept.submission.id)
  })
  assert.deepEqual((await client.get('/abstracts')).body.data, [])
  assert.deepEqual((await client.get(`/abstracts?event_id=${at.eventId}&status=submitted`)).body.data, [])
  assert.equal((await client.get(`/abstracts/${abstract.id}`)).status, 200)
  const decided = await client.post(`/abstracts/${abstract.id}/decision`, { decision: 'accepted' })
  assert.deepEqual([decided.status, decided.body.error.code], [422, 'abstract_withdrawn'])
  await assert.rejects(send(at, gone.submission.id), isProblem('abstract_withdrawn'))
  await assert.rejects(
    db.read(accountId, tx => submissions.get(tx, kept.submission.id)),
    isProblem('not_found'),
  )
  assert.equal((await at.mails()).filter(mail => mail.startsWith('abstract_withdrawn')).length, 1)
})

test('a decided abstract is not changed by its authors', async t => {
  const at = await start(t)
  const { submission } = await begin(at)
  const { id } = await send(at, submission.id)
  await at.db.write(at.accountId, tx => abstracts.decide(tx, id, { decision: 'in_review' }))
  await send(at, submission.id, contentOf({ title: 'Still open' }))
  await at.db.write(at.accountId, tx => abstracts.decide(tx, id, { decision: 'rejected' }))
  await assert.rejects(send(at, submission.id), isProblem('abstract_decided'))
})

test('what a call does not ask for, or asks for and is missing, is refused part by part', async t => {
  const { call } = await start(t, {
    ...{ sections: ['Aim'], max_words: 3, topics: ['Rooms'] },
    kinds: [{ name: 'Talk', minutes: 15, poster: false }],
  })
  const [topic] = call.topics
  const [kind] = call.kinds
  const right = contentOf({
    sections: [{ heading: 'Aim', text: 'To fill rooms' }],
    topic_id: topic?.id ?? null,
    kind_id: kind?.id ?? null,
  })
  assert.deepEqual(findMisfits(right, call), [])
  const parts = (changes: Partial<typeof right>) =>
    findMisfits({ ...right, ...changes }, call).map(({ part }) => part)
  assert.deepEqual(parts({ sections: [{ heading: 'Goal', text: 'To fill' }] }), ['sections'])
  assert.deepEqual(parts({ sections: [{ heading: 'Aim', text: ' \n' }] }), ['section'])
  assert.deepEqual(parts({ sections: [{ heading: 'Aim', text: 'one two  three\nfour' }] }), ['words'])
  assert.deepEqual(parts({ topic_id: null, kind_id: randomUUID() }), ['topic', 'kind'])
  assert.deepEqual(parts({ keywords: Array.from({ length: 11 }, (_, at) => `k${at}`) }), ['keywords'])
  assert.deepEqual(parts({ authors: [] }), ['authors'])
  const [first] = right.authors
  assert.ok(first)
  assert.deepEqual(parts({ authors: [{ ...first, given: null, family: null }] }), ['author'])
  assert.deepEqual(parts({ authors: [{ ...first, affiliations: [1] }] }), ['author'])
  const second = { ...first, family: 'Wei' }
  assert.deepEqual(parts({ authors: [first, second] }), ['presenter'])
  assert.deepEqual(parts({ authors: [{ ...first, presenting: false }] }), ['presenter'])
  assert.deepEqual(parts({ authors: Array.from({ length: 101 }, () => first) }), ['authors', 'presenter'])
  // A topic that has retired since it was sent stays.
  const retired = { ...call, topics: [{ ...topic, retired: true as const }] } as typeof call
  assert.deepEqual(
    findMisfits(right, retired).map(({ part }) => part),
    ['topic'],
  )
  assert.deepEqual(findMisfits(right, retired, right), [])
})

test('an author who is named twice is refused, and two of one name who can be told apart are not', async t => {
  const { call } = await start(t)
  const affiliations = ['Institute of Rooms', 'Academy']
  const lin: Author = {
    ...{ given: 'Lin', family: 'Mei', email: null, orcid: null },
    ...{ affiliations: [0], presenting: false },
  }
  const mine = { ...lin, presenting: true }
  const twice = (...others: Partial<Author>[]) =>
    findMisfits(
      contentOf({ affiliations, authors: [mine, ...others.map(other => ({ ...lin, ...other }))] }),
      call,
    ).map(misfit => (misfit.part === 'twice' ? misfit.at : misfit.part))
  assert.deepEqual(twice({}), [1])
  assert.deepEqual(twice({ given: 'LIN', family: 'Méi' }, { family: 'Wei' }, {}), [1, 3])
  assert.deepEqual(twice({ affiliations: [1] }), [])
  assert.deepEqual(twice({ email: 'lin@example.org' }), [1], 'the first may be whoever has it')
  const [orcid, other] = ['0000-0002-1825-0097', '0000-0002-1694-233X']
  assert.deepEqual(twice({ family: 'Wei', orcid }, { family: 'M.', orcid }), [2])
  assert.deepEqual(twice({ family: 'Wei', orcid }, { family: 'Wei', orcid: other }), [])
  const [email, another] = ['lin@example.org', 'mei@example.org']
  const sharing = { family: 'Wei', email }
  assert.deepEqual(twice(sharing, { ...sharing, email: another }), [])
  assert.deepEqual(twice(sharing, { ...sharing, affiliations: [1] }), [2])
  assert.deepEqual(twice(sharing, { family: 'Bo', email }), [], 'a group may have one e-mail')
})

test('an ORCID iD is looked at by its last digit', () => {
  assert.equal(isOrcid('0000-0002-1825-0097'), true)
  assert.equal(isOrcid('0000-0002-1694-233X'), true)
  assert.equal(isOrcid('0000-0002-1825-0098'), false)
  assert.equal(isOrcid('0000000218250097'), false)
})
