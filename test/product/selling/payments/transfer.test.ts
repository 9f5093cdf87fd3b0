import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isCreditorReference, printCreditorReference } from '#base/creditor-reference.ts'
import { DAY, HOUR, MINUTE } from '#base/time.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import { cancel } from '#product/guests/registrations/rules.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { acceptAmount, declineAmount } from '#product/selling/payments/amounts.ts'
import { leftOf } from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { settle } from '#product/selling/payments/settle.ts'
import { transferCode } from '#product/selling/payments/transfer-code.ts'
import { addBank, bank } from '#test/support/banked.ts'
import { openShop, type ShopOptions } from '#test/support/payments.ts'
import { readCode, readPng } from '#test/support/qr-reader.ts'
import { startTicketMail } from '#test/support/ticket-mail.ts'

/** Opens a shop with a bank account that takes money at the door too. */
async function openBanked(t: TestContext, options: ShopOptions = {}) {
  const shop = await openShop(t, {
    ...options,
    changes: { payment_ways: 'set_up_and_door', ...options.changes },
  })
  const { db, accountId, clock, paymentsOf, get } = shop
  await addBank({ db, accountId, clock })
  const openOf = async (id: string) => (await paymentsOf(id)).at(-1) as Payment
  const mark = (id: string) => db.write(accountId, tx => payments.markPaid(tx, id))
  /** Records a transfer as a statement does. */
  const came = (paymentId: string, entryId: string, amount: number) =>
    db.write(accountId, tx =>
      settle(tx, paymentId, {
        ...{ entryId, amount, currency: 'EUR', at: clock(), fee: 0, method: 'transfer' },
      }),
    )
  const stateOf = async (id: string) => {
    const { status, failed_for, waits_for } = await get(id)
    return failed_for ?? waits_for ?? status
  }
  const moved = async (id: string) =>
    (await shop.ledgerOf(id)).map(({ kind, amount }) => `${kind} ${amount}`).sort()
  const owed = async (id: string) =>
    (await shop.refundsOf(id)).map(({ reason, amount, is_by_hand }) => [reason, amount, is_by_hand])
  return { ...shop, openOf, mark, came, stateOf, moved, owed }
}

test('an order by transfer waits with a reference, and its mail says how much goes where, with the code of the transfer', async t => {
  const { db, clock, order, openOf, reconciler, sold, stateOf, damage } = await openBanked(t)
  const { id, expires_at } = await order({ Standard: 2 }, { method: 'transfer', email: 'ada@example.org' })
  const payment = await openOf(id)
  assert.equal(payment.status, 'pending')
  assert.ok(isCreditorReference(payment.reference as string))
  assert.ok(expires_at !== null)
  await reconciler.settle()
  assert.equal(await stateOf(id), 'payment')
  assert.equal((await sold()).Standard, 2)
  const mail = await startTicketMail(t, db, clock)
  const [due, ...others] = await mail.take()
  assert.deepEqual(others, [])
  assert.equal(due?.to[0], 'ada@example.org')
  const { text = '', html, attachments } = due?.parsed ?? {}
  const printed = printCreditorReference(payment.reference as string)
  for (const part of ['€100.00', 'DE89 3704 0044 0532 0130 00', 'COBADEFFXXX', printed, 'ask your bank']) {
    assert.ok(text.includes(part), part)
    assert.ok(String(html).replaceAll('&nbsp;', ' ').includes(part), part)
  }
  assert.ok(text.includes('Elm Hall <b>Ltd</b>'))
  assert.ok(!String(html).includes('<b>Ltd'), 'what an organizer typed is no HTML')
  const picture = attachments?.find(({ contentType }) => contentType === 'image/png')
  const wanted = transferCode(bank, {
    ...{ amount: 10_000, currency: 'EUR', reference: payment.reference as string },
  })
  assert.equal(readCode(readPng(picture?.content as Buffer)), wanted)
  assert.deepEqual(await damage(), [])
})

test('its places are held for the days of the event, and no longer than the event; at the door until the event is over', async t => {
  const { db, accountId, clock, order } = await openBanked(t, { changes: { payment_days: 5 } })
  const until = async (method: 'transfer' | 'door') => {
    const { id } = await order({ Student: 1 }, { method })
    const { expires_at } = await db.read(accountId, tx => orders.get(tx, id))
    return Date.parse(expires_at as string)
  }
  assert.equal(await until('transfer'), clock() + 5 * DAY)
  assert.equal(await until('door'), Date.parse('2027-02-02T18:00:00Z'), 'nobody can pay at the door before')
  clock.set('2027-02-01T00:00:00Z')
  assert.equal(await until('transfer'), Date.parse('2027-02-02T18:00:00Z'))
  clock.set('2027-02-02T12:00:00Z')
  assert.equal(await until('door'), Date.parse('2027-02-02T18:00:00Z'))
  await assert.rejects(order({ Student: 1 }, { method: 'transfer' }), { code: 'method_not_offered' })
})

test('marked as paid it is confirmed with its tickets, its money in the ledger without a fee, and payment.completed', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Standard: 1, Free: 1 }, { method: 'transfer' })
  const payment = await shop.openOf(id)
  const marked = await shop.mark(payment.id)
  assert.deepEqual([marked.status, marked.received, marked.trouble], ['confirmed', 5000, null])
  const paid = await shop.get(id)
  assert.deepEqual(
    paid.registrations.map(({ status }) => status),
    ['confirmed', 'confirmed'],
  )
  assert.deepEqual(await shop.moved(id), ['fee 0', 'payment 5000'])
  assert.deepEqual(
    (await shop.ledgerOf(id)).map(({ method }) => method),
    ['transfer', 'transfer'],
  )
  assert.deepEqual((await shop.webhooks()).sort(), [
    'payment.completed',
    'registration.created',
    'registration.created',
  ])
  assert.ok((await shop.mails()).includes('order_confirmed'))
  await assert.rejects(shop.mark(payment.id), { code: 'payment_ended' })
  await shop.reconciler.settle()
  assert.deepEqual(await shop.moved(id), ['fee 0', 'payment 5000'], 'marked twice, it is paid once')
  assert.deepEqual(await shop.damage(), [])
})

test('what is not paid in time gives its places back and says so; money after that confirms it while there is room', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Standard: 2 }, { method: 'transfer' })
  const payment = await shop.openOf(id)
  shop.clock.advance(7 * DAY - MINUTE)
  await shop.reconciler.settle()
  assert.equal(await shop.stateOf(id), 'payment')
  shop.clock.advance(2 * MINUTE)
  await shop.reconciler.settle()
  assert.equal(await shop.stateOf(id), 'unpaid')
  assert.equal((await shop.openOf(id)).status, 'cancelled')
  assert.equal((await shop.sold()).Standard, 0)
  assert.ok((await shop.mails()).includes('order_unpaid'))
  assert.deepEqual(await shop.webhooks(), [])
  shop.clock.advance(HOUR)
  await shop.mark(payment.id)
  assert.equal(await shop.stateOf(id), 'confirmed')
  assert.equal((await shop.sold()).Standard, 2)
  assert.deepEqual(await shop.owed(id), [])
  assert.deepEqual(await shop.damage(), [])
})

test('money that came too late for its places, or for an order that was declined, is owed back by hand, once', async t => {
  const shop = await openBanked(t)
  const late = await shop.order({ Standard: 6 }, { method: 'transfer' })
  const payment = await shop.openOf(late.id)
  shop.clock.advance(8 * DAY)
  await shop.reconciler.settle()
  const others = await shop.order({ Standard: 6 }, { method: 'transfer' })
  await shop.mark(payment.id)
  assert.equal(await shop.stateOf(late.id), 'unpaid')
  assert.deepEqual(await shop.owed(late.id), [['late', 30_000, true]])
  assert.ok((await shop.mails()).includes('payment_returned'))
  await assert.rejects(shop.mark(payment.id), { code: 'payment_ended' })

  const declined = await shop.openOf(others.id)
  await shop.db.write(shop.accountId, tx => orders.fail(tx, others.id, 'declined'))
  await shop.mark(declined.id)
  await shop.reconciler.settle()
  assert.equal(await shop.stateOf(others.id), 'declined')
  assert.deepEqual(await shop.owed(others.id), [['late', 30_000, true]])
  assert.deepEqual(await shop.webhooks(), [])
  assert.deepEqual(await shop.damage(), [])
})

test('a transfer that comes in parts adds up, and what is too much is owed back', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Standard: 2 }, { method: 'transfer' })
  const { id: payment } = await shop.openOf(id)
  assert.equal(await shop.came(payment, 'line-1', 3000), 'kept')
  assert.equal(await shop.came(payment, 'line-1', 3000), 'known')
  assert.equal((await shop.openOf(id)).trouble, 'partly_paid')
  assert.equal(await shop.stateOf(id), 'payment')
  assert.equal(await shop.came(payment, 'line-2', 8000), 'confirmed')
  assert.deepEqual(await shop.owed(id), [['excess', 1000, true]])
  // The buyer has paid once more after that.
  assert.equal(await shop.came(payment, 'line-3', 500), 'returned')
  assert.deepEqual(await shop.owed(id), [
    ['excess', 1000, true],
    ['twice', 500, true],
  ])
  assert.equal((await shop.openOf(id)).trouble, null)
  assert.equal(await shop.db.read(shop.accountId, tx => leftOf(tx, id)), 10_000)
  assert.deepEqual(await shop.damage(), [])
})

test('what is lacking is marked as paid alone', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Standard: 2 }, { method: 'transfer' })
  const { id: payment } = await shop.openOf(id)
  await shop.came(payment, 'line-1', 3000)
  await shop.mark(payment)
  assert.deepEqual(await shop.moved(id), ['fee 0', 'fee 0', 'payment 3000', 'payment 7000'])
  assert.deepEqual(await shop.owed(id), [])
  assert.deepEqual(await shop.damage(), [])
})

test('what was paid in part and then lapsed is owed back, and the rest that comes later is too', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Standard: 2 }, { method: 'transfer' })
  const { id: payment } = await shop.openOf(id)
  await shop.came(payment, 'line-1', 3000)
  shop.clock.advance(8 * DAY)
  await shop.reconciler.settle()
  assert.equal(await shop.stateOf(id), 'unpaid')
  assert.deepEqual(await shop.owed(id), [['late', 3000, true]])
  assert.equal(await shop.came(payment, 'line-2', 7000), 'returned')
  assert.equal(await shop.stateOf(id), 'unpaid', 'a part of it goes back already')
  assert.deepEqual(await shop.owed(id), [
    ['late', 3000, true],
    ['late', 7000, true],
  ])
  // A transfer of the full amount confirms the order.
  assert.equal(await shop.came(payment, 'line-3', 10_000), 'confirmed')
  assert.equal(await shop.stateOf(id), 'confirmed')
  assert.deepEqual(await shop.damage(), [])
})

test('another way can be chosen before money came, and the former is then paid back', async t => {
  const shop = await openBanked(t)
  const { db, accountId, processors } = shop
  const { id } = await shop.order({ Student: 1 }, { method: 'transfer' })
  const transfer = await shop.openOf(id)
  const choose = (method: 'transfer' | 'door' | 'test') =>
    db.write(accountId, tx => payments.choose(tx, id, method, processors))
  const door = await choose('door')
  assert.notEqual(door.reference, transfer.reference)
  assert.equal((await shop.paymentsOf(id))[0]?.status, 'cancelled')
  await shop.mark(door.id)
  assert.equal(await shop.stateOf(id), 'confirmed')
  await shop.mark(transfer.id)
  assert.deepEqual(await shop.owed(id), [['twice', 2000, true]])
  await assert.rejects(choose('test'), { code: 'order_ended' })

  const other = await shop.order({ Student: 1 }, { method: 'transfer' })
  const { id: payment } = await shop.openOf(other.id)
  await shop.came(payment, 'line-1', 500)
  await assert.rejects(
    db.write(accountId, tx => payments.choose(tx, other.id, 'door', processors)),
    { code: 'payment_under_way' },
  )
  assert.deepEqual(await shop.damage(), [])
})

test('of a mail about a way that was given up, nothing is sent; that of the other says how', async t => {
  const shop = await openBanked(t)
  const { db, accountId, processors } = shop
  const { id } = await shop.order({ Student: 1 }, { method: 'transfer' })
  const door = await db.write(accountId, tx => payments.choose(tx, id, 'door', processors))
  const mail = await startTicketMail(t, db, shop.clock)
  const received = await mail.take()
  assert.deepEqual(
    received.map(({ parsed }) => parsed.text?.includes(printCreditorReference(door.reference as string))),
    [true],
  )
  assert.ok(!received[0]?.parsed.text?.includes('DE89'))
})

test('money for a line that was cancelled meanwhile is owed back, and the rest is confirmed', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Standard: 1, Student: 1 }, { method: 'transfer' })
  const { id: payment } = await shop.openOf(id)
  const [line] = (await shop.get(id)).registrations
  await shop.db.write(shop.accountId, tx => cancel(tx, line?.id as string))
  await shop.mark(payment)
  assert.equal(await shop.stateOf(id), 'confirmed')
  const standing = await shop.db.read(shop.accountId, tx => checkout.listByOrder(tx, id))
  assert.deepEqual(standing.map(({ status }) => status).sort(), ['cancelled', 'confirmed'])
  assert.deepEqual(await shop.owed(id), [['line_cancelled', line?.amount_total, true]])
  assert.deepEqual(await shop.damage(), [])
})

test('an amount that is not what was asked is taken all the same by a member, or paid back', async t => {
  const shop = await openBanked(t)
  const { db, accountId } = shop
  const accept = (id: string) => db.write(accountId, tx => acceptAmount(tx, id))
  const decline = (id: string) => db.write(accountId, tx => declineAmount(tx, id))
  const taken = await shop.order({ Standard: 1 }, { method: 'transfer' })
  const { id: payment } = await shop.openOf(taken.id)
  await assert.rejects(accept(payment), { code: 'payment_ended' })
  await shop.came(payment, 'line-1', 4900)
  const accepted = await accept(payment)
  assert.deepEqual([accepted.status, accepted.amount, accepted.received], ['confirmed', 4900, 4900])
  assert.equal(await shop.stateOf(taken.id), 'confirmed')
  assert.deepEqual(await shop.owed(taken.id), [])
  await assert.rejects(accept(payment), { code: 'payment_ended' })
  await assert.rejects(decline(payment), { code: 'payment_ended' })

  const left = await shop.order({ Standard: 1 }, { method: 'transfer' })
  const { id: other } = await shop.openOf(left.id)
  await shop.came(other, 'line-2', 100)
  await decline(other)
  await shop.reconciler.settle()
  assert.equal(await shop.stateOf(left.id), 'declined')
  assert.deepEqual(await shop.owed(left.id), [['organizer', 100, true]])
  assert.equal((await shop.openOf(left.id)).status, 'cancelled')
  await assert.rejects(accept(other), { code: 'payment_ended' })
  const mails = await shop.mails()
  assert.ok(mails.includes('refund') && mails.includes('order_declined'))
  assert.deepEqual(await shop.damage(), [])
})

test('nobody of another account marks a payment', async t => {
  const shop = await openBanked(t)
  const { id } = await shop.order({ Student: 1 }, { method: 'door' })
  const { id: payment } = await shop.openOf(id)
  const other = '00000000-0000-4000-8000-000000000000'
  await assert.rejects(
    shop.db.write(other, tx => payments.markPaid(tx, payment)),
    { code: 'not_found' },
  )
  assert.equal(await shop.stateOf(id), 'payment')
})
