import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as links from '#product/administration/users/links.ts'
import * as rules from '#product/administration/users/rules.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { newTotpSecret, totpCode } from '#product/administration/users/totp.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import { knownDevice, NEW, OWNER, startBehindProxy, WRONG } from '#test/support/people/signing-in.ts'

test('whoever knows an e-mail shuts nobody out at a known device, at an address with a session, or after a reset link', async t => {
  const server = await startBehindProxy(t)
  const { visitor, signIn, owner, db } = server
  const device = await knownDevice(server)
  const fill = async () => {
    for (let at = 0; at < 10; at++) await signIn(visitor(), WRONG, `10.0.0.${at}`)
    assert.equal((await signIn(visitor(), PASSWORD, '203.0.113.9')).status, 429)
  }
  await fill()
  assert.equal((await signIn(device, PASSWORD, '203.0.113.1')).heading, 'Events')
  assert.equal((await signIn(visitor(), PASSWORD)).heading, 'Events')
  const { token } = await db.write(INSTANCE, tx => links.makeReset(tx, owner.user.id))
  const phone = visitor()
  await phone.post(`/manage/reset/${token}`, { password: NEW }, { 'x-forwarded-for': '203.0.113.2' })
  // The person is elsewhere than where the mail was read.
  assert.equal((await signIn(visitor(), NEW, '203.0.113.3')).heading, 'Events')
})

test('the cookie of a device is no credential, says nothing of the person, and stays when they sign out', async t => {
  const server = await startBehindProxy(t)
  const { visitor, signIn, owner } = server
  const reader = visitor()
  await signIn(reader, PASSWORD, '198.51.100.1')
  const cookie = reader.cookies.get('device') ?? ''
  assert.match(cookie, /^[\w-]{22}\.\d+\.[\w-]{22}\.[\w-]{22}$/)
  const texts = [cookie, ...cookie.split('.').map(part => Buffer.from(part, 'base64url').toString('latin1'))]
  for (const text of texts) {
    for (const secret of [owner.user.id, OWNER, 'owner']) assert.ok(!text.includes(secret))
  }
  await reader.post('/manage/sign-out')
  assert.deepEqual([...reader.cookies.keys()], ['device'])
  assert.equal((await reader.open('/manage')).heading, 'Sign in')
  assert.equal((await signIn(reader, WRONG, '198.51.100.1')).status, 401)
  assert.equal(reader.cookies.get('device'), cookie, 'a wrong password renews nothing')
})

test('on https the cookie of a device is for this host alone', async t => {
  const { app, member } = await startDashboard(t, undefined, {
    settings: { baseUrl: 'https://tickets.example.org' },
  })
  await member('owner')
  const answer = await request(`${app.url.replace(/\/v1$/, '')}/manage/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ email: OWNER, password: PASSWORD, to: '', carried: '' }).toString(),
  })
  await answer.body.dump()
  const line = [answer.headers['set-cookie'] ?? []].flat().find(each => each.startsWith('__Host-device='))
  assert.match(line ?? '', /; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/)
})

test('a new password makes strangers of the devices that knew the old one, but of the browser that changes it', async t => {
  const server = await startBehindProxy(t)
  const { visitor, signIn, db, owner } = server
  const old = await knownDevice(server)
  const own = visitor()
  await signIn(own, PASSWORD, '198.51.100.2')
  const before = own.cookies.get('device')
  await own.post('/manage/profile/password', { own_password: PASSWORD, password: NEW })
  assert.notEqual(own.cookies.get('device'), before)
  await db.write(INSTANCE, tx => sessions.endAll(tx, owner.user.id))
  own.cookies.delete('session')
  for (let at = 0; at < 10; at++) await signIn(visitor(), WRONG, `10.0.0.${at}`)
  assert.equal((await signIn(old, NEW, '203.0.113.1')).status, 429)
  assert.equal((await signIn(own, NEW, '203.0.113.1')).heading, 'Events')
})

test('who opens the page to sign in with a known device is not kept out by others at the address', async t => {
  const server = await startBehindProxy(t)
  const { visitor } = server
  const device = await knownDevice(server)
  const from = { 'x-forwarded-for': '203.0.113.1' }
  const stranger = visitor()
  for (let at = 0; at < 120; at++) await stranger.open('/manage/sign-in', from)
  assert.equal((await stranger.open('/manage/sign-in', from)).status, 429)
  assert.equal((await device.open('/manage/sign-in', from)).status, 200)
  // A cookie that somebody made up counts as none.
  const forger = visitor()
  forger.cookies.set('device', `${'A'.repeat(22)}.1800000000000.${'A'.repeat(22)}.${'A'.repeat(22)}`)
  assert.equal((await forger.open('/manage/sign-in', from)).status, 429)
})

test('with a second factor, a link for a new password gives its device no codes to guess, and the person signs in at theirs', async t => {
  const server = await startBehindProxy(t)
  const { visitor, signIn, db, owner, clock } = server
  const secret = newTotpSecret()
  const code = () => totpCode(secret, Math.floor(clock() / 30_000))
  const origin = { requestId: null, address: null }
  await db.write(INSTANCE, tx => rules.enableSecondFactor(tx, owner.user.id, secret, code(), origin))
  await db.write(INSTANCE, tx => sessions.endAll(tx, owner.user.id))
  clock.advance(MINUTE)
  const known = visitor()
  const step = await signIn(known, PASSWORD, '198.51.100.1')
  assert.equal(known.cookies.size, 0, 'the password alone makes no known device')
  assert.equal((await step.fill({ Code: code() }).press('Sign in')).heading, 'Events')
  known.cookies.delete('session')
  await db.write(INSTANCE, tx => sessions.endAll(tx, owner.user.id))

  // Whoever reads the mailbox uses one link after the other.
  let password = PASSWORD
  const kinds: number[] = []
  for (let link = 0; link < 3; link++) {
    const { token } = await db.write(INSTANCE, tx => links.makeReset(tx, owner.user.id))
    const thief = visitor()
    password = `${NEW} ${link}`
    await thief.post(`/manage/reset/${token}`, { password }, { 'x-forwarded-for': `10.0.0.${link}` })
    for (let at = 0; at < 5; at++) {
      const secondStep = await signIn(thief, password, `10.0.0.${link}`)
      kinds.push((await secondStep.fill({ Code: '000000' }).press('Sign in')).status)
    }
  }
  assert.deepEqual(kinds, [...Array.from({ length: 10 }, () => 401), ...Array.from({ length: 5 }, () => 429)])
  clock.advance(15 * MINUTE)
  const again = await signIn(known, password, '198.51.100.1')
  assert.equal((await again.fill({ Code: code() }).press('Sign in')).heading, 'Events')
})
