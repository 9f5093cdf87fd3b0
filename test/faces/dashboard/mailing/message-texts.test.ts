import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { mailKinds } from '#app/mail-kinds.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import { queueDecision } from '#product/programme/abstracts/mails.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'
import { textsIn } from '#texts/catalogue.ts'
import { languages } from '#texts/languages.ts'

async function start(t: TestContext) {
  const lin = { name: 'Lin *B*', email: 'lin@example.org' }
  const file = organization({
    event: { abstracts: [{ code: 'A-1', title: 'On maps', abstract: 'A', authors: [lin], contact: lin }] },
  })
  const mailServer = await startMailServer(t)
  const settings = { smtpUrl: mailServer.url, mailFrom: 'Turnout <tickets@example.org>' }
  const dashboard = await startDashboard(t, file, { settings })
  const { db, accountId, eventId, applied } = dashboard
  const decide = () =>
    db.write(accountId, async tx => {
      const id = applied.events['spring-meeting']?.abstracts['A-1'] as string
      const { resource } = await abstracts.decide(tx, id, { decision: 'accepted', note: 'Bravo' })
      await queueDecision(tx, resource, 'en')
    })
  const listOwn = () => db.read(accountId, tx => ownTexts.listOwn(tx, eventId))
  const path = `/manage/e/${eventId}/messages/texts`
  return { ...dashboard, ...mailServer, decide, listOwn, path, edit: `${path}/abstract_accepted.en` }
}

const OWN = 'Dear {name},\n\n# {event}\n\n[x](javascript:alert(1)) <b>{note}</b>'

test('a text of one’s own is saved, shown with real data, mailed, and taken back for ours', async t => {
  const { app, member, path, decide, received, listOwn } = await start(t)
  const manager = await member('manager')
  const list = await manager.open(path)
  const ofEvents = mailKinds.filter(({ isOfEvent, name }) => isOfEvent && name !== 'announcement')
  assert.equal(list.rows().length, 2 * ofEvents.length)
  assert.ok(list.rows().every(row => row.endsWith('Standard')))
  const form = await list.follow('Abstract accepted, English')
  assert.match(form.text, /With made-up names/)
  assert.match(form.text, /\{note\}your note to the decision, or nothing/)
  const saved = await form.fill({ Subject: 'Good news, {name}', Text: OWN }).press('Save')
  assert.match(saved.messages.join(), /The text is saved/)
  assert.deepEqual(await listOwn(), [
    { kind: 'abstract_accepted', language: 'en', subject: 'Good news, {name}', body: OWN },
  ])
  await decide()
  const real = await manager.open(saved.path)
  assert.match(real.text, /With the newest that fits/)
  assert.match(real.text, /Good news, Lin \*B\*/)
  assert.equal(real.document.querySelectorAll('.prose b, .prose script, .prose a').length, 0)
  await onceSettled({ app }, 'mails', 'the mail', () => received.length === 1)
  const [mail] = received
  assert.equal(mail?.parsed.subject, 'Good news, Lin *B*')
  assert.match(mail?.parsed.text ?? '', /Dear Lin \*B\*/)
  assert.doesNotMatch(String(mail?.parsed.html), /javascript:|<b>/)
  const confirm = await real.follow('Restore the standard text…')
  assert.match(confirm.text, /Your text is deleted/)
  const back = await confirm.press('Restore the standard text')
  assert.match(back.messages.join(), /Mails have the standard text again/)
  assert.ok(back.rows().every(row => row.endsWith('Standard')))
  assert.deepEqual(await listOwn(), [])
  assert.equal((await manager.open(`${saved.path}/ours`)).status, 404)
})

test('an unknown placeholder, a subject of several lines and an empty text are refused, with what was typed kept', async t => {
  const { member, edit, listOwn } = await start(t)
  const manager = await member('manager')
  const form = await manager.open(edit)
  const unknown = await form.fill({ Text: 'Hello {nmae} and {price}' }).press('Save')
  assert.match(unknown.messages.join(), /nothing to fill in for \{nmae\}, \{price\}/)
  assert.equal(unknown.field('Text').value, 'Hello {nmae} and {price}')
  assert.equal((await unknown.fill({ Text: '  ' }).press('Save')).status, 422)
  const injected = await manager.post(edit, {
    ...{ subject: 'Hello\r\nBcc: eve@example.org', body: 'Hello' },
    ...{ 'was.subject': 'x', 'was.body': 'y' },
  })
  assert.equal(injected.status, 422)
  assert.deepEqual(await listOwn(), [])
})

test('a preview shows what is typed, with what is filled in, and saves nothing', async t => {
  const { member, edit, listOwn, decide } = await start(t)
  await decide()
  const manager = await member('manager')
  const shown = await (await manager.open(edit)).fill({ Text: 'So, {name}: **{note}**' }).press('Preview')
  assert.equal(shown.document.querySelector('.prose strong')?.textContent, 'Bravo')
  assert.match(shown.text, /So, Lin \*B\*: Bravo/)
  assert.equal(shown.field('Text').value, 'So, {name}: **{note}**')
  assert.deepEqual(await listOwn(), [])
})

test('two people who change one text at a time are told of each other, and neither loses a word', async t => {
  const { member, edit, listOwn } = await start(t)
  const ada = await member('manager', { email: 'ada@x.org' })
  const bob = await member('manager', { email: 'bob@x.org' })
  const [adas, bobs] = [await ada.open(edit), await bob.open(edit)]
  await adas.fill({ Text: 'Ada’s {name}' }).press('Save')
  const conflict = await bobs.fill({ Text: 'Bob’s {name}' }).press('Save')
  assert.equal(conflict.status, 409)
  assert.match(conflict.text, /Somebody changed this to “Ada’s \{name\}”/)
  assert.equal((await listOwn())[0]?.body, 'Ada’s {name}')
  await conflict.press('Save')
  assert.equal((await listOwn())[0]?.body, 'Bob’s {name}')
  // Changes of different fields both stay.
  const [again, beside] = [await ada.open(edit), await bob.open(edit)]
  await again.fill({ Subject: 'Ada’s' }).press('Save')
  await beside.fill({ Text: 'Bob’s again' }).press('Save')
  assert.deepEqual(
    (await listOwn()).map(({ subject, body }) => [subject, body]),
    [['Ada’s', 'Bob’s again']],
  )
})

test('texts of no event’s mails, of languages that there are none of, and of other accounts are nobody’s', async t => {
  const { member, path, apply, edit, listOwn } = await start(t)
  const manager = await member('manager')
  for (const id of [
    'invitation.en',
    'abstract_accepted.fr',
    'abstract_accepted',
    '__proto__.en',
    'a.en.en',
  ]) {
    assert.equal((await manager.open(`${path}/${id}`)).status, 404)
    assert.equal((await manager.post(`${path}/${id}`, { subject: 'S', body: 'B' })).status, 404)
  }
  const other = await apply(organization({ email: 'bob@example.org' }))
  const foreign = await member('owner', { email: 'foreign@example.org', accountId: other.account_id })
  assert.equal((await foreign.post(edit, { subject: 'S', body: 'B' })).status, 404)
  assert.equal((await (await member('finance')).post(edit, { subject: 'S', body: 'B' })).status, 403)
  assert.deepEqual(await listOwn(), [])
})

test('each placeholder of a mail about an event is explained in every language', () => {
  for (const language of languages) {
    const existing = Object.keys(textsIn(language).messages.placeholders)
    for (const { placeholders, name, isOfEvent } of mailKinds) {
      if (!isOfEvent && name !== 'announcement') continue
      assert.deepEqual(
        placeholders.filter(each => !existing.includes(each)),
        [],
        `${name} in ${language}`,
      )
    }
  }
})
