import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { WriteTx } from '#machinery/db/port.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { counted, type Reads } from '#test/support/counted.ts'
import { openShop, type ShopOptions } from '#test/support/payments.ts'

const FIVE = ['One', 'Two', 'Three', 'Four', 'Five']

/** Opens a shop that sells five types, of which an order takes each. */
async function openFive(t: TestContext, { price = 5000, ...options }: ShopOptions & { price?: number } = {}) {
  const registration_types = FIVE.map(name => ({ name, price, capacity: 10, tax_basis_points: 1900 }))
  const shop = await openShop(t, { event: { registration_types }, ...options })
  const { db, accountId, eventId, types } = shop
  const read = async <T>(work: (tx: WriteTx) => Promise<T>) => {
    let reads: Reads | undefined
    const result = await db.write(accountId, tx => {
      const counting = counted(tx)
      reads = counting.reads
      return work(counting.tx)
    })
    return { result, ...(reads as Reads) }
  }
  const place = async (method: 'test' | undefined) => {
    const lines = FIVE.map(name => ({ typeId: types[name] as string, quantity: 1 }))
    const basket = await db.read(accountId, tx => fillBasket(tx, eventId, { lines }, shop.clock()))
    const order = {
      ...{ formId: 'form', buyer: { name: 'Ada', email: 'ada@example.org' }, language: 'en' as const },
      lines: lines.map(({ typeId }) => ({ typeId, tickets: [{ name: 'Grace', email: null }] })),
      ...{ answers: {}, agreement: agreementHash(basket) },
    }
    return read(tx =>
      payments.placeOrder(tx, eventId, order, { method, processors: shop.processors, signed: [] }),
    )
  }
  const pay = async (orderId: string) => {
    const [payment] = await shop.paymentsOf(orderId)
    assert.ok(payment)
    const { id, amount, currency } = payment
    const money = { entryId: 'charge', amount, currency, at: shop.clock(), fee: 250, method: 'test' } as const
    return read(tx => settle(tx, id, money))
  }
  return { ...shop, read, place, pay }
}

function assertFew({ texts, ofEvents }: Reads, most: number): void {
  const listed = texts.map(text => text.replace(/\s+/g, ' ').slice(0, 120)).join('\n')
  assert.ok(texts.length <= most, `${texts.length} reads:\n${listed}`)
  assert.equal(ofEvents.length, 1, ofEvents.join('\n'))
}

test('settling an order of five lines reads at most 25 times, and its event once', async t => {
  const { place, pay, get, damage } = await openFive(t)
  const { result: order } = await place('test')
  const settled = await pay(order.id)
  assert.equal(settled.result, 'confirmed')
  assert.equal((await get(order.id)).status, 'confirmed')
  assert.deepEqual(await damage(), [])
  assertFew(settled, 25)
})

test('placing an order of five lines that is to be paid reads at most 25 times, and its event once', async t => {
  const { place } = await openFive(t)
  const placed = await place('test')
  assert.equal(placed.result.waits_for, 'payment')
  assertFew(placed, 25)
})

test('placing an order of five lines that costs nothing reads at most 25 times, and its event once', async t => {
  const { place } = await openFive(t, { price: 0 })
  const placed = await place(undefined)
  assert.equal(placed.result.status, 'confirmed')
  assertFew(placed, 25)
})

test('approving an order of five lines that costs nothing reads at most 25 times, and its event once', async t => {
  const { place, read } = await openFive(t, { price: 0, changes: { requires_approval: true } })
  const { result: order } = await place(undefined)
  assert.equal(order.waits_for, 'approval')
  const approved = await read(tx => orders.approve(tx, order.id))
  assert.equal(approved.result.status, 'confirmed')
  assertFew(approved, 25)
})

test('refunding an order of five lines reads at most 25 times, and its event once', async t => {
  const { place, pay, read, get, damage } = await openFive(t)
  const { result: order } = await place('test')
  await pay(order.id)
  const { registrations, amount_total: amount } = await get(order.id)
  const ticketIds = registrations.flatMap(({ attendees }) => attendees.map(({ id }) => id))
  const input = { ticketIds, amount, reason: 'organizer', note: null, isNotified: true } as const
  const refunded = await read(tx => refundOrder(tx, { orderId: order.id, ...input }))
  assert.equal(refunded.result.tickets, 5)
  assert.deepEqual(await damage(), [])
  assertFew(refunded, 25)
})
