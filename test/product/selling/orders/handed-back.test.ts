import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import * as waitlist from '#product/catalog/waitlist/rules.ts'
import { acceptRead } from '#product/selling/orders/accept-offer.ts'
import { agreementHash, fillBasket, readSale } from '#product/selling/orders/basket.ts'
import { confirm, revive } from '#product/selling/orders/confirm-order.ts'
import { awaitApproval, awaitPayment, markVerified } from '#product/selling/orders/order-changes.ts'
import { placeFrom } from '#product/selling/orders/place.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { type OrderDetails, withLines } from '#product/selling/orders/schemas.ts'
import { readRefundable } from '#product/selling/payments/refundable.ts'
import { refundOf } from '#product/selling/payments/refunding.ts'
import { startOffering, waiting } from '#test/support/offers.ts'
import { openShop } from '#test/support/payments.ts'

/** Opens a shop, and compares what a change of an order returns with what is read in the same write, and in a later one. */
async function openChanging(t: TestContext) {
  const shop = await openShop(t)
  const { db, accountId, get } = shop
  const change = async (
    id: string,
    work: (tx: WriteTx, order: OrderDetails) => Promise<OrderDetails>,
  ): Promise<OrderDetails> => {
    const given = await db.write(accountId, async tx => {
      const changed = await work(tx, await orders.getDetails(tx, id))
      assert.deepEqual(changed, await orders.getDetails(tx, id))
      return changed
    })
    assert.deepEqual(given, await get(id))
    return given
  }
  return { ...shop, change }
}

test('an order that is placed is handed back as it is read', async t => {
  const { db, accountId, eventId, types, clock, get } = await openChanging(t)
  const lines = ['Student', 'Standard', 'Free'].map(name => ({ typeId: types[name] as string, quantity: 2 }))
  const basket = await db.read(accountId, tx => fillBasket(tx, eventId, { lines }, clock()))
  const tickets = [
    { name: 'Grace', email: 'grace@example.org' },
    { name: 'Ada', email: null },
  ]
  const placed = await db.write(accountId, async tx => {
    const sale = await readSale(tx, eventId)
    return placeFrom(tx, sale, {
      ...{
        formId: 'form',
        buyer: { name: 'Ada', email: 'ada@example.org' },
        language: 'en',
        answers: { a: 'b' },
      },
      lines: lines.map(({ typeId }) => ({ typeId, tickets })),
      ...{ agreement: agreementHash(basket), reservedUntil: clock() + 1000 },
    })
  })
  assert.ok(placed.isNew)
  assert.deepEqual(placed.order, await get(placed.order.id))
})

test('an order that waits, is confirmed, ends or stands again is handed back as it is read', async t => {
  const { order, change, clock } = await openChanging(t)
  const { id } = await order({ Standard: 2, Student: 1 })
  await change(id, (tx, was) => awaitApproval(tx, was, clock() + 60_000))
  await change(id, (tx, was) => awaitPayment(tx, was, clock() + 90_000))
  await change(id, (tx, was) => markVerified(tx, was))
  const ended = await change(id, (tx, was) => orders.end(tx, was, 'unpaid'))
  assert.equal(ended.registrations[0]?.attendees[0]?.voided, true)
  const revived = await change(id, (tx, was) => revive(tx, was))
  assert.equal(revived.registrations[0]?.attendees[0]?.voided, false)
  const other = await order({ Standard: 1, Student: 1 })
  const confirmed = await change(other.id, (tx, was) => confirm(tx, was))
  assert.deepEqual(
    confirmed.registrations.map(({ status }) => status),
    ['confirmed', 'confirmed'],
  )
})

test('an order that is cancelled, or refunded in part and then all of it, is handed back as it is read', async t => {
  const { order, buy, change, damage } = await openChanging(t)
  const free = await order({ Free: 2 }, { method: undefined })
  const cancelled = await change(
    free.id,
    async (tx, was) => (await orders.cancelStanding(tx, was)).updatedOrder,
  )
  assert.equal(cancelled.status, 'cancelled')
  const { id, registrations } = await buy({ Standard: 2, Student: 1 })
  const [first, ...others] = registrations.flatMap(({ attendees }) => attendees.map(ticket => ticket.id))
  const refund = (ticketIds: string[], amount: number) =>
    change(id, async (tx, was) => {
      const subject = await readRefundable(tx, { orderId: id })
      const input = { ticketIds, amount, reason: 'organizer', note: null, isNotified: true } as const
      return withLines(was, (await refundOf(tx, subject, input)).lines)
    })
  assert.equal((await refund([first as string], 5000)).status, 'confirmed')
  assert.equal((await refund(others, 0)).status, 'cancelled')
  // Its tickets are void already: the money alone follows.
  assert.equal((await refund([], 7000)).status, 'cancelled')
  assert.deepEqual(await damage(), [])
})

test('an offer that is taken is handed back as it is read', async t => {
  const { db, accountId, sell, cancel, orderOf, types } = await startOffering(t, {
    waitlist: [waiting('Ann'), waiting('Bob')],
  })
  const ids = [await sell(), await sell()]
  for (const id of ids) await cancel(id)
  const { id } = await orderOf('Ann')
  const seen = agreementHash({ total: 0, event: { currency: 'EUR', terms: null } })
  const invoice = { company: 'Analytical Engines', address: null, vat_id: null }
  const lines = [{ typeId: types.Free as string, tickets: [{ name: 'Grace', email: 'grace@example.org' }] }]
  await db.write(accountId, async tx => {
    const was = await orders.getDetails(tx, id)
    const taken = await acceptRead(tx, was, {
      lines,
      answers: { a: 'b' },
      agreement: seen,
      invoice,
    })
    assert.equal(taken.status, 'confirmed')
    assert.deepEqual(taken, await orders.getDetails(tx, id))
  })
  assert.equal(await db.read(accountId, tx => waitlist.countWaiting(tx, [types.Free as string], 9)), 0)
})
