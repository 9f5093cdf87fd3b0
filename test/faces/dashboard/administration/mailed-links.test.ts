import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Clock, MINUTE } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { type Database, INSTANCE, type InstanceWriteTx } from '#machinery/db/port.ts'
import { places } from '#machinery/http/client-address.ts'
import * as emails from '#machinery/mail/rules.ts'
import { Forgotten } from '#product/administration/users/forgotten.ts'
import { KnownDevices } from '#product/administration/users/known-device.ts'
import * as linkUses from '#product/administration/users/link-uses.ts'
import * as links from '#product/administration/users/links.ts'
import { type ReceivedMail, startMailServer } from '#test/support/mail-server.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { onceSettled } from '#test/support/settled.ts'

async function start(t: TestContext, hasMail = true) {
  const mailServer = await startMailServer(t)
  const settings = hasMail ? { smtpUrl: mailServer.url, mailFrom: 'tickets@example.org' } : {}
  const server = await startDashboard(t, undefined, { settings })
  const mails = () => server.db.read(server.accountId, tx => emails.list(tx, {}, { limit: 20 }))
  const arrived = (n: number) =>
    onceSettled(server, 'mails', `mail ${n}`, async () => {
      const all = await mails()
      return mailServer.received.length >= n && all.every(({ status }) => status !== 'waiting')
    })
  return { ...server, mails, arrived, received: mailServer.received }
}

/** Makes the service as a server does. */
function forgottenOf(parts: { db: Pick<Database, 'read' | 'write'>; clock: Clock }) {
  const devices = new KnownDevices({ clock: parts.clock, secret: 'secret' })
  return new Forgotten({ ...parts, devices, places })
}

/** Returns the path of the link in a mail. */
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
  // Nobody who reads the log of mails can sign in by it.
  const [kept] = await mails()
  assert.doesNotMatch(kept?.body ?? '', new RegExp(path))
  const rows = await db.read(INSTANCE, tx => tx.all<{ details: string }>('SELECT details FROM emails'))
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
  const [{ id } = { id: '' }] = await db.read(INSTANCE, tx =>
    tx.all<{ id: string }>("SELECT m.id FROM members m WHERE m.role = 'door'"),
  )
  const confirmation = await owner.open(`/manage/a/${accountId}/team/${id}/reset`)
  const made = await confirmation.press('Make the link')
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
  const home = await chosen
    .fill({ 'E-mail': 'manager@example.org', Password: 'another horse entirely' })
    .press('Sign in')
  assert.match(home.text, /Ada Events/)
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
  const done: string[] = []
  const write = ((owner: typeof INSTANCE, work: (tx: InstanceWriteTx) => Promise<unknown>) => {
    done.push('write')
    return db.write(owner, work)
  }) as unknown as Database['write']
  const read: Database['read'] = (...args) => {
    done.push('read')
    return db.read(...args)
  }
  const forgotten = forgottenOf({ db: { read, write }, clock })
  const by = { address: '192.0.2.1', requestId: null }
  // The same holds if the mail of a moment ago is the only one.
  for (const email of ['nobody@example.org', 'manager@example.org', 'manager@example.org']) {
    done.length = 0
    assert.equal(await forgotten.ask(email, by), undefined)
    assert.deepEqual(done, ['read', 'write'], email)
  }
})

test('links are asked for ten times a quarter of an hour by one address, of IPv6 thirty times by one /48', async t => {
  const { db, clock } = await start(t)
  const forgotten = forgottenOf({ db, clock })
  const ask = (email: string, address: string) => forgotten.ask(email, { address, requestId: null })
  for (let n = 0; n < 10; n++) assert.equal(await ask(`nobody${n}@example.org`, '198.51.100.1'), undefined)
  assert.equal(await ask('other@example.org', '198.51.100.1'), 15 * 60)
  for (let n = 0; n < 30; n++) assert.equal(await ask('any@example.org', `2001:db8:1:${n}::1`), undefined)
  assert.equal(await ask('any@example.org', '2001:db8:1:ffff::1'), 15 * 60)
  assert.equal(await ask('any@example.org', '2001:db8:2::1'), undefined)
  clock.advance(15 * MINUTE)
  assert.equal(await ask('other@example.org', '198.51.100.1'), undefined)
})

test('a thousand who ask for somebody else mail them once in ten minutes, and void no link that the person has', async t => {
  const { member, db, clock, mails, accountId } = await start(t)
  const { user } = await member('manager')
  const forgotten = forgottenOf({ db, clock })
  const { token } = await db.write(accountId, tx => links.makeReset(tx, user.id))
  const statusOf = () => db.read(INSTANCE, async tx => (await links.look(tx, token, clock()))?.status)
  for (let n = 0; n < 1_000; n++) {
    const address = `10.1.${n >> 8}.${n & 255}`
    assert.equal(await forgotten.ask('MANAGER@example.org', { address, requestId: null }), undefined)
  }
  assert.equal((await mails()).length, 1)
  clock.advance(10 * MINUTE)
  await forgotten.ask('manager@example.org', { address: '192.0.2.1', requestId: null })
  assert.equal((await mails()).length, 2)
  assert.equal(await statusOf(), 'open')
  // Where the person is signed in, they get another mail as soon as they ask.
  await forgotten.ask('manager@example.org', { address: '127.0.0.1', requestId: null })
  assert.equal((await mails()).length, 3)
  // A link that is used voids the others.
  await db.write(INSTANCE, tx => linkUses.reset(tx, token, 'x', { requestId: null, address: null }))
  const open = await db.read(INSTANCE, tx =>
    tx.all('SELECT l.id FROM one_time_links l WHERE l.user_id = $1 AND l.used_at IS NULL', [user.id]),
  )
  assert.deepEqual(open, [])
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
  const { user } = await member('manager')
  await db.write(INSTANCE, tx => setHold(tx, clock()))
  const forgotten = forgottenOf({ db, clock })
  const ask = () => forgotten.ask('manager@example.org', { address: '192.0.2.1', requestId: null })
  await ask()
  await db.write(INSTANCE, tx => links.makeReset(tx, user.id))
  clock.advance(10 * MINUTE)
  await ask()
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
