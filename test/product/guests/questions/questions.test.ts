import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { NewQuestion } from '#product/guests/questions/schemas.ts'
import { organization, registration } from '#test/support/organization.ts'
import { startWithOrganizer } from '#test/support/people/organizer.ts'

function newQuestion(label: string, changes: Partial<NewQuestion> = {}): NewQuestion {
  return {
    label,
    help: null,
    kind: 'text',
    choices: [],
    required: false,
    asked_for: 'order',
    registration_type_ids: null,
    ...changes,
  }
}

async function start(t: TestContext) {
  const answered = registration('one', {
    answers: { diet: 'vegan' },
    attendees: [{ answers: { shirt: 'M' } }],
  })
  const server = await startWithOrganizer(t, organization({ event: { registrations: [answered] } }))
  const { read, write, eventId } = server
  const create = (label: string, changes?: Partial<NewQuestion>, event = eventId) =>
    write(tx => questions.create(tx, event, newQuestion(label, changes)))
  const update = (id: string, changes: Partial<NewQuestion>) =>
    write(tx => questions.update(tx, eventId, id, changes))
  const labels = async () => {
    const all = await read(tx => questions.list(tx, eventId))
    return all.map(({ label, retired }) => (retired ? `(${label})` : label))
  }
  const retire = (id: string, retired = true) => write(tx => questions.setRetired(tx, eventId, id, retired))
  return { ...server, create, update, labels, retire }
}

test('a question without a key gets one of its label, which no other has', async t => {
  const { create } = await start(t)
  assert.equal((await create('¿Talla de camiseta?')).key, 'talla-de-camiseta')
  assert.equal((await create('Talla de camiseta')).key, 'talla-de-camiseta-2')
  assert.equal((await create('سؤال')).key, 'question')
  assert.ok((await create('x'.repeat(200))).key.length <= 64)
  await assert.rejects(create('Other', { key: 'question' }), { code: 'already_taken', param: 'key' })
})

test('questions stand in the order that buttons give them, retired ones at the end', async t => {
  const { create, write, eventId, labels, retire } = await start(t)
  const [a, b, c] = [await create('A'), await create('B'), await create('C')]
  const move = (id: string, direction: 'up' | 'down') =>
    write(tx => questions.move(tx, eventId, id, direction))
  await move(c.id, 'up')
  assert.deepEqual(await labels(), ['A', 'C', 'B'])
  await move(a.id, 'up')
  await move(b.id, 'down')
  assert.deepEqual(await labels(), ['A', 'C', 'B'])
  await retire(a.id)
  await move(b.id, 'up')
  assert.deepEqual(await labels(), ['B', 'C', '(A)'])
  await retire(a.id, false)
  assert.deepEqual(await labels(), ['B', 'C', 'A'])
})

test('a question with answers keeps its key and kind, and is retired instead of deleted', async t => {
  const { create, update, write, eventId, labels, retire } = await start(t)
  const remove = (id: string) => write(tx => questions.remove(tx, eventId, id))
  // One has answers of an order, the other of a ticket.
  for (const key of ['diet', 'shirt']) {
    const { id } = await create(key, { key })
    const reason = { code: 'in_use', details: { reason: 'question_answered' } }
    await assert.rejects(remove(id), reason)
    await assert.rejects(update(id, { key: 'other' }), { ...reason, param: 'key' })
    await assert.rejects(update(id, { kind: 'number' }), { ...reason, param: 'kind' })
    assert.equal((await update(id, { label: `${key}?`, required: true })).required, true)
    assert.equal((await retire(id)).retired, true)
  }
  const { id } = await create('Unasked')
  assert.equal((await update(id, { key: 'other', kind: 'number' })).kind, 'number')
  await remove(id)
  assert.deepEqual(await labels(), ['(diet?)', '(shirt?)'])
})

test('choices are those of a kind that has some, and types those of the event', async t => {
  const { create, update, eventId, types, write, read, applied } = await start(t)
  await assert.rejects(create('Size', { kind: 'one_of' }), { code: 'invalid_parameter', param: 'choices' })
  assert.deepEqual((await create('Free', { choices: ['a'] })).choices, [])
  const size = await create('Size', { kind: 'one_of', choices: ['S', 'M'] })
  assert.deepEqual((await update(size.id, { kind: 'text' })).choices, [])
  await assert.rejects(update(size.id, { kind: 'several_of' }), { param: 'choices' })
  await assert.rejects(create('Type', { registration_type_ids: [eventId] }), {
    code: 'not_found',
    param: 'registration_type_ids',
  })
  const { id } = await create('Free only', { registration_type_ids: [types.Free as string] })
  await write(tx => registrationTypes.remove(tx, eventId, types.Free as string))
  const get = () => read(tx => questions.get(tx, eventId, id))
  // The question then no longer applies to everybody.
  assert.deepEqual((await get()).registration_type_ids, [])
  assert.deepEqual((await update(id, { label: 'Nobody' })).registration_type_ids, [])
  assert.equal(applied.created > 0, true)
})

test('an event asks no more than an order has room for', async t => {
  const { create, eventId, write, retire } = await start(t)
  await write(async tx => {
    for (let at = 0; at < 100; at++) await questions.create(tx, eventId, newQuestion(`Q ${at}`))
  })
  const tooMany = { code: 'in_use', details: { reason: 'too_many_questions' } }
  await assert.rejects(create('One more'), tooMany)
  const [first] = await write(tx => questions.list(tx, eventId))
  await retire(first?.id as string)
  await create('One more')
  await assert.rejects(retire(first?.id as string, false), tooMany)
})

test('questions of another event or account are not found', async t => {
  const { create, write, eventId, db, apply } = await start(t)
  const { id } = await create('Mine')
  const { account_id: stranger } = await apply(organization({ email: 'other@example.org' }))
  for (const work of [questions.get, questions.remove]) {
    await assert.rejects(
      db.write(stranger, async (tx): Promise<unknown> => work(tx, eventId, id)),
      { code: 'not_found' },
    )
  }
  await assert.rejects(
    write(tx => questions.update(tx, id, id, {})),
    { code: 'not_found' },
  )
})
