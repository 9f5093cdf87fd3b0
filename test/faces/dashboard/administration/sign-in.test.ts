import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as links from '#product/administration/users/links.ts'
import { hashPassword } from '#product/administration/users/passwords.ts'
import { ALONE } from '#product/administration/users/scrypt-lanes.ts'
import { organization } from '#test/support/organization.ts'
import { watchOwners } from '#test/support/owners.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import { PageReader } from '#test/support/people/page-reader.ts'
import { startServer } from '#test/support/server.ts'

test('whoever is not signed in is asked to, and led to what they asked for', async t => {
  const { visitor, member, accountId } = await startDashboard(t)
  await member('owner')
  const reader = visitor()
  const signInPage = await reader.open(`/manage/a/${accountId}/new-event`)
  assert.equal(signInPage.heading, 'Sign in')
  const page = await signInPage.fill({ 'E-mail': 'OWNER@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(page.heading, 'New event')
  assert.equal(page.status, 200)
})

test('a wrong password and an unknown e-mail get the same answer, which shows no password', async t => {
  const { visitor, member } = await startDashboard(t)
  await member('owner')
  const reader = visitor()
  const answers: string[] = []
  for (const email of ['owner@example.org', 'nobody@example.org']) {
    const page = await (await reader.open('/manage/sign-in'))
      .fill({ 'E-mail': email, Password: 'wrong but long' })
      .press('Sign in')
    assert.equal(page.status, 401)
    assert.equal(page.field('E-mail').value, email)
    assert.doesNotMatch(page.html, /wrong but long/)
    answers.push(page.messages.join())
  }
  assert.match(answers[0] as string, /do not go together/)
  assert.equal(answers[0], answers[1])
  assert.equal(reader.cookies.size, 0)
})

test('a sign-in leads nowhere but into the dashboard', async t => {
  const { visitor, member } = await startDashboard(t)
  await member('owner')
  for (const to of [
    'https://evil.example/',
    '//evil.example',
    '/manage/\\evil.example',
    '/v1/events',
    'javascript:1',
  ]) {
    const reader = visitor()
    const page = await (await reader.open(`/manage/sign-in?to=${encodeURIComponent(to)}`))
      .fill({ 'E-mail': 'owner@example.org', Password: PASSWORD })
      .press('Sign in')
    assert.equal(page.heading, 'Events', to)
  }
})

test('a form that was sent after its session had ended is there again after the sign-in, and was not carried out', async t => {
  const { member, accountId, clock, client } = await startDashboard(t)
  const owner = await member('owner')
  const form = await owner.open(`/manage/a/${accountId}/new-event`)
  clock.advance(13 * HOUR)
  const signInPage = await form.fill({ Name: 'Kept <b>words</b>', Venue: 'Hall' }).press('Create the event')
  assert.equal(signInPage.status, 401)
  assert.equal(signInPage.heading, 'Sign in')
  const again = await signInPage.fill({ 'E-mail': 'owner@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(again.heading, 'New event')
  assert.equal(again.field('Name').value, 'Kept <b>words</b>')
  assert.equal(again.field('Venue').value, 'Hall')
  assert.equal((await client.get('/events')).body.data.length, 1)
  const made = await again.press('Create the event')
  assert.match(made.text, /Kept <b>words<\/b>/)
  assert.equal((await client.get('/events')).body.data.length, 2)
})

test('who is signed in already is led on, and only within the dashboard', async t => {
  const { member, accountId } = await startDashboard(t)
  const owner = await member('owner')
  assert.equal((await owner.open('/manage/sign-in')).heading, 'Events')
  assert.equal((await owner.open('/manage/')).heading, 'Events')
  assert.equal((await owner.open(`/manage/sign-in?to=/manage/a/${accountId}/new-event`)).heading, 'New event')
  assert.equal((await owner.open('/manage/sign-in?to=//evil.example/')).heading, 'Events')
})

test('a button of a session that has ended leads back to its page, and a password that was typed goes nowhere', async t => {
  const { member, clock, accountId, eventId } = await startDashboard(t)
  const owner = await member('owner')
  const referer = `${owner.origin}/manage/a/${accountId}`
  clock.advance(13 * HOUR)
  const signInPage = await owner.post(`/manage/e/${eventId}/complete`, {}, { referer })
  const back = await signInPage.fill({ 'E-mail': 'owner@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(back.heading, 'Events')
  assert.match(back.text, /Published/, 'it was not carried out')
  clock.advance(13 * HOUR)
  const typed = { own_password: 'typed in vain', password: 'typed in vain too' }
  const sent = await owner.post('/manage/profile/password', typed)
  assert.equal(sent.status, 401)
  assert.doesNotMatch(sent.html, /in vain|in\+vain/)
  const form = await sent.fill({ 'E-mail': 'owner@example.org', Password: PASSWORD }).press('Sign in')
  assert.equal(form.heading, 'A new password')
})

test('an invitation is accepted by whom it is for alone, in a write of its account', async t => {
  const { member, accountId, db, apply } = await startDashboard(t)
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  const [owner, door] = [await member('owner'), await member('door')]
  const given = { email: 'door@example.org', role: 'manager', event_ids: null } as const
  const { token } = await db.write(other, tx => links.invite(tx, given))
  const page = await owner.open(`/manage/join/${token}`)
  assert.match(page.text, /signed in as owner@example.org/)
  assert.equal((await owner.post(`/manage/join/${token}/accept`)).status, 400)
  const seen = watchOwners(t)
  const joined = await (await door.open(`/manage/join/${token}`)).press('Join')
  assert.match(joined.messages.join(), /You are in/)
  assert.deepEqual(seen, [{ owner: other, accounts: [other] }])
  const fresh = await db.write(accountId, tx => links.invite(tx, { ...given, email: 'n@example.org' }))
  const form = await owner.open(`/manage/join/${fresh.token}`)
  seen.length = 0
  await form.fill({ 'Your name': 'New', Password: PASSWORD }).press('Join')
  assert.deepEqual(seen[0], { owner: accountId, accounts: [accountId] })
})

test('an invitation of somebody who has the e-mail hashes no password, however often it is sent', async t => {
  const { member, visitor, db, apply, clock } = await startDashboard(t)
  await member('door')
  const { account_id: other } = await apply(organization({ email: 'bob@example.org' }))
  const given = { email: 'door@example.org', role: 'manager', event_ids: null } as const
  const { token } = await db.write(other, tx => links.invite(tx, given))
  const before = process.cpuUsage().user
  for (let at = 0; at < 20; at++) {
    const page = await visitor().post(`/manage/join/${token}`, { name: 'Thief', password: PASSWORD })
    assert.equal(page.status, 400)
  }
  const spent = process.cpuUsage().user - before
  assert.equal((await db.read(INSTANCE, tx => links.look(tx, token, clock())))?.status, 'open')
  const control = process.cpuUsage().user
  await hashPassword(PASSWORD, { email: 'a@example.org', name: 'A' }, ALONE)
  assert.ok(spent < 10 * (process.cpuUsage().user - control), `${spent} µs`)
})

test('who has signed out is out, also in a copy of the cookie', async t => {
  const { member, visitor } = await startDashboard(t)
  const owner = await member('owner')
  const copy = visitor()
  copy.cookies.set('session', owner.cookies.get('session') as string)
  assert.equal((await copy.open('/manage')).heading, 'Events')
  assert.equal((await owner.post('/manage/sign-out')).heading, 'Sign in')
  assert.equal((await copy.open('/manage')).heading, 'Sign in')
})

test('a session ends 12 hours after its last use, and a page that renews itself does not prolong it', async t => {
  const { member, clock, accountId } = await startDashboard(t)
  const owner = await member('owner')
  const path = `/manage/a/${accountId}`
  clock.advance(11 * HOUR)
  assert.equal((await owner.open(path)).heading, 'Events')
  clock.advance(11 * HOUR)
  assert.equal((await owner.open(path, { 'X-Live': '1' })).heading, 'Events')
  clock.advance(2 * HOUR)
  assert.equal((await owner.open(path)).heading, 'Sign in')
})

test('what another site sends is refused, and changes nothing', async t => {
  const { member, accountId, client } = await startDashboard(t)
  const owner = await member('owner')
  const fields = { title: 'Forged', timezone: 'UTC', currency: 'EUR' }
  const path = `/manage/a/${accountId}/new-event`
  const { host } = new URL(owner.origin)
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': '', origin: 'null' },
    { 'sec-fetch-site': '', origin: 'http://evil.example' },
    { 'sec-fetch-site': '', origin: `http://${host}.evil.example` },
    { 'sec-fetch-site': '' },
  ]
  for (const headers of foreign) {
    assert.equal((await owner.post(path, fields, headers)).status, 403, JSON.stringify(headers))
  }
  assert.equal((await client.get('/events')).body.data.length, 1)
})

test('the set-up link makes the organization and its owner, once', async t => {
  const server = await startServer(t)
  const { token } = await server.db.write(INSTANCE, tx => links.makeSetup(tx))
  const reader = new PageReader(server.app.siteUrl)
  t.after(() => reader.close())
  const page = await reader.open(`/manage/setup/${token}`)
  assert.equal((await reader.open(`/manage/setup/${token}`)).status, 200, 'opening it uses nothing up')
  const weak = await page
    .fill({ Organization: 'Ada Events', 'Your name': 'Ada', 'E-mail': 'ada@example.org', Password: 'short' })
    .fill({ 'Time zone': 'Europe/Madrid' })
    .press('Create')
  assert.equal(weak.status, 422)
  assert.match(weak.messages.join(), /10 to 200 characters/)
  const made = await weak.fill({ Password: PASSWORD }).press('Create')
  assert.equal(made.heading, 'New event')
  assert.match(made.messages.join(), /Ada Events is set up/)
  const again = await reader.open(`/manage/setup/${token}`)
  assert.equal(again.status, 410)
  assert.match(again.text, /used already/)
})

test('after ten wrong passwords even the right one waits a quarter of an hour', async t => {
  const { visitor, member, clock } = await startDashboard(t)
  await member('owner')
  const reader = visitor()
  const attempt = async (password: string) =>
    (await reader.open('/manage/sign-in'))
      .fill({ 'E-mail': 'owner@example.org', Password: password })
      .press('Sign in')
  for (let at = 0; at < 10; at++) assert.equal((await attempt('wrong password')).status, 401)
  const refused = await attempt(PASSWORD)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 60)
  clock.advance(15 * MINUTE)
  assert.equal((await attempt(PASSWORD)).heading, 'Events')
})
