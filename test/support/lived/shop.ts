import type { TestContext } from 'node:test'
import { MINUTE } from '#base/time.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { applyOrganization } from '#product/data-care/organization/apply.ts'
import { agreementHash, fillBasket } from '#product/selling/orders/basket.ts'
import { connectStripe } from '#product/selling/payments/connections.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import type { Method, Processor, ProcessorName } from '#product/selling/payments/processor.ts'
import { type Refunding, refund } from '#product/selling/payments/refunding.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { TestProcessor } from '#product/selling/payments/test-processor.ts'
import { openBanked } from '../bank-statements.ts'
import { organization, registration } from '../organization.ts'
import { ScriptedProcessor } from '../scripted-processor.ts'
import { ACCOUNT, KEY } from '../stripe/stripe-connection.ts'

const PLAIN = { ticketIds: [], amount: 0, reason: 'organizer', note: null, isNotified: false } as const

const types = [
  { name: 'Standard', price: 5000, capacity: 500, tax_basis_points: 1900 },
  { name: 'Student', price: 2000, capacity: 500, tax_basis_points: 700 },
  { name: 'Free', price: 0, capacity: 500 },
]

const spring = {
  registration_types: types,
  codes: [
    { code: 'HALF', percent: 50 },
    { code: 'FIVE', amount: 500 },
  ],
  registrations: [
    registration('paid-elsewhere', { amount_total: 5000, processor_fee: 120 }),
    registration('back-by-hand', { quantity: 2, amount_total: 9999, processor_fee: 0 }),
    registration('back-elsewhere', {
      ...{ amount_total: 5000, processor_fee: 130, status: 'refunded', refunded_amount: 2000 },
      ...{ refunded_at: '2026-11-12T10:00:00Z', created_at: '2026-11-11T10:00:00Z' },
    }),
  ],
}

/** An event that is cancelled later, and one whose organizer approves orders. */
const others = ['cancelled', 'approved'].map(slug => ({
  ...{ slug, title: slug, status: 'published', timezone: 'Europe/Madrid', currency: 'EUR' },
  ...{ starts_at: '2027-03-01T09:00:00Z', ends_at: '2027-03-02T18:00:00Z', payment_ways: 'set_up_and_door' },
  ...{ requires_approval: slug === 'approved', registration_types: types },
}))

/** What somebody orders, and how. */
export interface Ordering {
  method?: Method | undefined
  code?: string
  of?: 'spring' | 'cancelled' | 'approved'
}

/** Opens an organization that takes money in every way, with a clock that moves with each step. */
export async function openLivedShop(t: TestContext) {
  let scripted: ScriptedProcessor | undefined
  const shop = await openBanked(t, {
    event: spring,
    processors: (db, clock) => {
      scripted = new ScriptedProcessor(clock)
      const baseUrl = 'https://tickets.example.org'
      return new Map<ProcessorName, Processor>([
        ['stripe', scripted],
        ['test', new TestProcessor({ db, clock, baseUrl })],
      ])
    },
  })
  const stripe = scripted as ScriptedProcessor
  const { db, clock, accountId, reconciler, processors } = shop
  const file = organization({ event: { slug: 'cancelled', ...others[0] }, events: others.slice(1) })
  const applied = await applyOrganization(db, { ...file, account: { ...file.account } }, { clock })
  const found = { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() }
  await db.write(accountId, tx => connectStripe(tx, found))
  const write = <Result>(work: (tx: WriteTx) => Promise<Result>) => db.write(accountId, work)
  const settle = async () => {
    clock.advance(MINUTE)
    await reconciler.settle()
  }
  const events: Record<string, { id: string; types: Readonly<Record<string, string>> }> = {
    spring: { id: shop.eventId, types: shop.types },
  }
  for (const [slug, { id, registration_types }] of Object.entries(applied.events))
    events[slug] = { id, types: registration_types }
  let forms = 0
  const place = async (
    wanted: Readonly<Record<string, number>>,
    { method, code, of = 'spring' }: Ordering = {},
  ) => {
    await settle()
    const event = events[of] as (typeof events)[string]
    const lines = Object.entries(wanted).map(([name, quantity]) => {
      return { typeId: event.types[name] as string, quantity }
    })
    const basket = await db.read(accountId, tx => fillBasket(tx, event.id, { lines, code }, clock()))
    const at = forms++
    const order = {
      ...{ formId: `lived-${at}`, buyer: { name: 'Ada', email: `lived-${at}@example.org` } },
      ...{ language: 'en' as const, answers: {}, code, agreement: agreementHash(basket) },
      lines: lines.map(({ typeId, quantity }) => ({
        ...{
          typeId,
          tickets: Array.from({ length: quantity }, (_, n) => ({ name: `Guest ${n}`, email: null })),
        },
      })),
    }
    const { id } = await write(tx =>
      payments.placeOrder(tx, event.id, order, { method, processors, signed: [] }),
    )
    await settle()
    return id
  }
  const newest = async (id: string) => {
    const payment = (await shop.paymentsOf(id)).at(-1)
    if (payment === undefined) throw new Error('There is no payment.')
    return payment
  }
  /** Pays at the scripted processor, and has it be known. */
  const pay = async (id: string, what: Parameters<ScriptedProcessor['pay']>[1] = {}) => {
    const { id: paymentId, session_id } = await newest(id)
    stripe.pay(session_id as string, what)
    reconciler.look(accountId, paymentId)
    await settle()
  }
  const buy = async (wanted: Readonly<Record<string, number>>, ordering: Ordering = {}) => {
    const id = await place(wanted, { method: 'stripe', ...ordering })
    await pay(id)
    return id
  }
  const markPaid = async (id: string) => {
    const payment = await newest(id)
    await write(tx => payments.markPaid(tx, payment.id))
  }
  const ticketsOf = async (id: string) =>
    (await shop.get(id)).registrations.flatMap(({ attendees }) => attendees.map(ticket => ticket.id))
  const ask = async (id: string, wanted: Partial<Refunding>) => {
    await settle()
    const asked = await write(tx => refund(tx, { orderId: id }, { ...PLAIN, ...wanted }))
    await settle()
    return asked.refunds
  }
  /** Tells of a refund at the scripted processor. */
  const hear = async (id: string, facts: Awaited<ReturnType<ScriptedProcessor['readRefund']>>) => {
    await settle()
    const { id: paymentId, event_id, order_id } = await newest(id)
    await write(tx => refunds.note(tx, 'stripe', facts, { id: paymentId, event_id, order_id }))
    await settle()
  }
  const refundThere = async (id: string, amount: number) => {
    const { session_id } = await newest(id)
    await hear(id, stripe.refundThere(`ch_${session_id}`, amount))
  }
  /** Ends the newest refund of an order at the scripted processor. */
  const endThere = async (id: string, state: 'done' | 'failed') => {
    const { session_id } = await newest(id)
    const made = stripe.refunds.findLast(each => each.chargeId === `ch_${session_id}`)
    await hear(id, stripe.endRefund(made?.id as string, state))
  }
  const dispute = async (
    id: string,
    status: disputes.Dispute['status'],
    movements: readonly { amount: number; fee: number | null }[],
    { name = 'a', amount = 5000 } = {},
  ) => {
    await settle()
    const payment = await newest(id)
    const disputed = {
      ...{
        id: `du_${payment.id}_${name}`,
        chargeId: `ch_${payment.session_id}`,
        status,
        reason: 'fraudulent',
      },
      ...{ currency: 'EUR', amount, dueBy: null, openedAt: clock() },
      movements: movements.map((moved, at) => {
        return { id: `txn_${payment.id}_${name}_${at}`, at: clock(), ...moved }
      }),
    }
    await write(tx => disputes.note(tx, disputed, payment))
  }
  return {
    ...{ ...shop, stripe, events, write, settle, place, newest, pay, buy, markPaid, ticketsOf, ask, hear },
    ...{ refundThere, endThere, dispute },
  }
}

export type LivedShop = Awaited<ReturnType<typeof openLivedShop>>
