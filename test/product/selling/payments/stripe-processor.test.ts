import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newUuid } from '#base/ids.ts'
import { DAY, MINUTE } from '#base/time.ts'
import { findAccess } from '#product/selling/payments/connections.ts'
import { type Call, type NewSession, ProcessorFault } from '#product/selling/payments/processor.ts'
import { ACCOUNT, type Connected, connectedToStripe, KEY } from '#test/support/stripe/stripe-connection.ts'

const SESSIONS = '/v1/checkout/sessions'

/** A call as it is kept before it is sent. */
async function prepared({ processor, accountId, clock }: Connected, session: NewSession): Promise<Call> {
  return { key: newUuid(), at: clock(), parameters: await processor.prepare(accountId, session) }
}

const faultOf = (kind: string, code?: string) => (error: unknown) => {
  assert.ok(error instanceof ProcessorFault, String(error))
  assert.deepEqual({ kind: error.kind, code: error.code }, { kind, code })
  return true
}

test('a session is hosted by Stripe, asks for the total exactly, names our ids, and can be paid for 32 minutes', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn, clock, eventId } = connected
  const wanted = await connected.newSession({ amount: 12_345, email: 'grace@example.org' })
  const call = await prepared(connected, wanted)
  const made = await processor.start(accountId, call)
  assert.equal(made.state, 'open')
  assert.equal(made.paymentId, wanted.paymentId)
  assert.deepEqual([made.amount, made.currency, made.chargeId, made.fee], [12_345, 'EUR', null, null])
  assert.equal(made.expiresAt, clock() + 32 * MINUTE)
  assert.ok(made.url?.startsWith(standIn.origin))
  const { sessions, intents } = await standIn.books(ACCOUNT)
  const [session] = sessions
  assert.equal(session?.client_reference_id, wanted.paymentId)
  assert.deepEqual(session?.metadata, {
    turnout_account: accountId,
    turnout_payment: wanted.paymentId,
    turnout_order: wanted.orderId,
    turnout_event: eventId,
  })
  assert.equal(session?.customer_email, 'grace@example.org')
  assert.deepEqual([session?.success_url, session?.cancel_url], [wanted.returnUrl, wanted.returnUrl])
  assert.equal(session?.adaptive_pricing?.enabled, false)
  assert.ok(
    !session?.payment_method_types.includes('sepa_debit'),
    'money that comes days later is not offered',
  )
  await standIn.pay(made.id)
  assert.equal((await standIn.books(ACCOUNT)).intents[0]?.metadata.turnout_payment, wanted.paymentId)
  assert.deepEqual(intents, [])
  assert.deepEqual(await standIn.unkeyed(), [])
})

test('the key that every POST has is ours', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn } = connected
  const { sessionId } = await connected.begin()
  await standIn.pay(sessionId)
  const { chargeId } = await processor.read(accountId, sessionId)
  const refund = {
    refundId: newUuid(),
    paymentId: null,
    chargeId: chargeId as string,
    currency: 'EUR',
    amount: 100,
  }
  const parameters = await processor.prepareRefund(accountId, refund)
  await processor.refund(accountId, { key: newUuid(), at: 0, parameters })
  const { sessionId: other } = await connected.begin()
  await processor.expire(accountId, other)
  assert.deepEqual(await standIn.unkeyed(), [])
  assert.equal((await standIn.requests({ method: 'POST' })).length, 4)
})

test('what is said of time is that of Stripe: asked for where it is not known, and again once our clock was moved', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn, clock } = connected
  await standIn.advance(-7 * MINUTE)
  const expiry = async () => {
    const { expires_at } = (await processor.prepare(accountId, await connected.newSession())) as {
      expires_at: number
    }
    return expires_at * 1000 - Date.parse(await standIn.now())
  }
  assert.equal(await expiry(), 32 * MINUTE)
  assert.equal((await standIn.requests()).length, 1)
  assert.equal(await expiry(), 32 * MINUTE)
  assert.equal((await standIn.requests()).length, 1, 'it was known')
  clock.advance(3 * MINUTE)
  assert.equal(await expiry(), 32 * MINUTE)
  assert.equal((await standIn.requests()).length, 2)
})

test('a call that is sent twice makes one session, and the second answer says what became of it meanwhile', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn } = connected
  const call = await prepared(connected, await connected.newSession())
  const first = await processor.start(accountId, call)
  await standIn.pay(first.id)
  const second = await processor.start(accountId, call)
  assert.equal(second.id, first.id)
  assert.equal(second.state, 'paid')
  assert.equal((await standIn.books(ACCOUNT)).sessions.length, 1)
})

test('a connection that closes after the session was made costs nothing: the same key goes again', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn } = connected
  const call = await prepared(connected, await connected.newSession())
  await standIn.fault({ kind: 'drop after', method: 'POST', path: SESSIONS })
  const made = await processor.start(accountId, call)
  assert.equal(made.state, 'open')
  assert.equal((await standIn.books(ACCOUNT)).sessions.length, 1)
})

test('each way in which Stripe does not answer is told apart, and nothing of what was sent is in the error', async t => {
  const connected = await connectedToStripe(t, { deadline: 300, silence: 250 })
  const { processor, accountId, standIn } = connected
  const call = await prepared(connected, await connected.newSession())
  const start = () => processor.start(accountId, call)
  const post = { method: 'POST', path: SESSIONS } as const
  await standIn.fault({ ...post, kind: 'slow', ms: 1_000 })
  await assert.rejects(start, faultOf('silent'))
  await standIn.clearFaults()
  const other = () => prepared(connected, { ...SESSION, eventId: connected.eventId })
  await standIn.fault({ ...post, kind: 'drop before', times: 2 })
  await assert.rejects(async () => processor.start(accountId, await other()), faultOf('silent'))
  await standIn.fault({ ...post, kind: 'html' })
  await assert.rejects(async () => processor.start(accountId, await other()), faultOf('silent'))
  await standIn.fault({ ...post, kind: 'rate limit' })
  await assert.rejects(async () => processor.start(accountId, await other()), faultOf('busy', 'rate_limit'))
  await standIn.fault({ ...post, kind: 'lock timeout' })
  await assert.rejects(async () => processor.start(accountId, await other()), faultOf('busy', 'lock_timeout'))
  const failing = await other()
  await standIn.fault({ ...post, kind: 'error after' })
  await assert.rejects(() => processor.start(accountId, failing), faultOf('failed'))
  await assert.rejects(() => processor.start(accountId, failing), faultOf('failed', 'replayed'))
  const changed = { ...call, parameters: { ...call.parameters, locale: 'es' } }
  await assert.rejects(() => processor.start(accountId, changed), faultOf('refused', 'idempotency_error'))
  await assert.rejects(
    () => processor.read(accountId, 'cs_test_none'),
    faultOf('refused', 'resource_missing'),
  )
  await standIn.down()
  await assert.rejects(start, faultOf('silent'))
  const error = await start().catch((reason: unknown) => reason)
  const shown = `${JSON.stringify(error)} ${(error as Error).stack}`
  assert.doesNotMatch(shown, new RegExp(`${KEY}|grace|${SESSION.reference}`))
  assert.equal((error as Error).cause, undefined)
})

const SESSION: NewSession = {
  ...{ paymentId: newUuid(), orderId: newUuid(), eventId: '', reference: 'K7Q2M', title: 'Spring Meeting' },
  ...{ email: 'grace@example.org', language: 'en', currency: 'EUR', amount: 5000 },
  returnUrl: 'https://tickets.example.org/orders/secret',
  takesDelayed: false,
}

test('a key that Stripe refuses is written down, and its owner is told; once it is taken again, no more', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn, db } = connected
  const { sessionId } = await connected.begin()
  const trouble = async () => (await db.read(accountId, tx => findAccess(tx)))?.trouble
  await standIn.revokeKey(KEY)
  await assert.rejects(() => processor.read(accountId, sessionId), faultOf('denied', 'api_key_expired'))
  assert.equal(await trouble(), 'denied')
  await standIn.addKey(KEY, { account: ACCOUNT })
  await connected.read()
  assert.equal(await trouble(), null)
})

test('an account without Stripe is denied, and nobody is asked', async t => {
  const connected = await connectedToStripe(t, { isConnected: false })
  const { processor, accountId, standIn } = connected
  await assert.rejects(() => processor.read(accountId, 'cs_test_a'), faultOf('denied', 'not_connected'))
  assert.deepEqual(await standIn.requests(), [])
})

test('what was paid has its charge, its time and its fee; a fee that comes later, or in another currency, is not known', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn, clock } = connected
  const { sessionId } = await connected.begin({ amount: 10_000 })
  await standIn.pay(sessionId)
  const { chargeId, fee, paidAt, ...paid } = await processor.read(accountId, sessionId)
  assert.deepEqual([paid.state, paid.url, paid.amount, paid.currency], ['paid', null, 10_000, 'EUR'])
  assert.match(chargeId ?? '', /^ch_/)
  assert.deepEqual([fee, paidAt, paid.isFeeForeign], [175, clock(), undefined])
  await standIn.setAccount(ACCOUNT, { fees: 'later' })
  const { sessionId: later } = await connected.begin()
  await standIn.pay(later)
  assert.deepEqual(
    [(await processor.read(accountId, later)).state, (await processor.read(accountId, later)).fee],
    ['paid', null],
  )
  await standIn.tellFee(later)
  assert.equal((await processor.read(accountId, later)).fee, 100)
  await standIn.setAccount(ACCOUNT, { fees: 'at once', settlement: { currency: 'usd', rate: 1.1 } })
  const { sessionId: foreign } = await connected.begin()
  await standIn.pay(foreign)
  const read = await processor.read(accountId, foreign)
  assert.deepEqual([read.fee, read.isFeeForeign, read.amount, read.currency], [null, true, 5000, 'EUR'])
})

test('the states of a session: declined stays open, a late method is under way until it succeeds or fails, an ended one has no page', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn } = connected
  const stateOf = async (id: string) => (await processor.read(accountId, id)).state
  const { sessionId } = await connected.begin()
  await standIn.decline(sessionId)
  assert.equal(await stateOf(sessionId), 'open')
  await standIn.payLater(sessionId, { evenIfNotOffered: true })
  assert.equal(await stateOf(sessionId), 'processing')
  await connected.advance(3 * DAY)
  await standIn.succeedLater(sessionId)
  const paid = await processor.read(accountId, sessionId)
  assert.equal(paid.state, 'paid')
  assert.equal(paid.paidAt, Date.parse(await standIn.now()), 'when the money came, not when it was promised')
  const { sessionId: failing } = await connected.begin()
  await standIn.payLater(failing, { evenIfNotOffered: true })
  await standIn.failLater(failing)
  assert.equal(await stateOf(failing), 'failed')
  const { sessionId: ending } = await connected.begin()
  await connected.advance(33 * MINUTE)
  assert.equal(await stateOf(ending), 'expired')
})

test('who ends a session is told what became of it: ended, or paid a moment before', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn } = connected
  const { sessionId } = await connected.begin()
  const ended = await processor.expire(accountId, sessionId)
  assert.deepEqual([ended.state, ended.url], ['expired', null])
  assert.equal((await processor.expire(accountId, sessionId)).state, 'expired')
  const { sessionId: paid } = await connected.begin()
  await standIn.pay(paid)
  assert.equal((await processor.expire(accountId, paid)).state, 'paid')
})

test('a session whose answer was lost is found by our id among all others, and one that was never made is not', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, clock, standIn } = connected
  const since = clock()
  const wanted = await connected.newSession()
  const call = await prepared(connected, wanted)
  await standIn.fault({ kind: 'error after', method: 'POST', path: SESSIONS })
  await assert.rejects(() => processor.start(accountId, call), faultOf('failed'))
  for (let others = 0; others < 110; others++)
    await processor.start(accountId, {
      ...call,
      key: newUuid(),
      parameters: { ...call.parameters, metadata: {} },
    })
  await connected.advance(MINUTE)
  const found = await processor.find(accountId, wanted.paymentId, since)
  assert.equal(found?.paymentId, wanted.paymentId)
  assert.equal(await processor.find(accountId, newUuid(), since), undefined)
})

test('a refund goes back once, is found again by our id, and says when it was made and how it went', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId, standIn, clock } = connected
  const { sessionId, paymentId } = await connected.begin({ amount: 10_000 })
  await standIn.pay(sessionId)
  const { chargeId } = await processor.read(accountId, sessionId)
  const wanted = {
    refundId: newUuid(),
    paymentId,
    chargeId: chargeId as string,
    currency: 'EUR',
    amount: 3_000,
  }
  const call = { key: newUuid(), at: clock(), parameters: await processor.prepareRefund(accountId, wanted) }
  const made = await processor.refund(accountId, call)
  assert.deepEqual(made, {
    ...{ id: made.id, refundId: wanted.refundId, chargeId, state: 'done', currency: 'EUR', amount: 3_000 },
    at: clock(),
  })
  assert.equal((await processor.refund(accountId, call)).id, made.id)
  assert.equal((await standIn.books(ACCOUNT)).refunds.length, 1)
  assert.equal((await processor.findRefund(accountId, wanted, clock()))?.id, made.id)
  assert.equal(await processor.findRefund(accountId, { ...wanted, refundId: newUuid() }, clock()), undefined)
  await connected.advance(2 * DAY)
  await standIn.failRefund(made.id)
  const failed = await processor.readRefund(accountId, made.id)
  assert.deepEqual([failed.state, failed.failedAt], ['failed', clock()])
  await standIn.setRefundCourse(ACCOUNT, 'pending')
  const pending = { ...call, key: newUuid() }
  assert.equal((await processor.refund(accountId, pending)).state, 'pending')
  const tooMuch = await processor.prepareRefund(accountId, { ...wanted, amount: 9_000 })
  await assert.rejects(
    () => processor.refund(accountId, { ...call, key: newUuid(), parameters: tooMuch }),
    (error: unknown) => error instanceof ProcessorFault && error.kind === 'refused',
  )
})

for (const [currency, amount, shown] of [
  ['JPY', 5000, 5000],
  ['KWD', 5120, 5120],
  ['UGX', 5000, 500_000],
  ['ISK', 900, 90_000],
  ['USD', 20 * 1999, 39_980],
] as const) {
  test(`${amount} minor units of ${currency} are asked for as ${shown}, and come back as they went`, async t => {
    const connected = await connectedToStripe(t)
    const { processor, accountId, standIn } = connected
    const { sessionId } = await connected.begin({ currency, amount })
    assert.equal((await standIn.books(ACCOUNT)).sessions[0]?.amount_total, shown)
    await standIn.pay(sessionId)
    const paid = await processor.read(accountId, sessionId)
    assert.deepEqual([paid.amount, paid.currency], [amount, currency])
  })
}

test('an address that Stripe might not take is typed by the buyer there', async t => {
  const connected = await connectedToStripe(t)
  const { processor, accountId } = connected
  for (const email of ['grace@localhost', "o'hara@example.org", 'grace@münchen.example']) {
    const parameters = await processor.prepare(accountId, await connected.newSession({ email }))
    assert.equal(parameters.customer_email, undefined, email)
  }
})
