import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { MINUTE } from '#base/time.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import type { Processor, ProcessorName } from '#product/selling/payments/processor.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { canTake } from '#product/selling/payments/stripe/amounts.ts'
import { organization } from '#test/support/organization.ts'
import { startWithOrganization } from '#test/support/server.ts'
import { onceSettled } from '#test/support/settled.ts'
import { StripeStandIn } from '#test/support/stripe/stand-in.ts'
import { ACCOUNT, KEY } from '#test/support/stripe/stripe-connection.ts'

const PUBLIC = 'https://tickets.example.org'

/** Opens a server that sells by Stripe, and does what a buyer and time do. */
async function openShop(t: TestContext, baseUrl: string) {
  const standIn = await StripeStandIn.start()
  t.after(() => standIn.stop())
  await standIn.addKey(KEY, { account: ACCOUNT })
  const settings = { testPayments: true, stripeApi: standIn.origin, baseUrl }
  const server = await startWithOrganization(t, organization(), { settings })
  const { db, app, applied, clock } = server
  await standIn.forwardWebhooks(PUBLIC, new URL(app.url).origin)
  const accountId = applied.account_id
  const { id: eventId, registration_types } = applied.events['spring-meeting'] as NonNullable<
    (typeof applied.events)[string]
  >
  const found = { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() }
  await db.write(accountId, tx => connectStripe(tx, found))
  const can = { can: canTake } as Processor
  const processors = new Map<ProcessorName, Processor>([['stripe', can]])
  const order = async () => {
    const placed = await db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        eventId,
        {
          ...{
            formId: 'form',
            buyer: { name: 'Grace', email: 'grace@example.org' },
            language: 'en',
            answers: {},
          },
          agreement: agreementHash({ total: 5000, event: { currency: 'EUR', terms: null } }),
          lines: [
            { typeId: registration_types.Standard as string, tickets: [{ name: 'Grace', email: null }] },
          ],
        },
        { method: 'stripe', processors, signed: [] },
      ),
    )
    const session = await onceSettled({ app }, 'payments', 'a session', async () => {
      const [payment] = await db.read(accountId, tx => payments.listByOrder(tx, placed.id))
      return payment?.session_id ?? undefined
    })
    return { orderId: placed.id, session }
  }
  const stateOf = async (id: string) => (await db.read(accountId, tx => orders.get(tx, id))).status
  const entriesOf = async (orderId: string) =>
    (await db.read(accountId, tx => ledger.list(tx, { orderId }))).map(({ kind, amount }) => [kind, amount])
  /** Has the server learn what there is to learn at this instant, and act on it. */
  const settle = () => app.settled('stripe', 'payments')
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await standIn.advance(milliseconds)
    await settle()
  }
  return { ...server, standIn, accountId, eventId, order, stateOf, entriesOf, settle, pass }
}

for (const [how, baseUrl] of [
  ['with webhooks', PUBLIC],
  ['without any webhook', 'http://192.168.1.5:8080'],
] as const) {
  test(`an order that is paid at Stripe is confirmed ${how}, its fee known, and money goes back once`, async t => {
    const { app, standIn, db, accountId, eventId, order, ...shop } = await openShop(t, baseUrl)
    const { stateOf, entriesOf, settle, pass } = shop
    const hasWebhook = async () => (await standIn.books(ACCOUNT)).webhookEndpoints.length > 0
    if (baseUrl === PUBLIC) await onceSettled({ app }, 'stripe', 'an endpoint', hasWebhook)
    const { orderId, session } = await order()
    assert.equal(await stateOf(orderId), 'pending')
    await standIn.pay(session)
    if (baseUrl === PUBLIC) await settle()
    else await pass(MINUTE)
    assert.equal(await stateOf(orderId), 'confirmed')
    assert.deepEqual((await entriesOf(orderId)).sort(), [
      ['fee', -100],
      ['payment', 5000],
    ])
    const wanted = { orderId, eventId, currency: 'EUR', amount: 2000, reason: 'organizer' } as const
    await db.write(accountId, tx => refunds.request(tx, wanted))
    await standIn.fault({ kind: 'error after', method: 'POST', path: '/v1/refunds' })
    // The session was made, and the answer was lost, so the request is sent again.
    await pass(MINUTE)
    await pass(MINUTE)
    assert.ok((await entriesOf(orderId)).some(([kind]) => kind === 'refund'))
    assert.deepEqual(
      (await standIn.books(ACCOUNT)).refunds.map(({ amount }) => amount),
      [2000],
    )
    const [dispute] = [await standIn.dispute(session)]
    await pass(MINUTE)
    assert.ok((await entriesOf(orderId)).some(([kind]) => kind === 'dispute_fee'))
    assert.match(dispute.id, /^du_/)
    assert.deepEqual(await standIn.unkeyed(), [])
  })
}
