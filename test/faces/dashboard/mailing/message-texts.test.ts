import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { mailKinds } from '#app/mail-kinds.ts'
import { kindsOf, textGroups } from '#faces/dashboard/mailing/text-groups.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as abstracts from '#product/programme/abstracts/rules.ts'
import { queueDecision } from '#product/programme/decisions/tell.ts'
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
      const outcome = await abstracts.decide(tx, id, { decision: 'accepted', note: 'Bravo' })
      await queueDecision(tx, outcome, 'en')
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
  assert.equal(list.rows().length, ofEvents.length)
  assert.ok(list.rows().every(row => row.endsWith('EnglishStandardSpanishStandard')))
  const form = await list.follow('Abstract accepted, English')
  assert.match(form.text, /With made-up names/)
  assert.match(form.text, /\{note\}your note to the decision, or nothing/)
  const saved = await form.fill({ Subject: 'Good news, {name}', Text: OWN }).press('Save')
  assert.match(saved.messages.join(), /The text is saved/)
  const changed = (await manager.open(path)).rows().filter(row => row.includes('Changed'))
  assert.deepEqual(changed, ['Abstract acceptedEnglishChangedSpanishStandard'])
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

test('texts are listed by what their mails are about, a row a kind, and each link says the kind and the language', async t => {
  const { member, path, db, accountId, eventId } = await start(t)
  const manager = await member('manager')
  const { document } = await manager.open(path)
  const rowsOf = (heading: Element) => heading.closest('section')?.querySelectorAll('tbody th') ?? []
  const groups = [...document.querySelectorAll('main h2')].map(each => [
    each.textContent,
    rowsOf(each).length,
  ])
  assert.deepEqual(groups, [
    ['Orders', 10],
    ['Tickets', 7],
    ['Event', 3],
    ['Waitlist', 2],
    ['Abstracts', 22],
  ])
  const links = [...document.querySelectorAll('tbody a')].map(link => link.getAttribute('aria-label'))
  assert.equal(links.length, 88)
  assert.equal(new Set(links).size, 88)
  assert.ok(links.includes('Payment that takes days, English'))
  assert.ok(links.includes('Place offered, from the waitlist, Spanish'))
  const spanish = await (await member('owner', { language: 'es' })).open(path)
  assert.match((await spanish.follow('Propuesta aceptada, inglés')).text, /Propuesta aceptada, inglés/)
  for (const link of spanish.document.querySelectorAll('tbody a')) {
    const name = link.getAttribute('aria-label') ?? ''
    assert.ok(name.toLowerCase().includes((link.textContent ?? '-').toLowerCase()), name)
  }

  // The event has an abstract, so its mails can still go out.
  await db.write(accountId, tx => events.update(tx, eventId, { takes_abstracts: false }))
  assert.match((await manager.open(path)).text, /Abstract accepted/)
})

test('an event without a call for abstracts lists no texts about them, unless one of them is changed', async t => {
  const { member, eventId, db, accountId } = await startDashboard(t)
  const manager = await member('manager')
  const path = `/manage/e/${eventId}/messages/texts`
  const headings = async () =>
    [...(await manager.open(path)).document.querySelectorAll('main h2')].map(each => each.textContent)
  assert.deepEqual(await headings(), ['Orders', 'Tickets', 'Event', 'Waitlist'])
  const decline = { name: 'abstract_rejected', placeholders: [] } as const
  await db.write(accountId, tx =>
    ownTexts.setOwn(tx, eventId, decline, { language: 'es', subject: 'No', body: 'No' }),
  )
  assert.deepEqual((await headings()).at(-1), 'Abstracts')
  await db.write(accountId, async tx => {
    await ownTexts.removeOwn(tx, eventId, { kind: 'abstract_rejected', language: 'es' })
    await events.update(tx, eventId, { takes_abstracts: true })
  })
  assert.deepEqual((await headings()).at(-1), 'Abstracts')
})

test('each kind of mail whose text belongs to an event is in one group, and no other kind is in any', () => {
  const listed = textGroups.flatMap(kindsOf)
  assert.equal(new Set(listed).size, listed.length)
  const changeable = mailKinds.filter(({ isOfEvent }) => isOfEvent).map(({ name }) => name)
  assert.deepEqual([...listed].sort(), changeable.sort())
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
