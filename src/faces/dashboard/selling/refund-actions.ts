import type { ReadTx, WriteTx } from '../../db/port.ts'
import { isUuid } from '../../ids.ts'
import * as refunds from '../../payments/refunds.ts'
import type { Refund } from '../../payments/schemas.ts'
import { Problem } from '../../problem.ts'
import { type Flash, flash } from '../../web/flash.ts'
import type { OfEvent } from '../asked.ts'
import { button } from '../button.ts'
import { paths } from '../paths.ts'

/** @throws Problem not_found, also for one of another event */
async function readRefund(tx: ReadTx, { account, event, params }: OfEvent): Promise<Refund> {
  const id = params.refund ?? ''
  if (!isUuid(id)) throw new Problem('not_found')
  const refund = await refunds.get(tx, account.id, id.toLowerCase())
  if (refund.event_id !== event.id) throw new Problem('not_found')
  return refund
}

interface Done {
  what: 'retry' | 'paid-back'
  /** As the access log calls it. */
  logged: string
  act: (tx: WriteTx, accountId: string, id: string) => Promise<Refund>
  told: Flash
}

function refundButton({ what, logged, act, told }: Done) {
  return button('event', {
    path: `/e/{event}/refunds/{refund}/${what}`,
    permission: 'refunds',
    act: async (tx, asked) => act(tx, asked.account.id, (await readRefund(tx, asked)).id),
    entry: ({ params }) => ({ action: logged, targetType: 'refund', targetId: params.refund }),
    next: (refund, asked, _services, body) => ({ path: backOf(refund, asked, body), flash: told }),
    back: (asked, body) => (body.has('from') ? paths.owed(asked.account.id) : paths.orders(asked.event.id)),
  })
}

/** Where it came from: the list of all, or what the refund is of. */
function backOf({ order_id, registration_id }: Refund, { account, event }: OfEvent, body: URLSearchParams) {
  if (body.has('from') || (order_id ?? registration_id) === null) return paths.owed(account.id)
  return order_id === null
    ? paths.guest(event.id, registration_id as string)
    : paths.order(event.id, order_id)
}

/** Asks the processor once more. */
export const retryRefund = refundButton({
  what: 'retry',
  logged: 'refund.retry',
  act: refunds.retry,
  told: flash('refundRetried', {}),
})

/** Notes that it was paid back by hand. */
export const markPaidBack = refundButton({
  what: 'paid-back',
  logged: 'refund.paid_back',
  act: refunds.markPaidBack,
  told: flash('refundPaidBack', {}),
})
