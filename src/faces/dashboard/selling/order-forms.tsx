import type { WriteTx } from '../../db/port.ts'
import * as events from '../../events/rules.ts'
import * as orders from '../../orders/rules.ts'
import type { Order, OrderDetails } from '../../orders/schemas.ts'
import { tellAgain } from '../../orders/telling.ts'
import * as payments from '../../payments/rules.ts'
import { Problem } from '../../problem.ts'
import { type Flash, flash } from '../../web/flash.ts'
import type { Voice } from '../../web/voice.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { questionView } from '../question.tsx'
import { countOf, readOrder } from './order.tsx'

interface Question {
  what: 'approve' | 'decline' | 'renew'
  /** As the access log calls it. */
  logged: string
  title: (order: OrderDetails, texts: Voice['texts']['orders']) => string
  submit: (texts: Voice['texts'], order: OrderDetails) => string
  will: (asked: { order: OrderDetails; until: number }, voice: Voice) => string[]
  isDanger?: boolean
  act: (tx: WriteTx, accountId: string, id: string) => Promise<Order>
  told: (order: Order) => Flash
}

/** Asks first, as it sends a mail or ends links. */
function orderQuestion({ what, logged, title, submit, will, isDanger = false, act, told }: Question) {
  return formPage('event', {
    path: `/e/{event}/orders/{order}/${what}`,
    permission: 'guests.edit',
    load: async (tx, asked, { clock }) => {
      const order = await readOrder(tx, asked)
      const event = await events.getDetails(tx, asked.account.id, order.event_id)
      return { order, until: orders.payableUntil(event, clock()) }
    },
    fields: () => ({}),
    seen: ({ order: { status, secret_version } }) => `${status} ${secret_version}`,
    view: ({ order, until }, { event, voice }, state) => {
      const { texts } = voice
      const back = paths.order(event.id, order.id)
      return questionView({
        ...{ state, texts, isDanger },
        title: title(order, texts.orders),
        crumbs: <a href={back}>{texts.orders.of(order.reference)}</a>,
        action: paths.orderAction(event.id, order.id, what),
        submit: submit(texts, order),
        leave: back,
        will: will({ order, until }, voice),
      })
    },
    act: (tx, { account }, { loaded }) => act(tx, account.id, loaded.order.id),
    entry: ({ params }) => ({ action: logged, targetType: 'order', targetId: params.order }),
    next: (order, { event }) => ({ path: paths.order(event.id, order.id), flash: told(order) }),
  })
}

export const approveOrder = orderQuestion({
  what: 'approve',
  logged: 'order.approve',
  title: ({ buyer }, texts) => texts.approveTitle(buyer.name),
  submit: ({ orders: texts, payments: paid }, { amount_total }) =>
    amount_total === 0 ? texts.approveSubmit : paid.approveSubmit,
  will: ({ order, until }, { texts, format }) => {
    const { buyer, amount_total: amount, currency } = order
    const { will } = texts.orders
    const isPaid = texts.payments.approveWill(format.money(amount, currency), format.dateTime(until))
    return [amount === 0 ? will.confirmed(countOf(order)) : isPaid, will.mailed(buyer.email)]
  },
  act: payments.approve,
  told: ({ reference }) => flash('orderApproved', { reference }),
})

export const declineOrder = orderQuestion({
  what: 'decline',
  logged: 'order.decline',
  title: ({ buyer }, texts) => texts.declineTitle(buyer.name),
  submit: texts => texts.orders.declineSubmit,
  will: ({ order }, { texts }) => {
    const { will } = texts.orders
    return [will.freed(countOf(order)), will.mailed(order.buyer.email)]
  },
  isDanger: true,
  act: (tx, accountId, id) => orders.fail(tx, accountId, id, 'declined'),
  told: ({ reference }) => flash('orderDeclined', { reference }),
})

export const renewOrderLinks = orderQuestion({
  what: 'renew',
  logged: 'order.renew_links',
  title: (_, texts) => texts.renewTitle,
  submit: texts => texts.orders.renewSubmit,
  will: (_, { texts }) => [texts.orders.will.links, texts.orders.will.send],
  isDanger: true,
  act: orders.renewLinks,
  told: () => flash('linksRenewed', {}),
})

/** Sends the buyer all that was sent at the confirmation once more, or what is offered. */
export const resendOrder = button('event', {
  path: '/e/{event}/orders/{order}/resend',
  permission: 'guests.edit',
  act: async (tx, asked) => {
    const order = await readOrder(tx, asked)
    if (order.status !== 'confirmed' && order.waits_for !== 'answer') throw new Problem('order_ended')
    await tellAgain(tx, asked.account.id, order)
    return order
  },
  entry: ({ params }) => ({ action: 'order.resend', targetType: 'order', targetId: params.order }),
  next: ({ id, waits_for }, { event }) => ({
    path: paths.order(event.id, id),
    flash: flash(waits_for === 'answer' ? 'offerResent' : 'orderResent', {}),
  }),
  back: ({ event, params }) => paths.order(event.id, params.order ?? ''),
})
