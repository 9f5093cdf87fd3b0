import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { DAY } from '#base/time.ts'
import { startReceiver } from '#test/support/receiver.ts'
import { stripeClient } from '#test/support/stripe/client.ts'
import { movableClock } from '#test/support/stripe/clock.ts'
import { startStripeProcess } from '#test/support/stripe/process.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'

const KEY = 'rk_test_organizer0001'
const SECRET = 'whsec_of_the_test_only'

const order = (): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  success_url: 'https://tickets.example.org/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://tickets.example.org/back?a=1&b=2',
  line_items: [
    { quantity: 1, price_data: { currency: 'eur', unit_amount: 1_000, product_data: { name: 'Ticket' } } },
  ],
})

async function start(t: TestContext) {
  const standIn = await StripeStandIn.start({ clock: movableClock('2026-11-21T12:00:00Z') })
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: 'acct_one' })
  const receiver = await startReceiver(t)
  const stripe = stripeClient(standIn, KEY)
  const paid = async () => {
    const { id } = await stripe.checkout.sessions.create(order())
    await standIn.pay(id)
    return id
  }
  const came = () => receiver.received.map(({ event }) => event.type as string)
  return { standIn, receiver, stripe, paid, came }
}

async function code(answer: Promise<unknown>): Promise<string | undefined> {
  const error = await answer.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Stripe.errors.StripeInvalidRequestError, String(error))
  return error.code
}

test('events are listed the newest first, page by page, and kept for 30 days', async t => {
  const { standIn, stripe, paid } = await start(t)
  for (const _ of [1, 2, 3]) await paid()
  const all = await stripe.events.list({ limit: 100 })
  assert.equal(all.data.length, 12)
  const ids = all.data.map(({ id }) => id)
  const older = await stripe.events.list({ limit: 5, starting_after: String(ids[2]) })
  assert.deepEqual([older.data.map(({ id }) => id), older.has_more], [ids.slice(3, 8), true])
  const newer = await stripe.events.list({ limit: 2, ending_before: String(ids[4]) })
  assert.deepEqual([newer.data.map(({ id }) => id), newer.has_more], [ids.slice(2, 4), true])
  assert.equal((await stripe.events.list({ type: 'charge.*' })).data.length, 3)
  assert.equal(await code(stripe.events.list({ limit: 101 })), 'parameter_invalid_integer')
  assert.equal(await code(stripe.events.list({ starting_after: 'evt_nothing' })), 'resource_missing')
  await standIn.advance(30 * DAY)
  assert.deepEqual((await stripe.events.list()).data, [])
  assert.equal(await code(stripe.events.retrieve(String(ids[0]))), 'resource_missing')
})

test('an event may come late to the list, with the time at which it happened', async t => {
  const { standIn, stripe, paid } = await start(t)
  await standIn.holdEvents('acct_one')
  await paid()
  assert.deepEqual((await stripe.events.list()).data, [])
  await standIn.advance(60_000)
  await standIn.holdEvents('acct_one', false)
  await paid()
  const { data } = await stripe.events.list()
  assert.deepEqual(
    new Set(data.slice(4).map(({ created }) => created)),
    new Set([(data[0]?.created ?? 0) - 60]),
  )
})

test('an endpoint says its secret once, and its webhooks are signed with it', async t => {
  const { standIn, receiver, stripe, paid } = await start(t)
  const url = 'https://tickets.example.org/webhooks/stripe'
  const wish = { url, enabled_events: ['checkout.session.completed' as const], metadata: { by: 'turnout' } }
  const { id, secret = '' } = await stripe.webhookEndpoints.create(wish)
  assert.match(secret, /^whsec_/)
  assert.equal((await stripe.webhookEndpoints.retrieve(id)).secret, undefined)
  assert.equal((await stripe.webhookEndpoints.list()).data[0]?.metadata.by, 'turnout')
  for (const bad of ['http://tickets.example.org/', 'https://127.0.0.1/', 'https://localhost/']) {
    await assert.rejects(stripe.webhookEndpoints.create({ ...wish, url: bad }), /Invalid URL/)
  }
  await standIn.forwardWebhooks('https://tickets.example.org', receiver.url)
  const session = await paid()
  const [webhook, ...others] = receiver.received
  assert.deepEqual(others, [])
  assert.equal(webhook?.path, '/webhooks/stripe')
  const event = stripe.webhooks.constructEvent(
    webhook?.body ?? '',
    String(webhook?.headers['stripe-signature']),
    secret,
    300,
    undefined,
    Date.parse('2026-11-21T12:04:59Z'),
  )
  assert.equal((event.data.object as Stripe.Checkout.Session).id, session)
  assert.match(String(webhook?.headers['stripe-signature']), /^t=\d+,v1=[0-9a-f]{64},v0=/)
  await stripe.webhookEndpoints.update(id, { disabled: true })
  await paid()
  await stripe.webhookEndpoints.del(id)
  await paid()
  assert.equal(receiver.received.length, 1)
  await assert.rejects(stripe.webhookEndpoints.retrieve(id), /No such webhook endpoint/)
})

test('webhooks come late, in another order, twice, never, or are not Stripe’s', async t => {
  const { standIn, receiver, stripe, paid, came } = await start(t)
  const { url } = receiver
  await standIn.deliverTo({
    account: 'acct_one',
    url,
    secret: SECRET,
    events: ['charge.succeeded', 'checkout.session.completed'],
  })
  await standIn.setWebhookMode('held')
  await paid()
  assert.deepEqual(came(), [])
  await standIn.deliver({ types: ['checkout.session.completed'] })
  await standIn.deliver({ times: 2 })
  assert.deepEqual(came(), ['checkout.session.completed', 'charge.succeeded', 'charge.succeeded'])
  await paid()
  await standIn.deliver({ reversed: true })
  assert.deepEqual(came().slice(3), ['checkout.session.completed', 'charge.succeeded'])
  await standIn.setWebhookMode('never')
  await paid()
  await standIn.setWebhookMode('twice')
  await paid()
  assert.equal(came().length, 9)
  const event = String((await stripe.events.list({ limit: 1 })).data[0]?.id)
  await standIn.forge({ url, event, secret: 'whsec_of_somebody_else' })
  await standIn.forge({ url, event })
  const [forged, bare] = receiver.received.slice(-2)
  assert.throws(() =>
    stripe.webhooks.constructEvent(forged?.body ?? '', String(forged?.headers['stripe-signature']), SECRET),
  )
  assert.equal(bare?.headers['stripe-signature'], undefined)
})

test('a webhook may come before the answer to the request that it is of', async t => {
  const { standIn, receiver, stripe } = await start(t)
  await standIn.deliverTo({ account: 'acct_one', url: receiver.url, secret: SECRET })
  await standIn.setWebhookMode('early')
  const { id } = await stripe.checkout.sessions.create(order())
  receiver.behave((response, { event }) => {
    assert.equal(event.data.object.id, id)
    response.end()
  })
  const expired = stripe.checkout.sessions.expire(id).then(() => receiver.received.length)
  assert.equal(await expired, 1)
})

test('webhooks never leave this machine', async t => {
  const { standIn, stripe, paid } = await start(t)
  await stripe.webhookEndpoints.create({ url: 'https://tickets.example.org/', enabled_events: ['*'] })
  await paid()
  assert.ok((await standIn.deliveries()).every(({ problem }) => problem === 'not on this machine'))
})

test('the page of a session can be declined and paid, and leads back to who asked', async t => {
  const { stripe } = await start(t)
  const { id, url } = await stripe.checkout.sessions.create(order())
  const page = `${url}`
  const press = (action: string) => fetch(`${page}/${action}`, { method: 'POST', redirect: 'manual' })
  const html = await (await fetch(page)).text()
  assert.match(
    html,
    /<button>Pay<\/button>.*Decline.*Pay later.*href="https:\/\/tickets.example.org\/back\?a=1&#38;b=2"/,
  )
  assert.match(
    await (
      await fetch((await press('decline')).headers.get('location')?.replace(/^/, new URL(page).origin) ?? '')
    ).text(),
    /declined/,
  )
  const paid = await press('pay')
  assert.deepEqual(
    [paid.status, paid.headers.get('location')],
    [303, `https://tickets.example.org/done?session=${id}`],
  )
  assert.equal((await press('pay')).headers.get('location'), `/c/pay/${id}`)
  assert.match(await (await fetch(page)).text(), /already paid/)
})

test('the stand-in runs in a process of its own, whose methods are called across', async t => {
  const flags = ['--key', KEY, '--clock', '2026-11-21T12:00:00Z', '--rate', '25']
  const { origin, remote } = await startStripeProcess(t, ...flags)
  const stripe = stripeClient({ origin }, KEY)
  const { id } = await stripe.checkout.sessions.create(order(), { idempotencyKey: 'a' })
  await remote.pay(id)
  assert.equal((await stripe.checkout.sessions.retrieve(id)).payment_status, 'paid')
  assert.deepEqual(await remote.unkeyed(), [])
  await assert.rejects(remote.pay(id), /the session is complete/)
  await remote.down()
  await assert.rejects(stripe.accounts.retrieveCurrent(), Stripe.errors.StripeConnectionError)
  await remote.up()
  await remote.advance(3_600_000)
  assert.equal(await remote.now(), '2026-11-21T13:00:00.000Z')
  assert.equal((await stripe.accounts.retrieveCurrent()).id, 'acct_one')
})
