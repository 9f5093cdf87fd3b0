import type { WriteTx } from '../db/port.ts'
import type { KindOfMail } from '../emails/kind.ts'
import { queue } from '../emails/outbox.ts'
import type { Order } from '../orders/schemas.ts'
import { ERASED_EMAIL } from '../words.ts'
import { paymentDueMail, refundMail, returnedMail, unpaidMail } from './kinds.ts'
import type { Refund } from './schemas.ts'

/** Nobody writes to those who were made anonymous. */
async function queueToBuyer(
  tx: WriteTx,
  accountId: string,
  kind: KindOfMail,
  order: Order,
  { cause = order.id, details = {} }: { cause?: string; details?: Record<string, unknown> } = {},
): Promise<void> {
  const { id, event_id: eventId, buyer, language } = order
  if (buyer.email === ERASED_EMAIL) return
  await queue(tx, accountId, kind, {
    ...{ cause, recipient: buyer.email, language, eventId, subjectId: id, details },
  })
}

/** To the buyer: what there is to pay, how, and until when. @param cause once for each */
export async function tellToPay(
  tx: WriteTx,
  accountId: string,
  order: Order,
  cause: string = order.id,
): Promise<void> {
  await queueToBuyer(tx, accountId, paymentDueMail, order, { cause })
}

/** To the buyer: that it was not paid in time. */
export async function tellUnpaid(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queueToBuyer(tx, accountId, unpaidMail, order)
}

/** To the buyer: that money goes back by itself, and why. */
export async function tellReturned(
  tx: WriteTx,
  accountId: string,
  order: Order,
  { id, amount, reason }: Refund,
): Promise<void> {
  await queueToBuyer(tx, accountId, returnedMail, order, { cause: id, details: { amount, reason } })
}

/** To the buyer: that the organizer gives money back. @param amount minor units */
export async function tellRefund(
  tx: WriteTx,
  accountId: string,
  order: Order,
  { cause, amount }: { cause: string; amount: number },
): Promise<void> {
  await queueToBuyer(tx, accountId, refundMail, order, { cause, details: { amount } })
}
