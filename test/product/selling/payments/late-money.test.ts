import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as erasing from '#product/selling/orders/erasing.ts'
import * as orders from '#product/selling/orders/rules.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

test('an order that is paid in the last second of its hold stands', async t => {
  const { begin, sessionOf, processor, clock, reconciler, states, moved, damage } = await openScriptedShop(t)
  const id = await begin({ Standard: 2 })
  clock.advance(32 * MINUTE - SECOND)
  processor.pay(await sessionOf(id))
  // Nobody is notified of it, and the hold ends meanwhile.
  clock.advance(3 * MINUTE + SECOND)
  await reconciler.settle()
  assert.equal(await states(id), 'confirmed')
  assert.deepEqual(await moved(id), ['payment 10000'])
  assert.deepEqual(await damage(), [])
})

test('a session that is paid while it is being ended is an order that is paid', async t => {
  const { write, begin, sessionOf, processor, reconciler, states, refundStates, pass } =
    await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  const session = await sessionOf(id)
  // It is read as open, and paid before it is expired.
  processor.onCall = async name => {
    if (name === 'read') processor.pay(session)
  }
  await write(tx => orders.fail(tx, id, 'withdrawn'))
  await reconciler.settle()
  await pass(MINUTE, 5 * SECOND)
  assert.equal(await states(id), 'withdrawn')
  assert.deepEqual(await refundStates(id), ['late 5000 done'])
})

/** Has an order fail while its processor is silent, and be paid there all the same. */
async function payWhileSilent(shop: Awaited<ReturnType<typeof openScriptedShop>>, id: string) {
  const { processor, sessionOf, pass, states } = shop
  processor.pay(await sessionOf(id))
  processor.down('lost')
  await pass(26 * HOUR, 15 * MINUTE)
  assert.equal(await states(id), 'unpaid')
}

test('money that is heard of once its order has failed brings the order back while there is room, with its tickets and its code', async t => {
  const shop = await openScriptedShop(t)
  const { write, eventId, processor, begin, pass, states, get, sold, moved, damage, webhooks } = shop
  await write(tx =>
    codes.create(tx, eventId, {
      ...{ code: 'THIRD', percent: 33, amount: null, registration_type_ids: null, max_tickets: 2 },
      ...{ valid_from: null, valid_until: null, note: null, active: true },
    } as Parameters<typeof codes.create>[2]),
  )
  const id = await begin({ Standard: 2 }, { code: 'THIRD' })
  await payWhileSilent(shop, id)
  assert.deepEqual((await sold()).Standard, 0)
  processor.heal()
  await pass(HOUR)
  assert.equal(await states(id), 'confirmed')
  assert.ok((await get(id)).registrations[0]?.attendees.every(({ voided }) => !voided))
  assert.deepEqual([(await sold()).Standard, await moved(id)], [2, ['payment 6700']])
  assert.deepEqual(
    (await webhooks()).filter(type => type !== 'registration.created'),
    ['payment.completed'],
  )
  assert.deepEqual(await damage(), [])
})

test('money that comes after the places went goes back once, in full, and the buyer is told why', async t => {
  const shop = await openScriptedShop(t)
  const { processor, begin, buy: _, pay, pass, states, refundStates, moved, damage, mails, db } = shop
  const id = await begin({ Student: 3 })
  await payWhileSilent(shop, id)
  processor.heal()
  const other = await shop.order({ Student: 5 }, { method: 'transfer' })
  await pass(HOUR)
  assert.deepEqual([await states(id), await refundStates(id)], ['unpaid', ['late 6000 done']])
  assert.deepEqual(await moved(id), ['payment 6000', 'refund -6000'])
  assert.ok((await mails()).includes('payment_returned'))
  const why = await db.read(INSTANCE, tx =>
    tx.one<{ details: string }>("SELECT details FROM emails WHERE kind = 'payment_returned'"),
  )
  assert.match(why?.details ?? '', /"late"/)
  await pass(3 * DAY, HOUR)
  assert.equal(processor.refunds.length, 1)
  assert.equal((await shop.get(other.id)).status, 'pending')
  assert.deepEqual(await damage(), [])
  assert.equal(await pay(id), false)
})

test('money for an order whose buyer was made anonymous since goes back: nobody would get the tickets', async t => {
  const shop = await openScriptedShop(t)
  const { write, processor, begin, pass, states, refundStates, pay } = shop
  const late = await begin({ Standard: 1 }, { email: 'late@example.org' })
  await payWhileSilent(shop, late)
  await write(tx => erasing.erase(tx, 'late@example.org'))
  processor.heal()
  await pass(HOUR)
  assert.deepEqual([await states(late), await refundStates(late)], ['unpaid', ['late 5000 done']])
  const open = await begin({ Standard: 1 }, { email: 'open@example.org' })
  await write(tx => erasing.erase(tx, 'open@example.org'))
  await pay(open)
  assert.deepEqual([await states(open), await refundStates(open)], ['cancelled', ['late 5000 done']])
})

test('an order that is paid twice is given back once, and its tickets stay', async t => {
  const { order, choose, begin, pay, newest, transfer, states, refundStates, moved, sold, damage, mails } =
    await openScriptedShop(t)
  const { id } = await order({ Standard: 1 }, { method: 'transfer' })
  const transferred = (await newest(id)).id
  await choose(id, 'test')
  await begin({ Free: 1 })
  await pay(id)
  assert.equal(await states(id), 'confirmed')
  await transfer(transferred, 5000, 'line-1')
  assert.deepEqual([await states(id), await refundStates(id)], ['confirmed', ['twice 5000 requested']])
  await transfer(transferred, 5000, 'line-1')
  assert.deepEqual(await moved(id), ['payment 5000', 'payment 5000'])
  assert.equal((await sold()).Standard, 1)
  assert.equal((await mails()).filter(kind => kind === 'payment_returned').length, 1)
  assert.deepEqual(await damage(), [])
})

test('a second transfer for the same payment is owed back alone: what paid the order stays', async t => {
  const { order, newest, transfer, states, refundStates, damage } = await openScriptedShop(t)
  const { id } = await order({ Standard: 1 }, { method: 'transfer' })
  const payment = (await newest(id)).id
  await transfer(payment, 2000, 'a')
  assert.deepEqual([await states(id), (await newest(id)).trouble], ['pending', 'partly_paid'])
  await transfer(payment, 4000, 'b')
  assert.deepEqual([await states(id), await refundStates(id)], ['confirmed', ['excess 1000 requested']])
  await transfer(payment, 5000, 'c')
  assert.deepEqual(await refundStates(id), ['excess 1000 requested', 'twice 5000 requested'])
  assert.deepEqual(await damage(), [])
})

test('what came in part for an order that failed goes back, and does not count for what comes later', async t => {
  const { order, newest, transfer, states, refundStates, pass, damage } = await openScriptedShop(t)
  const { id } = await order({ Standard: 1 }, { method: 'transfer' })
  const payment = (await newest(id)).id
  await transfer(payment, 2000, 'a')
  await pass(30 * DAY, 6 * HOUR)
  assert.deepEqual([await states(id), await refundStates(id)], ['unpaid', ['late 2000 requested']])
  await transfer(payment, 3000, 'b')
  assert.deepEqual(
    [await states(id), await refundStates(id)],
    ['unpaid', ['late 2000 requested', 'late 3000 requested']],
  )
  await transfer(payment, 5000, 'c')
  assert.deepEqual((await refundStates(id)).length, 2)
  assert.equal(await states(id), 'confirmed')
  assert.deepEqual(await damage(), [])
})

test('of an event that is cancelled while a session is open nothing can be paid any more, and what is paid goes back', async t => {
  const {
    begin,
    cancelEvent,
    reconciler,
    sessionOf,
    processor,
    pay,
    states,
    refundStates,
    choose,
    pass,
    damage,
    sold,
  } = await openScriptedShop(t)
  const [open, paid] = [await begin({ Standard: 1 }), await begin({ Standard: 2 })]
  processor.pay(await sessionOf(paid))
  await cancelEvent()
  await reconciler.settle()
  assert.equal(await pay(open), false, 'its session has ended')
  assert.deepEqual(
    [await states(paid), await refundStates(paid)],
    ['cancelled', ['event_cancelled 10000 done']],
  )
  await assert.rejects(choose(open, 'test'), { code: 'not_on_sale' })
  await pass(HOUR)
  assert.deepEqual([await states(open), (await sold()).Standard], ['unpaid', 0])
  assert.deepEqual(await damage(), [])
})

test('late money for an event that is cancelled or over goes back', async t => {
  const shop = await openScriptedShop(t)
  const { order, newest, transfer, pass, states, refundStates, cancelEvent } = shop
  const { id } = await order({ Standard: 1 }, { method: 'transfer' })
  await pass(30 * DAY, DAY)
  await cancelEvent()
  await transfer((await newest(id)).id, 5000, 'a')
  assert.deepEqual([await states(id), await refundStates(id)], ['unpaid', ['late 5000 requested']])
  const other = await openScriptedShop(t)
  const late = await other.order({ Standard: 1 }, { method: 'transfer' })
  await other.pass(100 * DAY, 5 * DAY)
  await other.transfer((await other.newest(late.id)).id, 5000, 'a')
  assert.deepEqual(await other.refundStates(late.id), ['late 5000 requested'])
})

test('a line that is cancelled while it is being paid ends the session: the rest can be paid, and the share of the line goes back', async t => {
  const {
    begin,
    cancelLine,
    reconciler,
    pay,
    choose,
    newest,
    states,
    refundStates,
    moved,
    processor,
    sessionOf,
    get,
    damage,
  } = await openScriptedShop(t)
  const id = await begin({ Standard: 1, Student: 1 })
  await cancelLine(id, 0)
  await reconciler.settle()
  assert.equal(await pay(id), false, 'what it asks for is too much')
  await choose(id, 'test')
  await reconciler.settle()
  assert.equal((await newest(id)).amount, 2000)
  await pay(id)
  assert.deepEqual(
    [await states(id), await moved(id), await refundStates(id)],
    ['confirmed', ['payment 2000'], []],
  )

  const quick = await begin({ Standard: 1, Student: 1 })
  processor.pay(await sessionOf(quick))
  await cancelLine(quick, 0)
  await reconciler.settle()
  assert.deepEqual(
    [await states(quick), await refundStates(quick)],
    ['confirmed', ['line_cancelled 5000 done']],
  )
  assert.deepEqual(
    (await get(quick)).registrations.map(({ status }) => status),
    ['cancelled', 'confirmed'],
  )

  const paid = await begin({ Standard: 1 })
  processor.pay(await sessionOf(paid))
  await cancelLine(paid, 0)
  await reconciler.settle()
  assert.deepEqual([await states(paid), await refundStates(paid)], ['cancelled', ['late 5000 done']])
  assert.deepEqual(await damage(), [])
})

test('where what is left of an order costs nothing, it stands without money', async t => {
  const {
    begin,
    cancelLine,
    reconciler,
    pay,
    states,
    refundStates,
    order,
    newest,
    damage,
    processor,
    sessionOf,
  } = await openScriptedShop(t)
  const id = await begin({ Standard: 1, Free: 1 })
  await cancelLine(id, 0)
  assert.equal(await states(id), 'confirmed')
  await reconciler.settle()
  assert.equal(await pay(id), false)
  const paid = await begin({ Standard: 1, Free: 1 })
  processor.pay(await sessionOf(paid))
  await cancelLine(paid, 0)
  await reconciler.settle()
  assert.deepEqual(await refundStates(paid), ['twice 5000 done'])
  const transferred = await order({ Standard: 1, Student: 1 }, { method: 'transfer' })
  await cancelLine(transferred.id, 0)
  await reconciler.settle()
  assert.equal((await newest(transferred.id)).amount, 2000)
  assert.deepEqual(await damage(), [])
})

test('a code whose uses are gone keeps a late order from standing, and its money goes back', async t => {
  const shop = await openScriptedShop(t)
  const { write, eventId, processor, begin, pass, states, refundStates, damage } = shop
  await write(tx =>
    codes.create(tx, eventId, {
      ...{ code: 'ONE', percent: 50, amount: null, registration_type_ids: null, max_tickets: 1 },
      ...{ valid_from: null, valid_until: null, note: null, active: true },
    } as Parameters<typeof codes.create>[2]),
  )
  const id = await begin({ Standard: 1 }, { code: 'ONE' })
  await payWhileSilent(shop, id)
  const other = await shop.order({ Standard: 1 }, { code: 'ONE', method: 'transfer' })
  processor.heal()
  await pass(HOUR)
  assert.deepEqual([await states(id), await refundStates(id)], ['unpaid', ['late 2500 done']])
  assert.equal(await states(other.id), 'pending')
  assert.deepEqual(await damage(), [])
})

test('declined, then paid; and an order may begin three sessions, and no fourth', async t => {
  const { begin, choose, sessionOf, processor, reconciler, pay, states, paymentsOf, accountId, newest } =
    await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  for (const _ of [1, 2]) {
    await processor.expire(accountId, await sessionOf(id))
    reconciler.look(accountId, (await newest(id)).id)
    await reconciler.settle()
    await choose(id, 'test')
    await reconciler.settle()
  }
  await pay(id)
  assert.equal(await states(id), 'confirmed')
  assert.deepEqual(
    (await paymentsOf(id)).map(({ status }) => status),
    ['cancelled', 'cancelled', 'confirmed'],
  )
  const other = await begin({ Standard: 1 })
  for (const method of ['test', 'test', 'test'] as const) {
    await processor.expire(accountId, await sessionOf(other))
    reconciler.look(accountId, (await newest(other)).id)
    await reconciler.settle()
    if ((await paymentsOf(other)).length < 3) await choose(other, method)
    await reconciler.settle()
  }
  await assert.rejects(choose(other, 'test'), { code: 'payment_ended' })
  assert.equal((await choose(other, 'transfer')).method, 'transfer')
})

test('a price that changes, and a type that is full meanwhile, change nothing of an order that is being paid', async t => {
  const { write, eventId, types, begin, pay, states, moved } = await openScriptedShop(t)
  const id = await begin({ Student: 5 })
  await write(tx => registrationTypes.update(tx, eventId, types.Student as string, { price: 1, capacity: 5 }))
  await pay(id)
  assert.deepEqual([await states(id), await moved(id)], ['confirmed', ['payment 10000']])
})

test('what has to be approved is paid after that, and not where a line was cancelled meanwhile', async t => {
  const { order, write, states, choose, pay, reconciler, moved, cancelLine, eventId, newest } =
    await openScriptedShop(t)
  await write(tx => events.update(tx, eventId, { requires_approval: true }))
  const { id } = await order({ Standard: 1, Student: 1 })
  assert.deepEqual([await states(id), (await reconciler.settle()) ?? null], ['pending', null])
  await cancelLine(id, 0)
  await write(tx => payments.approve(tx, id))
  await choose(id, 'test')
  await reconciler.settle()
  assert.equal((await newest(id)).amount, 2000)
  await pay(id)
  assert.deepEqual(await moved(id), ['payment 2000'])
})
