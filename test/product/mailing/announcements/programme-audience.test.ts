import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as emails from '#machinery/mail/rules.ts'
import { countAudience } from '#product/mailing/announcements/audience.ts'
import * as announcements from '#product/mailing/announcements/rules.ts'
import { type Audience, abstractGroups, reviewerGroups } from '#product/mailing/announcements/schemas.ts'
import { erase } from '#product/programme/abstracts/person.ts'
import { confirm } from '#product/programme/decisions/confirming.ts'
import { leave } from '#product/programme/reviews/reviewers.ts'
import * as sending from '#product/programme/submissions/send.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { decideAs } from '#test/support/after-decision.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { assignAll, inviteOne, openReview, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const at = await startDashboard(t, organizationWith([abstract('A-1')]))
  const { db, accountId, eventId } = at
  await openCall(at, { per_person: 50 })
  const submit = async (name: string, language: 'en' | 'es' = 'en') => {
    const { submission } = await begin(at, { email: `${name}@example.org`, language })
    const { id, code } = await send(at, submission.id, contentOf({ title: `Of ${name}` }))
    return { id, code, submissionId: submission.id }
  }
  const write = (group: Audience['group'], body = 'Hello {name}') =>
    db.write(accountId, tx =>
      announcements.create(tx, eventId, { subject: 'News', body, audience: { group, types: [] } }, 'user:1'),
    )
  /** Sends an announcement. @returns who got it, each with the language of the mail */
  const announce = async (group: Audience['group']) => {
    const { id } = await write(group)
    const counted = await countAudience(db, accountId, eventId, { group, types: [] })
    await db.write(accountId, tx =>
      announcements.send(tx, eventId, id, { total: counted.recipients, language: 'es', by: 'user:1' }),
    )
    await at.app.settled('jobs')
    const rows = await db.read(accountId, tx => emails.list(tx, {}, { limit: 200 }))
    const got = rows.filter(({ kind, subject_id }) => kind === 'announcement' && subject_id === id)
    assert.equal(got.length, counted.recipients, group)
    return got.map(({ recipient, language }) => `${recipient} ${language}`).sort()
  }
  return { ...at, submit, write, announce }
}

test('each group of authors gets an announcement, each person once and in their language', async t => {
  const at = await start(t)
  const lin = await at.submit('lin')
  const again = await at.submit('lin')
  const ana = await at.submit('ana', 'es')
  const ben = await at.submit('ben')
  const gone = await at.submit('gone')
  await begin(at, { email: 'draft@example.org' })
  const until = { confirm_by: at.clock() + 1000 }
  for (const { id } of [lin, again, gone]) await decideAs(at, id, undefined, until)
  await decideAs(at, ana.id)
  await decideAs(at, ben.id, { decision: 'rejected' }, until)
  await at.db.write(at.accountId, async tx => {
    await sending.withdraw(tx, gone.submissionId)
    await confirm(tx, again.id)
  })
  // The file says nothing of its contact's language: it is that of whoever sends.
  const ofFile = 'lin@example.org'
  const all = await at.announce('submitted')
  assert.deepEqual(
    all.filter(each => !each.startsWith(ofFile)),
    ['ana@example.org es', 'ben@example.org en'],
  )
  assert.equal(all.length, 3)
  assert.deepEqual(await at.announce('accepted'), ['ana@example.org es', 'lin@example.org en'])
  assert.deepEqual(await at.announce('unconfirmed'), ['lin@example.org en'])
  assert.deepEqual(await at.announce('rejected'), ['ben@example.org en'])
  await at.db.write(at.accountId, tx => erase(tx, ben.id, 'ben@example.org'))
  assert.deepEqual(await at.announce('rejected'), [])
})

test('reviewers get an announcement, or those of them who are not done, and none who has left', async t => {
  const at = await start(t)
  const { code } = await at.submit('lin')
  await openReview(at, { wanted: 2 })
  const rosa = await inviteOne(at, { language: 'es' })
  const cleo = await inviteOne(at, { name: 'Cleo', email: 'cleo@reviews.example' })
  const left = await inviteOne(at, { name: 'Left', email: 'left@reviews.example' })
  await at.db.write(at.accountId, tx => leave(tx, at.eventId, left.id))
  await assignAll(at)
  assert.deepEqual(await at.announce('reviewers'), ['cleo@reviews.example en', 'rosa@reviews.example es'])
  assert.equal((await at.announce('reviewing')).length, 2)
  for (const each of [code, 'A-1']) await review(at, rosa, each)
  assert.deepEqual(await at.announce('reviewing'), ['cleo@reviews.example en'])
  for (const each of [code, 'A-1']) await review(at, cleo, each)
  assert.deepEqual(await at.announce('reviewing'), [])
})

test('who unsubscribed gets none, and nobody of them has a ticket that an announcement could name', async t => {
  const at = await start(t)
  await at.submit('ana')
  await at.submit('ben')
  await at.db.write(at.accountId, tx => emails.unsubscribe(tx, 'ana@example.org'))
  assert.ok(!(await at.announce('submitted')).some(each => each.startsWith('ana')))
  for (const group of [...abstractGroups, ...reviewerGroups])
    await assert.rejects(at.write(group, 'See {ticket}'), { code: 'invalid_parameter' })
})
