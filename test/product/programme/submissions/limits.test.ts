import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import { MOST_REVISIONS } from '#product/programme/abstracts/submitted.ts'
import { add, type NewAbstract } from '#product/programme/submissions/add.ts'
import { findMisfits } from '#product/programme/submissions/fit.ts'
import { MOST_BEGUN, MOST_OF_PERSON } from '#product/programme/submissions/rules.ts'
import { MOST_SENT } from '#product/programme/submissions/send.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { isSaid } from '#test/support/said.ts'
import { begin, beginAs, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext, changes: Parameters<typeof openCall>[1] = {}) {
  const server = await startDashboard(t)
  const call = await openCall(server, changes)
  return { ...server, call }
}

/** Adds so many copies of a submission as it stands, and of its abstract, if it has one. */
function copySubmission(tx: WriteTx, id: string, count: number): Promise<number> {
  return tx.run(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $3)
     INSERT INTO submissions (id, account_id, event_id, reference, submitter_id, form_id, draft, draft_revision, abstract_id, confirmed_at,
       created_at, updated_at)
     SELECT b.id || n.n, b.account_id, b.event_id, b.id || n.n, b.submitter_id, b.form_id || n.n, b.draft, b.draft_revision,
       CASE WHEN b.abstract_id IS NOT NULL THEN b.abstract_id || n.n END, b.confirmed_at, b.created_at, b.updated_at
     FROM submissions b, n WHERE b.account_id = $1 AND b.id = $2`,
    [tx.accountId, id, count],
  )
}

async function copyAbstract(tx: WriteTx, id: string, count: number): Promise<number> {
  const row = await tx.one<Record<string, unknown>>('SELECT * FROM abstracts WHERE id = $1', [id])
  const columns = Object.keys(row ?? {})
  const copied = columns.map(name =>
    ['id', 'reference', 'code'].includes(name) ? `a.${name} || n.n` : `a.${name}`,
  )
  return tx.run(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < $3)
     INSERT INTO abstracts (${columns.join(', ')}) SELECT ${copied.join(', ')} FROM abstracts a, n
     WHERE a.account_id = $1 AND a.id = $2`,
    [tx.accountId, id, count],
  )
}

test('an event takes 5,000 abstracts, also of those that chairs add, and says so in words', async t => {
  const at = await start(t)
  const { db, accountId, eventId } = at
  const first = await begin(at)
  const { id } = await send(at, first.submission.id)
  await db.write(accountId, async tx => {
    await copyAbstract(tx, id, MOST_SENT - 2)
    await copySubmission(tx, first.submission.id, MOST_SENT - 2)
  })
  const last = await begin(at, { email: 'last@example.org' })
  const more = await begin(at, { email: 'more@example.org' })
  await send(at, last.submission.id)
  await assert.rejects(send(at, more.submission.id), isSaid('call_full'))
  const added: NewAbstract = {
    ...{ formId: 'form', email: 'grace@example.org', content: contentOf() },
    ...{ language: 'en', formulas: null, isMailed: false },
  }
  await assert.rejects(
    db.write(accountId, tx => add(tx, eventId, added)),
    isSaid('call_full'),
  )
  // What was sent can still be changed.
  await send(at, last.submission.id, contentOf({ title: 'On doors' }))
})

test('once 10,000 are begun in an event, an e-mail is confirmed first: it is mailed the link, and begins from there', async t => {
  const at = await start(t)
  const { db, accountId } = at
  const { submission } = await begin(at)
  await db.write(accountId, tx => copySubmission(tx, submission.id, MOST_BEGUN - 2))
  const { submitter } = await begin(at, { email: 'last@example.org' })
  const more = { email: 'more@example.org' }
  assert.deepEqual(await beginAs(at, more), { is: 'to_confirm' })
  const mailed = await db.read(accountId, tx =>
    tx.all<{ recipient: string }>(
      "SELECT recipient FROM emails WHERE account_id = $1 AND kind = 'abstract_link'",
      [accountId],
    ),
  )
  assert.ok(mailed.some(({ recipient }) => recipient === more.email))
  const known = await begin(at, { submitterId: submitter.id })
  assert.equal(known.submission.is_confirmed, true)
  await send(at, known.submission.id)
})

test('a person begins 60, and what strangers begin under the e-mail takes none of these', async t => {
  const at = await start(t)
  const { submitter } = await begin(at)
  for (let n = 1; n < MOST_OF_PERSON; n++) await begin(at)
  assert.deepEqual(await beginAs(at), { is: 'to_confirm' })
  for (let n = 0; n < MOST_OF_PERSON; n++) await begin(at, { submitterId: submitter.id })
  await assert.rejects(begin(at, { submitterId: submitter.id }), isSaid('too_many_drafts'))
})

test('an abstract has 50 versions, and the same again is none', async t => {
  const at = await start(t)
  const { submission } = await begin(at)
  for (let n = 1; n <= MOST_REVISIONS; n++)
    await send(at, submission.id, contentOf({ title: `On room ${n}` }))
  await send(at, submission.id, contentOf({ title: `On room ${MOST_REVISIONS}` }))
  await assert.rejects(
    send(at, submission.id, contentOf({ title: 'On doors' })),
    isSaid('too_many_revisions'),
  )
})

test('a text has 20,000 characters in all its sections, and an abstract 30 affiliations', async t => {
  const { call } = await start(t, { sections: ['Aim', 'Result'], max_words: 2_000 })
  const [author] = contentOf().authors
  assert.ok(author)
  const parts = (lengths: readonly number[], affiliations: number) =>
    findMisfits(
      contentOf({
        sections: lengths.map((length, at) => ({
          heading: call.sections[at] ?? '',
          text: 'x'.repeat(length),
        })),
        affiliations: Array.from({ length: affiliations }, (_, at) => `Institute ${at}`),
        authors: [author],
      }),
      call,
    ).map(({ part }) => part)
  assert.deepEqual(parts([10_000, 10_000], 30), [])
  assert.deepEqual(parts([10_000, 10_001], 31), ['characters', 'affiliations'])
})
