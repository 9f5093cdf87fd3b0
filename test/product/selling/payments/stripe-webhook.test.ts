import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { MINUTE } from '#base/time.ts'
import { connectStripe, findAccess, findStripe } from '#product/selling/payments/connections.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'

const PUBLIC = 'https://tickets.example.org'

/** A whole server at a public address, and the stand-in, which sends there. */
async function start(t: TestContext, baseUrl = PUBLIC) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const settings = { testPayments: true, stripeApi: standIn.origin, baseUrl }
  const server = await startWithOrganization(t, organization(), { settings })
  const { db, app, applied, clock } = server
  const accountId = applied.account_id
  const origin = new URL(app.url).origin
  await standIn.forwardWebhooks(PUBLIC, origin)
  const found = { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() }
  await db.write(accountId, tx => connectStripe(tx, found))
  const access = () => db.read(accountId, tx => findAccess(tx))
  const send = (body: string, signature: string, id = accountId) =>
    fetch(`${origin}/orders/stripe/${id}`, {
      method: 'POST',
      body,
      headers: { 'Stripe-Signature': signature },
    })
  const sign = (body: string, secret: string, at = clock()) => {
    const seconds = Math.floor(at / 1000)
    return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
  }
  return { ...server, accountId, origin, standIn, access, send, sign }
}

const EVENT = {
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  created: 1_795_262_400,
  livemode: false,
  data: {
    object: { id: 'cs_test_unknown', object: 'checkout.session', metadata: { turnout_payment: newUuid() } },
  },
}

const asksOf = async (standIn: StripeStandIn) =>
  (await standIn.requests({ method: 'GET', endpoint: '/v1/checkout/sessions/:id' })).length

test('a server that Stripe can reach registers itself once', async t => {
  const { app, standIn, access, accountId, db, clock } = await start(t)
  const { webhook } = await onceSettled({ app }, 'stripe', 'an endpoint', async () => {
    const now = await access()
    return now?.webhook === undefined ? undefined : now
  })
  assert.equal(webhook?.url, `${PUBLIC}/orders/stripe/${accountId}`)
  const endpoints = async () => (await standIn.books(ACCOUNT)).webhookEndpoints
  const [registered, ...others] = await endpoints()
  assert.deepEqual(others, [])
  assert.deepEqual(registered?.metadata, { turnout_account: accountId })
  assert.ok(!registered?.enabled_events.includes('*'))
  assert.equal((await db.read(accountId, tx => findStripe(tx)))?.has_webhook, true)
  clock.advance(2 * MINUTE)
  await standIn.advance(2 * MINUTE)
  assert.equal((await endpoints()).length, 1)
})

test('a webhook that is signed wakes who asks Stripe itself, and is answered 200', async t => {
  const { app, send, sign, access, standIn } = await start(t)
  const secret = await onceSettled(
    { app },
    'stripe',
    'a secret',
    async () => (await access())?.webhookSecrets[0],
  )
  const body = JSON.stringify(EVENT)
  const answer = await send(body, sign(body, secret))
  assert.equal(answer.status, 200)
  await onceSettled({ app }, 'stripe', 'the question', async () => (await asksOf(standIn)) > 0)
})

test('forged, replayed, another account’s, of the other mode, or for nobody: 400 alike, and nothing is asked', async t => {
  const { app, send, sign, access, standIn, clock, accountId } = await start(t)
  const secret = await onceSettled(
    { app },
    'stripe',
    'a secret',
    async () => (await access())?.webhookSecrets[0],
  )
  const body = JSON.stringify(EVENT)
  const good = sign(body, secret)
  const live = JSON.stringify({ ...EVENT, livemode: true })
  const tries: [string, Response][] = [
    ['no signature', await send(body, '')],
    ['no header of ours', await send(body, 'garbage')],
    ['another secret', await send(body, sign(body, 'whsec_forged'))],
    ['an empty secret', await send(body, sign(body, ''))],
    ['other bytes', await send(body.replace('cs_test_unknown', 'cs_test_forged1'), good)],
    ['too old', await send(body, sign(body, secret, clock() - 5 * MINUTE - 1000))],
    ['the other mode', await send(live, sign(live, secret))],
    ['nobody', await send(body, good, newUuid())],
    ['no id', await send(body, good, 'acct_organizer')],
    ['the secret of who is not there', await send(body, sign(body, 'whsec_nobody'), newUuid())],
  ]
  const [, first] = tries[0] as [string, Response]
  const shown = await first.text()
  for (const [what, answer] of tries) {
    assert.equal(answer.status, 400, what)
    assert.equal(answer === first ? shown : await answer.text(), shown, what)
  }
  assert.ok(!shown.includes(accountId))
  const large = await send('x'.repeat(256 * 1024 + 1), good)
  assert.equal(large.status, 413)
  assert.equal(await asksOf(standIn), 0)
})

test('while one endpoint takes the place of another both secrets are taken', async t => {
  const { app, send, sign, access, db, accountId, standIn, clock } = await start(t)
  const former = await onceSettled(
    { app },
    'stripe',
    'a secret',
    async () => (await access())?.webhookSecrets[0],
  )
  await db.write(accountId, tx =>
    tx.run(
      "UPDATE payment_connections SET webhook_id = 'we_of_old', webhook_url = 'https://old.example.org/' WHERE account_id = $1",
      [accountId],
    ),
  )
  clock.advance(2 * MINUTE)
  await standIn.advance(2 * MINUTE)
  const secrets = await onceSettled({ app }, 'stripe', 'another secret', async () => {
    const now = await access()
    return now !== undefined && now.webhookSecrets.length === 2 ? now.webhookSecrets : undefined
  })
  assert.ok(secrets.includes(former))
  const body = JSON.stringify({ ...EVENT, type: 'account.updated' })
  for (const secret of secrets) assert.equal((await send(body, sign(body, secret))).status, 200)
  // The secret is stored before the former endpoint goes: a crash between the two loses nothing.
  await onceSettled({ app }, 'stripe', 'one endpoint', async () => {
    const { webhookEndpoints } = await standIn.books(ACCOUNT)
    return webhookEndpoints.length === 1 ? webhookEndpoints : undefined
  })
})

test('a server at an address of its own network registers nothing, and asks all the same', async t => {
  const { app, standIn, db, accountId } = await start(t, 'http://192.168.1.5:8080')
  await onceSettled(
    { app },
    'stripe',
    'a look',
    async () => (await db.read(accountId, tx => findStripe(tx)))?.events_read_at,
  )
  assert.deepEqual((await standIn.books(ACCOUNT)).webhookEndpoints, [])
  assert.deepEqual(await standIn.requests({ endpoint: '/v1/webhook_endpoints' }), [])
})

test('no key and no secret is in the log of the server', async t => {
  const { app, log, access, send, sign } = await start(t)
  const secret = await onceSettled(
    { app },
    'stripe',
    'a secret',
    async () => (await access())?.webhookSecrets[0],
  )
  const body = JSON.stringify(EVENT)
  await send(body, sign(body, secret))
  await send(body, sign(body, 'whsec_forged'))
  const lines = JSON.stringify(log)
  for (const text of [KEY, secret, 'whsec_', 'cs_test_unknown']) assert.ok(!lines.includes(text), text)
})
