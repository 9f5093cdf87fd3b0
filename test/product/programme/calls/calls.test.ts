import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#base/problem.ts'
import { DAY, MINUTE, SECOND } from '#base/time.ts'
import { mergeChoices } from '#product/programme/calls/choices.ts'
import { GRACE, isInTime, phaseOf } from '#product/programme/calls/deadline.ts'
import { deadlineText } from '#product/programme/calls/deadline-text.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { ANYWHERE_ON_EARTH, offered, type Topic } from '#product/programme/calls/schemas.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { openCall } from '#test/support/submissions.ts'

const call = { opens_at: '2026-10-01T00:00:00.000Z', closes_at: '2026-10-31T22:59:30.000Z' }
const [OPENS, LAST] = [Date.parse('2026-10-01T00:00:00.000Z'), Date.parse('2026-10-31T22:59:59.999Z')]
const nobody = { lateUntil: null }

test('a call is open from its first instant to the last of the minute that people read', () => {
  assert.equal(phaseOf(call, OPENS - 1), 'before')
  assert.equal(phaseOf(call, OPENS), 'open')
  assert.equal(phaseOf(call, LAST), 'open')
  assert.equal(phaseOf(call, LAST + 1), 'over')
})

test('what began to come in before the end is in time, and ten minutes longer what was begun on a form before', () => {
  const isTaken = (begunAt: number, shownAt?: number) => isInTime(call, { ...nobody, begunAt, shownAt })
  assert.equal(isTaken(LAST), true)
  assert.equal(isTaken(LAST + 1), false)
  assert.equal(isTaken(LAST + 1, LAST), true)
  assert.equal(isTaken(LAST + GRACE, LAST), true)
  assert.equal(isTaken(LAST + GRACE + 1, LAST), false)
  assert.equal(isTaken(LAST + 1, LAST + 1), false)
  assert.equal(isTaken(OPENS - 1, OPENS - 1), false)
})

test('a person who may be late is in time to the last of their own minute, and nobody before the call begins', () => {
  const lateUntil = LAST + DAY
  assert.equal(isInTime(call, { lateUntil, begunAt: LAST + DAY }), true)
  assert.equal(isInTime(call, { lateUntil, begunAt: LAST + DAY + 1 }), false)
  assert.equal(isInTime(call, { lateUntil, begunAt: OPENS - SECOND }), false)
})

test('a form that was shown in time is too late once the call was shortened to before it', () => {
  const shorter = { ...call, closes_at: new Date(LAST - DAY).toISOString() }
  assert.equal(isInTime(shorter, { ...nobody, begunAt: LAST - MINUTE, shownAt: LAST - 2 * MINUTE }), false)
})

test('a deadline is read with its zone, across a change of the clocks and anywhere on earth', () => {
  const at = (closes_at: string, zone: string | null) =>
    deadlineText({ closes_at, zone }, 'Europe/Madrid', 'en')
  assert.equal(at('2026-10-24T21:59:00.000Z', null), '24 Oct 2026, 23:59 (CEST)')
  assert.equal(at('2026-10-25T22:59:00.000Z', null), '25 Oct 2026, 23:59 (CET)')
  assert.equal(at('2026-10-25T11:59:00.000Z', ANYWHERE_ON_EARTH), '24 Oct 2026, 23:59 (anywhere on earth)')
})

test('a choice keeps its id under the same name or in the same place, and what is left out retires', () => {
  const none: readonly Topic[] = []
  const first = mergeChoices(none, [{ name: 'Rooms' }, { name: 'Doors' }])
  const [rooms, doors] = first
  const renamed = mergeChoices(first, [{ name: 'Halls' }, { name: 'doors' }])
  assert.deepEqual(
    renamed.map(({ id }) => id),
    [rooms?.id, doors?.id],
  )
  const fewer = mergeChoices(renamed, [{ name: 'Doors' }])
  assert.deepEqual(
    fewer.map(({ name, retired }) => [name, retired]),
    [
      ['Doors', undefined],
      ['Halls', true],
    ],
  )
  const again = mergeChoices(fewer, [{ name: 'Doors' }, { name: 'Halls' }])
  assert.deepEqual(
    again.map(({ id, retired }) => [id, retired]),
    [
      [doors?.id, undefined],
      [rooms?.id, undefined],
    ],
  )
})

test('an event has one call, which is changed, and never that of another account', async t => {
  const server = await startDashboard(t)
  const { db, accountId, eventId, clock } = server
  const made = await openCall(server, { topics: ['Rooms'] })
  const again = await openCall(server, { topics: ['Rooms', 'Doors'], sections: ['Aim', 'Result'] })
  assert.deepEqual(again.sections, ['Aim', 'Result'])
  assert.equal(again.topics[0]?.id, made.topics[0]?.id)
  assert.equal(offered(again.topics).length, 2)
  assert.deepEqual(await db.read(accountId, tx => calls.get(tx, eventId)), again)
  const other = await server.apply({
    account: { name: 'Other', email: 'bob@example.org', timezone: 'UTC', currency: 'EUR' },
    events: [],
  })
  assert.equal(await db.read(other.account_id, tx => calls.find(tx, eventId)), undefined)
  const of = { ...calls.defaultsAt(clock(), 'UTC') }
  await assert.rejects(
    db.write(other.account_id, tx => calls.put(tx, eventId, of)),
    (error: unknown) => error instanceof Problem && error.code === 'not_found',
  )
  await assert.rejects(
    db.write(accountId, tx => calls.put(tx, eventId, { ...of, closes_at: of.opens_at - 1 })),
    (error: unknown) => error instanceof Problem && error.param === 'closes_at',
  )
})
