import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INSTANCE } from '#machinery/db/port.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { collectOrganization, organization, registration } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'

const sold = (reference: string, code: string, more = {}) =>
  registration(reference, { attendees: [{ name: 'Ann', code }], ...more })

test('a file brings the uses of its codes, counts them with what is there, and refuses too many', async t => {
  const codes = [{ code: 'Two', percent: 50, max_tickets: 2 }]
  const file = (registrations: object[], changed = codes) =>
    organization({ event: { codes: changed, registrations } })
  const first = [sold('a', 'TWO'), sold('void', 'two', { status: 'cancelled' })]
  const { apply, db } = await startWithOrganization(t, file(first))
  const used = async () => db.read(INSTANCE, tx => tx.one('SELECT used FROM codes', []))
  assert.deepEqual(await used(), { used: 1 })
  await apply(file([...first, sold('b', 'two')]))
  assert.deepEqual(await used(), { used: 2 })
  await assert.rejects(apply(file([sold('c', 'two')])), {
    param: 'events.0.codes.0.max_tickets',
    message: 'events.0.codes.0.max_tickets is too small: "Two" is good for 2 tickets, and 3 have it.',
  })
  await assert.rejects(apply(file([], [{ code: 'two', percent: 50, max_tickets: 1 }])), {
    param: 'events.0.codes.0.max_tickets',
  })
  await assert.rejects(apply(file([sold('c', 'three')])), {
    param: 'events.0.registrations.0.attendees.0.code',
  })
  assert.deepEqual(await used(), { used: 2 })
})

test('what contradicts itself in questions and codes is told with its place', async t => {
  const { apply } = await startWithOrganization(t)
  const refused: [object, string][] = [
    [{ questions: [{ key: 'a', label: 'A', kind: 'one_of' }] }, 'questions.0.choices'],
    [
      {
        questions: [
          { key: 'a', label: 'A' },
          { key: 'a', label: 'B' },
        ],
      },
      'questions.1.key',
    ],
    [
      { questions: [{ key: 'a', label: 'A', registration_types: ['None'] }] },
      'questions.0.registration_types.0',
    ],
    [{ codes: [{ code: 'abc' }, { code: 'ABC' }] }, 'codes.1.code'],
    [{ codes: [{ code: 'abc', percent: 5, amount: 5 }] }, 'codes.0.amount'],
    [{ codes: [{ code: 'abc', registration_types: ['None'] }] }, 'codes.0.registration_types.0'],
  ]
  for (const [event, place] of refused) {
    await assert.rejects(apply(organization({ event })), { param: `events.0.${place}` })
  }
})

test('a question with answers keeps its kind, and a copy of the event has what is asked and its codes, unused', async t => {
  const questions = [
    { key: 'diet', label: 'Diet', registration_types: ['Free'] },
    { key: 'old', label: 'Old', retired: true },
  ]
  const event = {
    questions,
    codes: [
      { code: 'Two', amount: 100, registration_types: ['Standard'], valid_until: '2026-11-20T00:00:00Z' },
    ],
    registrations: [sold('a', 'two', { answers: { diet: 'vegan' } })],
  }
  const { apply, db, applied, eventId } = await startWithOrganization(t, organization({ event }))
  const changed = questions.map(question => ({ ...question, kind: 'number' }))
  await assert.rejects(apply(organization({ event: { questions: changed } })), {
    param: 'events.0.questions.0.kind',
  })
  const { account_id: accountId } = applied
  // The copy is a week after the original.
  const starts_at = Date.parse('2026-11-28T09:00:00Z')
  await db.write(accountId, tx => duplicateEvent(tx, eventId, { title: 'Copy', starts_at }))
  const { events } = await db.read(accountId, tx => collectOrganization(tx))
  const copy = events?.find(({ title }) => title === 'Copy')
  assert.deepEqual(
    copy?.questions?.map(({ key, registration_types }) => [key, registration_types]),
    [['diet', ['Free']]],
  )
  assert.deepEqual(
    copy?.codes?.map(({ code, registration_types, valid_until }) => [code, registration_types, valid_until]),
    [['Two', ['Standard'], '2026-11-27T00:00:00.000Z']],
  )
  const used = await db.read(INSTANCE, tx => tx.all('SELECT used FROM codes ORDER BY created_at, id'))
  assert.deepEqual(used, [{ used: 1 }, { used: 0 }])
})
