import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { setHold } from '#machinery/db/instance.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'

for (const fault of ['lost', 'deaf', 'broken', 'botched', 'busy', 'denied'] as const) {
  test(`a session whose making is ${fault} is made once, and paid`, async t => {
    const { begin, processor, pass, pay, states, moved, paymentsOf } = await openScriptedShop(t)
    processor.fault('start', fault, fault)
    const id = await begin({ Standard: 1 })
    await pass(2 * MINUTE, SECOND)
    assert.equal(processor.sessions.length, 1)
    assert.ok(processor.countOf('start', 'find') <= 6, 'it is asked no more than it must be')
    await pay(id)
    assert.deepEqual([await states(id), await moved(id)], ['confirmed', ['payment 5000']])
    assert.equal((await paymentsOf(id)).length, 1)
  })

  test(`a session that cannot be read or ended as that is ${fault} is held until it can`, async t => {
    const { begin, processor, pass, states, sold, order, sessionOf, clock, reconciler } =
      await openScriptedShop(t)
    const id = await begin({ Student: 5 })
    processor.fault('read', fault)
    processor.fault('expire', fault, fault)
    clock.advance(35 * MINUTE - SECOND)
    await reconciler.settle()
    assert.equal(await states(id), 'pending')
    processor.session(await sessionOf(id)).expiresAt = clock() + HOUR
    await assert.rejects(order({ Student: 1 }), { code: 'sold_out' })
    await pass(2 * MINUTE, 2 * SECOND)
    assert.deepEqual([await states(id), (await sold()).Student], ['unpaid', 0])
    assert.equal(processor.sessions[0]?.state, 'expired')
    assert.ok(processor.countOf('read') <= 12, `${processor.countOf('read')} reads`)
  })
}

test('what the processor refuses ends the payment, and the buyer can choose anew', async t => {
  const { begin, processor, newest, choose, reconciler, pay, states } = await openScriptedShop(t)
  processor.fault('start', 'refused')
  const id = await begin({ Standard: 1 })
  const { status, trouble } = await newest(id)
  assert.deepEqual([status, trouble], ['failed', 'said_no'])
  await choose(id, 'test')
  await reconciler.settle()
  await pay(id)
  assert.equal(await states(id), 'confirmed')
})

test('a payment that ended before it had a session is looked at no more, whatever was still to be done', {
  timeout: 20_000,
}, async t => {
  const { begin, processor, newest, reconciler, db, accountId, clock, states } = await openScriptedShop(t)
  processor.fault('start', 'refused')
  const id = await begin({ Standard: 1 })
  const { id: paymentId, status } = await newest(id)
  assert.equal(status, 'failed')
  await db.write(accountId, tx =>
    tx.run('UPDATE payments SET call = NULL, next_look_at = $3 WHERE account_id = $1 AND id = $2', [
      tx.accountId,
      paymentId,
      clock(),
    ]),
  )
  const before = processor.countOf('start', 'find', 'read')
  // It comes to an end only if nothing stays due.
  await reconciler.settle()
  const ended = await newest(id)
  assert.deepEqual([ended.status, ended.trouble], ['failed', 'said_no'])
  assert.equal(processor.countOf('start', 'find', 'read'), before, 'nobody is asked about it')
  assert.equal(await states(id), 'pending')
})

test('a processor that is silent for an hour has nobody lose a place or money, and is asked seldom', async t => {
  const { begin, processor, pass, sessionOf, states, sold, moved, damage } = await openScriptedShop(t)
  const [paid, unpaid] = [await begin({ Standard: 1 }), await begin({ Standard: 2 })]
  processor.pay(await sessionOf(paid))
  const before = processor.calls.length
  processor.down('lost')
  const new_ = await begin({ Student: 1 })
  await pass(HOUR, 5 * SECOND)
  assert.deepEqual(
    [await states(paid), await states(unpaid), await states(new_)],
    // The last one has never had anything that could be paid.
    ['pending', 'pending', 'unpaid'],
  )
  assert.ok(processor.calls.length - before <= 45, `${processor.calls.length - before} calls`)
  processor.heal()
  await pass(16 * MINUTE, 5 * SECOND)
  assert.deepEqual(
    [await states(paid), await states(unpaid), await states(new_)],
    ['confirmed', 'unpaid', 'unpaid'],
  )
  assert.deepEqual([await moved(paid), (await sold()).Standard], [['payment 5000'], 1])
  assert.deepEqual(await damage(), [])
})

test('a processor that stays silent holds the places for a day, and no longer', async t => {
  const { begin, processor, pass, states, sold } = await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  processor.down('lost')
  await pass(24 * HOUR, 15 * MINUTE)
  assert.equal(await states(id), 'pending')
  await pass(HOUR, 15 * MINUTE)
  assert.deepEqual([await states(id), (await sold()).Standard], ['unpaid', 0])
})

test('a session that nobody pays is looked at every five minutes, however often it is swept', async t => {
  const { begin, processor, pass } = await openScriptedShop(t)
  await begin({ Standard: 1 })
  await pass(30 * MINUTE, 5 * SECOND)
  assert.ok(processor.countOf('read') <= 7, `${processor.countOf('read')} reads`)
})

test('money that takes days holds the places, is asked for hourly, and no oftener once its order is withdrawn', async t => {
  const { begin, processor, sessionOf, pass, states, sold, write, refundStates, newest, damage } =
    await openScriptedShop(t)
  const [id, other] = [await begin({ Standard: 1 }), await begin({ Standard: 1 })]
  for (const each of [id, other]) processor.payLater(await sessionOf(each))
  await pass(6 * MINUTE)
  assert.equal((await newest(id)).status, 'pending')
  await write(tx => orders.fail(tx, other, 'withdrawn'))
  const before = processor.countOf('read')
  await pass(3 * HOUR, 5 * SECOND)
  const reads = processor.countOf('read') - before
  assert.ok(reads >= 5 && reads <= 9, `${reads} reads`)
  await pass(5 * DAY, HOUR)
  assert.deepEqual([await states(id), (await sold()).Standard], ['pending', 1])
  for (const each of [id, other]) processor.pay(await sessionOf(each))
  await pass(HOUR)
  assert.deepEqual([await states(id), await states(other)], ['confirmed', 'withdrawn'])
  assert.deepEqual([await refundStates(id), await refundStates(other)], [[], ['late 5000 done']])
  assert.deepEqual(await damage(), [])
})

test('money that takes longer than any holds no place for ever, and comes back to an order that has room', async t => {
  const { begin, processor, sessionOf, pass, states } = await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  processor.payLater(await sessionOf(id))
  await pass(HOUR)
  await pass(20 * DAY, HOUR)
  assert.equal(await states(id), 'pending')
  await pass(2 * DAY, 30 * MINUTE)
  assert.equal(await states(id), 'unpaid')
  assert.ok(processor.countOf('read') < 24 * 24)
  processor.pay(await sessionOf(id))
  await pass(HOUR)
  assert.equal(await states(id), 'confirmed')
})

test('a delayed payment that fails after days ends the order and gives its places back', async t => {
  const { begin, processor, sessionOf, pass, states, sold, mails, newest } = await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  processor.payLater(await sessionOf(id))
  await pass(3 * DAY, HOUR)
  processor.failLater(await sessionOf(id))
  await pass(HOUR)
  assert.deepEqual(
    [await states(id), (await newest(id)).status, (await sold()).Standard],
    ['unpaid', 'failed', 0],
  )
  assert.ok((await mails()).includes('order_unpaid'))
})

test('another amount is kept and shown, confirms nothing, and goes back when nobody has decided in a week', async t => {
  const { begin, pay, pass, states, newest, moved, refundStates, damage } = await openScriptedShop(t)
  const [less, more] = [await begin({ Standard: 1 }), await begin({ Standard: 1 })]
  await pay(less, { amount: 4999 })
  await pay(more, { amount: 5001 })
  for (const [id, amount] of [
    [less, 4999],
    [more, 5001],
  ] as const) {
    const { status, trouble, received } = await newest(id)
    assert.deepEqual([status, trouble, received], ['pending', 'other_amount', amount])
    assert.deepEqual([await states(id), await moved(id)], ['pending', [`payment ${amount}`]])
  }
  await pass(8 * DAY, HOUR)
  assert.deepEqual([await states(less), await refundStates(less)], ['unpaid', ['late 4999 done']])
  assert.deepEqual([await states(more), await refundStates(more)], ['unpaid', ['late 5001 done']])
  assert.deepEqual(await damage(), [])
})

test('money in another currency is kept, and goes back in that', async t => {
  const { begin, pay, pass, states, newest, refundsOf, write } = await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  await pay(id, { amount: 5000, currency: 'USD' })
  assert.deepEqual([await states(id), (await newest(id)).trouble], ['pending', 'other_amount'])
  await write(tx => orders.fail(tx, id, 'withdrawn'))
  await pass(HOUR)
  assert.deepEqual(
    (await refundsOf(id)).map(({ amount, currency, status }) => [amount, currency, status]),
    [[5000, 'USD', 'done']],
  )
})

test('a fee that is not known at first is asked for until it is, also when the processor was silent for hours', async t => {
  const { begin, pay, pass, processor, sessionOf, db, ledgerOf, damage } = await openScriptedShop(t)
  processor.fees = 'later'
  const id = await begin({ Standard: 1, Student: 1 })
  await pay(id)
  const fees = () =>
    db.read(INSTANCE, async tx => {
      const rows = await tx.all<{ fee: number | null }>(
        'SELECT processor_fee AS fee FROM registrations WHERE order_id = $1 ORDER BY amount_total DESC',
        [id],
      )
      return rows.map(({ fee }) => fee)
    })
  assert.deepEqual(await fees(), [null, null])
  assert.deepEqual(await damage(), [])
  const before = processor.countOf('read')
  processor.down('lost')
  await pass(6 * HOUR)
  processor.heal()
  await pass(3 * DAY, HOUR)
  const reads = processor.countOf('read') - before
  assert.ok(reads <= 10, `${reads} reads`)
  processor.tellFee(await sessionOf(id))
  await pass(DAY, HOUR)
  assert.deepEqual(await fees(), [118, 47])
  assert.deepEqual(
    (await ledgerOf(id)).map(({ kind, amount }) => `${kind} ${amount}`),
    ['fee -165', 'payment 7000'],
  )
  const count = processor.calls.length
  await pass(3 * DAY, HOUR)
  assert.equal(processor.calls.length, count, 'nothing more is asked')
  assert.deepEqual(await damage(), [])
})

test('a fee in another currency stays unknown, with its reason', async t => {
  const { begin, pay, pass, processor, newest, ledgerOf } = await openScriptedShop(t)
  processor.fees = 'foreign'
  const id = await begin({ Standard: 1 })
  await pay(id)
  await pass(HOUR)
  assert.equal((await newest(id)).trouble, 'fee_currency')
  assert.deepEqual(
    (await ledgerOf(id)).map(({ kind }) => kind),
    ['payment'],
  )
  const before = processor.calls.length
  await pass(20 * DAY, HOUR)
  assert.equal(processor.calls.length, before)
})

test('a database that may be a copy asks and gives back nothing, until its owner lets go', async t => {
  const {
    begin,
    processor,
    sessionOf,
    write,
    clock,
    pass,
    states,
    moved,
    refundStates,
    accountId,
    reconciler,
    newest,
  } = await openScriptedShop(t)
  const [paid, withdrawn] = [await begin({ Standard: 1 }), await begin({ Standard: 1 })]
  for (const id of [paid, withdrawn]) processor.pay(await sessionOf(id))
  await write(tx => setHold(tx, clock()))
  await write(tx => orders.fail(tx, withdrawn, 'withdrawn'))
  const before = processor.calls.length
  reconciler.look(accountId, (await newest(paid)).id)
  await pass(3 * HOUR)
  assert.equal(processor.calls.length, before)
  assert.deepEqual([await states(paid), await moved(paid)], ['pending', []])
  await write(tx => setHold(tx, null))
  await reconciler.settle()
  assert.deepEqual([await states(paid), await moved(paid)], ['confirmed', ['payment 5000']])
  assert.deepEqual(await refundStates(withdrawn), ['late 5000 done'])
})

test('a call is sent again under its key within a day, and looked for after that', async t => {
  const { begin, processor, pass, clock, reconciler, newest, states } = await openScriptedShop(t)
  processor.fault('start', 'deaf')
  processor.down(undefined)
  const id = await begin({ Standard: 1 })
  assert.equal((await newest(id)).session_id, null)
  // The server is down for longer than the processor knows its key.
  clock.advance(25 * HOUR)
  await reconciler.settle()
  await pass(MINUTE, SECOND)
  assert.equal(processor.countOf('find'), 1)
  assert.equal(processor.countOf('start'), 1)
  assert.equal(processor.sessions.length, 1)
  assert.equal(await states(id), 'unpaid')
})

test('somebody who says that a payment has changed while it is being read has it read again', async t => {
  const { begin, processor, sessionOf, newest, reconciler, accountId, states } = await openScriptedShop(t)
  const id = await begin({ Standard: 1 })
  const session = await sessionOf(id)
  const payment = (await newest(id)).id
  // The answer that it is open is on its way while the buyer pays, and the processor says so.
  let answers = 0
  processor.onCall = async name => {
    if (name !== 'read' || ++answers > 1) return
    processor.pay(session)
    reconciler.look(accountId, payment)
    await new Promise(resolve => setImmediate(resolve))
  }
  reconciler.look(accountId, payment)
  await reconciler.settle()
  assert.equal(await states(id), 'confirmed')
})

test('an order that ends while its session is being made leaves no session that can be paid', async t => {
  const { order, processor, write, reconciler, pass, sessionOf, states, paymentsOf } =
    await openScriptedShop(t)
  for (const at of ['prepare', 'start'] as const) {
    const { id } = await order({ Standard: 1 })
    let isDone = false
    processor.onCall = async name => {
      if (name !== at || isDone) return
      isDone = true
      await write(tx => orders.fail(tx, id, 'withdrawn'))
    }
    await reconciler.settle()
    await pass(MINUTE, SECOND)
    assert.equal(await states(id), 'withdrawn')
    assert.deepEqual(
      processor.sessions.filter(({ state }) => state === 'open'),
      [],
      at,
    )
    assert.ok((await paymentsOf(id)).every(({ ended_at }) => ended_at !== null))
    assert.equal((await sessionOf(id)) === null, at === 'prepare')
  }
})

test('one order that cannot be ended keeps no other from its end', async t => {
  const { order, write, states, pass, sold } = await openScriptedShop(t, {
    changes: { payment_days: 1 },
  })
  const damaged = await order({ Standard: 1 }, { method: 'transfer' })
  const sound = await order({ Student: 1 }, { method: 'transfer' })
  // Places that were never taken cannot be given back.
  await write(tx => tx.run("UPDATE registration_types SET sold = 0 WHERE name = 'Standard'"))
  await pass(2 * DAY, HOUR)
  assert.deepEqual([await states(damaged.id), await states(sound.id)], ['pending', 'unpaid'])
  assert.equal((await sold()).Student, 0)
})
