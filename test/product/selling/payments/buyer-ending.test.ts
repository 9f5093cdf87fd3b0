import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR } from '#base/time.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { backOf, cancelByBuyer, withdrawByBuyer } from '#product/selling/payments/buyer-ending.ts'
import { openShop, type Shop, type ShopOptions } from '#test/support/payments.ts'
import { refundsOf } from '#test/support/refunds.ts'

const UNTIL = Date.parse('2027-01-20T12:00:00Z')

type Ending = 'cancel' | 'withdraw'

/** Returns what buyers of a shop can do on the page of their order: they see a sum, and then send it. */
function buyersOf({ db, accountId, eventId }: Shop) {
  const event = () => db.read(accountId, tx => events.getDetails(tx, eventId))
  const shown = async (id: string, ending: Ending) =>
    db.read(accountId, async tx => backOf(tx, await orders.getDetails(tx, id), ending))
  const end = async (id: string, ending: Ending, seen?: number) => {
    const given = { event: await event(), agreedAmount: seen ?? (await shown(id, ending)) }
    const act = ending === 'cancel' ? cancelByBuyer : withdrawByBuyer
    return db.write(accountId, tx => act(tx, id, given))
  }
  const change = (changes: EventChanges) => db.write(accountId, tx => events.update(tx, eventId, changes))
  return { shown, end, change }
}

const open = async (t: Parameters<typeof openShop>[0], options: ShopOptions = {}) => {
  const changes = { cancel_until: UNTIL, cancel_refund_basis_points: 8000, ...options.changes }
  const shop = await openShop(t, { ...options, changes })
  return { ...shop, ...refundsOf(shop), ...buyersOf(shop), made: shop.refundsOf }
}

test('a buyer cancels until the last millisecond before the date, and gets the part that was shown; after it, nothing changes', async t => {
  const { buy, end, shown, clock, settle, made, linesOf, sold, mails, damage, webhooks } = await open(t)
  const [one, other] = [await buy({ Standard: 2, Free: 1 }), await buy({ Standard: 1 })]
  clock.set(new Date(UNTIL - 1).toISOString())
  assert.equal(await shown(one.id, 'cancel'), 8000)
  assert.equal((await end(one.id, 'cancel')).status, 'cancelled')
  assert.deepEqual((await linesOf(one.id)).sort(), [
    ['cancelled', null],
    ['refunded', 8000],
  ])
  await settle()
  const [refund, ...others] = await made(one.id)
  assert.deepEqual(
    [refund?.status, refund?.amount, refund?.reason, others.length],
    ['done', 8000, 'buyer', 0],
  )
  clock.set(new Date(UNTIL).toISOString())
  await assert.rejects(end(other.id, 'cancel'), { code: 'too_late' })
  assert.deepEqual(await linesOf(other.id), [['confirmed', null]])
  assert.deepEqual(await made(other.id), [])
  await assert.rejects(end(one.id, 'cancel'), { code: 'order_ended' })
  assert.deepEqual(await sold(), { Standard: 1, Student: 0, Free: 0 })
  assert.deepEqual(await mails(), ['order_cancelled', 'order_confirmed', 'order_confirmed'])
  assert.equal((await webhooks()).filter(type => type === 'registration.cancelled').length, 2)
  assert.deepEqual(await damage(), [])
})

test('the part is rounded half up for each ticket, of what it cost, and at most what has not gone back', async t => {
  const { buy, shown, end, ask, linesOf, damage, ticketsOf } = await open(t, {
    event: {
      registration_types: [{ name: 'Standard', price: 333, capacity: 10 }],
      codes: [{ code: 'FIFTY', percent: 50 }],
    },
    changes: { cancel_refund_basis_points: 5000 },
  })
  // 333 less 167 or 166 is some 166: half of it is 83, three times.
  const { id, amount_total: total } = await buy({ Standard: 3 }, { code: 'FIFTY' })
  const each = total / 3
  assert.equal(await shown(id, 'cancel'), 3 * Math.round(each / 2))
  const [first] = await ticketsOf(id)
  await ask({ orderId: id }, { ticketIds: [first as string], amount: each })
  assert.equal(
    await shown(id, 'cancel'),
    2 * Math.round(each / 2),
    'a void ticket is paid back no second time',
  )
  await ask({ orderId: id }, { amount: 2 * each - 10 })
  assert.equal(await shown(id, 'cancel'), 10, 'what went back as a favour is not paid twice')
  await end(id, 'cancel')
  assert.deepEqual(await linesOf(id), [['refunded', total]])
  assert.deepEqual(await damage(), [])
})

test('where the organizer pays nothing back, the tickets are cancelled, and no money goes anywhere', async t => {
  const { buy, shown, end, made, linesOf, damage } = await open(t, {
    changes: { cancel_refund_basis_points: 0 },
  })
  const { id } = await buy({ Standard: 1 })
  assert.equal(await shown(id, 'cancel'), 0)
  await end(id, 'cancel')
  assert.deepEqual(await linesOf(id), [['cancelled', null]])
  assert.deepEqual(await made(id), [])
  assert.deepEqual(await damage(), [])
})

test('another sum than was shown is not paid: the buyer is shown the new one first', async t => {
  const { buy, shown, end, change, linesOf, made, damage } = await open(t)
  const { id } = await buy({ Standard: 1 })
  const before = await shown(id, 'cancel')
  await change({ cancel_refund_basis_points: 1000 })
  await assert.rejects(end(id, 'cancel', before), { code: 'seen_changed' })
  assert.deepEqual([await linesOf(id), await made(id)], [[['confirmed', null]], []])
  await end(id, 'cancel', 500)
  assert.deepEqual(await linesOf(id), [['refunded', 500]])
  assert.deepEqual(await damage(), [])
})

test('who withdraws from the contract gets all back, within its days', async t => {
  const { buy, shown, end, clock, settle, made, linesOf, mails, damage } = await open(t, {
    changes: { withdrawal_excluded: false, cancel_until: null },
  })
  const [one, other] = [await buy({ Standard: 2 }), await buy({ Standard: 1 })]
  await assert.rejects(end(one.id, 'cancel'), { code: 'too_late' })
  assert.equal(await shown(one.id, 'withdraw'), 10000)
  clock.advance(13 * DAY)
  await end(one.id, 'withdraw')
  await settle()
  assert.deepEqual(
    (await made(one.id)).map(({ reason, amount, status }) => [reason, amount, status]),
    [['withdrawn', 10000, 'done']],
  )
  clock.advance(3 * DAY)
  await assert.rejects(end(other.id, 'withdraw'), { code: 'too_late' })
  assert.deepEqual(await linesOf(other.id), [['confirmed', null]])
  assert.deepEqual(await mails(), ['order_confirmed', 'order_confirmed', 'order_withdrawn'])
  assert.deepEqual(await damage(), [])
})

test('an order that waits for its payment is withdrawn; what is paid all the same goes back whole', async t => {
  const { order, end, act, settle, made, get, sold, clock, damage } = await open(t)
  const { id } = await order({ Standard: 1 })
  await settle()
  await act(id, 'pay')
  await end(id, 'cancel')
  assert.equal((await sold()).Standard, 0)
  await settle()
  clock.advance(HOUR)
  await settle()
  assert.equal((await get(id)).failed_for, 'withdrawn')
  assert.deepEqual(
    (await made(id)).map(({ reason, amount, status }) => [reason, amount, status]),
    [['late', 5000, 'done']],
  )
  assert.deepEqual(await damage(), [])
})
