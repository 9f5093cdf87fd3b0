import { getTicket } from '../../checkins/tickets.ts'
import type { ReadTx } from '../../db/port.ts'
import { isUuid } from '../../ids.ts'
import { type DueAtDoor, findDueAtDoor } from '../../payments/door.ts'
import { lackingOf, markPaid } from '../../payments/rules.ts'
import { Problem } from '../../problem.ts'
import { Facts, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

/** @throws Problem not_found, also for a ticket of another event; payment_ended where nothing is due at the door */
async function readDue(tx: ReadTx, { account, event, params }: OfEvent): Promise<DueAtDoor> {
  const id = (params.ticket ?? '').toLowerCase()
  if (!isUuid(id)) throw new Problem('not_found')
  const ticket = await getTicket(tx, account.id, event.id, id)
  const due = await findDueAtDoor(tx, account.id, ticket.id)
  if (due === undefined) throw new Problem('payment_ended')
  return due
}

/** Notes that the order of a ticket was paid at the door: its tickets can be checked in from then on. */
export const doorPayment = formPage('event', {
  path: '/e/{event}/check-in/{ticket}/paid',
  permission: 'checkins',
  load: readDue,
  fields: () => ({}),
  seen: ({ payment }) => `${payment.id} ${payment.received}`,
  view: ({ order, payment }, { event, params, voice }, state) => {
    const { texts, format } = voice
    const title = texts.payments.door.title(format.money(lackingOf(payment), payment.currency))
    const back = paths.checkIn(event.id)
    return {
      title,
      body: (
        <>
          <Head title={title} crumbs={<a href={back}>{texts.navigation.checkIn}</a>} />
          <div class="card">
            <Form
              state={state}
              texts={texts}
              action={paths.doorPayment(event.id, params.ticket as string)}
              submit={texts.payments.door.submit}
              leave={back}
            >
              <Facts
                facts={[
                  [texts.orders.buyer, <bdi key="b">{order.buyer.name}</bdi>],
                  [texts.orders.order, order.reference],
                ]}
              />
              <p class="quiet">{texts.payments.door.after}</p>
            </Form>
          </div>
        </>
      ),
    }
  },
  act: async (tx, { account }, { loaded: { order, payment } }) => {
    await markPaid(tx, account.id, payment.id)
    return order
  },
  entry: ({ params }) => ({
    ...{ action: 'payment.paid', targetType: 'order', targetOf: ({ id }) => id },
    details: () => ({ ticket: params.ticket }),
  }),
  // Found again, its tickets are one press away.
  next: ({ buyer, reference }, { event }) => ({
    path: withQuery(paths.checkIn(event.id), { q: buyer.email }),
    flash: flash('orderPaid', { reference }),
  }),
})
