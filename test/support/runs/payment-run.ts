import assert from 'node:assert/strict'
import { openLog } from '#base/log.ts'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { agreementHash } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { readDueAtDoor } from '#product/selling/payments/door.ts'
import { findBank } from '#product/selling/payments/methods.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { listRefundSources } from '#product/selling/payments/refund-limit.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { findOrders } from '#product/selling/payments/search.ts'
import * as store from '#product/selling/payments/store.ts'
import { actInTest, TestProcessor } from '#product/selling/payments/test-processor.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { connectPayments } from './connection-run.ts'

/** Does everything with payments, each of it once. */
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
  const seen = agreementHash({ total: price, event: { currency: 'EUR', terms: null } })
  const place = (formId: string, method: 'test' | 'door', email = `${formId}@example.org`) =>
    db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        eventId,
        {
          ...{ formId, buyer: { name: 'Lin', email }, language: 'en', answers: {}, agreement: seen },
          lines: [{ typeId, tickets: [{ name: 'Bob', email: null }] }],
        },
        { method, processors, signed: [] },
      ),
    )
  const paid = await place('paid', 'test')
  const late = await place('late', 'test')
  const door = await place('door', 'door')
  const { registrations } = await db.read(accountId, tx => orders.getDetails(tx, door.id))
  await readDueAtDoor(
    db,
    accountId,
    registrations.map(({ id }) => ({ registration_id: id })),
  )
  await reconciler.settle()
  const sessionOf = async (id: string) => {
    const [payment] = await db.read(accountId, tx => payments.listByOrder(tx, id))
    return payment as NonNullable<typeof payment>
  }
  for (const { id } of [paid, late]) assert.notEqual((await sessionOf(id)).session_id, null)
  const pay = async (id: string) => {
    const session = (await sessionOf(id)).session_id as string
    await db.write(accountId, tx => actInTest(tx, session, 'pay'))
  }
  await pay(paid.id)
  await pay(late.id)
  await db.write(accountId, tx => orders.fail(tx, late.id, 'unpaid'))
  for (const { id } of [paid, late]) reconciler.look(accountId, (await sessionOf(id)).id)
  await reconciler.settle()
  assert.equal((await sessionOf(paid.id)).status, 'confirmed')
  const session = (await sessionOf(paid.id)).session_id as string
  await processor.find(accountId, (await sessionOf(paid.id)).id)
  await db.write(accountId, async tx => {
    const payment = await sessionIn(door.id)
    await payments.markPaid(tx, payment.id)
    const order = await orders.get(tx, paid.id)
    const wanted = { orderId: order.id, eventId, currency: 'EUR', amount: 10, reason: 'organizer' } as const
    const [refund] = await refunds.request(tx, wanted)
    await refunds.get(tx, refund?.id as string)
    const facts = {
      id: 'test_re',
      refundId: null,
      chargeId: session,
      state: 'done',
      currency: 'EUR',
    } as const
    const of = { id: (await sessionIn(paid.id)).id, event_id: eventId, order_id: paid.id }
    await refunds.note(tx, 'test', { ...facts, amount: 1, at: clock() }, of)
    await refunds.listOwed(tx, 10)
    // What was paid by hand has to be paid back by hand.
    await refunds.request(tx, { ...wanted, orderId: door.id })
    for (const some of [null, [eventId]]) await refunds.listToPayBack(tx, some, 10)
    await listRefundSources(tx, { registrationId: typeId })
    await payments.listTroubled(tx, 10)
    await payments.list(tx, { status: 'confirmed' }, { limit: 10 })
    await payments.list(tx, {}, { limit: 10 })
    await payments.findOwner(asInstance(tx), payment.id)
    await refunds.findOwner(asInstance(tx), refund?.id as string)
    await orders.list(tx, { event_id: eventId, waits_for: 'payment' }, { limit: 10 })
    for (const q of ['lin@example.org', payment.reference as string, order.reference])
      await findOrders(tx, eventId, q, 10)
    await store.makeOrderDue(tx, paid.id, clock())
    await store.findBySession(tx, session)
    await store.findByCharge(tx, session)
    await ledger.has(tx, 'fee', session)
    await ledger.list(tx, { registrationId: typeId })
    await findBank(tx)

    async function sessionIn(id: string) {
      const [first] = await payments.listByOrder(tx, id)
      return first as NonNullable<typeof first>
    }
  })
  await reconciler.settle()
  const { id, event_id, order_id } = await sessionOf(paid.id)
  await connectPayments(db, clock, { accountId, payment: { id, event_id, order_id } })
}
