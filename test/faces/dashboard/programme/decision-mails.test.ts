import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setOwn } from '#machinery/mail/own-texts.ts'
import * as emails from '#machinery/mail/rules.ts'
import { acceptedMail } from '#product/programme/decisions/kinds.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'

async function start(t: TestContext, hasMail = true) {
  const contact = (name: string) => ({ contact: { name, email: `${name.toLowerCase()}@example.org` } })
  const file = organizationWith([
    abstract('A-1', { ...contact('Lin'), title: 'On <i>queues</i>' }),
    abstract('A-2', contact('Mei')),
    abstract('A-3', contact('Noa')),
  ])
  const mailServer = await startMailServer(t)
  const settings = hasMail ? { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' } : {}
  const server = await startDashboard(t, file, { settings })
  const { db, accountId, eventId, applied } = server
  const mails = async () => {
    const all = await db.read(accountId, tx => emails.list(tx, {}, { limit: 20 }))
    return all.map(({ recipient, kind }) => `${kind} ${recipient}`).sort()
  }
  const idOf = (code: string) => applied.events['spring-meeting']?.abstracts[code] as string
  const arrived = (n: number) =>
    onceSettled(server, 'mails', `${n} mails`, () => mailServer.received.length === n)
  const path = `/manage/e/${eventId}/abstracts`
  return { ...server, mails, arrived, received: mailServer.received, path, idOf }
}

test('a decision goes to the contact with its note, as the preview has shown it', async t => {
  const { member, path, idOf, received, arrived, mails } = await start(t)
  const manager = await member('manager')
  const page = await manager.open(`${path}/${idOf('A-1')}`)
  assert.equal(page.field('Tell the authors by mail').checked, true)
  assert.match(
    page.text,
    /The mail, if accepted\s*Your abstract “On <i>queues<\/i>” was accepted\s*Hello Lin,/,
  )
  assert.match(page.text, /The mail, if rejected.*We are sorry.*\(your note\)/s)
  await page.fill({ Accept: true, Note: 'Twenty minutes.' }).press('Save the decision')
  await arrived(1)
  assert.deepEqual(await mails(), ['abstract_accepted lin@example.org'])
  const [mail] = received
  assert.equal(mail?.parsed.subject, 'Your abstract “On <i>queues</i>” was accepted')
  assert.match(mail?.parsed.text ?? '', /Hello Lin,.*accepted for .*Twenty minutes\./s)
  assert.equal(mail?.parsed.replyTo?.text, 'ada@example.org')
})

test('nobody is told without the tick, of a review, or of nothing that was decided', async t => {
  const { member, path, idOf, mails } = await start(t)
  const manager = await member('manager')
  const open = (code: string) => manager.open(`${path}/${idOf(code)}`)
  await (await open('A-1'))
    .fill({ Accept: true, 'Tell the authors by mail': false })
    .press('Save the decision')
  await (await open('A-2')).fill({ 'Into review': true }).press('Save the decision')
  const same = await (await open('A-1')).press('Save the decision')
  await same.fill({ 'Tell the authors by mail': false }).press('Save the decision')
  assert.deepEqual(await mails(), [])
})

test('many decisions mail each contact, after a page that says how many and shows the first, in the words of the organizer', async t => {
  const { member, path, idOf, db, accountId, eventId, mails, arrived, received } = await start(t)
  await db.write(accountId, tx =>
    setOwn(tx, eventId, acceptedMail, {
      language: 'en',
      subject: 'Yes to {code}',
      body: 'Dear {name}, **come**. {note}',
    }),
  )
  const manager = await member('manager')
  await (await manager.open(`${path}/${idOf('A-3')}`))
    .fill({ Accept: true, 'Tell the authors by mail': false })
    .press('Save the decision')
  const ids = ['A-1', 'A-2', 'A-3'].map(code => `id=${idOf(code)}`).join('&')
  const page = await manager.open(`${path}/decide?decision=accepted&${ids}`)
  assert.match(page.text, /2 mails go to the contacts/)
  assert.match(page.text, /What the first of them says\s*Yes to A-1\s*Dear Lin, come\. \(your note\)/)
  await page.fill({ 'Note to all of them': 'Bring slides.' }).press('Accept 2 abstracts')
  await arrived(2)
  assert.deepEqual(await mails(), ['abstract_accepted lin@example.org', 'abstract_accepted mei@example.org'])
  assert.deepEqual(received.map(({ parsed }) => parsed.subject).sort(), ['Yes to A-1', 'Yes to A-2'])
  assert.match(received[0]?.parsed.text ?? '', /come.* Bring slides\./)
})

test('many decisions without the tick mail nobody', async t => {
  const { member, path, idOf, mails } = await start(t)
  const manager = await member('manager')
  const page = await manager.open(`${path}/decide?decision=rejected&id=${idOf('A-1')}`)
  await page.fill({ 'Tell the authors by mail': false }).press('Reject 1 abstract')
  assert.deepEqual(await mails(), [])
  const review = await manager.open(`${path}/decide?decision=in_review&id=${idOf('A-1')}`)
  assert.doesNotMatch(review.text, /by mail/)
})

test('without mail the pages offer none, and mail nobody', async t => {
  const { member, path, idOf, mails } = await start(t, false)
  const manager = await member('manager')
  const page = await manager.open(`${path}/${idOf('A-1')}`)
  assert.doesNotMatch(page.text, /by mail/)
  await page.fill({ Accept: true }).press('Save the decision')
  const many = await manager.open(`${path}/decide?decision=accepted&id=${idOf('A-2')}`)
  assert.doesNotMatch(many.text, /by mail/)
  await many.press('Accept 1 abstract')
  assert.deepEqual(await mails(), [])
})
