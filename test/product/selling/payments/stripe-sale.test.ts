import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as ledger from '../../src/ledger/rules.ts'
import { seenOf } from '../../src/orders/basket.ts'
import * as orders from '../../src/orders/rules.ts'
import { connectStripe } from '../../src/payments/connections.ts'
import type { Processor, ProcessorName } from '../../src/payments/processor.ts'
import * as refunds from '../../src/payments/refunds.ts'
import * as payments from '../../src/payments/rules.ts'
import { canTake } from '../../src/payments/stripe/amounts.ts'
import { MINUTE } from '../../src/time.ts'
import { organization } from '../support/organization.ts'
import { startWithOrganization } from '../support/server.ts'
import { StripeStandIn } from '../support/stripe/stand-in.ts'
import { ACCOUNT, KEY } from '../support/stripe-connection.ts'
import { eventually } from '../support/webhooks.ts'

const PUBLIC = 'https://tickets.example.org'

/** A whole server that sells by Stripe, and what a buyer and time do. */
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
  await db.write(accountId, tx => connectStripe(tx, accountId, found))
  const can = { can: canTake } as Processor
  const processors = new Map<ProcessorName, Processor>([['stripe', can]])
  const order = async () => {
    const placed = await db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        accountId,
        eventId,
        {
          ...{
            formId: 'form',
            buyer: { name: 'Grace', email: 'grace@example.org' },
            language: 'en',
            answers: {},
          },
          seen: seenOf({ total: 5000, event: { currency: 'EUR', terms: null } }),
          lines: [
            { typeId: registration_types.Standard as string, tickets: [{ name: 'Grace', email: null }] },
          ],
        },
        { method: 'stripe', processors, signed: [] },
      ),
    )
    const session = await eventually('a session', async () => {
      const [payment] = await db.read(tx => payments.listByOrder(tx, accountId, placed.id))
      return payment?.session_id ?? undefined
    })
    return { orderId: placed.id, session }
  }
  const stateOf = async (id: string) => (await db.read(tx => orders.get(tx, accountId, id))).status
  const entriesOf = async (orderId: string) =>
    (await db.read(tx => ledger.list(tx, accountId, { orderId }))).map(({ kind, amount }) => [kind, amount])
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds)
    await standIn.advance(milliseconds)
  }
  return { ...server, standIn, accountId, eventId, order, stateOf, entriesOf, pass }
}

for (const [how, baseUrl] of [
  ['with webhooks', PUBLIC],
  ['without any webhook', 'http://192.168.1.5:8080'],
] as const) {
  test(`an order that is paid at Stripe is confirmed ${how}, its fee known, and money goes back once`, async t => {
    const { standIn, db, accountId, eventId, order, stateOf, entriesOf, pass } = await openShop(t, baseUrl)
    const hasWebhook = async () => (await standIn.books(ACCOUNT)).webhookEndpoints.length > 0
    if (baseUrl === PUBLIC) await eventually('an endpoint', hasWebhook)
    const { orderId, session } = await order()
    assert.equal(await stateOf(orderId), 'pending')
    await standIn.pay(session)
    if (baseUrl !== PUBLIC) await pass(MINUTE)
    await eventually('the tickets', async () => (await stateOf(orderId)) === 'confirmed')
    await eventually('the fee', async () => (await entriesOf(orderId)).length > 1)
    assert.deepEqual((await entriesOf(orderId)).sort(), [
      ['fee', -100],
      ['payment', 5000],
    ])
    const wanted = { orderId, eventId, currency: 'EUR', amount: 2000, reason: 'organizer' } as const
    await db.write(accountId, tx => refunds.request(tx, accountId, wanted))
    await standIn.fault({ kind: 'error after', method: 'POST', path: '/v1/refunds' })
    await eventually('the refund', async () => {
      await pass(MINUTE)
      return (await entriesOf(orderId)).some(([kind]) => kind === 'refund')
    })
    assert.deepEqual(
      (await standIn.books(ACCOUNT)).refunds.map(({ amount }) => amount),
      [2000],
    )
    const [dispute] = [await standIn.dispute(session)]
    await eventually('the dispute', async () => {
      await pass(MINUTE)
      return (await entriesOf(orderId)).some(([kind]) => kind === 'dispute_fee')
    })
    assert.match(dispute.id, /^du_/)
    assert.deepEqual(await standIn.unkeyed(), [])
  })
}
