import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { erase } from '#product/programme/abstracts/person.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { listAnswers } from '#product/programme/submissions/answers.ts'
import { edit } from '#product/programme/submissions/edit.ts'
import { readSent } from '#product/programme/submissions/send.ts'
import { checkDraft, draftOf } from '#product/programme/submissions/sent-form.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { assignAll, inviteOne, openReview, readAs } from '#test/support/reviews.ts'
import { askAuthors, begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const place = await startDashboard(t)
  await openCall(place)
  const { db, accountId, eventId } = place
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  const getCall = () => db.read(accountId, tx => calls.get(tx, eventId))
  /** Sends an abstract with answers. */
  const sendWith = async (answers: Record<string, string>) => {
    const { submission } = await begin(place)
    return send(place, submission.id, contentOf({ answers }))
  }
  const read = (id: string) => db.read(accountId, tx => readSent(tx, { abstract_id: id }))
  return { ...place, write, getCall, sendWith, read }
}

test('what a call asks and requires stops sending until it is answered, and the answer stands in the version', async t => {
  const { sendWith, read, getCall, ...place } = await start(t)
  const { id } = await askAuthors(place, { required: true })
  await assert.rejects(sendWith({}), {
    code: 'abstract_incomplete',
    details: { misfits: [{ part: 'answer', question: id }] },
  })
  // It is none of the choices.
  await assert.rejects(sendWith({ award: 'perhaps' }), { code: 'abstract_incomplete' })
  const { id: sent } = await sendWith({ award: 'yes' })
  const { content } = await read(sent)
  assert.deepEqual(content.answers, { award: 'yes' })
  assert.deepEqual(
    listAnswers(content, await getCall()).map(({ question, answer }) => [question.label, answer]),
    [['Award?', 'yes']],
  )
})

test('an answer stays with an abstract when nobody is asked any more, through each later version', async t => {
  const { sendWith, read, getCall, write, eventId, ...place } = await start(t)
  const { id } = await askAuthors({ ...place, eventId })
  const sent = await sendWith({ award: 'no' })
  await write(tx => questions.setRetired(tx, eventId, id, true))
  const { content } = await read(sent.id)
  const of = { call: await getCall(), isNew: false, file: undefined, language: 'en' } as const
  const again = checkDraft(draftOf({ ...content, title: 'On doors' }, of.call), of, content)
  assert.ok('content' in again)
  assert.deepEqual([again.content.title, again.content.answers], ['On doors', { award: 'no' }])
})

test('once an abstract that was sent has an answer, its question is not removed, and does not come to reviewers', async t => {
  const { sendWith, write, eventId, db, accountId, ...rest } = await start(t)
  const place = { ...rest, eventId, db, accountId }
  const question = await askAuthors(place, { kind: 'text' })
  const isAnswered = () => db.read(accountId, tx => questions.isAnswered(tx, question))
  assert.equal(await isAnswered(), false)
  await sendWith({ award: 'The big one' })
  assert.equal(await isAnswered(), true)
  const change = (changes: Parameters<typeof questions.update>[3]) =>
    write(tx => questions.update(tx, eventId, question.id, changes))
  const answered = { code: 'in_use', details: { reason: 'question_answered' } }
  await assert.rejects(
    write(tx => questions.remove(tx, eventId, question.id)),
    answered,
  )
  for (const changes of [{ for_reviewers: true }, { kind: 'number' }, { asked_for: 'order' }] as const)
    await assert.rejects(change(changes), answered)
  assert.equal((await change({ label: 'Which award?' })).label, 'Which award?')
})

test('what reviewers saw may be kept from them later, answered or not', async t => {
  const { sendWith, write, eventId, ...rest } = await start(t)
  const { id } = await askAuthors({ ...rest, eventId }, { for_reviewers: true })
  await sendWith({ award: 'yes' })
  const changed = await write(tx => questions.update(tx, eventId, id, { for_reviewers: false }))
  assert.equal(changed.for_reviewers, false)
})

test('reviewers read the answers that are marked for them, and no others', async t => {
  const { sendWith, ...place } = await start(t)
  await askAuthors(place, { for_reviewers: true })
  await askAuthors(place, { key: 'funding', label: 'Who pays?', kind: 'text' })
  const { code } = await sendWith({ award: 'yes', funding: 'The institute of Lin Mei' })
  await openReview(place, { wanted: 1 })
  const rosa = await inviteOne(place)
  await assignAll(place)
  const item = await readAs(place, rosa, code)
  assert.deepEqual(
    item.answers.map(({ answer }) => answer),
    ['yes'],
  )
  assert.ok(!JSON.stringify(item).includes('institute of Lin Mei'))
})

test('questions for authors are in no list of what those who order are asked, and none of these in theirs', async t => {
  const { getCall, db, accountId, eventId, write, ...rest } = await start(t)
  await askAuthors({ ...rest, db, accountId, eventId })
  const order = {
    key: 'diet',
    label: 'Diet?',
    help: null,
    kind: 'text',
    choices: [],
    required: true,
    for_reviewers: true,
  } as const
  const asked = await write(tx =>
    questions.create(tx, eventId, { ...order, choices: [], asked_for: 'order', registration_type_ids: null }),
  )
  const listed = await db.read(accountId, tx => questions.list(tx, eventId))
  assert.deepEqual(
    listed.map(({ key }) => key),
    ['diet'],
  )
  assert.deepEqual(
    (await getCall()).questions.map(({ key }) => key),
    ['award'],
  )
  assert.equal(asked.for_reviewers, false)
})

test('a chair who mends an abstract needs no answer that its author has not given', async t => {
  const { sendWith, read, write, ...rest } = await start(t)
  const sent = await sendWith({})
  await askAuthors(rest, { required: true })
  const { content } = await read(sent.id)
  const change = { content: { ...content, title: 'On doors' }, formulas: null, revision: 1, by: 'user:1' }
  assert.equal((await write(tx => edit(tx, sent.id, change)))?.title, 'On doors')
})

test('erasing whoever sent an abstract clears the answers in each version; erasing another author leaves them', async t => {
  const { sendWith, read, write, ...place } = await start(t)
  await askAuthors(place, { kind: 'text' })
  const sent = await sendWith({ award: 'I am Lin Mei' })
  await write(tx => erase(tx, sent.id, 'ada@example.org'))
  assert.deepEqual((await read(sent.id)).content.answers, { award: 'I am Lin Mei' })
  await write(tx => erase(tx, sent.id, 'lin@example.org'))
  assert.deepEqual((await read(sent.id)).content.answers, {})
})
