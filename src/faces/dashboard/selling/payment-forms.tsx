import type { ReadTx, WriteTx } from '../../db/port.ts'
import { isUuid } from '../../ids.ts'
import * as orders from '../../orders/rules.ts'
import type { OrderDetails } from '../../orders/schemas.ts'
import { acceptAmount, declineAmount, isToDecide } from '../../payments/amounts.ts'
import { hasProcessor } from '../../payments/processor.ts'
import * as payments from '../../payments/rules.ts'
import type { Payment } from '../../payments/schemas.ts'
import { Problem } from '../../problem.ts'
import { type Flash, flash } from '../../web/flash.ts'
import type { Voice } from '../../web/voice.ts'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { questionView } from '../question.tsx'
import { countOf } from './order.tsx'

interface OfPayment {
  order: OrderDetails
  payment: Payment
}

/** The payment that a page is about, with its order. @throws Problem not_found, also for one of another event */
async function readPayment(tx: ReadTx, { account, event, params }: OfEvent): Promise<OfPayment> {
  const id = params.payment ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const payment = await payments.get(tx, account.id, id.toLowerCase())
  if (payment.event_id !== event.id) throw new Problem('not_found')
  return { order: await orders.getDetails(tx, account.id, payment.order_id), payment }
}

interface Question {
  what: 'paid' | 'accept' | 'return'
  /** Whether there is something to decide at all. */
  isOpen: (payment: Payment) => boolean
  title: (of: OfPayment, voice: Voice) => string
  submit: (texts: Voice['texts']['payments']) => string
  will: (of: OfPayment, voice: Voice) => string[]
  isDanger?: boolean
  act: (tx: WriteTx, accountId: string, id: string) => Promise<Payment>
  /** @param order as it is now */
  told: (order: OrderDetails, before: OrderDetails) => Flash
}

/** Asks first, with the sums, as it confirms an order or moves money. */
function paymentQuestion({ what, isOpen, title, submit, will, isDanger = false, act, told }: Question) {
  return formPage('event', {
    path: `/e/{event}/payments/{payment}/${what}`,
    permission: 'payments',
    load: async (tx, asked) => {
      const found = await readPayment(tx, asked)
      if (!isOpen(found.payment)) throw new Problem('payment_ended')
      return found
    },
    fields: () => ({}),
    seen: ({ order, payment }) =>
      [order.status, order.waits_for, payment.status, payment.received, payment.trouble].join(' '),
    view: ({ order, payment }, { event, voice }, state) => {
      const { texts } = voice
      const back = paths.order(event.id, order.id)
      return questionView({
        ...{ state, texts, isDanger },
        title: title({ order, payment }, voice),
        crumbs: <a href={back}>{texts.orders.of(order.reference)}</a>,
        action: paths.ofPayment(event.id, payment.id, what),
        submit: submit(texts.payments),
        leave: back,
        will: will({ order, payment }, voice),
      })
    },
    act: async (tx, { account }, { loaded }) => {
      const { id, order_id } = await act(tx, account.id, loaded.payment.id)
      return { id, order: await orders.getDetails(tx, account.id, order_id), before: loaded.order }
    },
    entry: ({ params }) => ({
      ...{ action: `payment.${what}`, targetType: 'order', targetOf: ({ order }) => order.id },
      details: () => ({ payment: params.payment }),
    }),
    next: ({ order, before }, { event }) => ({
      path: paths.order(event.id, order.id),
      flash: told(order, before),
    }),
  })
}

const said = ({ order: { currency } }: OfPayment, { format }: Voice, amount: number) =>
  format.money(amount, currency)

/** What becomes of the order by money that is enough for it. */
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
    voice.texts.payments.paidTitle(said(of, voice, payments.lackingOf(of.payment)), of.order.buyer.name),
  submit: texts => texts.paidSubmit,
  will: (of, voice) => {
    const { payments: texts, payment: names } = voice.texts
    const amount = said(of, voice, payments.lackingOf(of.payment))
    return [texts.will.noted(amount, names.names[of.payment.method]), ...willConfirm(of, voice)]
  },
  act: payments.markPaid,
  told: tellPaid,
})

export const acceptOtherAmount = paymentQuestion({
  what: 'accept',
  isOpen: isToDecide,
  title: (of, voice) =>
    voice.texts.payments.acceptTitle(said(of, voice, of.payment.received ?? 0), of.order.reference),
  submit: texts => texts.acceptSubmit,
  will: (of, voice) => {
    const { will } = voice.texts.payments
    const { amount, received } = of.payment
    const more = (received ?? 0) - amount
    const differs = more > 0 ? will.excess(said(of, voice, more)) : will.lessIs(said(of, voice, amount))
    return [differs, ...willConfirm(of, voice)]
  },
  act: acceptAmount,
  told: tellPaid,
})

export const returnOtherAmount = paymentQuestion({
  what: 'return',
  isOpen: isToDecide,
  title: (of, voice) => voice.texts.payments.returnTitle(said(of, voice, of.payment.received ?? 0)),
  submit: texts => texts.returnSubmit,
  will: ({ order, payment }, { texts }) => {
    const { will } = texts.payments
    return [
      hasProcessor(payment.method) ? will.byProcessor : will.byHand,
      ...(order.waits_for === 'payment' ? [will.ends(countOf(order))] : []),
      will.mailed(order.buyer.email),
    ]
  },
  isDanger: true,
  act: declineAmount,
  told: ({ reference }) => flash('amountReturned', { reference }),
})
