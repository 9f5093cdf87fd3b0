import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as emails from '#machinery/mail/rules.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { Role } from '#product/administration/users/roles.ts'
import * as members from '#product/administration/users/rules.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { decisionMails } from '#product/programme/decisions/mails.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { assignAll, inviteOne, openReview, proposeFor, review } from '#test/support/reviews.ts'
import { begin, contentOf, openCall, send } from '#test/support/submissions.ts'

async function start(t: TestContext) {
  const settings = { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'tickets@example.org' }
  const server = await startDashboard(t, organization({ event: { takes_abstracts: true } }), { settings })
  await openCall(server, { per_person: 50 })
  const { db, accountId, eventId } = server
  const submit = async (title: string, of: { email?: string; kind_id?: string | null } = {}) => {
    const { email = 'lin@writers.example', kind_id = null } = of
    const { submission } = await begin(server, { email })
    return send(server, submission.id, contentOf({ title, kind_id }))
  }
  /** Returns what the mail about the decision of an abstract says of its kind. */
  const saidOf = (id: string) =>
    db.read(accountId, async tx => {
      const { contact, decision_number: number, status } = await getSubmitted(tx, id)
      const kind = decisionMails.find(({ name }) => name === `abstract_${status}`)
      const mail = { id: 'm', account_id: accountId, event_id: eventId, subject_id: id, cause: 'c' }
      const to = {
        recipient: contact.email,
        language: 'en' as const,
        details: { number },
        now: server.clock(),
      }
      const machine = { baseUrl: 'https://t.example', secret: 's' }
      return (await kind?.read(tx, { ...mail, ...to }, machine))?.values.kind
    })
  return {
    ...{ ...server, submit, saidOf, path: `/manage/e/${eventId}/decisions/send` },
    emailOf: async (role: Role) =>
      (await db.read(accountId, tx => members.list(tx))).find(each => each.role === role)?.user
        .email as string,
    statusOf: async (id: string) => (await db.read(accountId, tx => getSubmitted(tx, id))).status,
    mails: async () =>
      (await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 })))
        .filter(({ kind }) => /^abstract_(accepted|rejected)$/.test(kind))
        .map(({ recipient, kind }) => `${kind} ${recipient}`)
        .sort(),
    entries: async () =>
      (await db.read(accountId, tx => accessLog.list(tx, 100)))
        .filter(({ action }) => /^abstract\.(send|stop|decide)/.test(action))
        .map(({ action }) => action)
        .sort(),
  }
}

test('a chair sees each mail filled in, chooses what it says, and sends what was shown', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const none = await chair.open(at.path)
  assert.match(none.text, /No decision waits to be sent/)
  const [one, two] = [await at.submit('One'), await at.submit('Two', { email: 'mei@writers.example' })]
  await openReview(at, { wanted: 1 })
  const reviewer = await inviteOne(at)
  await assignAll(at)
  await review(at, reviewer, one.code)
  await review(at, reviewer, two.code, { to_authors: null })
  await proposeFor(at, one.id, { note: 'In the hall.' })
  await proposeFor(at, two.id, { decision: 'rejected', note: null })
  const page = await chair.open(at.path)
  assert.match(page.text, /1 abstract is accepted\./)
  assert.match(page.text, /1 abstract is rejected\./)
  assert.match(page.text, /2 mails go out\./)
  assert.match(page.text, /Your abstract “One” was accepted\s*To lin@writers\.example.*In the hall\./s)
  assert.match(page.text, /What reviewers wrote to you stands on the page/)
  assert.equal(page.text.split('What reviewers wrote').length, 2, 'of the one that has a comment')
  assert.doesNotMatch(page.text, /Please confirm/)
  assert.doesNotMatch(page.text, /registration code/, 'a chair may not make tickets cheaper')
  const wrong = await page.fill({ 'Ask authors of accepted': '2026-01-01T12:00' }).press('Show the mails')
  assert.match(wrong.text, /Choose an instant after the mails are sent\./)
  assert.match(wrong.text, /Correct what authors are told, then send\./)
  const asked = await wrong
    .fill({ 'Ask authors of accepted': '2027-01-15T12:00', 'Authors may read': false })
    .press('Show the mails')
  assert.match(asked.text, /Please confirm by 15 Jan 2027, 12:00 \(CET\)/)
  assert.doesNotMatch(asked.text, /What reviewers wrote to you stands/)
  const sent = await asked.press('Send 2 decisions')
  assert.match(sent.text, /Decisions are being sent|Decisions were sent/)
  await at.app.settled('jobs')
  assert.match(
    (await chair.open(at.path)).text,
    /Decisions were sent\s*Accepted: 1\. Rejected: 1\. Mails: 2\./,
  )
  assert.deepEqual([await at.statusOf(one.id), await at.statusOf(two.id)], ['accepted', 'rejected'])
  assert.deepEqual(await at.mails(), [
    'abstract_accepted lin@writers.example',
    'abstract_rejected mei@writers.example',
  ])
  assert.deepEqual(await at.entries(), ['abstract.decide', 'abstract.decide', 'abstract.send_decisions'])
})

test('the mail of an accepted abstract says as which kind, that of a rejected one does not', async t => {
  const at = await start(t)
  const kinds = [
    { name: 'Talk', minutes: 20, poster: false },
    { name: 'Poster', minutes: null, poster: true },
  ]
  const call = await openCall(at, { per_person: 50, kinds })
  const asked = { kind_id: call.kinds[0]?.id ?? null }
  const [one, two, three] = [
    await at.submit('One', asked),
    await at.submit('Two', asked),
    await at.submit('Three', asked),
  ]
  await proposeFor(at, one.id, { note: null })
  await proposeFor(at, two.id, { kind_id: call.kinds[1]?.id ?? null, note: null })
  await proposeFor(at, three.id, { decision: 'rejected', note: null })
  const chair = await at.member('chair')
  const page = await chair.open(at.path)
  assert.match(page.text, /“One” \(\d{4}\) was accepted for [^.]+\. ?It was accepted as: Talk\./)
  assert.match(page.text, /“Two” \(\d{4}\) was accepted for [^.]+\. ?It was accepted as: Poster\./)
  assert.equal(page.text.split('It was accepted as').length, 3, 'of the two that are accepted')
  await page.press('Send 3 decisions')
  await at.app.settled('jobs')
  assert.deepEqual(
    [await at.saidOf(one.id), await at.saidOf(two.id), await at.saidOf(three.id)],
    ['It was accepted as: Talk.', 'It was accepted as: Poster.', ''],
  )
  // Deciding at once is for the kind that was asked for, whatever was decided before.
  const again = await chair.open(`/manage/e/${at.eventId}/abstracts/${two.id}`)
  assert.match(again.text, /The mail, if accepted.*It was accepted as: Talk\..*The mail, if rejected/s)
  assert.doesNotMatch(again.text, /The mail, if rejected.*It was accepted as/s)
})

test('what changes between the mails and the button is shown before anything is sent', async t => {
  const at = await start(t)
  const [one, two] = [await at.submit('One'), await at.submit('Two')]
  await proposeFor(at, one.id)
  const chair = await at.member('chair')
  const page = await chair.open(at.path)
  await proposeFor(at, two.id)
  const refused = await page.press('Send 1 decision')
  assert.match(refused.text, /What would happen has changed meanwhile/)
  assert.match(refused.text, /2 abstracts are accepted\./)
  await proposeFor(at, one.id, { note: 'Another word.' })
  const again = await refused.press('Send 2 decisions')
  assert.match(again.text, /Another word\./)
  assert.deepEqual(await at.mails(), [])
  await again.press('Send 2 decisions')
  await at.app.settled('jobs')
  assert.equal((await at.mails()).length, 2)
})

test('decisions for a later instant can be stopped until then', async t => {
  const at = await start(t)
  const one = await at.submit('One')
  await proposeFor(at, one.id)
  const manager = await at.member('manager')
  const page = await (await manager.open(at.path))
    .fill({ 'Send at': '2026-11-22T09:00', 'Give each accepted': true, 'Percent off': '100' })
    .press('Show the mails')
  assert.match(page.text, /enter the code \(a code of its own\)/)
  assert.match(page.text, /They are sent on 22 Nov 2026, 09:00\./)
  const waiting = await page.press('Send 1 decision')
  assert.match(waiting.text, /Decisions are sent on 22 Nov 2026, 09:00/)
  await at.app.settled('jobs')
  assert.equal(await at.statusOf(one.id), 'submitted')
  const stopped = await waiting.press('Stop')
  assert.deepEqual(stopped.messages, ['Stopped. What was not sent yet is proposed as before.'])
  assert.match(stopped.text, /Sending decisions was stopped/)
  assert.match(stopped.text, /1 abstract is accepted\./)
  assert.deepEqual(await at.mails(), [])
})

test('a chair neither sees nor sends what is proposed for an abstract of their own', async t => {
  const at = await start(t)
  const chair = await at.member('chair')
  const email = await at.emailOf('chair')
  const [one, own] = [await at.submit('One'), await at.submit('Secret of mine', { email })]
  await proposeFor(at, one.id)
  const before = (await chair.open(at.path)).text
  await proposeFor(at, own.id)
  const page = await chair.open(at.path)
  assert.equal(page.text, before)
  await page.press('Send 1 decision')
  await at.app.settled('jobs')
  assert.deepEqual([await at.statusOf(one.id), await at.statusOf(own.id)], ['accepted', 'submitted'])
  const other = await (await at.member('manager')).open(at.path)
  assert.match(other.text, /Secret of mine/)
  await other.press('Send 1 decision')
  await at.app.settled('jobs')
  assert.equal(await at.statusOf(own.id), 'accepted')
})
