import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailKind } from '#machinery/mail/kind.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { submissionMails } from '#product/programme/submissions/mails.ts'
import * as submissions from '#product/programme/submissions/rules.ts'
import { linkIn, startChaired } from '#test/support/chaired.ts'
import { begin, send } from '#test/support/submissions.ts'
import { subjectsOf } from '#test/support/ticket-mail.ts'

const NEW_LINK = 'Your new link to your abstracts: Spring Meeting'
const OTHER_EMAIL = 'Abstracts for Spring Meeting: another e-mail'

test('a renewed link is mailed, and those before lead nowhere, of the person and of each abstract', async t => {
  const at = await startChaired(t)
  const { submission, submitter } = await begin(at)
  const { id } = await send(at, submission.id)
  const before = (await at.mail.take()).map(({ parsed }) => linkIn(parsed.text))
  assert.equal(before.length, 2)
  for (const link of before) assert.equal((await at.visitor().open(link)).status, 200)
  const chair = await at.member('chair')
  const ask = await (await chair.open(`${at.list}/${id}`)).follow('Renew the link…')
  assert.equal(ask.heading, 'Renew the link of Lin Mei?')
  assert.match(ask.text, /lead nowhere any more.*A new link is mailed to lin@example\.org/)
  assert.deepEqual(await at.mail.take(), [])
  const done = await ask.press('Renew the link')
  assert.equal(done.path, `${at.list}/${id}`)
  assert.deepEqual(done.messages, ['A new link is on its way to Lin Mei.'])
  const mails = await at.mail.take()
  assert.deepEqual(subjectsOf(mails), [['lin@example.org', NEW_LINK]])
  const list = await at.openLink(mails[0]?.parsed.text)
  assert.equal((await list.follow('On rooms')).heading, 'On rooms')
  for (const link of before) assert.equal((await at.visitor().open(link)).status, 404)
  const target = { target_type: 'submitter', target_id: submitter.id }
  assert.deepEqual(await at.logged(), [{ action: 'submitter.renew_link', ...target, details: {} }])
})

test('two chairs who renew a link at once renew it once', async t => {
  const at = await startChaired(t)
  const { submitter } = await begin(at)
  await at.mail.take()
  const open = async (role: 'owner' | 'chair') =>
    (await at.member(role)).open(`${at.person(submitter.id)}/renew`)
  const [one, other] = [await open('owner'), await open('chair')]
  await one.press('Renew the link')
  const refused = await other.press('Renew the link')
  assert.equal(refused.status, 409)
  assert.equal((await at.mail.take()).length, 1)
})

test('of a corrected e-mail both are told, the one before without a link, and the new one confirms it', async t => {
  const at = await startChaired(t)
  const { submission, submitter } = await begin(at)
  const { id } = await send(at, submission.id)
  const before = (await at.mail.take()).map(({ parsed }) => linkIn(parsed.text))
  await at.db.write(at.accountId, tx => submissions.confirm(tx, submitter.id))
  const owner = await at.member('owner')
  const form = await (await owner.open(at.person(submitter.id))).follow('Correct the e-mail…')
  assert.equal(form.field('E-mail').value, 'lin@example.org')
  const done = await form.fill({ 'E-mail': 'lin@example.net' }).press('Correct the e-mail')
  assert.deepEqual(done.messages, ['The e-mail of Lin Mei is corrected, and both addresses are told.'])
  assert.match(done.text, /E-mail not confirmed.*lin@example\.net/)
  const mails = await at.mail.take()
  assert.deepEqual(subjectsOf(mails), [
    ['lin@example.net', NEW_LINK],
    ['lin@example.org', OTHER_EMAIL],
  ])
  const [fresh, old] = mails.map(({ parsed }) => `${parsed.text}${parsed.html}`)
  assert.doesNotMatch(old ?? '', /submitters|abstracts\/|example\.net|Lin|rooms/)
  assert.doesNotMatch(fresh ?? '', /example\.org\b(?!\/)|Lin Mei|On rooms/)
  for (const link of before) assert.equal((await at.visitor().open(link)).status, 404)
  const list = await at.openLink(mails[0]?.parsed.text)
  const confirmed = await list.press('Yes, all of it is mine')
  assert.equal(confirmed.status, 200)
  const page = await owner.open(`${at.list}/${id}`)
  assert.match(
    page.text,
    /Contact ?Lin Mei ?lin@example\.net.*Submitted by ?Lin Mei ?lin@example\.net ?E-mail confirmed/,
  )
  assert.doesNotMatch(page.text, /lin@example\.org/)
  const [entry] = await at.logged()
  assert.equal(entry?.action, 'submitter.correct_email')
  assert.deepEqual(entry?.details, { changed: ['email'] })
})

test('an e-mail of somebody else of the event, or none, is refused in words, and nobody is told', async t => {
  const at = await startChaired(t)
  const { submitter } = await begin(at)
  await begin(at, { email: 'noa@example.org', name: 'Noa' })
  await at.mail.take()
  const owner = await at.member('owner')
  const form = await owner.open(`${at.person(submitter.id)}/email`)
  for (const [email, words] of [
    ['Noa@example.ORG', /Two people are never made one/],
    ['noa', /e-mail/],
    ['', /e-mail/i],
  ] as const) {
    const refused = await form.fill({ 'E-mail': email }).press('Correct the e-mail')
    assert.ok(refused.status >= 400, email)
    assert.match(refused.messages.join(), words)
  }
  const same = await form.fill({ 'E-mail': 'lin@example.org' }).press('Correct the e-mail')
  assert.deepEqual(same.messages, [])
  const read = await at.db.read(at.accountId, tx => submissions.getSubmitter(tx, submitter.id))
  assert.deepEqual([read.email, read.secret_version], ['lin@example.org', 1])
  assert.deepEqual(await at.mail.take(), [])
})

test('a mail that still waits for the address before never brings it the new link', async t => {
  const at = await startChaired(t)
  const { submission, submitter } = await begin(at)
  const { id } = await send(at, submission.id)
  const says = (name: string, recipient: string) =>
    at.db.read(at.accountId, tx => {
      const kind = submissionMails.find(each => each.name === name) as MailKind
      const subject_id = name === 'abstract_received' ? id : submitter.id
      const of = { account_id: at.accountId, event_id: at.eventId, subject_id, details: {} }
      const to = { id: 'm', cause: 'c', recipient, language: 'en' } as const
      return kind.read(tx, { ...of, ...to, now: at.clock() }, { baseUrl: '', secret: 's' })
    })
  const owner = await at.member('owner')
  const form = await owner.open(`${at.person(submitter.id)}/email`)
  await form.fill({ 'E-mail': 'lin@example.net' }).press('Correct the e-mail')
  for (const name of ['abstract_link', 'abstract_received', 'abstract_new_link']) {
    assert.equal(await says(name, 'lin@example.org'), undefined, name)
    assert.ok((await says(name, 'LIN@example.net'))?.values.link, name)
  }
})

test('a person who was made anonymous has no page, and gets no time, link or e-mail', async t => {
  const at = await startChaired(t)
  const { submission, submitter } = await begin(at)
  const { id } = await send(at, submission.id)
  const actor = { accountId: at.accountId, who: 'user:1', requestId: null, address: null }
  await erasePerson(at.db, actor, 'lin@example.org')
  await at.mail.take()
  const owner = await at.member('owner')
  const page = await owner.open(`${at.list}/${id}`)
  assert.match(page.text, /Submitted by ?—/)
  assert.equal(page.document.querySelector('main a[href*="/people/"]'), null)
  for (const what of ['', '/time', '/renew', '/email'])
    assert.equal((await owner.open(at.person(submitter.id) + what)).status, 404, what)
})
