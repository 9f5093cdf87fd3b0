import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { HOUR } from '#base/time.ts'
import { stripeClient } from '#test/support/stripe/client.ts'
import { movableClock } from '#test/support/stripe/clock.ts'
import { type StandInOptions, StripeStandIn } from '#test/support/stripe/stand-in.ts'

const KEY = 'rk_test_organizer0001'
const NOON = Date.parse('2026-11-21T12:00:00Z') / 1000

async function start(t: TestContext, options: StandInOptions = {}) {
  const standIn = await StripeStandIn.start({ clock: movableClock('2026-11-21T12:00:00Z'), ...options })
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: 'acct_one' })
  return { standIn, stripe: stripeClient(standIn, KEY) }
}

type Create = Stripe.Checkout.SessionCreateParams
const line = (amount: number, currency = 'eur', quantity = 1) => ({
  quantity,
  price_data: { currency, unit_amount: amount, product_data: { name: 'Ticket' } },
})
const session = (changes: Partial<Create> = {}): Create => ({
  mode: 'payment',
  success_url: 'https://tickets.example.org/done?session={CHECKOUT_SESSION_ID}',
  line_items: [line(1_000)],
  ...changes,
})

/** Returns what an error says: its status, Stripe's type and code, and the parameter. */
async function refusal(answer: Promise<unknown>) {
  const error = await answer.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Stripe.errors.StripeError, String(error))
  return [error.statusCode, error.rawType, error.code, error.param]
}

/** Sends a request without the library, for what that would not send. */
function raw(standIn: StripeStandIn, method: string, path: string, body: string | null, headers = {}) {
  return fetch(`${standIn.origin}${path}`, {
    method,
    body,
    headers: {
      authorization: `Bearer ${KEY}`,
      'stripe-version': '2026-10-28.endive',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
  })
}

test('keys are refused that are wrong, revoked or not allowed, also for what they would expand', async t => {
  const { standIn, stripe } = await start(t)
  assert.equal((await stripe.accounts.retrieveCurrent()).id, 'acct_one')
  assert.deepEqual(await refusal(stripeClient(standIn, 'rk_test_nobodys00').accounts.retrieveCurrent()), [
    401,
    'invalid_request_error',
    undefined,
    undefined,
  ])
  await standIn.addKey('rk_test_sessions0001', {
    account: 'acct_one',
    permissions: ['checkout_session_write'],
  })
  const limited = stripeClient(standIn, 'rk_test_sessions0001')
  const made = await limited.checkout.sessions.create(session())
  await limited.checkout.sessions.retrieve(made.id)
  const denied = limited.refunds.list()
  await assert.rejects(denied, /'rk_test_\*+ns0001'.*'acct_one'.*'charge_read'/)
  assert.equal((await refusal(limited.refunds.list()))[0], 403)
  const expanded = limited.checkout.sessions.retrieve(made.id, { expand: ['payment_intent'] })
  assert.equal((await refusal(expanded))[0], 403)
  const createdAndExpanded = limited.checkout.sessions.create(
    session({ expand: ['payment_intent.latest_charge'] }),
  )
  assert.equal((await refusal(createdAndExpanded))[0], 403)
  assert.equal((await stripe.checkout.sessions.list({ expand: ['data.payment_intent'] })).data.length, 1)
  const basic = { authorization: `Basic ${Buffer.from(`${KEY}:`).toString('base64')}` }
  const answer = await raw(standIn, 'GET', '/v1/account', null, basic)
  assert.deepEqual([answer.status, answer.headers.get('date')], [200, 'Sat, 21 Nov 2026 12:00:00 GMT'])
  await standIn.revokeKey(KEY)
  assert.deepEqual((await refusal(stripe.accounts.retrieveCurrent())).slice(0, 3), [
    401,
    'invalid_request_error',
    'api_key_expired',
  ])
})

test('objects belong to one account and one mode', async t => {
  const { standIn, stripe } = await start(t)
  await standIn.addKey('rk_live_organizer0001', { account: 'acct_one' })
  await standIn.addKey('sk_test_somebodyelse', { account: 'acct_two' })
  const { id, livemode } = await stripe.checkout.sessions.create(session())
  assert.equal(livemode, false)
  const live = stripeClient(standIn, 'rk_live_organizer0001').checkout.sessions.retrieve(id)
  await assert.rejects(live, /similar object exists in test mode, but a live mode key/)
  const other = stripeClient(standIn, 'sk_test_somebodyelse')
  assert.deepEqual(await refusal(other.checkout.sessions.retrieve(id)), [
    404,
    'invalid_request_error',
    'resource_missing',
    'session',
  ])
  assert.deepEqual((await other.checkout.sessions.list()).data, [])
})

test('parameters are those that Stripe documents, and their values too', async t => {
  const { standIn, stripe } = await start(t)
  const { sessions } = stripe.checkout
  const faultOf = async (changes: object) =>
    (await refusal(sessions.create(session(changes), { idempotencyKey: 'same' }))).slice(2)
  assert.deepEqual(await faultOf({ colour: 'red' }), ['parameter_unknown', 'colour'])
  assert.deepEqual(await faultOf({ payment_method_types: ['card'] }), [
    'parameter_unknown',
    'payment_method_types',
  ])
  assert.deepEqual(await faultOf({ mode: undefined }), ['parameter_missing', 'mode'])
  assert.deepEqual(await faultOf({ expires_at: 'soon' }), ['parameter_invalid_integer', 'expires_at'])
  assert.deepEqual(await faultOf({ customer_email: 'ana' }), ['email_invalid', 'customer_email'])
  assert.deepEqual(await faultOf({ success_url: '/done' }), ['url_invalid', 'success_url'])
  assert.deepEqual(await faultOf({ locale: 'xx' }), [undefined, 'locale'])
  assert.deepEqual(await faultOf({ line_items: [{ ...line(1), quantity: 0 }] }), [
    'parameter_invalid_integer',
    'line_items[0][quantity]',
  ])
  assert.deepEqual(await faultOf({ metadata: { order: 'x'.repeat(501) } }), [undefined, 'metadata[order]'])
  assert.deepEqual(await faultOf({ expand: ['customer'] }), [undefined, 'expand'])
  const json = await raw(standIn, 'POST', '/v1/refunds', '{}', { 'content-type': 'application/json' })
  assert.match(await json.text(), /content type is application\/x-www-form-urlencoded/)
  const unversioned = await raw(standIn, 'GET', '/v1/account', null, { 'stripe-version': '2020-08-27' })
  assert.equal(unversioned.status, 400)
  assert.equal((await raw(standIn, 'GET', '/v1/balances', null)).status, 404)
  await sessions.create(session(), { idempotencyKey: 'same' })
})

test('a session may expire from 30 minutes to 24 hours after its creation, by the clock of the stand-in', async t => {
  const { standIn, stripe } = await start(t)
  const { sessions } = stripe.checkout
  const ending = (seconds: number) => sessions.create(session({ expires_at: NOON + seconds }))
  assert.deepEqual((await refusal(ending(1_799)))[3], 'expires_at')
  assert.deepEqual((await refusal(ending(86_401)))[3], 'expires_at')
  const [soon, late] = [await ending(1_800), await ending(86_400)]
  assert.equal((await sessions.create(session())).expires_at, NOON + 86_400)
  await standIn.advance(1_799_000)
  assert.equal((await sessions.retrieve(soon.id)).status, 'open')
  await standIn.advance(60_000)
  const ended = await sessions.retrieve(soon.id)
  assert.deepEqual([ended.status, ended.url, ended.payment_status], ['expired', null, 'unpaid'])
  await assert.rejects(standIn.pay(soon.id), /the session is expired/)
  await assert.rejects(sessions.expire(soon.id), /status in \["open"\] can be expired.*`expired`/)
  assert.equal((await sessions.expire(late.id)).status, 'expired')
  const { data } = await stripe.events.list({ types: ['checkout.session.expired'] })
  assert.deepEqual(
    data.map(event => event.created - NOON),
    [1_859, 1_800],
  )
})

test('a key does its work once for 24 hours, and is not for another request', async t => {
  const { standIn, stripe } = await start(t)
  const { sessions } = stripe.checkout
  const send = (key: string, body: string, path = '/v1/checkout/sessions') =>
    raw(standIn, 'POST', path, body, { 'idempotency-key': key })
  const body =
    'mode=payment&success_url=https%3A%2F%2Fexample.org%2F&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=1000&line_items[0][price_data][product_data][name]=T'
  const first = await send('k', body)
  const again = await send('k', body.split('&').reverse().join('&'))
  assert.equal(await again.text(), await first.text())
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('original-request'), first.headers.get('request-id'))
  const other = await send('k', body.replace('=1000', '=1001'))
  assert.deepEqual([other.status, (await other.json()).error.type], [400, 'idempotency_error'])
  assert.match(await (await send('k', '', '/v1/refunds')).text(), /same endpoint they were first used for/)
  await standIn.advance(24 * HOUR)
  await send('k', body.replace('=1000', '=1001'))
  assert.equal((await sessions.list()).data.length, 2)

  await standIn.setLatency(50)
  const both = await Promise.all([send('two', body), send('two', body)])
  assert.deepEqual(both.map(answer => answer.status).sort(), [200, 409])
})

test('a key remembers what the endpoint said, also errors, and not what came before it', async t => {
  const { standIn, stripe } = await start(t)
  const refund = (intent: string, key: string) =>
    refusal(stripe.refunds.create({ payment_intent: intent, amount: 5_000 }, { idempotencyKey: key }))
  const { id } = await stripe.checkout.sessions.create(session())
  await standIn.pay(id)
  const intent = String((await stripe.checkout.sessions.retrieve(id)).payment_intent)
  await refund(intent, 'r')
  await refund(intent, 'r')
  await standIn.fault({ kind: 'rate limit', method: 'POST', path: '/v1/checkout/sessions' })
  assert.equal((await refusal(stripe.checkout.sessions.create(session(), { idempotencyKey: 's' })))[0], 429)
  await standIn.fault({ kind: 'error after', method: 'POST', path: '/v1/checkout/sessions' })
  for (const _ of [1, 2]) {
    const failed = await refusal(stripe.checkout.sessions.create(session(), { idempotencyKey: 's' }))
    assert.deepEqual(failed.slice(0, 2), [500, 'api_error'])
  }
  await standIn.fault({ kind: 'error before', method: 'POST', path: '/v1/checkout/sessions' })
  await refusal(stripe.checkout.sessions.create(session(), { idempotencyKey: 'u' }))
  assert.equal((await stripe.checkout.sessions.list()).data.length, 2)
  await stripe.checkout.sessions.create(session(), { idempotencyKey: 'u' })
  assert.equal((await stripe.checkout.sessions.list()).data.length, 3)
  const requests = await standIn.requests({ method: 'POST' })
  assert.deepEqual(
    requests.map(({ status, replayed }) => [status, replayed]),
    [
      [200, false],
      [400, false],
      [400, true],
      [429, false],
      [500, false],
      [500, true],
      [500, false],
      [200, false],
    ],
  )
})

test('a POST whose key nobody chose is told of', async t => {
  const { standIn, stripe } = await start(t)
  await stripe.checkout.sessions.create(session(), { idempotencyKey: 'chosen' })
  assert.deepEqual(await standIn.unkeyed(), [])
  await stripe.checkout.sessions.create(session())
  await raw(standIn, 'POST', '/v1/refunds', '')
  const unkeyed = await standIn.unkeyed()
  assert.deepEqual(
    unkeyed.map(({ idempotencyKey: key, path }) => [key?.slice(0, 18) ?? null, path]),
    [
      ['stripe-node-retry-', '/v1/checkout/sessions'],
      [null, '/v1/refunds'],
    ],
  )
})

test('a connection drops, Stripe is slow, down, or behind a proxy, and says so when it is too much', async t => {
  const { standIn, stripe } = await start(t)
  const path = '/v1/checkout/sessions'
  const make = (idempotencyKey: string, options = {}) =>
    stripe.checkout.sessions.create(session(), { idempotencyKey, ...options })
  const count = async () => (await standIn.books('acct_one')).sessions.length
  await standIn.fault({ kind: 'drop after', method: 'POST', path })
  await make('a')
  assert.equal(await count(), 1)
  await standIn.fault({ kind: 'drop after', method: 'POST', path, times: 2 })
  await assert.rejects(make('b'), Stripe.errors.StripeConnectionError)
  await standIn.fault({ kind: 'drop before', method: 'POST', path, nth: 2, times: 2 })
  await make('b')
  await assert.rejects(make('c'), Stripe.errors.StripeConnectionError)
  assert.equal(await count(), 2)
  await standIn.fault({ kind: 'slow', method: 'POST', path, ms: 200 })
  await assert.rejects(make('d', { timeout: 50 }), Stripe.errors.StripeConnectionError)
  assert.equal((await refusal(make('d')))[2], 'idempotency_key_in_use')
  await standIn.fault({ kind: 'html', method: 'GET', path: '/v1/account' })
  await assert.rejects(stripe.accounts.retrieveCurrent(), /Invalid JSON/)
  await standIn.down()
  await assert.rejects(stripe.accounts.retrieveCurrent(), Stripe.errors.StripeConnectionError)
  await standIn.up()
  await standIn.setRate(3)
  const answers = await Promise.allSettled([1, 2, 3, 4, 5].map(() => stripe.accounts.retrieveCurrent()))
  assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 3)
  await stripe.refunds.list()
  await standIn.setRate(0, 2)
  await stripe.events.list()
  assert.equal((await refusal(Promise.all([stripe.events.list(), stripe.refunds.list()])))[2], 'rate_limit')
  await standIn.setRate(0)
  await standIn.setMostWaiting(2)
  await standIn.setLatency(30)
  const many = await Promise.allSettled([1, 2, 3].map(() => stripe.refunds.list()))
  assert.equal(many.filter(({ status }) => status === 'fulfilled').length, 2)
})
