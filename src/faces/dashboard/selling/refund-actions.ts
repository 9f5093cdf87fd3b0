import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { type Flash, flash } from '#machinery/web/flash.ts'
import * as decisions from '#product/selling/payments/refund-decisions.ts'
import * as refunds from '#product/selling/payments/refunds.ts'
import type { Refund } from '#product/selling/payments/schemas.ts'

/** @throws Problem not_found, also for a refund of another event */
export async function readRefund(tx: ReadTx, { event, params }: EventRequest): Promise<Refund> {
  const id = params.refund ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const refund = await refunds.get(tx, id.toLowerCase())
  if (refund.event_id !== event.id) throw new Problem('not_found')
  return refund
}

interface Done {
  what: 'retry' | 'paid-back'
  /** The action as the access log calls it. */
  logged: string
  act: (tx: WriteTx, id: string) => Promise<Refund>
  message: Flash
}

function refundButton({ what, logged, act, message }: Done) {
  return button('event', {
    path: `/e/{event}/refunds/{refund}/${what}`,
    permission: 'refunds',
    act: async (tx, request) => act(tx, (await readRefund(tx, request)).id),
    entry: ({ params }) => ({ action: logged, targetType: 'refund', targetId: params.refund }),
    next: (refund, request, _services, body) => ({ path: backOf(refund, request, body), flash: message }),
    back: (request, body) =>
      body.has('from') ? paths.owed(request.account.id) : paths.orders(request.event.id),
  })
}

/** Returns the page that the button stood on: the list of all refunds, or the subject of the refund. */
export function backOf(
  { order_id, registration_id }: Refund,
  { account, event }: EventRequest,
  body = new URLSearchParams(),
) {
  if (body.has('from') || (order_id ?? registration_id) === null) return paths.owed(account.id)
  return order_id === null
    ? paths.guest(event.id, registration_id as string)
    : paths.order(event.id, order_id)
}

/** Asks the processor once more. */
export const retryRefund = refundButton({
  what: 'retry',
  logged: 'refund.retry',
  act: decisions.retry,
  message: flash('refundRetried', {}),
})

/** Records that a refund was paid back by hand. */
export const markPaidBack = refundButton({
  what: 'paid-back',
  logged: 'refund.paid_back',
  act: decisions.markPaidBack,
  message: flash('refundPaidBack', {}),
})
