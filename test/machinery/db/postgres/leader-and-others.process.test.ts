import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE } from '#base/time.ts'
import { Connection } from '#machinery/db/postgres/connection.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { startMailServer } from '#test/support/mail-server.ts'
import { startSale } from '#test/support/people/order-forms.ts'
import { ofPostgres, postgresOfFile } from '#test/support/postgres-server.ts'
import { ok, startReceiver } from '#test/support/receiver.ts'
import { newRegistration } from '#test/support/requests.ts'
import { startServer } from '#test/support/server.ts'
import { ACCOUNT } from '#test/support/stripe/stripe-connection.ts'
import { openStripeSale, PUBLIC } from '#test/support/stripe/stripe-sale.ts'
import { orderFree } from '#test/support/ticket-mail.ts'
import { eventually } from '#test/support/webhooks.ts'

const postgres = postgresOfFile()

/** What of a server is of interest here: its mails have a server, and its clock stands still. */
async function mailing(t: TestContext, mailRate: number) {
  const mails = await startMailServer(t)
  const settings = {
    ...{ smtpUrl: mails.url, mailFrom: 'tickets@example.org', mailRate },
    allowInsecureWebhooks: true,
  }
  const ids = () => new Set(mails.received.map(({ parsed }) => parsed.messageId))
  return { mails, settings, ids }
}

/** Keeps every server of a database from leading. @returns what lets them */
async function keepFromLeading(url: string): Promise<() => Promise<void>> {
  const connection = await Connection.open(url, { lock: 5_000, answer: 0 })
  await connection.query('SELECT pg_advisory_lock(7472, 3)')
  return () => connection.close()
}

test(
  'a server that does not lead mails, delivers and works off nothing; once it leads, all of it',
  ofPostgres,
  async t => {
    const databaseUrl = postgres().makeDatabase()
    const letLead = await keepFromLeading(databaseUrl)
    const { mails, settings } = await mailing(t, 1_000)
    const receiver = await startReceiver(t)
    receiver.behave(ok)
    const sale = await startSale(t, {}, { databaseUrl, settings })
    const { db, accountId, eventId, types, client } = sale
    await db.write(accountId, tx =>
      webhooks.addEndpoint(tx, { url: receiver.url, types: ['registration.created'] }),
    )
    const body = newRegistration(sale, { registration_type_id: types.Guest as string })
    assert.equal((await client.post('/registrations', body)).status, 201)
    await orderFree(db, { accountId, eventId, typeId: types.Guest as string }, 'Grace')
    // Two looks of each kind of work, by the second.
    await pause(2_100)
    assert.deepEqual([mails.received.length, receiver.received.length], [0, 0])
    await letLead()
    await eventually(
      'it is mailed and delivered',
      () => mails.received.length > 0 && receiver.received.length > 1,
    )
  },
)

test(
  'a new leader mails by a pace that begins anew, and what the one before has mailed not again',
  ofPostgres,
  async t => {
    const RATE = 10
    const databaseUrl = postgres().makeDatabase()
    const { mails, settings, ids } = await mailing(t, RATE)
    const sale = await startSale(t, {}, { databaseUrl, settings })
    const { app, db, accountId, eventId, types, clock } = sale
    // It leads before there is another.
    await app.settled('mails')
    const second = await startServer(t, { databaseUrl, settings, clock })
    for (let count = 0; count < 2.5 * RATE; count++)
      await orderFree(db, { accountId, eventId, typeId: types.Guest as string }, `Buyer${count}`)
    await app.settled('mails')
    assert.equal(mails.received.length, RATE)
    await app.close()
    await second.app.settled('mails')
    assert.deepEqual([mails.received.length, ids().size], [2 * RATE, 2 * RATE])
    clock.advance(MINUTE)
    await second.app.settled('mails')
    assert.deepEqual([mails.received.length, ids().size], [2.5 * RATE, 2.5 * RATE])
  },
)

test(
  'a webhook of Stripe that reaches a server which does not lead has the leader confirm the order, once',
  ofPostgres,
  async t => {
    const databaseUrl = postgres().makeDatabase()
    const shop = await openStripeSale(t, PUBLIC, { databaseUrl })
    const { app, db, accountId, clock, settings, standIn, order, stateOf, entriesOf } = shop
    // It leads before there is another, and has told Stripe where its webhooks go.
    await app.settled('stripe')
    const second = await startServer(t, { databaseUrl, settings, clock })
    await standIn.forwardWebhooks(PUBLIC, new URL(second.app.url).origin)
    const { orderId, session } = await order()
    const questions = async () =>
      (await standIn.requests({ method: 'GET', endpoint: '/v1/checkout/sessions/:id' })).length
    const before = await questions()
    // The clock stands still, so the leader does not read the list of events before the minute is over.
    await standIn.pay(session)
    assert.deepEqual(
      (await standIn.deliveries()).map(({ status }) => status),
      [200],
    )
    await eventually('it is confirmed', async () => (await stateOf(orderId)) === 'confirmed')
    await app.settled('stripe', 'payments')
    assert.equal((await questions()) - before, 1)
    assert.deepEqual((await entriesOf(orderId)).sort(), [
      ['fee', -100],
      ['payment', 5000],
    ])
    const [payment, ...others] = await db.read(accountId, tx => payments.listByOrder(tx, orderId))
    assert.deepEqual([payment?.status, others], ['confirmed', []])
    assert.equal((await standIn.books(ACCOUNT)).refunds.length, 0)
  },
)
