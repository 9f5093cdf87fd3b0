import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { DAY } from '#base/time.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import type { ReadPage } from '#test/support/people/page-reader.ts'
import { onceSettled } from '#test/support/settled.ts'
import { begin, openCall, send } from '#test/support/submissions.ts'

type Changes = Parameters<typeof openCall>[1]

async function start(t: TestContext, changes: Changes = {}, options: object = {}) {
  const server = await startDashboard(t, undefined, options)
  const { db, accountId, eventId, client } = server
  await openCall(server, changes)
  const path = `/manage/e/${eventId}/abstracts`
  const chair = await server.member('chair', { eventIds: [eventId] })
  return {
    ...server,
    ...{ path, chair, form: `${path}/new` },
    abstracts: async () => (await client.get('/abstracts')).body.data,
    mails: async () => {
      const rows = await db.read(accountId, tx => emails.list(tx, {}, { limit: 100 }))
      return rows.map(({ recipient, kind }) => `${kind} ${recipient}`)
    },
    entries: async () => {
      const all = await db.read(accountId, tx => accessLog.list(tx, 100))
      return all.filter(({ action }) => action === 'abstract.add')
    },
  }
}

/** Fills in what a call without sections, topics and kinds asks for. */
function fillWhole(page: ReadPage, title = 'On rooms'): ReadPage {
  const given = page.document.getElementById('author.0.given') as HTMLInputElement
  given.value = 'Lin'
  const [radio] = page.document.getElementsByName('presenter')
  ;(radio as HTMLInputElement).checked = true
  const who = { 'Name of the person': 'Lin Mei', 'E-mail of the person': 'lin@example.org' }
  return page.fill({ ...who, Title: title, Text: 'They fill.', 'Affiliation 1': 'Institute' })
}

test('a chair adds an abstract in the name of somebody: it is submitted, in the log, and opened at once', async t => {
  const at = await start(t)
  const list = await at.chair.open(at.path)
  const page = await list.follow('Add an abstract')
  assert.equal(page.path, at.form)
  assert.match(page.text, /Who submits it/)
  assert.doesNotMatch(page.text, /Your name|Your e-mail|This is me/)
  const added = await fillWhole(page).press('Add the abstract')
  const [abstract, ...others] = await at.abstracts()
  assert.deepEqual(others, [])
  assert.equal(added.path, `${at.path}/${abstract.id}`)
  assert.deepEqual(added.messages, [`On rooms is added. Its code is ${abstract.code}.`])
  assert.deepEqual(
    [abstract.title, abstract.abstract, abstract.status, abstract.contact],
    [...['On rooms', 'They fill.', 'submitted'], { name: 'Lin Mei', email: 'lin@example.org', phone: null }],
  )
  assert.match(added.text, /E-mail not confirmed/)
  const [entry, ...more] = await at.entries()
  assert.deepEqual(more, [])
  assert.deepEqual([entry?.target_type, entry?.target_id], ['abstract', abstract.id])
  assert.match(String(entry?.actor), /^user:/)
})

test('it can be added before the call opens and after it is over, beyond what one person may send, and without a file', async t => {
  const at = await start(t, { per_person: 1, file: 'required' })
  const opens = at.clock() + DAY
  await openCall(at, { per_person: 1, file: 'required', opens_at: opens, closes_at: opens + DAY })
  await fillWhole(await at.chair.open(at.form), 'Early').press('Add the abstract')
  at.clock.advance(3 * DAY)
  // The session has ended meanwhile.
  const again = await at.member('chair', { email: 'late@example.org', eventIds: [at.eventId] })
  await fillWhole(await again.open(at.form), 'Late').press('Add the abstract')
  assert.deepEqual(
    (await at.abstracts()).map(({ title }: { title: string }) => title),
    ['Late', 'Early'],
  )
})

test('what the call asks for is asked of chairs too, and what is typed stays', async t => {
  const at = await start(t, { sections: ['Aim', 'Result'], topics: ['Rooms'], max_words: 3 })
  const refused = await (await at.chair.open(at.form))
    .fill({ Title: 'Kept', Aim: 'one two', Result: 'three four' })
    .press('Add the abstract')
  assert.equal(refused.status, 422)
  assert.equal(refused.field('Title').value, 'Kept')
  for (const part of [
    'Name of the person',
    'E-mail of the person',
    'Topic',
    'The text has 4 words, and may have 3',
    'Who presents it',
  ])
    assert.match(refused.text, new RegExp(part))
  assert.deepEqual(await at.abstracts(), [])
  assert.deepEqual(await at.mails(), [])
})

test('rows are added and removed by buttons, and nothing is saved by that', async t => {
  const at = await start(t)
  const page = await fillWhole(await at.chair.open(at.form)).press('Add an author')
  assert.ok(page.document.getElementById('author.1.given'))
  assert.equal(page.field('Title').value, 'On rooms')
  assert.deepEqual(await at.abstracts(), [])
  await page.press('Add the abstract')
  assert.equal((await at.abstracts())[0].authors.length, 1)
})

test('the same form sent twice adds one, and is one entry in the log', async t => {
  const at = await start(t)
  const page = fillWhole(await at.chair.open(at.form))
  const [one, other] = [await page.press('Add the abstract'), await page.press('Add the abstract')]
  assert.equal(one.path, other.path)
  assert.equal((await at.abstracts()).length, 1)
  assert.equal((await at.entries()).length, 1)
})

test('the person is told only with the tick, by a link with which they go on as if they had sent it', async t => {
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' }
  const at = await start(t, {}, { settings })
  const page = fillWhole(await at.chair.open(at.form), 'Silent')
  assert.equal(page.field('Tell the person by mail').checked, true)
  await page.fill({ 'Tell the person by mail': false }).press('Add the abstract')
  assert.deepEqual(await at.mails(), [])
  await fillWhole(await at.chair.open(at.form), 'Told').press('Add the abstract')
  assert.deepEqual(await at.mails(), ['abstract_added lin@example.org'])
  await onceSettled(at, 'mails', 'the mail', () => mailServer.received.length === 1)
  const [mail] = mailServer.received
  const [{ code }] = await at.abstracts()
  assert.equal(mail?.parsed.subject, `Your abstract ${code} for Spring Meeting`)
  const [link = ''] = /https?:\S+\/abstracts\/[\w-]+/.exec(mail?.parsed.text ?? '') ?? []
  const own = await at.visitor().open(new URL(link).pathname)
  assert.equal(own.heading, 'Told')
  const edit = await own.follow('Change something')
  await edit.fill({ Text: 'They are full.' }).press('Save')
  assert.equal((await at.abstracts())[0].abstract, 'They are full.')
})

test('what is added under an e-mail that is known belongs to that person, whose name and language stay', async t => {
  const at = await start(t)
  const { submission, submitter } = await begin(at, { name: 'Mei Lin', language: 'es' })
  await send(at, submission.id)
  await fillWhole(await at.chair.open(at.form), 'On doors').press('Add the abstract')
  const all = await at.db.read(at.accountId, tx => submissions.listBySubmitter(tx, submitter.id))
  assert.equal(all.length, 2)
  const kept = await at.db.read(at.accountId, tx => submissions.getSubmitter(tx, submitter.id))
  assert.deepEqual([kept.name, kept.language], ['Mei Lin', 'es'])
})

test('without a call there is no form, but the way to one', async t => {
  const server = await startDashboard(t)
  const owner = await server.member('owner')
  const page = await owner.open(`/manage/e/${server.eventId}/abstracts/new`)
  assert.match(page.text, /Set up the call first/)
  assert.equal(page.document.querySelector('form[action$="/abstracts/new"]'), null)
})
