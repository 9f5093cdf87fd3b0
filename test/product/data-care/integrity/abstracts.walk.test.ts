import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyOf, damageOf } from '#test/support/engine.ts'
import { organization } from '#test/support/organization.ts'
import { assignAll, inviteOne, openReview, proposeFor } from '#test/support/reviews.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

test('what was submitted is held against its newest revision, and its revisions against their numbers', async t => {
  const { data, db, applied, eventId, clock } = await startWithOrganization(
    t,
    organization({ events: [{ slug: 'other', title: 'Other' }] }),
  )
  const place = { db, accountId: applied.account_id, eventId, clock }
  await openCall(place)
  const { submission } = await begin(place)
  await send(place, submission.id)
  await send(place, submission.id, contentOf({ title: 'On other rooms' }))
  const { id } = await send(place, submission.id, contentOf({ title: 'On all rooms' }))
  await proposeFor(place, id)
  await openReview(place, { wanted: 1 })
  await inviteOne(place)
  assert.equal(await assignAll(place), 1)
  assert.deepEqual(await damageOf(data), [])
  const damages: [sql: string, ...found: RegExp[]][] = [
    ['UPDATE abstracts SET revision = 4', /^abstract \S+ is at revision 4, and its newest is 3$/],
    [
      'DELETE FROM abstract_revisions WHERE number = 2',
      /^abstract \S+ has 2 revisions, of which the newest is 3$/,
    ],
    ["UPDATE abstracts SET title = 'Others'", /^abstract \S+ differs from its newest revision$/],
    ["UPDATE abstracts SET abstract = 'Others'", /^abstract \S+ differs from its newest revision$/],
    [
      "UPDATE abstracts SET authors = replace(authors, 'Aristotle', 'Plato')",
      /^abstract \S+ differs from its newest revision$/,
    ],
    [
      `UPDATE reviews SET event_id = (SELECT max(e.id) FROM events e WHERE e.id <> '${eventId}')`,
      /^abstract \S+ has a review of another event, by reviewer \S+$/,
    ],
    ['UPDATE abstracts SET keywords = NULL', /^abstract \S+ differs from its newest revision$/],
    [
      "UPDATE abstract_revisions SET content = '{}' WHERE number = 3",
      /^the newest revision of abstract \S+ is not what can be sent$/,
    ],
    [
      'UPDATE submissions SET draft = NULL, abstract_id = NULL',
      /^submission \S+ has neither a draft nor an abstract$/,
    ],
    [
      'UPDATE abstracts SET withdrawn_at = updated_at',
      /^abstract \S+ was withdrawn, and a decision about it is proposed$/,
    ],
    [
      `UPDATE proposals SET event_id = (SELECT max(e.id) FROM events e WHERE e.id <> '${eventId}')`,
      /^abstract \S+ has a proposed decision of another event$/,
    ],
  ]
  for (const [sql, ...found] of damages) {
    const copy = await copyOf(t, data)
    await withRows(copy, async rows => assert.equal(await rows.run(sql), 1, sql))
    const sentences = await damageOf(copy)
    assert.equal(sentences.length, found.length, `${sql}\n${sentences.join('\n')}`)
    for (const [at, sentence] of found.entries()) assert.match(sentences[at] ?? '', sentence)
  }
})
