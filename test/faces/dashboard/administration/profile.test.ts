import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as sessions from '#product/administration/users/sessions.ts'
import { SignIn } from '#product/administration/users/sign-in.ts'
import { totpCode } from '#product/administration/users/totp.ts'
import { PASSWORD, startDashboard } from '#test/support/people/dashboard.ts'
import type { PageReader } from '#test/support/people/page-reader.ts'

const NEW = 'another long password'

/** Signs in by the page. */
async function signIn(reader: PageReader, password: string, email = 'owner@example.org') {
  return (await reader.open('/manage/sign-in')).fill({ 'E-mail': email, Password: password }).press('Sign in')
}

test('a person changes their name and language, and the page answers in it', async t => {
  const { member } = await startDashboard(t)
  const owner = await member('owner')
  const form = await (await owner.open('/manage/profile')).follow('Name and language')
  const page = await form.fill({ 'Your name': 'Ada محمد', Español: true }).press('Save')
  assert.equal(page.heading, 'Tu cuenta')
  assert.match(page.text, /Ada محمد/)
})

test('a new e-mail takes the password, and none that somebody else has', async t => {
  const { member, visitor } = await startDashboard(t)
  await member('door')
  const owner = await member('owner')
  const form = await (await owner.open('/manage/profile')).follow('E-mail')
  const wrong = await form
    .fill({ 'E-mail': 'new@example.org', 'Your password': 'not my password' })
    .press('Save')
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /not your password/)
  assert.equal(wrong.field('E-mail').value, 'new@example.org')
  assert.equal((await signIn(visitor(), PASSWORD, 'new@example.org')).status, 401)
  const taken = await wrong.fill({ 'E-mail': 'DOOR@example.org', 'Your password': PASSWORD }).press('Save')
  assert.match(taken.text, /Somebody else has this e-mail/)
  const done = await taken.fill({ 'E-mail': 'new@example.org', 'Your password': PASSWORD }).press('Save')
  assert.equal(done.heading, 'Your account')
  assert.equal((await signIn(visitor(), PASSWORD, 'new@example.org')).heading, 'Events')
})

test('a new password takes the old one, and ends the other sessions', async t => {
  const { member, visitor } = await startDashboard(t)
  const owner = await member('owner')
  const elsewhere = visitor()
  await signIn(elsewhere, PASSWORD)
  const form = await (await owner.open('/manage/profile')).follow('Change the password')
  const wrong = await form.fill({ 'Your password': 'wrong but long', Password: NEW }).press('Change')
  assert.equal(wrong.status, 422)
  assert.doesNotMatch(wrong.html, /wrong but long|another long/)
  const short = await wrong.fill({ 'Your password': PASSWORD, Password: 'short' }).press('Change')
  assert.match(short.text, /10 to 200 characters/)
  assert.equal((await elsewhere.open('/manage')).heading, 'Events')
  const done = await short.fill({ 'Your password': PASSWORD, Password: NEW }).press('Change')
  assert.match(done.messages.join(), /new password is saved/)
  assert.equal((await elsewhere.open('/manage')).heading, 'Sign in')
  assert.equal((await signIn(visitor(), PASSWORD)).status, 401)
  assert.equal((await signIn(visitor(), NEW)).heading, 'Events')
})

test('the password of a person who is signed in is guessed no more often than at the sign-in', async t => {
  const { member } = await startDashboard(t)
  const owner = await member('owner')
  const guess = async (password: string) =>
    (await owner.open('/manage/profile/email')).fill({ 'Your password': password }).press('Save')
  for (let at = 0; at < 10; at++) assert.equal((await guess('a wrong password')).status, 422)
  const refused = await guess(PASSWORD)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('what takes time, such as a password, does not outlive the session that asked for it', async t => {
  const { member, visitor, db } = await startDashboard(t)
  const owner = await member('owner')
  const { confirm } = SignIn.prototype
  // A link for a new password is used just then: the session is a thief's.
  t.mock.method(
    SignIn.prototype,
    'confirm',
    async function (this: SignIn, ...args: Parameters<typeof confirm>) {
      const confirmed = await confirm.apply(this, args)
      await db.write(INSTANCE, tx => sessions.endAll(tx, owner.user.id))
      return confirmed
    },
  )
  const form = await owner.open('/manage/profile/password')
  const late = await form.fill({ 'Your password': PASSWORD, Password: NEW }).press('Change')
  assert.equal(late.status, 401)
  assert.equal((await signIn(visitor(), NEW)).status, 401)
  assert.equal((await signIn(visitor(), PASSWORD)).heading, 'Events')
})

test('a second step is turned on by a code, asked for at the next sign-in, and its recovery codes are shown once', async t => {
  const { member, visitor, clock } = await startDashboard(t)
  const owner = await member('owner')
  const form = await (await owner.open('/manage/profile')).follow('Turn it on')
  const secret = form.field('Or type this secret').value
  assert.equal(form.document.querySelectorAll('svg.qr').length, 1)
  assert.ok(form.html.includes(`otpauth://totp/Turnout:owner%40example.org?secret=${secret}`))
  const code = () => totpCode(secret, Math.floor(clock() / 30_000))
  const wrong = await form.fill({ Code: '000000', 'Your password': PASSWORD }).press('Turn it on')
  assert.match(wrong.text, /The code is wrong/)
  assert.equal(wrong.field('Or type this secret').value, secret, 'the app need not scan again')
  const unknown = await wrong.fill({ Code: code(), 'Your password': 'a stolen session' }).press('Turn it on')
  assert.equal(unknown.status, 422)
  unknown.fill({ Code: code(), 'Your password': PASSWORD })
  const shown = await unknown.press('Turn it on')
  const codes = [...shown.document.querySelectorAll('.codes li')].map(each => each.textContent as string)
  assert.equal(codes.length, 10)
  const reloaded = await unknown.press('Turn it on')
  assert.doesNotMatch(reloaded.html, new RegExp(codes.join('|')))
  const profile = await owner.open('/manage/profile')
  assert.match(profile.text, /On 10 recovery codes are left/)
  assert.ok(!codes.some(each => profile.html.includes(each)) && !profile.html.includes(secret))

  const other = visitor()
  const step = await signIn(other, PASSWORD)
  assert.equal(step.heading, 'One more step')
  clock.advance(MINUTE)
  assert.equal((await step.fill({ Code: codes[0] as string }).press('Sign in')).heading, 'Events')
  const again = await signIn(visitor(), PASSWORD)
  assert.equal((await again.fill({ Code: codes[0] as string }).press('Sign in')).status, 401, 'once')

  const renew = await profile.follow('New recovery codes')
  assert.equal((await renew.fill({ 'Your password': 'a stolen session' }).press('Make')).status, 422)
  const renewed = await renew.fill({ 'Your password': PASSWORD }).press('Make')
  assert.equal(renewed.document.querySelectorAll('.codes li').length, 10)
  const stale = await signIn(visitor(), PASSWORD)
  assert.equal((await stale.fill({ Code: codes[1] as string }).press('Sign in')).status, 401)

  const off = await profile.follow('Turn it off')
  assert.equal((await off.fill({ 'Your password': 'a stolen session' }).press('Turn it off')).status, 422)
  const done = await off.fill({ 'Your password': PASSWORD }).press('Turn it off')
  assert.match(done.messages.join(), /Two-step verification is off/)
  assert.equal((await signIn(visitor(), PASSWORD)).heading, 'Events')
})

test('a person sees where they are signed in, and ends one session or all others, and nobody else’s', async t => {
  const { member, visitor, db, clock } = await startDashboard(t)
  const owner = await member('owner')
  const door = await member('door')
  const phone = visitor()
  await signIn(phone, PASSWORD)
  const tablet = visitor()
  await signIn(tablet, PASSWORD)
  const page = await owner.open('/manage/profile')
  assert.equal(page.rows().length, 3)
  assert.equal(page.rows().filter(row => row.includes('This one')).length, 1)
  const [foreign] = await db.read(INSTANCE, tx => sessions.list(tx, door.user.id, clock()))
  assert.equal((await owner.post(`/manage/profile/sessions/${foreign?.id}/end`)).status, 404)
  assert.equal((await door.open('/manage')).heading, 'Events')
  const [button] = [...page.document.querySelectorAll<HTMLFormElement>('tbody form')]
  const left = await owner.post(new URL(button?.action ?? '').pathname)
  assert.match(left.messages.join(), /session has ended/)
  assert.equal(left.rows().length, 2)
  const alone = await left.press('End all others')
  assert.equal(alone.rows().length, 1)
  for (const other of [phone, tablet]) assert.equal((await other.open('/manage')).heading, 'Sign in')
  assert.equal((await owner.open('/manage')).heading, 'Events')
  assert.equal((await alone.press('Sign out')).heading, 'Sign in')
})
