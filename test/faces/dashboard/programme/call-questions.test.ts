import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as calls from '#product/programme/calls/rules.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { askAuthors, begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const questions = [{ key: 'diet', label: 'What do you eat?' }]
  const server = await startDashboard(t, organization({ event: { takes_abstracts: true, questions } }))
  await openCall(server)
  const { db, accountId, eventId } = server
  const list = async () => (await db.read(accountId, tx => calls.get(tx, eventId))).questions
  return { ...server, list, path: `/manage/e/${eventId}/abstracts` }
}

test('a chair asks authors, is warned of what an answer in words tells reviewers, and sees no question of those who order', async t => {
  const { member, path, list } = await start(t)
  const chair = await member('chair')
  const empty = await (await chair.open(path)).follow('Questions')
  assert.match(empty.text, /No questions yet.*competing interests/)
  assert.doesNotMatch(empty.text, /What do you eat/)
  const form = await empty.follow('New question')
  assert.match(form.text, /may still tell who has written the abstract/)
  assert.doesNotMatch(form.text, /Only for these tickets|Once for an order|reports and in the API/)
  const added = await form
    .fill({ Question: 'Award?', 'Reviewers see the answer': true })
    .press('Add the question')
  assert.deepEqual(added.messages, ['“Award?” is added.'])
  assert.match(added.rows()[0] as string, /For each abstract\s*Reviewers see the answer/)
  const [question] = await list()
  assert.deepEqual([question?.key, question?.asked_for, question?.for_reviewers], ['award', 'abstract', true])
  const saved = await (await added.follow('Award?')).fill({ 'Reviewers see the answer': false }).press('Save')
  assert.deepEqual(saved.messages, ['“Award?” is saved.'])
  assert.equal((await list())[0]?.for_reviewers, false)
})

test('once there is an answer, a question does not come to reviewers, and is retired instead of removed', async t => {
  const { member, path, list, ...place } = await start(t)
  const { id } = await askAuthors(place)
  const { submission } = await begin(place)
  const sent = await send(place, submission.id, contentOf({ answers: { award: 'yes' } }))
  const chair = await member('chair')
  const abstract = await chair.open(`${path}/${sent.id}`)
  assert.match(abstract.text, /Award\?\s*Yes/)
  const own = `${path}/call/questions/${id}`
  const refused = await (await chair.open(own)).fill({ 'Reviewers see the answer': true }).press('Save')
  assert.equal(refused.status, 409)
  assert.match(refused.text, /There are answers already/)
  const remove = await (await chair.open(own)).follow('Remove…')
  assert.match(remove.text, /“Award\?” cannot be removed/)
  const retired = await remove.press('Retire')
  assert.deepEqual(retired.messages, ['“Award?” is not asked any more. Its answers stay.'])
  assert.equal((await list())[0]?.retired, true)
})

test('no address of one kind of question leads to one of the other: who may ask authors may not change what is sold', async t => {
  const { member, path, eventId, ...place } = await start(t)
  const { id: asked } = await askAuthors({ ...place, eventId })
  const manager = await member('manager')
  const ofOrder = await (await manager.open(`/manage/e/${eventId}/tickets/questions`)).follow(
    'What do you eat?',
  )
  const diet = ofOrder.path.split('/').at(-1) as string
  const chair = await member('chair')
  for (const what of ['', '/move', '/retire', '/ask', '/remove'])
    assert.equal(
      (await chair.post(`${path}/call/questions/${diet}${what}`, { label: 'x' })).status,
      404,
      what,
    )
  for (const what of ['', '/retire'])
    assert.equal(
      (await manager.post(`/manage/e/${eventId}/tickets/questions/${asked}${what}`, {})).status,
      404,
      what,
    )
})
