import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import Stripe from 'stripe'
import { signWebhook } from '#product/administration/webhooks/delivery/signature.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import { type Received, startReceiver } from '#test/support/receiver.ts'
import { onceSettled } from '#test/support/settled.ts'
import { startWithWebhooks } from '#test/support/webhooks.ts'

const HOUR = 3_600_000
const stripe = new Stripe('sk_test_unused')

/** Verifies as a receiver does, with the library that many of them use, at a time of its clock in seconds. */
function verify(body: string | Buffer, signature: string, secret: string, now: number) {
  return stripe.webhooks.constructEvent(body, signature, secret, 300, undefined, now * 1000)
}

function signatureOf(received: Received): string {
  return String(received.headers['svc-signature'])
}

async function startWithReceiver(t: TestContext) {
  const server = await startWithWebhooks(t)
  const receiver = await startReceiver(t)
  const endpoint = await server.subscribe(receiver, 'registration.created')
  /** Registers a guest, and returns the webhook of it. */
  const next = async (changes: object = {}) => {
    const { id } = await server.register(changes)
    return onceSettled(server, 'webhooks', 'the webhook', () =>
      receiver.received.find(({ event }) => event.data.object.id === id),
    )
  }
  return { ...server, receiver, endpoint, next, now: () => Math.floor(server.clock() / 1000) }
}

test('a signature is HMAC-SHA256 over the time and the raw body: a fixed vector', () => {
  const secret = 'whsec_dHVybm91dC10ZXN0LXZlY3Rvci1ub3QtYS1zZWNyZXQ'
  const body =
    '{"id":"evt_0197a0b43c5e7d219f105a7b1c2d3e4f","object":"event","type":"ping","created":1795262400,"data":{"object":{"name":"Zoë 🎟"}}}'
  const expected = 't=1795262400,v1=c3484f26f123af44acecdb3f4bd5db47ee68e5dfd45662aba0d7d345c1c61fb1'
  assert.equal(signWebhook([secret], 1_795_262_400_999, body), expected)
  assert.equal(verify(body, expected, secret, 1_795_262_400).id, 'evt_0197a0b43c5e7d219f105a7b1c2d3e4f')
})

test('the secret is whsec_ and 256 random bits, and all of that text is the key', async t => {
  const { endpoint, next, addEndpointTo } = await startWithReceiver(t)
  assert.match(endpoint.secret, /^whsec_[A-Za-z0-9_-]{43}$/)
  const other = await addEndpointTo('http://127.0.0.1:9/other', 'ping')
  assert.notEqual(other.secret, endpoint.secret)
  const received = await next()
  const [, t1, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signatureOf(received)) ?? []
  const expected = createHmac('sha256', endpoint.secret).update(`${t1}.${received.body}`).digest('hex')
  assert.equal(v1, expected)
})

test('the library that receivers use accepts header, raw body and secret as they are', async t => {
  const { endpoint, next, now } = await startWithReceiver(t)
  const received = await next({ buyer: { name: 'Zoë O’Neil 🎟 \\ "quoted"', email: 'zoe@example.org' } })
  const event = verify(received.body, signatureOf(received), endpoint.secret, now())
  assert.deepEqual(event, received.event)
  assert.deepEqual(verify(Buffer.from(received.body), signatureOf(received), endpoint.secret, now()), event)
})

test('an altered body, signature, time or secret is refused', async t => {
  const { endpoint, next, now } = await startWithReceiver(t)
  const received = await next()
  const { body } = received
  const signature = signatureOf(received)
  const { secret } = endpoint
  const altered: [name: string, body: string, signature: string, secret: string][] = [
    ['body', body.replace('Grace', 'Grade'), signature, secret],
    ['white space', `${body} `, signature, secret],
    ['parsed and written again', JSON.stringify(JSON.parse(body), null, 1), signature, secret],
    ['time', body, signature.replace(/t=\d+/, `t=${now() - 1}`), secret],
    ['signature', body, signature.replace(/.$/, last => (last === '0' ? '1' : '0')), secret],
    ['secret', body, signature, `${secret}x`],
    ['secret without its prefix', body, signature, secret.slice('whsec_'.length)],
  ]
  for (const [name, ...parts] of altered) {
    assert.throws(() => verify(...parts, now()), Stripe.errors.StripeSignatureVerificationError, name)
  }
})

test('a webhook is accepted 300 seconds after it was signed, and refused a second later', async t => {
  const { endpoint, next, now } = await startWithReceiver(t)
  const received = await next()
  const check = (age: number) => verify(received.body, signatureOf(received), endpoint.secret, now() + age)
  assert.equal(check(300).id, received.event.id)
  assert.throws(() => check(301), /outside the tolerance zone/)
})

test('for 24 hours after a rotation both secrets verify, and then only the new one', async t => {
  const { applied, endpoint, next, now, db, clock } = await startWithReceiver(t)
  const { secret: old, id } = endpoint
  const rotated = await db.write(applied.account_id, tx => webhooks.rotateSecret(tx, id))
  assert.notEqual(rotated.secret, old)
  assert.equal(rotated.previous_secret_expires_at, new Date(clock() + 24 * HOUR).toISOString())

  const both = async () => {
    const received = await next()
    assert.match(signatureOf(received), /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    assert.ok(verify(received.body, signatureOf(received), rotated.secret, now()))
    assert.ok(verify(received.body, signatureOf(received), old, now()))
  }
  await both()
  clock.advance(24 * HOUR - 1)
  await both()

  clock.advance(1)
  const received = await next()
  assert.match(signatureOf(received), /^t=\d+,v1=[0-9a-f]{64}$/)
  assert.ok(verify(received.body, signatureOf(received), rotated.secret, now()))
  assert.throws(() => verify(received.body, signatureOf(received), old, now()))
})

test('a second rotation ends the oldest secret at once', async t => {
  const { applied, endpoint, next, now, db } = await startWithReceiver(t)
  const first = await db.write(applied.account_id, tx => webhooks.rotateSecret(tx, endpoint.id))
  const second = await db.write(applied.account_id, tx => webhooks.rotateSecret(tx, endpoint.id))
  const received = await next()
  for (const { secret } of [first, second]) {
    assert.ok(verify(received.body, signatureOf(received), secret, now()))
  }
  assert.throws(() => verify(received.body, signatureOf(received), endpoint.secret, now()))
})
