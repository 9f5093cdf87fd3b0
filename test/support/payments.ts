import type { TestContext } from 'node:test'
import { openLog } from '#base/log.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import * as emails from '#machinery/mail/rules.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventChanges } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import * as ledger from '#product/selling/ledger/rules.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import { type CanPay, offeringReleases } from '#product/selling/orders/offers.ts'
import * as orders from '#product/selling/orders/rules.ts'
import { payableBy } from '#product/selling/payments/methods.ts'
import type { Method, Processor, ProcessorName } from '#product/selling/payments/processor.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { actInTest, type TestAction, TestProcessor } from '#product/selling/payments/test-processor.ts'
import { dataFolder } from './blank-database.ts'
import { testClock } from './clock.ts'
import { damageOf, openTestDatabase } from './engine.ts'
import { readEventTypes } from './observations.ts'
import { organization } from './organization.ts'
import { subscribeToAll } from './subscriber.ts'

const BASE_URL = 'https://tickets.example.org'

/** The names of the types that are sold, and how many of each an order takes. */
export type Wanted = Readonly<Record<string, number>>

export interface ShopOptions {
  event?: object
  changes?: EventChanges
  /** If it is left out, it follows from the processors and other methods. */
  canPay?: CanPay
  /** The data folder of the shop. */
  folder?: string
  processors?: (db: Database, clock: ReturnType<typeof testClock>) => ReadonlyMap<ProcessorName, Processor>
}

/**
 * Opens an event that sells, with what settles its payments, by the rules alone: no server is beside it, and the clock stands
 * still.
 */
export async function openShop(
  t: TestContext,
  { event = {}, changes = {}, folder, processors, canPay }: ShopOptions = {},
) {
  const data = folder ?? dataFolder(t)
  const clock = testClock()
  const opened = await openTestDatabase(t, { data, clock })
  const file = organization({
    event: {
      ...{ status: 'published', starts_at: '2027-02-01T09:00:00Z', ends_at: '2027-02-02T18:00:00Z' },
      registration_types: [
        { name: 'Standard', price: 5000, capacity: 10, tax_basis_points: 1900 },
        { name: 'Student', price: 2000, capacity: 5 },
        { name: 'Free', price: 0, capacity: 50 },
      ],
      ...event,
    },
  })
  const applied = await applyOrganization(opened, file, { clock })
  const accountId = applied.account_id as string
  const [of] = Object.values(applied.events)
  const eventId = of?.id as string
  const types = of?.registration_types as Record<string, string>
  await subscribeToAll(opened, accountId)
  await opened.write(accountId, tx => events.update(tx, eventId, changes))
  const { cursor_secret: secret } = (await opened.read(INSTANCE, tx =>
    tx.one<{ cursor_secret: string }>('SELECT cursor_secret FROM instance'),
  )) as { cursor_secret: string }
  const given =
    processors?.(opened, clock) ??
    new Map([['test', new TestProcessor({ db: opened, clock, baseUrl: BASE_URL })]])
  const byName = given as ReadonlyMap<ProcessorName, Processor>
  const db = offeringReleases(opened, canPay ?? payableBy(byName))
  const log = openLog('silent', { write: () => undefined })
  const newReconciler = () =>
    new Reconciler({ db, clock, log, processors: byName, server: { baseUrl: BASE_URL, secret } })
  const reconciler = newReconciler()
  let forms = 0

  /** Orders as somebody on the event's page does. */
  const order = async (
    wanted: Wanted,
    {
      method = 'test',
      code,
      email = `buyer-${forms}@example.org`,
      given = {},
    }: { method?: Method | undefined; code?: string; email?: string; given?: Wanted } = {},
  ) => {
    const lines = Object.entries(wanted).map(([name, quantity]) => ({
      typeId: types[name] as string,
      quantity,
      price: given[name],
    }))
    const basket = await db.read(accountId, tx => fillBasket(tx, eventId, { lines, code }, clock()))
    return db.write(accountId, tx =>
      payments.placeOrder(
        tx,
        eventId,
        {
          ...{ formId: `form-${forms++}`, buyer: { name: 'Ada', email }, language: 'en', answers: {}, code },
          agreement: agreementHash(basket),
          lines: lines.map(({ quantity, ...line }) => ({
            ...line,
            tickets: Array.from({ length: quantity }, (_, at) => ({ name: `Holder ${at}`, email: null })),
          })),
        },
        { method, processors: byName, signed: [] },
      ),
    )
  }
  const get = (id: string) => db.read(accountId, tx => orders.getDetails(tx, id))
  const paymentsOf = (id: string) => db.read(accountId, tx => payments.listByOrder(tx, id))
  const refundsOf = (id: string) => db.read(accountId, tx => refunds.listByOrder(tx, id))
  const ledgerOf = (orderId: string) => db.read(accountId, tx => ledger.list(tx, { orderId }))
  /** Does what the buyer does on the page of the test processor, for the newest payment of an order. */
  const act = async (id: string, action: TestAction) => {
    const sessionId = (await paymentsOf(id)).at(-1)?.session_id as string
    await db.write(accountId, tx => actInTest(tx, sessionId, action))
    const [payment] = (await paymentsOf(id)).slice(-1)
    reconciler.look(accountId, payment?.id as string)
  }
  /** Orders and pays, until everything is settled. */
  const buy = async (wanted: Wanted, options: Parameters<typeof order>[1] = {}) => {
    const { id } = await order(wanted, options)
    await reconciler.settle()
    await act(id, 'pay')
    await reconciler.settle()
    return get(id)
  }
  const sold = async () => {
    const listed = await db.read(accountId, tx => registrationTypes.listByEvent(tx, eventId))
    return Object.fromEntries(listed.map(type => [type.name, type.sold]))
  }
  const mails = async () => {
    const found = await db.read(accountId, tx => emails.list(tx, {}, { limit: 50 }))
    return found.map(({ kind }) => kind).sort()
  }
  const webhooks = () => readEventTypes(db)
  /** Returns what `turnout check` reports. */
  const damage = () => damageOf(data)
  return {
    ...{ db, data, clock, accountId, eventId, types, processors: byName, reconciler, newReconciler },
    ...{ order, get, act, buy, paymentsOf, refundsOf, ledgerOf, sold, mails, webhooks, damage },
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>
