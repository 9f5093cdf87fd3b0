import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HOUR } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { setOwn } from '#machinery/mail/own-texts.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import { erasePerson } from '#product/data-care/erasure/erase.ts'
import { acceptedMail } from '#product/programme/decisions/kinds.ts'
import { abstract, organizationWith } from '#test/support/abstracts.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'

/** Starts with abstracts that have a contact each. */
async function start(t: TestContext, { hasMail = true, event = {} } = {}) {
  const contact = (name: string) => ({ contact: { name, email: `${name.toLowerCase()}@example.org` } })
  const file = organizationWith([abstract('A-1', contact('Lin')), abstract('A-2', contact('Mei'))], { event })
  const mailServer = await startMailServer(t)
  const settings = hasMail ? { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' } : {}
  const server = await startDashboard(t, file, { settings })
  const { db, accountId, applied, client, clock } = server
  const mails = async () => {
    const all = await db.read(accountId, tx => emails.list(tx, {}, { limit: 20 }))
    return all.map(({ recipient, kind, status }) => `${kind} ${recipient} ${status}`).sort()
  }
  const idOf = (code: string) => applied.events['spring-meeting']?.abstracts[code] as string
  const decide = async (code: string, body: object, headers: Record<string, string> = {}) => {
    clock.advance(1000)
    const { status } = await client.post(`/abstracts/${idOf(code)}/decision`, body, { headers })
    assert.equal(status, 200)
  }
  const arrived = (n: number) =>
    onceSettled(
      server,
      'mails',
      `${n} mails`,
      async () => (await mails()).filter(each => each.endsWith(' sent')).length === n,
    )
  return { ...server, mails, idOf, decide, arrived, received: mailServer.received }
}

const ACCEPTED = { decision: 'accepted', note: 'Twenty *minutes*.' }

test('what a program decides is mailed to the contact with the note, as the dashboard mails it', async t => {
  const { decide, arrived, received, mails } = await start(t)
  await decide('A-1', ACCEPTED)
  await decide('A-2', { decision: 'rejected' })
  await arrived(2)
  assert.deepEqual(await mails(), [
    'abstract_accepted lin@example.org sent',
    'abstract_rejected mei@example.org sent',
  ])
  const accepted = received.find(({ to }) => to[0] === 'lin@example.org')?.parsed
  assert.equal(accepted?.subject, 'Your abstract “Title of A-1” was accepted')
  assert.match(accepted?.text ?? '', /Hello Lin,[\s\S]*Twenty \*minutes\*\./)
  assert.equal(accepted?.replyTo?.text, 'ada@example.org')
})

test('a decision is mailed once: not by its replay, nor sent again as it is; another decision, or another note, is', async t => {
  const { decide, mails, arrived } = await start(t)
  const key = { 'idempotency-key': 'decision-1' }
  await decide('A-1', ACCEPTED, key)
  await decide('A-1', ACCEPTED, key)
  await arrived(1)
  await decide('A-1', ACCEPTED)
  await decide('A-1', ACCEPTED, { 'idempotency-key': 'decision-2' })
  assert.equal((await mails()).length, 1)
  await decide('A-1', { ...ACCEPTED, note: 'Thirty minutes.' })
  await arrived(2)
  await decide('A-1', { decision: 'in_review' })
  assert.equal((await mails()).length, 2, 'a review is told to nobody')
  await decide('A-1', ACCEPTED)
  await arrived(3)
  assert.deepEqual(new Set(await mails()), new Set(['abstract_accepted lin@example.org sent']))
})

test('the same decision, sent again before its mail has gone out, takes nothing of it away', async t => {
  const { decide, mails, arrived, received, db, clock } = await start(t)
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  await decide('A-1', ACCEPTED)
  await decide('A-1', ACCEPTED)
  await db.write(INSTANCE, tx => setHold(tx, null))
  clock.advance(HOUR)
  await arrived(1)
  // The contact has that decision already, so it is not mailed again.
  await decide('A-1', ACCEPTED)
  assert.equal(received.length, 1)
  assert.deepEqual(await mails(), ['abstract_accepted lin@example.org sent'])
})

test('an event that has it turned off mails nobody, and what is decided is told to the webhooks all the same', async t => {
  const { decide, mails, db, accountId, eventId, clock } = await start(t, {
    event: { decision_mails: false },
  })
  await decide('A-1', ACCEPTED)
  assert.deepEqual(await mails(), [])
  await db.write(accountId, tx => events.update(tx, eventId, { decision_mails: true }))
  clock.advance(1000)
  assert.deepEqual(await mails(), [], 'what was decided before is told to nobody')
  await decide('A-2', ACCEPTED)
  assert.deepEqual((await mails()).length, 1)
})

test('without a server for mail it waits, and one that is decided otherwise meanwhile is told of no more', async t => {
  const { decide, mails } = await start(t, { hasMail: false })
  await decide('A-1', ACCEPTED)
  assert.deepEqual(await mails(), ['abstract_accepted lin@example.org waiting'])
  await decide('A-1', { decision: 'rejected', note: 'After all.' })
  assert.deepEqual(await mails(), [
    'abstract_accepted lin@example.org waiting',
    'abstract_rejected lin@example.org waiting',
  ])
})

test('the mail is in the language of whoever signs in with the account’s e-mail, and in the organizer’s own words', async t => {
  const { decide, received, arrived, member, db, accountId, eventId } = await start(t)
  await member('owner', { email: 'Ada@example.org', language: 'es' })
  await decide('A-1', ACCEPTED)
  await arrived(1)
  assert.match(received[0]?.parsed.subject ?? '', /^Tu propuesta|aceptad/)
  const own = { language: 'es', subject: 'Sí, {name}', body: 'Nota: {note}' } as const
  await db.write(accountId, tx => setOwn(tx, eventId, acceptedMail, own))
  await decide('A-2', ACCEPTED)
  await arrived(2)
  assert.equal(received[1]?.parsed.subject, 'Sí, Mei')
})

test('nobody writes to a contact who was made anonymous, whoever decides', async t => {
  const { decide, mails, db, accountId, member, eventId, idOf } = await start(t)
  await erasePerson(db, { accountId, who: 'cli', requestId: null, address: null }, 'lin@example.org')
  await decide('A-1', ACCEPTED)
  const manager = await member('manager')
  const page = await manager.open(`/manage/e/${eventId}/abstracts/${idOf('A-1')}`)
  await page.fill({ Reject: true }).press('Save the decision')
  assert.deepEqual(await mails(), [])
})

test('in the dashboard the setting is the event’s, and says whether the tick is set when somebody decides', async t => {
  const { member, db, accountId, eventId, idOf, mails, decide } = await start(t)
  const manager = await member('manager')
  const settings = `/manage/e/${eventId}/settings/mails`
  const label = 'Tell the authors by mail what is decided'
  const page = await manager.open(settings)
  assert.equal(page.field(label).checked, true)
  await page.fill({ [label]: false }).press('Save')
  const { decision_mails } = await db.read(accountId, tx => events.getDetails(tx, eventId))
  assert.equal(decision_mails, false)
  assert.equal((await manager.open(settings)).field(label).checked, false)
  const abstracts = `/manage/e/${eventId}/abstracts`
  const one = await manager.open(`${abstracts}/${idOf('A-1')}`)
  assert.equal(one.field('Tell the authors by mail').checked, false)
  const many = await manager.open(`${abstracts}/decide?decision=accepted&id=${idOf('A-2')}`)
  assert.equal(many.field('Tell the authors by mail').checked, false)
  await one.fill({ Accept: true }).press('Save the decision')
  await decide('A-2', ACCEPTED)
  assert.deepEqual(await mails(), [])
  await (await manager.open(`${abstracts}/${idOf('A-1')}`))
    .fill({ Note: 'Now.', 'Tell the authors by mail': true })
    .press('Save the decision')
  assert.equal((await mails()).length, 1, 'who decides can still choose')
})
