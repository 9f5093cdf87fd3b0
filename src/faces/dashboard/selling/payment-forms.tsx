import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type Flash, flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { OrderDetails } from '#product/selling/orders/schemas.ts'
import { acceptAmount, declineAmount, isToDecide } from '#product/selling/payments/amounts.ts'
import { hasProcessor } from '#product/selling/payments/processor.ts'
import * as payments from '#product/selling/payments/rules.ts'
import type { Payment } from '#product/selling/payments/schemas.ts'
import { countOf } from './order.tsx'

interface OfPayment {
  order: OrderDetails
  payment: Payment
}

/** Reads the payment that a page is about, with its order. @throws Problem not_found, also for a payment of another event */
async function readPayment(tx: ReadTx, { event, params }: EventRequest): Promise<OfPayment> {
  const id = params.payment ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const payment = await payments.get(tx, id.toLowerCase())
  if (payment.event_id !== event.id) throw new Problem('not_found')
  return { order: await orders.getDetails(tx, payment.order_id), payment }
}

interface Question {
  what: 'paid' | 'accept' | 'return'
  /** Returns whether there is anything to decide. */
  isOpen: (payment: Payment) => boolean
  title: (of: OfPayment, voice: Voice) => string
  submit: (texts: Voice['texts']['payments']) => string
  will: (of: OfPayment, voice: Voice) => string[]
  /** What stays as it is if somebody leaves a page that cannot be undone. */
  keeps?: 'money'
  act: (tx: WriteTx, id: string) => Promise<Payment>
  /** @param order the order as it is now */
  flashOf: (order: OrderDetails, before: OrderDetails) => Flash
}

/** Declares a page that asks, with the sums, before it confirms an order or moves money. */
function paymentQuestion({ what, isOpen, title, submit, will, keeps, act, flashOf }: Question) {
  return formPage('event', {
    path: `/e/{event}/payments/{payment}/${what}`,
    belongsTo: '/e/{event}/orders',
    permission: 'payments',
    load: async (tx, request) => {
      const found = await readPayment(tx, request)
      if (!isOpen(found.payment)) throw new Problem('payment_ended')
      return found
    },
    fields: () => ({}),
    preview: ({ order, payment }) =>
      [order.status, order.waits_for, payment.status, payment.received, payment.trouble].join(' '),
    parts: ({ order, payment }, { event, voice }) =>
      question({
        title: title({ order, payment }, voice),
        crumbs: voice.texts.orders.of(order.reference),
        leave: paths.order(event.id, order.id),
        submit: submit(voice.texts.payments),
        will: will({ order, payment }, voice),
        ...(keeps === undefined ? {} : { isDanger: true, keeps }),
      }),
    act: async (tx, _, { loaded }) => {
      const { id, order_id } = await act(tx, loaded.payment.id)
      return { id, order: await orders.getDetails(tx, order_id), before: loaded.order }
    },
    entry: ({ params }) => ({
      ...{ action: `payment.${what}`, targetType: 'order', targetOf: ({ order }) => order.id },
      details: () => ({ payment: params.payment }),
    }),
    next: ({ order, before }, { event }) => ({
      path: paths.order(event.id, order.id),
      flash: flashOf(order, before),
    }),
  })
}

const describe = ({ order: { currency } }: OfPayment, { format }: Voice, amount: number) =>
  format.money(amount, currency)

/** Says what becomes of the order if the money suffices for it. */
function willConfirm({ order }: OfPayment, { texts }: Voice): string[] {
  const { will } = texts.payments
  const isGone = order.status === 'failed' && order.failed_for === 'unpaid'
  if (order.waits_for !== 'payment')
    return [isGone ? will.revived : will.owed, will.mailed(order.buyer.email)]
  return [will.confirmed(countOf(order)), will.mailed(order.buyer.email)]
}

function tellPaid({ status, reference }: OrderDetails, before: OrderDetails): Flash {
  const isConfirmed = status === 'confirmed' && before.status !== 'confirmed'
  return isConfirmed ? flash('orderPaid', { reference }) : flash('orderPaidLate', {})
}

export const markPaid = paymentQuestion({
  what: 'paid',
  isOpen: payments.isMarkable,
  title: (of, voice) =>
    voice.texts.payments.paidTitle(describe(of, voice, payments.lackingOf(of.payment)), of.order.buyer.name),
  submit: texts => texts.paidSubmit,
  will: (of, voice) => {
    const { payments: texts, payment: names } = voice.texts
    const amount = describe(of, voice, payments.lackingOf(of.payment))
    return [texts.will.noted(amount, names.names[of.payment.method]), ...willConfirm(of, voice)]
  },
  act: payments.markPaid,
  flashOf: tellPaid,
})

export const acceptOtherAmount = paymentQuestion({
  what: 'accept',
  isOpen: isToDecide,
  title: (of, voice) =>
    voice.texts.payments.acceptTitle(describe(of, voice, of.payment.received ?? 0), of.order.reference),
  submit: texts => texts.acceptSubmit,
  will: (of, voice) => {
    const { will } = voice.texts.payments
    const { amount, received } = of.payment
    const more = (received ?? 0) - amount
    const differs =
      more > 0 ? will.excess(describe(of, voice, more)) : will.lessIs(describe(of, voice, amount))
    return [differs, ...willConfirm(of, voice)]
  },
  act: acceptAmount,
  flashOf: tellPaid,
})

export const returnOtherAmount = paymentQuestion({
  what: 'return',
  isOpen: isToDecide,
  title: (of, voice) => voice.texts.payments.returnTitle(describe(of, voice, of.payment.received ?? 0)),
  submit: texts => texts.returnSubmit,
  will: ({ order, payment }, { texts }) => {
    const { will } = texts.payments
    return [
      hasProcessor(payment.method) ? will.byProcessor : will.byHand,
      ...(order.waits_for === 'payment' ? [will.ends(countOf(order))] : []),
      will.mailed(order.buyer.email),
    ]
  },
  keeps: 'money',
  act: declineAmount,
  flashOf: ({ reference }) => flash('amountReturned', { reference }),
})
