import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setHold } from '../../src/db/instance.ts'
import { type Database, INSTANCE } from '../../src/db/port.ts'
import * as emails from '../../src/emails/rules.ts'
import { MINUTE } from '../../src/time.ts'
import { Forgotten } from '../../src/users/forgotten.ts'
import { startDashboard } from '../support/dashboard.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { eventually } from '../support/webhooks.ts'

async function start(t: TestContext, hasMail = true) {
  const mailServer = await startMailServer(t)
  const settings = hasMail ? { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' } : {}
  const server = await startDashboard(t, undefined, { settings })
  const mails = () => server.db.read(tx => emails.list(tx, server.accountId, {}, { limit: 20 }))
  const arrived = (n: number) =>
    eventually(`mail ${n}`, async () => {
      const all = await mails()
      return mailServer.received.length >= n && all.every(({ status }) => status !== 'waiting')
    })
  return { ...server, mails, arrived, received: mailServer.received }
}

/** The path of the link in a mail. */
function linkIn(mail: ReceivedMail | undefined): string {
  const [link] = /\/manage\/(join|reset)\/[\w-]+/.exec(mail?.parsed.text ?? '') ?? []
  return link as string
}

const invite = async (
  owner: Awaited<ReturnType<Awaited<ReturnType<typeof start>>['member']>>,
  path: string,
  email: string,
) => (await owner.open(path)).fill({ 'E-mail': email, Door: true }).press('Make the invitation')

test('an invitation is mailed, in the language of who invites, and its link is shown once as before', async t => {
  const { member, visitor, accountId, arrived, received, mails, db } = await start(t)
  const owner = await member('owner')
  const made = await invite(owner, `/manage/a/${accountId}/team/invite`, 'new@example.org')
  assert.match(made.text, /The link is on its way to new@example\.org/)
  await arrived(1)
  const [mail] = received
  assert.deepEqual(mail?.to, ['new@example.org'])
  assert.equal(mail?.parsed.subject, 'Join Ada Events')
  const path = linkIn(mail)
  assert.match(made.field('The link').value, new RegExp(`${path}$`))
  assert.match((await visitor().open(path)).text, /Ada Events/)
  // Nobody who reads the log of mails comes in by it.
  const [kept] = await mails()
  assert.doesNotMatch(kept?.body ?? '', new RegExp(path))
  const rows = await db.read(tx => tx.all<{ details: string }>('SELECT details FROM emails'))
  assert.deepEqual(rows, [{ details: '{}' }])
})

test('an invitation that is refused, or made without mail, mails nobody', async t => {
  const { member, accountId, mails } = await start(t)
  const owner = await member('owner')
  const refused = await invite(owner, `/manage/a/${accountId}/team/invite`, 'owner@example.org')
  assert.match(refused.text, /This person is in the team already/)
  assert.deepEqual(await mails(), [])
  const without = await start(t, false)
  const other = await without.member('owner')
  const made = await invite(other, `/manage/a/${without.accountId}/team/invite`, 'new@example.org')
  assert.match(made.text, /send it to them yourself/)
  assert.deepEqual(await without.mails(), [])
})

test('an owner has a member choose a new password, who gets the link in their own language', async t => {
  const { member, accountId, arrived, received, db } = await start(t)
  const owner = await member('owner')
  await member('door', { language: 'es' })
  const [{ id } = { id: '' }] = await db.read(tx =>
    tx.all<{ id: string }>("SELECT m.id FROM members m WHERE m.role = 'door'"),
  )
  const asked = await owner.open(`/manage/a/${accountId}/team/${id}/reset`)
  const made = await asked.press('Make the link')
  assert.match(made.text, /It is on its way to door@example\.org/)
  await arrived(1)
  assert.deepEqual(received[0]?.to, ['door@example.org'])
  assert.equal(received[0]?.parsed.subject, 'Elige una contraseña nueva')
})

test('whoever has forgotten the password gets a link by mail, chooses another and signs in with it', async t => {
  const { member, visitor, arrived, received } = await start(t)
  await member('manager')
  const browser = visitor()
  const form = await (await browser.open('/manage/sign-in')).follow('Forgot your password?')
  const done = await form.fill({ 'E-mail': ' MANAGER@example.org ' }).press('Send the link')
  assert.match(done.messages.join(), /If somebody signs in with that e-mail, the link is on its way/)
  await arrived(1)
  assert.deepEqual(received[0]?.to, ['manager@example.org'])
  const chosen = await (await browser.open(linkIn(received[0])))
    .fill({ Password: 'another horse entirely' })
    .press('Save the password')
  assert.match(chosen.messages.join(), /Your new password is saved/)
  const inside = await chosen
    .fill({ 'E-mail': 'manager@example.org', Password: 'another horse entirely' })
    .press('Sign in')
  assert.match(inside.text, /Ada Events/)
})

test('nobody learns whether somebody has an e-mail: the answer is the same, and each waits for one write', async t => {
  const { member, visitor, mails, db, clock } = await start(t)
  await member('manager')
  const ask = async (email: string) => {
    const done = await (await visitor().open('/manage/forgotten'))
      .fill({ 'E-mail': email })
      .press('Send the link')
    return [done.messages, done.text, done.title]
  }
  assert.deepEqual(await ask('nobody@example.org'), await ask('manager@example.org'))
  assert.deepEqual(
    (await mails()).map(({ recipient }) => recipient),
    ['manager@example.org'],
  )
  let writes = 0
  const counted: Pick<Database, 'write'> = {
    write: (owner, work) => {
      writes++
      return db.write(owner, work)
    },
  }
  const forgotten = new Forgotten({ db: counted, clock, addressGroup: address => address })
  const by = { address: '192.0.2.1', requestId: null }
  for (const email of ['nobody@example.org', 'manager@example.org']) {
    writes = 0
    assert.equal(await forgotten.ask(email, by), undefined)
    assert.equal(writes, 1, email)
  }
})

test('links are asked for ten times a quarter of an hour, by one address and for one e-mail', async t => {
  const { member, db, clock, mails } = await start(t)
  await member('manager')
  const forgotten = new Forgotten({ db, clock, addressGroup: address => address })
  const ask = (email: string, address: string) => forgotten.ask(email, { address, requestId: null })
  for (let n = 0; n < 10; n++) assert.equal(await ask('manager@example.org', `192.0.2.${n}`), undefined)
  assert.equal(await ask('MANAGER@example.org', '192.0.2.99'), 15 * 60)
  for (let n = 0; n < 10; n++) assert.equal(await ask(`nobody${n}@example.org`, '198.51.100.1'), undefined)
  assert.equal(await ask('other@example.org', '198.51.100.1'), 15 * 60)
  assert.equal((await mails()).length, 10)
  clock.advance(15 * MINUTE)
  assert.equal(await ask('manager@example.org', '198.51.100.1'), undefined)
})

test('too many are told so by the page, and what was typed is kept', async t => {
  const { visitor } = await start(t)
  const browser = visitor()
  for (let n = 0; n < 10; n++) {
    await (await browser.open('/manage/forgotten'))
      .fill({ 'E-mail': 'nobody@example.org' })
      .press('Send the link')
  }
  const refused = await (await browser.open('/manage/forgotten'))
    .fill({ 'E-mail': 'nobody@example.org' })
    .press('Send the link')
  assert.equal(refused.status, 429)
  assert.equal(refused.field('E-mail').value, 'nobody@example.org')
})

test('a link that a newer one has voided is not mailed any more', async t => {
  const { member, db, clock, mails, arrived, received } = await start(t)
  await member('manager')
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  const forgotten = new Forgotten({ db, clock, addressGroup: address => address })
  for (let n = 0; n < 2; n++) {
    await forgotten.ask('manager@example.org', { address: '192.0.2.1', requestId: null })
    clock.advance(MINUTE)
  }
  await db.write(INSTANCE, tx => setHold(tx, null))
  await arrived(1)
  assert.deepEqual(
    (await mails()).map(({ status }) => status),
    ['sent', 'withdrawn'],
  )
  assert.equal(received.length, 1)
})

test('without mail the pages say who can help, and nothing is written', async t => {
  const { member, visitor, mails } = await start(t, false)
  await member('manager')
  const page = await visitor().open('/manage/sign-in')
  assert.match(page.text, /An owner of your organization can give you a link/)
  assert.ok(!page.links().includes('Forgot your password?'))
  const other = await visitor().open('/manage/forgotten')
  assert.match(other.text, /An owner of your organization can give you a link/)
  await visitor().post('/manage/forgotten')
  assert.deepEqual(await mails(), [])
})
