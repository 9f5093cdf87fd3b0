import { openLog } from '#base/log.ts'
import { MINUTE } from '#base/time.ts'
import { readInstance } from '#machinery/db/instance.ts'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { commandOn } from '#product/administration/access-log/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import { agreementHash, readSale } from '#product/selling/orders/basket.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import type { Processors } from '#product/selling/payments/processor.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import { refundOrder } from '#product/selling/payments/refunding.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { actInTest, TestProcessor } from '#product/selling/payments/test-processor.ts'
import { type DemoOrder, demoOrders } from './demo-orders.ts'
import { demoOrganization } from './demo-organization.ts'

/** How long buyers in the sandbox take to pay, in milliseconds, and after how long an unpaid session has ended. */
const PAYING = 3 * MINUTE
const ABANDONED = 45 * MINUTE

/** A clock that goes from order to order through the weeks before the sandbox began. */
export interface PastClock {
  (): number
  set(at: number): void
}

export function pastClock(start: number): PastClock {
  let now = start
  const set = (at: number) => {
    now = Math.max(now, at)
  }
  return Object.assign(() => now, { set })
}

interface Shop {
  db: Database
  accountId: string
  clock: PastClock
  processor: TestProcessor
  processors: Processors
  reconciler: Reconciler
}

/**
 * Makes the demo organization as it has grown by now: its guests have ordered in the weeks before, by the rules of the shop, so
 * that there are orders, payments, receipts and mails.
 *
 * @param db works by `clock`, whose first instant lies before the first order
 * @param now in milliseconds
 */
export async function makeDemo(db: Database, clock: PastClock, now: number): Promise<void> {
  const { account_id: accountId, events: made } = await applyOrganization(db, demoOrganization(now), {
    clock,
  })
  const { cursor_secret: secret } = await db.read(INSTANCE, readInstance)
  // The sessions of the test processor have ended before anybody could open their addresses.
  const baseUrl = 'http://127.0.0.1'
  const processor = new TestProcessor({ db, clock, baseUrl })
  const processors = new Map([['test' as const, processor]])
  const log = openLog('silent', { write: () => undefined })
  const reconciler = new Reconciler({ db, clock, log, processors, server: { baseUrl, secret } })
  const shop = { db, accountId, clock, processor, processors, reconciler }
  const admitted: string[] = []
  for (const demo of demoOrders(now)) {
    const eventId = made[demo.event]?.id as string
    clock.set(demo.at)
    const order = await placeDemo(shop, eventId, demo)
    await follow(shop, order.id, demo)
    if (demo.outcome === 'admitted') admitted.push(order.id)
  }
  clock.set(now)
  for (const id of admitted) await admit(shop, id)
}

function placeDemo({ db, accountId, processors }: Shop, eventId: string, demo: DemoOrder) {
  const { buyer, type: typeName, quantity, language, answers, method } = demo
  return db.write(accountId, async tx => {
    const { event, types } = await readSale(tx, eventId)
    const type = types.find(({ name }) => name === typeName)
    if (type === undefined) throw new Error(`The demo has no ticket type ${typeName}.`)
    const tickets = Array.from({ length: quantity }, (_, at) => ({
      ...{ name: at === 0 ? buyer.name : `${buyer.name} +${at}`, email: null, answers },
    }))
    const order = {
      ...{ formId: `demo ${demo.at} ${buyer.email}`, buyer, language, answers: {} },
      ...{
        lines: [{ typeId: type.id, tickets }],
        agreement: agreementHash({ total: type.price * quantity, event }),
      },
    }
    return payments.placeOrder(tx, eventId, order, { method, processors, signed: [] })
  })
}

/** Does what happened to an order after it was placed. */
async function follow(shop: Shop, orderId: string, { method, outcome }: DemoOrder): Promise<void> {
  const { db, accountId, clock, reconciler } = shop
  if (method === 'test') {
    await reconciler.settle()
    clock.set(clock() + (outcome === 'abandoned' ? ABANDONED : PAYING))
    await paySession(shop, orderId, outcome !== 'abandoned')
    await reconciler.settle()
  }
  if (outcome === 'refunded' || outcome === 'given back') {
    await db.write(accountId, async tx => giveBack(tx, await orders.getDetails(tx, orderId)))
    await reconciler.settle()
  }
}

/** Checks the first ticket of an order in. */
async function admit({ db, accountId }: Shop, orderId: string): Promise<void> {
  const [ticket] = ticketsOf(await db.read(accountId, tx => orders.getDetails(tx, orderId)))
  const checkIn = { attendee_id: ticket as string }
  const entry = checkIns.createEntry(checkIn)
  await recordedWrite(db, commandOn(accountId), tx => checkIns.create(tx, checkIn), entry)
}

/** Pays the session of an order at the test processor, or leaves it, and says that it should be looked at. */
async function paySession(shop: Shop, orderId: string, isPaid: boolean): Promise<void> {
  const { db, accountId, processor, reconciler } = shop
  const [payment] = await db.read(accountId, tx => payments.listByOrder(tx, orderId))
  if (payment === undefined) throw new Error(`The demo order ${orderId} has no payment.`)
  const session = await processor.find(accountId, payment.id)
  if (isPaid && session !== undefined) await db.write(accountId, tx => actInTest(tx, session.id, 'pay'))
  reconciler.look(accountId, payment.id)
}

/** Voids the tickets of an order, and pays back half of what they cost. */
function giveBack(tx: WriteTx, order: OrderDetails) {
  return refundOrder(tx, {
    ...{ orderId: order.id, ticketIds: ticketsOf(order), amount: Math.floor(order.amount_total / 2) },
    ...{ reason: 'organizer', note: null, isNotified: true },
  })
}

function ticketsOf({ registrations }: OrderDetails): string[] {
  return registrations.flatMap(({ attendees }) => attendees.map(({ id }) => id))
}
