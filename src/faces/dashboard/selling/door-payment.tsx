import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Facts } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { getTicket } from '#product/entrance/check-ins/tickets.ts'
import { type DueAtDoor, findDueAtDoor } from '#product/selling/payments/door.ts'
import { lackingOf, markPaid } from '#product/selling/payments/rules.ts'

/** @throws Problem not_found, also for a ticket of another event; payment_ended if nothing is due at the door */
async function readDue(tx: ReadTx, { event, params }: EventRequest): Promise<DueAtDoor> {
  const id = (params.ticket ?? '').toLowerCase()
  if (!isUuid(id)) throw new Problem('not_found')
  const ticket = await getTicket(tx, event.id, id)
  const due = await findDueAtDoor(tx, ticket.id)
  if (due === undefined) throw new Problem('payment_ended')
  return due
}

/** Records that the order of a ticket was paid at the door. Its tickets can be checked in from then on. */
export const doorPayment = formPage('event', {
  path: '/e/{event}/check-in/{ticket}/paid',
  permission: 'checkins',
  load: readDue,
  fields: () => ({}),
  preview: ({ payment }) => `${payment.id} ${payment.received}`,
  parts: ({ order, payment }, { event, voice: { texts, format } }) => {
    const { title, submit, after } = texts.payments.door
    const facts = [
      [texts.orders.buyer, <bdi key="b">{order.buyer.name}</bdi>],
      [texts.orders.order, order.reference],
    ] as const
    return {
      title: title(format.money(lackingOf(payment), payment.currency)),
      ...{ crumbs: texts.navigation.checkIn, leave: paths.checkIn(event.id), submit, isOnCard: true },
      above: (
        <>
          <Facts facts={facts} />
          <p class="quiet">{after}</p>
        </>
      ),
    }
  },
  act: async (tx, _, { loaded: { order, payment } }) => {
    await markPaid(tx, payment.id)
    return order
  },
  entry: ({ params }) => ({
    ...{ action: 'payment.paid', targetType: 'order', targetOf: ({ id }) => id },
    details: () => ({ ticket: params.ticket }),
  }),
  // The search finds the order again, so its tickets are one press away.
  next: ({ buyer, reference }, { event }) => ({
    path: withQuery(paths.checkIn(event.id), { q: buyer.email }),
    flash: flash('orderPaid', { reference }),
  }),
})
