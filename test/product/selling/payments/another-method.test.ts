import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openLog } from '#base/log.ts'
import { DAY, HOUR, MINUTE, SECOND } from '#base/time.ts'
import { INSTANCE } from '#machinery/db/port.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import { orderUrl } from '#product/selling/orders/links.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { type Processor, ProcessorFault } from '#product/selling/payments/processor.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { TestProcessor } from '#product/selling/payments/test-processor.ts'
import { Life } from '#test/support/mortal.ts'
import { organization } from '#test/support/organization.ts'
import { startDashboard } from '#test/support/people/dashboard.ts'
import { openScriptedShop } from '#test/support/scripted-shop.ts'
import { onceSettled } from '#test/support/settled.ts'

/** Opens a shop with an order whose session is open at the processor. */
async function openLeft(t: TestContext, options: Parameters<typeof openScriptedShop>[1] = {}) {
  const shop = await openScriptedShop(t, options)
  const ways = async (id: string) => (await shop.paymentsOf(id)).map(each => `${each.method} ${each.status}`)
  return { ...shop, ways, id: await shop.begin({ Standard: 1 }) }
}

test('a buyer who chooses another way has the open session ended at the processor first, and then begins the other', async t => {
  const { id, choose, ways, processor, reconciler, sessionOf, clock, get, transfer, newest, states, damage } =
    await openLeft(t)
  const session = await sessionOf(id)
  const left = await choose(id, 'transfer')
  assert.deepEqual([left.method, left.next_method, left.ended_at], ['test', 'transfer', null])
  assert.deepEqual(await ways(id), ['test created'], 'nothing is asked in the write')
  assert.equal(processor.countOf('expire'), 0)
  await reconciler.settle()
  assert.equal(processor.session(session).state, 'expired')
  assert.deepEqual(await ways(id), ['test cancelled', 'transfer pending'])
  assert.ok(Date.parse((await get(id)).expires_at as string) > clock() + DAY, 'the hold is that of the other')
  assert.equal(processor.pay(session), false)
  await transfer((await newest(id)).id, 5000, 'line-1')
  assert.deepEqual([await states(id), await damage()], ['confirmed', []])
})

test('what was paid while it was being left is settled, and no other payment begins', async t => {
  const { id, choose, ways, processor, reconciler, sessionOf, moved, states, mails, damage } =
    await openLeft(t)
  await choose(id, 'transfer')
  processor.onCall = async name => {
    if (name === 'read') processor.pay(await sessionOf(id))
  }
  await reconciler.settle()
  assert.equal(processor.countOf('expire'), 1, 'it was paid after it was read')
  assert.deepEqual([await ways(id), await states(id)], [['test confirmed'], 'confirmed'])
  assert.deepEqual([await moved(id), await mails()], [['payment 5000'], ['order_confirmed']])
  assert.deepEqual(await damage(), [])
})

test('money that is on its way stays the payment, and no other way can be chosen', async t => {
  const { id, choose, ways, processor, reconciler, sessionOf, newest } = await openLeft(t)
  await choose(id, 'door')
  processor.payLater(await sessionOf(id))
  await reconciler.settle()
  assert.deepEqual([await ways(id), (await newest(id)).next_method], [['test pending'], null])
  await assert.rejects(choose(id, 'door'), { code: 'payment_under_way' })
})

test('while the processor is silent the order is held, the buyer can go back, and nothing is begun before it has ended', async t => {
  const { id, choose, ways, processor, pass, reconciler, states, newest, damage } = await openLeft(t)
  processor.down('lost')
  await choose(id, 'transfer')
  await pass(40 * MINUTE, 20 * SECOND)
  assert.deepEqual([await ways(id), await states(id)], [['test created'], 'pending'])
  assert.equal((await newest(id)).next_method, 'transfer')
  assert.ok(processor.countOf('read') <= 12, `${processor.countOf('read')} reads`)
  processor.heal()
  await pass(16 * MINUTE)
  assert.deepEqual(await ways(id), ['test cancelled', 'transfer pending'], 'it was chosen in time')

  const other = await openLeft(t)
  other.processor.down('lost')
  await other.choose(other.id, 'transfer')
  await other.reconciler.settle()
  const back = await other.choose(other.id, 'test')
  assert.deepEqual([back.next_method, back.url === null], [null, false])
  other.processor.heal()
  await other.pass(6 * MINUTE)
  assert.equal(other.processor.countOf('expire'), 0)
  await other.pay(other.id)
  assert.deepEqual(
    [await other.ways(other.id), await other.states(other.id)],
    [['test confirmed'], 'confirmed'],
  )
  await reconciler.settle()
  assert.deepEqual([await damage(), await other.damage()], [[], []])
})

test('a processor that is silent for longer than a day holds no place for ever, and what it was left for is not begun then', async t => {
  const { id, choose, ways, processor, pass, states } = await openLeft(t)
  processor.down('lost')
  await choose(id, 'transfer')
  await pass(DAY + 2 * HOUR, 20 * MINUTE)
  assert.equal(await states(id), 'unpaid')
  processor.heal()
  await pass(HOUR)
  assert.deepEqual(await ways(id), ['test cancelled'])
  assert.equal(processor.sessions[0]?.state, 'expired')
})

test('of two tabs the last one has its way, and there is never a second payment beside it', async t => {
  const { id, choose, ways, reconciler, write, processors } = await openLeft(t)
  const tabs = (['transfer', 'door', 'transfer', 'door'] as const).map(method =>
    write(tx => payments.choose(tx, id, method, processors)),
  )
  await Promise.all(tabs)
  await reconciler.settle()
  assert.deepEqual(await ways(id), ['test cancelled', 'door pending'])
  await choose(id, 'transfer')
  await reconciler.settle()
  assert.deepEqual(await ways(id), ['test cancelled', 'door cancelled', 'transfer pending'])
})

test('a way that is not offered ends nothing, and one that is not any more by then has the buyer choose anew', async t => {
  const { id, choose, ways, reconciler, write, eventId, begin, states } = await openLeft(t)
  const offer = (to: string) =>
    write(tx => tx.run('UPDATE events SET payment_ways = $2 WHERE id = $1', [eventId, to]))
  await offer('transfer')
  await assert.rejects(choose(id, 'door'), { code: 'method_not_offered' })
  await choose(id, 'transfer')
  await offer('door')
  await reconciler.settle()
  assert.deepEqual([await ways(id), await states(id)], [['test cancelled'], 'pending'])
  await choose(id, 'door')
  assert.deepEqual(await ways(id), ['test cancelled', 'door pending'])

  // Nobody knows whether the session was made.
  const unknown = await begin({ Standard: 1 }, { method: 'door' })
  await choose(unknown, 'test')
  assert.deepEqual(await ways(unknown), ['door cancelled', 'test created'])
  await choose(unknown, 'door')
  assert.deepEqual(
    await ways(unknown),
    ['door cancelled', 'test cancelled', 'door pending'],
    'it was never sent',
  )
})

for (const fault of ['lost', 'deaf', 'broken', 'botched'] as const)
  test(`a session whose making is ${fault} is ended before another way begins`, async t => {
    const { order, choose, processor, pass, reconciler, paymentsOf, damage } = await openScriptedShop(t)
    processor.fault('start', fault)
    const { id } = await order({ Standard: 1 })
    await reconciler.settle()
    await choose(id, 'door')
    await pass(MINUTE, SECOND)
    assert.deepEqual(
      (await paymentsOf(id)).map(({ method, status }) => `${method} ${status}`),
      ['test cancelled', 'door pending'],
    )
    assert.ok(processor.sessions.every(({ state }) => state === 'expired'))
    assert.deepEqual(await damage(), [])
  })

test('wherever the server dies while a payment is left for another way, the next one ends the first and begins the other, once', async t => {
  const shop = await openLeft(t, {
    event: { registration_types: [{ name: 'Standard', price: 5000, capacity: 100 }] },
  })
  const { db, clock, processor, reconciler, begin, choose, ways, order } = shop
  let step = 1
  for (let hasDied = true; hasDied; step++) {
    const life = new Life()
    const mortal = new Reconciler({
      ...{ db: life.database(db), clock, log: openLog('silent', { write: () => undefined }) },
      processors: new Map([['test', life.processor(processor)]]),
      server: { baseUrl: 'https://tickets.example.org', secret: 's' },
    })
    const isMade = step % 2 === 0
    const id = isMade ? await begin({ Standard: 1 }) : (await order({ Standard: 1 })).id
    if (!isMade) {
      processor.fault('start', 'deaf')
      await reconciler.settle()
    }
    await choose(id, 'door')
    clock.advance(3 * SECOND)
    life.dieIn(Math.ceil(step / 2))
    await Promise.race([mortal.settle(), life.died])
    hasDied = life.isDead
    await life.laidToRest()
    clock.advance(MINUTE)
    await reconciler.settle()
    assert.deepEqual(await ways(id), ['test cancelled', 'door pending'], `it died at step ${step}`)
  }
  assert.ok(step > 10, `${step} steps`)
  assert.ok(processor.sessions.filter(({ state }) => state === 'open').length <= 1, 'that of nobody')
  assert.deepEqual(await shop.damage(), [])
})

test('the page of the buyer says that the earlier payment is being ended, leads back to it, and goes on by itself', async t => {
  const settings = { testPayments: true }
  const server = await startDashboard(t, organization({ event: { status: 'published' } }), { settings })
  const { db, accountId, applied, visitor, clock } = server
  const { id: eventId, registration_types: types } = applied.events['spring-meeting'] as NonNullable<
    (typeof applied.events)[string]
  >
  const test = { can: () => true } as unknown as Processor
  const { id } = await db.write(accountId, async tx => {
    await tx.run("UPDATE events SET payment_ways = 'set_up_and_door' WHERE id = $1", [eventId])
    const typeId = types.Standard as string
    const order = {
      ...{ formId: 'form', buyer: { name: 'Grace', email: 'grace@example.org' }, language: 'en' as const },
      agreement: agreementHash({ total: 5000, event: { currency: 'EUR', terms: null } }),
      ...{ answers: {}, lines: [{ typeId, tickets: [{ name: 'Grace', email: null }] }] },
    }
    const ways = { method: 'test', processors: new Map([['test' as const, test]]), signed: [] } as const
    return payments.placeOrder(tx, eventId, order, ways)
  })
  const listed = () => db.read(accountId, tx => payments.listByOrder(tx, id))
  await onceSettled(server, 'payments', 'a session', async () => (await listed())[0]?.url ?? undefined)
  const { secret } = (await db.read(INSTANCE, tx =>
    tx.one<{ secret: string }>('SELECT cursor_secret AS secret FROM instance'),
  )) as { secret: string }
  const order = await db.read(accountId, tx => orders.get(tx, id))
  const path = orderUrl({ baseUrl: '', secret }, order)
  const silent = t.mock.method(TestProcessor.prototype, 'read', async () => {
    throw new ProcessorFault('silent')
  })
  const buyer = visitor()
  const open = await buyer.open(path)
  assert.match(open.text, /Pay in another way/)
  const left = await open.press('Pay in this way')
  assert.match(left.text, /The earlier payment \(Test payment\) is ended first.*At the door/)
  assert.match(left.html, /http-equiv="refresh" content="2"/)
  const spanish = await visitor('es').open(`${path}?lang=es`)
  assert.match(spanish.text, /Primero se cierra el pago anterior \(Pago de prueba\).*En la puerta/)
  assert.match(spanish.text, /Volver al pago anterior/)
  const back = await left.press('Go back to the earlier payment: Test payment')
  assert.match(back.html, /http-equiv="refresh" content="0; url=/)
  assert.equal((await listed())[0]?.next_method, null)
  await (await buyer.open(path)).press('Pay in this way')
  silent.mock.restore()
  clock.advance(MINUTE)
  await buyer.open(path)
  await onceSettled(server, 'payments', 'the other way', async () => (await listed()).length > 1)
  const done = await buyer.open(`${path}?go`)
  assert.match(done.text, /You pay when you arrive/)
  assert.doesNotMatch(done.html, /http-equiv="refresh"/)
})
