import type { Database } from '../../src/db/port.ts'
import * as ledger from '../../src/ledger/rules.ts'
import { openLog } from '../../src/log.ts'
import { seenOf } from '../../src/orders/basket.ts'
import * as orders from '../../src/orders/rules.ts'
import { Reconciler } from '../../src/payments/reconciler.ts'
import * as refunds from '../../src/payments/refunds.ts'
import * as payments from '../../src/payments/rules.ts'
import { findOrders } from '../../src/payments/search.ts'
import { sourcesOf } from '../../src/payments/sources.ts'
import * as store from '../../src/payments/store.ts'
import { actInTest, TestProcessor } from '../../src/payments/test-processor.ts'
import { findBank } from '../../src/payments/ways.ts'
import type { Clock } from '../../src/time.ts'
import { connectPayments } from './connection-run.ts'
import { eventually } from './webhooks.ts'

/** What is done with payments, each of it once. */
export async function takePayments(
  db: Database,
  clock: Clock,
  { accountId, eventId, typeId }: { accountId: string; eventId: string; typeId: string },
): Promise<void> {
  const price = 1_000
  await db.write(accountId, async tx => {
    await tx.run(
      "UPDATE events SET status = 'published', ends_at = $1, payment_ways = 'set_up_and_door' WHERE id = $2",
      [clock() + 1e9, eventId],
    )
    await tx.run('UPDATE registration_types SET price = $1, capacity = 1000 WHERE id = $2', [price, typeId])
  })
  const baseUrl = 'https://tickets.example.org'
  const processor = new TestProcessor({ db, clock, baseUrl })
  const processors = new Map([['test', processor]] as const)
  const log = openLog('silent', { write: () => undefined })
  const reconciler = new Reconciler({ db, clock, log, processors, server: { baseUrl, secret: 'secret' } })
  const seen = seenOf({ total: price, event: { currency: 'EUR', terms: null } })
  const place = (formId: string, method: 'test' | 'door', email = `${formId}@example.org`) =>
    db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        accountId,
        eventId,
        {
          ...{ formId, buyer: { name: 'Lin', email }, language: 'en', answers: {}, seen },
          lines: [{ typeId, tickets: [{ name: 'Bob', email: null }] }],
        },
        { method, processors, signed: [] },
      ),
    )
  const paid = await place('paid', 'test')
  const late = await place('late', 'test')
  const door = await place('door', 'door')
  await reconciler.settle()
  const sessionOf = async (id: string) => {
    const [payment] = await db.read(tx => payments.listByOrder(tx, accountId, id))
    return payment as NonNullable<typeof payment>
  }
  const pay = async (id: string) => {
    // The server beside may have looked first, which knows no such processor.
    const session = await eventually('a session', async () => {
      const payment = await sessionOf(id)
      if (payment.session_id !== null) return payment.session_id
      reconciler.look(accountId, payment.id)
      await reconciler.settle()
      return undefined
    })
    await db.write(accountId, tx => actInTest(tx, accountId, session, 'pay'))
  }
  await pay(paid.id)
  await pay(late.id)
  await db.write(accountId, tx => orders.fail(tx, accountId, late.id, 'unpaid'))
  for (const { id } of [paid, late]) reconciler.look(accountId, (await sessionOf(id)).id)
  await reconciler.settle()
  const session = (await sessionOf(paid.id)).session_id as string
  await processor.find(accountId, (await sessionOf(paid.id)).id)
  await db.write(accountId, async tx => {
    const payment = await sessionIn(door.id)
    await payments.markPaid(tx, accountId, payment.id)
    const order = await orders.get(tx, accountId, paid.id)
    const wanted = { orderId: order.id, eventId, currency: 'EUR', amount: 10, reason: 'organizer' } as const
    const [refund] = await refunds.request(tx, accountId, wanted)
    await refunds.get(tx, accountId, refund?.id as string)
    const facts = {
      id: 'test_re',
      refundId: null,
      chargeId: session,
      state: 'done',
      currency: 'EUR',
    } as const
    const of = { id: (await sessionIn(paid.id)).id, event_id: eventId, order_id: paid.id }
    await refunds.note(tx, accountId, 'test', { ...facts, amount: 1, at: clock() }, of)
    await refunds.listOwed(tx, accountId, 10)
    for (const some of [null, [eventId]]) await refunds.listToPayBack(tx, accountId, some, 10)
    await sourcesOf(tx, accountId, { registrationId: typeId })
    await payments.listTroubled(tx, accountId, 10)
    await payments.list(tx, accountId, { status: 'confirmed' }, { limit: 10 })
    await payments.list(tx, accountId, {}, { limit: 10 })
    await payments.findOwner(tx, payment.id)
    await refunds.findOwner(tx, refund?.id as string)
    await orders.list(tx, accountId, { event_id: eventId, waits_for: 'payment' }, { limit: 10 })
    for (const q of ['lin@example.org', payment.reference as string, order.reference])
      await findOrders(tx, accountId, eventId, q, 10)
    await store.lookAtOrder(tx, accountId, paid.id, clock())
    await store.findBySession(tx, accountId, session)
    await store.findByCharge(tx, accountId, session)
    await ledger.has(tx, accountId, 'fee', session)
    await ledger.list(tx, accountId, { registrationId: typeId })
    await findBank(tx, accountId)

    async function sessionIn(id: string) {
      const [first] = await payments.listByOrder(tx, accountId, id)
      return first as NonNullable<typeof first>
    }
  })
  await reconciler.settle()
  const { id, event_id, order_id } = await sessionOf(paid.id)
  await connectPayments(db, clock, { accountId, payment: { id, event_id, order_id } })
}
