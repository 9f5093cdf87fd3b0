import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { type Flash, flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as events from '#product/catalog/events/rules.ts'
import { queueAgain } from '#product/selling/orders/queue-mails.ts'
import { payableUntil } from '#product/selling/orders/reservation-time.ts'
import * as orders from '#product/selling/orders/rules.ts'
import type { Order, OrderDetails } from '#product/selling/orders/schemas.ts'
import { verify } from '#product/selling/orders/verification.ts'
import * as payments from '#product/selling/payments/rules.ts'
import { countOf, readOrder } from './order.tsx'

interface Question {
  what: 'approve' | 'decline' | 'renew'
  /** The action as the access log calls it. */
  logged: string
  title: (order: OrderDetails, texts: Voice['texts']['orders']) => string
  submit: (texts: Voice['texts'], order: OrderDetails) => string
  will: (context: { order: OrderDetails; until: number }, voice: Voice) => string[]
  /** What stays as it is if somebody leaves a page that cannot be undone. */
  keeps?: 'links' | 'order'
  act: (tx: WriteTx, id: string) => Promise<Order>
  /** @param was the order before */
  flashOf: (order: Order, was: OrderDetails) => Flash
}

/** Declares a page that asks before it sends a mail or ends links. */
function orderQuestion({ what, logged, title, submit, will, keeps, act, flashOf }: Question) {
  return formPage('event', {
    path: `/e/{event}/orders/{order}/${what}`,
    permission: 'guests.edit',
    load: async (tx, request, { clock }) => {
      const order = await readOrder(tx, request)
      const event = await events.getDetails(tx, order.event_id)
      return { order, until: payableUntil(event, clock()) }
    },
    fields: () => ({}),
    preview: ({ order: { status, secret_version } }) => `${status} ${secret_version}`,
    parts: ({ order, until }, { event, voice }) =>
      question({
        title: title(order, voice.texts.orders),
        crumbs: voice.texts.orders.of(order.reference),
        leave: paths.order(event.id, order.id),
        ...{ submit: submit(voice.texts, order), will: will({ order, until }, voice) },
        ...(keeps === undefined ? {} : { isDanger: true, keeps }),
      }),
    act: async (tx, _, { loaded }) => ({ order: await act(tx, loaded.order.id), was: loaded.order }),
    entry: ({ params }) => ({ action: logged, targetType: 'order', targetId: params.order }),
    next: ({ order, was }, { event }) => ({
      path: paths.order(event.id, order.id),
      flash: flashOf(order, was),
    }),
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
  flashOf: ({ reference }) => flash('orderApproved', { reference }),
})

/** Tells whether an order waits for the word of the organizer. Any other that is ended is cancelled. */
const isToDecide = ({ waits_for }: Pick<Order, 'waits_for'>) => waits_for === 'approval'

export const declineOrder = orderQuestion({
  what: 'decline',
  logged: 'order.decline',
  title: (order, texts) =>
    isToDecide(order) ? texts.declineTitle(order.buyer.name) : texts.cancelTitle(order.buyer.name),
  submit: ({ orders: texts }, order) => (isToDecide(order) ? texts.declineSubmit : texts.cancelSubmit),
  will: ({ order }, { texts }) => {
    const { will } = texts.orders
    return [will.freed(countOf(order)), will.mailed(order.buyer.email)]
  },
  keeps: 'order',
  act: (tx, id) => orders.fail(tx, id, 'declined'),
  flashOf: ({ reference }, was) => flash(isToDecide(was) ? 'orderDeclined' : 'orderCancelled', { reference }),
})

export const renewOrderLinks = orderQuestion({
  what: 'renew',
  logged: 'order.renew_links',
  title: (_, texts) => texts.renewTitle,
  submit: texts => texts.orders.renewSubmit,
  will: (_, { texts }) => [texts.orders.will.links, texts.orders.will.send],
  keeps: 'links',
  act: orders.renewLinks,
  flashOf: () => flash('linksRenewed', {}),
})

/** Sends the buyer once more all that was sent at the confirmation, or the offer. */
export const resendOrder = button('event', {
  path: '/e/{event}/orders/{order}/resend',
  permission: 'guests.edit',
  act: async (tx, request) => {
    const order = await readOrder(tx, request)
    if (order.status !== 'confirmed' && order.waits_for !== 'answer') throw new Problem('order_ended')
    await queueAgain(tx, order)
    return order
  },
  entry: ({ params }) => ({ action: 'order.resend', targetType: 'order', targetId: params.order }),
  next: ({ id, waits_for }, { event }) => ({
    path: paths.order(event.id, id),
    flash: flash(waits_for === 'answer' ? 'offerResent' : 'orderResent', {}),
  }),
  back: ({ event, params }) => paths.order(event.id, params.order ?? ''),
})

/** Confirms an order in place of its buyer, who has not confirmed it. Other attendees get their tickets from it. */
export const verifyOrder = button('event', {
  path: '/e/{event}/orders/{order}/verify',
  permission: 'guests.edit',
  act: async (tx, request) => {
    const { id } = await readOrder(tx, request)
    return verify(tx, id, 'organizer')
  },
  entry: ({ params }) => ({
    action: 'order.verify',
    targetType: 'order',
    targetId: params.order,
    hasChanged: ({ isNew }) => isNew,
  }),
  next: ({ order }, { event }) => ({
    path: paths.order(event.id, order.id),
    flash: flash('orderVerified', {}),
  }),
  back: ({ event, params }) => paths.order(event.id, params.order ?? ''),
})
