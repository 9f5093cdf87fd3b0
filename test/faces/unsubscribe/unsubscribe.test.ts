import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { request } from 'undici'
import { DAY, MINUTE } from '#base/time.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import { readUnsubscribe, unsubscribeUrl } from '#product/mailing/announcements/unsubscribe-link.ts'
import { PageReader } from '#test/support/people/page-reader.ts'
import { startWithOrganization } from '#test/support/server.ts'

async function start(t: TestContext) {
  const server = await startWithOrganization(t)
  const { app, db, applied } = server
  const accountId = applied.account_id
  const { cursor_secret: secret } = await db.read(INSTANCE, readInstance)
  const linkFor = (email: string) => unsubscribeUrl(app.siteUrl, secret, { accountId, email })
  const isUnsubscribed = (email: string) => db.read(accountId, tx => emails.isUnsubscribed(tx, email))
  const reader = (language = 'en') => {
    const made = new PageReader(app.siteUrl, language)
    t.after(() => made.close())
    return made
  }
  const pathFor = (email: string) => new URL(linkFor(email)).pathname
  return { ...server, accountId, secret, linkFor, pathFor, isUnsubscribed, reader }
}

/** Posts as a provider for mail does: without a cookie, from its own servers, and for the person (RFC 8058, section 3.2). */
async function post(
  url: string,
  type = 'application/x-www-form-urlencoded',
  body = 'List-Unsubscribe=One-Click',
) {
  const answer = await request(url, { method: 'POST', headers: { 'content-type': type }, body })
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() }
}

test('a post of a program ends announcements at once, and again changes nothing', async t => {
  const { linkFor, isUnsubscribed } = await start(t)
  const url = linkFor('Ann@example.org')
  const first = await post(url)
  assert.equal(first.status, 200)
  assert.equal(first.headers.location, undefined)
  assert.equal(first.headers['set-cookie'], undefined)
  assert.equal(await isUnsubscribed('ann@EXAMPLE.org'), true)
  const again = await post(url)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(await isUnsubscribed('bob@example.org'), false)
  const multipart =
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n'
  assert.equal(
    (await post(linkFor('bob@example.org'), 'multipart/form-data; boundary=b', multipart)).status,
    200,
  )
  assert.equal(await isUnsubscribed('bob@example.org'), true)
})

test('a person is asked by a page in their language, and opening it ends nothing', async t => {
  const { pathFor, isUnsubscribed, reader } = await start(t)
  const path = pathFor('ann@example.org')
  const page = await reader().open(path)
  assert.match(page.text, /Ada Events will send no more announcements to this address:\s*ann@example\.org/)
  assert.equal(await isUnsubscribed('ann@example.org'), false)
  const done = await page.press('Send me no more')
  assert.equal(done.heading, 'You get no more announcements')
  assert.equal(await isUnsubscribed('ann@example.org'), true)
  assert.equal((await reader('es').open(path)).heading, 'Ya no recibirás anuncios')
  assert.match((await reader('es').open(pathFor('bob@example.org'))).text, /No me envíes más/)
})

test('a link works for years, and names markup as text', async t => {
  const { linkFor, isUnsubscribed, clock, db, pathFor, reader, accountId } = await start(t)
  const url = linkFor('ann@example.org')
  clock.advance(3 * 365 * DAY)
  assert.equal((await post(url)).status, 200)
  assert.equal(await isUnsubscribed('ann@example.org'), true)
  await db.write(accountId, tx => tx.run("UPDATE accounts SET name = '<script>alert(1)</script>'"))
  const page = await reader().open(pathFor('bob@example.org'))
  assert.ok(page.text.includes('<script>alert(1)</script>'))
  assert.equal(page.document.querySelectorAll('main script').length, 0)
})

test('a link that was not made here is refused alike, whoever there is, and only so often a minute', async t => {
  const { linkFor, secret, accountId, isUnsubscribed, clock, app } = await start(t)
  const genuine = linkFor('grace@example.org')
  const [start_ = '', signature = ''] = genuine.split(/\.(?=[^.]*$)/)
  const foreign = Buffer.from('nobody-at-all-is-here@example.org').toString('base64url')
  const forged = [
    `${start_}.${'A'.repeat(signature.length)}`,
    `${start_}x.${signature}`,
    `${start_}.`,
    `${genuine}.x`,
    `${app.siteUrl}/unsubscribe/${foreign}.${signature}`,
    unsubscribeUrl(app.siteUrl, 'another secret', { accountId, email: 'grace@example.org' }),
  ]
  const texts = new Set<string>()
  for (const url of forged) {
    const { status, text } = await post(url)
    assert.equal(status, 404, url)
    texts.add(text)
  }
  assert.equal(texts.size, 1)
  assert.equal(await isUnsubscribed('grace@example.org'), false)
  let limited = 0
  for (let n = 0; n < 130; n++) if ((await post(forged[0] as string)).status === 429) limited++
  assert.ok(limited > 0)
  // One provider posts for many people.
  for (let n = 0; n < 130; n++) assert.equal((await post(linkFor(`${n}@example.org`))).status, 200)
  clock.advance(MINUTE)
  assert.equal(
    readUnsubscribe(secret, new URL(genuine).pathname.split('/')[2] as string)?.accountId,
    accountId,
  )
})

test('every account and every address has a link of its own', async t => {
  const { secret, accountId, apply, app } = await start(t)
  const other = (await apply({ account: { ...ACCOUNT, email: 'bob@example.org' } })).account_id
  const links = [accountId, other].flatMap(account =>
    ['a@example.org', 'b@example.org'].map(email =>
      unsubscribeUrl(app.siteUrl, secret, { accountId: account, email }),
    ),
  )
  assert.equal(new Set(links).size, 4)
  for (const link of links) assert.ok(link.length < 400)
  const long = unsubscribeUrl(app.siteUrl, secret, {
    accountId,
    email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}`,
  })
  // A header has no line of more than 998 (RFC 5322, section 2.1.1).
  assert.ok(long.length < 900)
})

const ACCOUNT = { name: 'Bob', timezone: 'UTC', currency: 'EUR' }

test('the link of one person is answered sixty times a minute, and that of another from the same provider as before', async t => {
  const { linkFor, clock } = await start(t)
  const statuses: number[] = []
  for (let n = 0; n < 62; n++) statuses.push((await post(linkFor('ann@example.org'))).status)
  assert.deepEqual(statuses.slice(58), [200, 200, 429, 429])
  assert.equal((await post(linkFor('bob@example.org'))).status, 200)
  clock.advance(MINUTE)
  assert.equal((await post(linkFor('ann@example.org'))).status, 200)
})
