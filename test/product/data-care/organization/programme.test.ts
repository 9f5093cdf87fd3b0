import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as calls from '#product/programme/calls/rules.ts'
import * as rounds from '#product/programme/reviews/rounds.ts'
import { collectOrganization, organization } from '#test/support/organization.ts'
import { open } from './open.ts'

const CALL = {
  ...{ opens_at: '2026-08-01T08:00:00.000Z', closes_at: '2026-09-30T21:59:00.000Z' },
  ...{ zone: 'Etc/GMT+12', about: '**New** results', sections: ['Aim'], max_words: 250, per_person: 2 },
  topics: ['Rooms', 'Doors'],
  kinds: [{ name: 'Talk', minutes: 20, poster: false }],
  ...{ file: 'optional', max_file_mib: 3 },
}
const REVIEW = {
  ...{ closes_at: '2026-10-20T21:59:00.000Z', blind: false, wanted: 2, about: null },
  criteria: [{ name: 'Originality', weight: 3 }],
}
const withProgramme = (event: object) => organization({ event })

test('a file brings the call of an event and how abstracts are reviewed, and an export says them again', async t => {
  const { apply, db } = await open(t)
  const first = await apply(withProgramme({ call: CALL, review: REVIEW }))
  assert.ok(first.changes.includes('created call for abstracts of spring-meeting'))
  assert.ok(first.changes.includes('created review of spring-meeting'))
  const again = await apply(withProgramme({ call: CALL, review: REVIEW }))
  assert.deepEqual([again.created, again.updated, again.changes], [0, 0, []])
  const [event] = (await db.read(first.account_id, tx => collectOrganization(tx))).events ?? []
  assert.deepEqual([event?.call, event?.review], [CALL, REVIEW])
  // What a file does not name stays as it is.
  assert.equal((await apply(organization())).updated, 0)
})

test('a topic, a kind and a criterion that a file renames in its place keep their ids, and what it leaves out retires', async t => {
  const { apply, db } = await open(t)
  const { account_id, events } = await apply(withProgramme({ call: CALL, review: REVIEW }))
  const eventId = events['spring-meeting']?.id as string
  const read = () =>
    db.read(account_id, async tx => ({
      topics: (await calls.get(tx, eventId)).topics,
      criteria: (await rounds.get(tx, eventId)).criteria,
    }))
  const was = await read()
  const changed = await apply(
    withProgramme({
      call: { ...CALL, topics: ['Rooms', 'Gates'] },
      review: { ...REVIEW, criteria: [{ name: 'Novelty', weight: 2 }] },
    }),
  )
  assert.deepEqual(changed.changes, [
    'updated call for abstracts of spring-meeting (topics)',
    'updated review of spring-meeting (criteria)',
  ])
  const is = await read()
  assert.deepEqual(
    is.topics.map(({ id }) => id),
    was.topics.map(({ id }) => id),
  )
  assert.equal(is.criteria[0]?.id, was.criteria[0]?.id)
  await apply(withProgramme({ call: { ...CALL, topics: ['Gates'] } }))
  assert.deepEqual(
    (await read()).topics.map(({ name, retired }) => [name, retired]),
    [
      ['Gates', undefined],
      ['Rooms', true],
    ],
  )
})

test('a call that ends before it begins, and what is no call, is told by its path, and nothing is written', async t => {
  const { apply } = await open(t)
  const wrong: [object, string][] = [
    [{ call: { ...CALL, closes_at: '2026-07-01T00:00:00Z' } }, 'events.0.call.closes_at'],
    [{ call: { ...CALL, kinds: [{ name: 'Talk' }] } }, 'events.0.call.kinds.0.minutes'],
    [{ call: { ...CALL, topic: 'Rooms' } }, 'events.0.call.topic'],
    [{ review: { ...REVIEW, criteria: [] } }, 'events.0.review.criteria'],
    [{ review: { ...REVIEW, wanted: 11 } }, 'events.0.review.wanted'],
  ]
  for (const [event, path] of wrong)
    await assert.rejects(
      async () => apply(withProgramme(event)),
      (error: Error) => {
        assert.ok(JSON.stringify([error.message, error]).includes(path), `${path}: ${error.message}`)
        return true
      },
    )
  assert.equal((await apply(organization())).kept, 0)
})
