import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { question } from '#faces/dashboard/frame/form-parts.tsx'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { NamedLink } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { choiceField, tickField } from '#machinery/web/forms/field.ts'
import * as decisions from '#product/selling/payments/dispute-decisions.ts'
import type { Dispute } from '#product/selling/payments/disputes.ts'
import { type Refundable, refundableOf } from '#product/selling/payments/refundable.ts'
import { readOrder } from './order.tsx'
import { ticketsField } from './refund-choice.tsx'

interface Loaded {
  dispute: Dispute
  /** The reference of its order. */
  reference: string
  order: Refundable
}

/** @throws Problem not_found, also for a dispute of another order; dispute_decided */
async function load(tx: ReadTx, request: EventRequest): Promise<Loaded> {
  const order = await readOrder(tx, request)
  const dispute = await decisions.get(tx, request.params.dispute as string)
  if (dispute.order_id !== order.id) throw new Problem('not_found')
  if (!decisions.isToDecide(dispute)) throw new Problem('dispute_decided')
  return { dispute, reference: order.reference, order: await refundableOf(tx, order) }
}

const BECOME = ['void', 'keep'] as const

const become = choiceField(
  BECOME,
  ({ refunds }) => [
    { value: 'void', label: refunds.becomeVoid },
    { value: 'keep', label: refunds.becomeKept },
  ],
  { label: ({ refunds }) => refunds.become, help: ({ refunds }) => refunds.becomeHelp },
  'radios',
)

const standingIn = ({ tickets }: Refundable) => tickets.filter(({ stands }) => stands)

/** Asks what becomes of the tickets of a dispute that was lost. */
export const decideDispute = formPage('event', {
  path: '/e/{event}/orders/{order}/disputes/{dispute}',
  permission: 'refunds',
  load,
  fields: ({ order }, { voice }) => ({
    become,
    ticket: ticketsField(order, voice, {
      label: ({ refunds }) => refunds.disputedTickets,
      help: ({ refunds }) => refunds.disputedTicketsHelp,
    }),
    tell: tickField({ label: ({ refunds }) => refunds.tell }),
  }),
  initial: ({ order }) => ({ ticket: standingIn(order).map(({ id }) => id), tell: true }),
  preview: ({ dispute, order }) =>
    JSON.stringify([dispute.amount, dispute.decision, standingIn(order).map(({ id }) => id)]),
  parts: ({ dispute, reference, order }, { event, params, voice }) => {
    const { refunds: texts } = voice.texts
    const amount = voice.format.money(dispute.amount, dispute.currency)
    const leave = paths.order(event.id, params.order as string)
    const names = standingIn(order).length > 0 ? ['become', 'ticket', 'tell'] : ['become']
    return question({
      title: texts.decideTitle(amount),
      crumbs: <NamedLink href={leave} name={voice.texts.orders.of(reference)} />,
      leave,
      submit: texts.decideSubmit,
      will: texts.decideWill(amount, order.buyer.name),
      rows: [names],
    })
  },
  act: async (tx, _, { values, loaded: { dispute, order } }) => {
    const { become, ticket: ticketIds, tell: isNotified } = values
    if (become === 'keep')
      return { become, tickets: 0, credited: await decisions.keepTickets(tx, dispute.id) }
    const credited = await decisions.voidTickets(tx, dispute.id, order, { ticketIds, isNotified })
    return { become, tickets: ticketIds.length, credited }
  },
  entry: ({ params }) => ({
    action: 'dispute.decide',
    targetType: 'order',
    targetId: params.order,
    details: (_, done) => ({ dispute: params.dispute, decision: done?.become, tickets: done?.tickets }),
  }),
  next: ({ become, tickets, credited }, { event, params }) => ({
    path: paths.order(event.id, params.order as string),
    flash:
      become === 'keep'
        ? flash('disputeKept', {})
        : credited
          ? flash('disputeCredited', { number: credited.number })
          : flash('ticketsVoid', { n: tickets }),
  }),
})
