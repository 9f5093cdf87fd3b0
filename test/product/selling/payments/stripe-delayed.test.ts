import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { takeDelayed } from '#product/selling/payments/connections.ts'
import { ACCOUNT } from '#test/support/stripe/stripe-connection.ts'
import { openStripeSale } from '#test/support/stripe/stripe-sale.ts'

const DEBIT = { method: 'sepa_debit' }

/** Opens a sale of an event that begins in some days, with methods that take days. */
async function openDelayed(t: Parameters<typeof openStripeSale>[0], days: number, takes = true) {
  const sale = await openStripeSale(t, 'http://192.168.1.5:8080')
  const { db, accountId, eventId, clock, standIn } = sale
  await db.write(accountId, async tx => {
    const begin = clock() + days * DAY
    await events.update(tx, eventId, { starts_at: begin, ends_at: begin + 8 * HOUR })
    await takeDelayed(tx, takes)
  })
  const excluded = async () => {
    const { sessions } = await standIn.books(ACCOUNT)
    return sessions.map(session => session.excluded_payment_method_types?.includes('sepa_debit') ?? false)
  }
  const mails = async () =>
    (await db.read(INSTANCE, tx => tx.all<{ kind: string }>('SELECT kind FROM emails'))).map(
      mail => mail.kind,
    )
  const get = (id: string) => db.read(accountId, tx => orders.get(tx, id))
  return { ...sale, excluded, mails, get }
}

test('a buyer of an event in 14 days may pay by debit: the places are kept while it takes days, and the tickets come then', async t => {
  const { order, standIn, pass, get, mails, excluded, stateOf, db } = await openDelayed(t, 14.1)
  const { orderId, session } = await order()
  assert.deepEqual(await excluded(), [false])
  await standIn.payLater(session, DEBIT)
  await pass(MINUTE)
  assert.equal((await get(orderId)).waits_for, 'payment')
  assert.deepEqual(await mails(), ['payment_under_way'], 'the buyer is told that nothing is to be done')
  await pass(5 * DAY)
  assert.equal(await stateOf(orderId), 'pending', 'the hold of a session would be over long ago')
  assert.deepEqual(await mails(), ['payment_under_way'], 'once')
  await standIn.succeedLater(session)
  await pass(HOUR)
  assert.equal(await stateOf(orderId), 'confirmed')
  assert.ok((await mails()).includes('order_confirmed'))
  assert.deepEqual(await findDamage(db), [])
})

test('a debit that bounces ends the order, and its places are free', async t => {
  const { order, standIn, pass, get, mails, db } = await openDelayed(t, 60)
  const { orderId, session } = await order()
  await standIn.payLater(session, DEBIT)
  await pass(MINUTE)
  await pass(6 * DAY)
  await standIn.failLater(session)
  await pass(HOUR)
  assert.deepEqual([(await get(orderId)).status, (await get(orderId)).failed_for], ['failed', 'unpaid'])
  assert.deepEqual((await mails()).sort(), ['order_unpaid', 'payment_under_way'])
  assert.deepEqual(await findDamage(db), [])
})

for (const [why, days, takes] of [
  ['begins sooner', 13.9, true],
  ['is of an organizer who does not offer it', 60, false],
] as const) {
  test(`nobody is offered a debit for an event that ${why}`, async t => {
    const { order, excluded, standIn } = await openDelayed(t, days, takes)
    const { session } = await order()
    assert.deepEqual(await excluded(), [true])
    await assert.rejects(async () => standIn.payLater(session, DEBIT))
  })
}
