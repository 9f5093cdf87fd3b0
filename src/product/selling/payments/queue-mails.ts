import { HOUR } from '#base/time.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { KindOfMail } from '#machinery/mail/kind.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as emails from '#machinery/mail/rules.ts'
import { whenToMail } from '#product/selling/orders/pace.ts'
import type { Order } from '#product/selling/orders/schemas.ts'
import { paymentDueMail, paymentUnderWayMail, refundMail, returnedMail, unpaidMail } from './kinds.ts'
import type { Refund } from './schemas.ts'

interface ToBuyer {
  cause?: string
  details?: Record<string, unknown>
  /** It is true if a stranger may have caused the mail, so that it waits for its turn. */
  isPaced?: boolean
}

/** Queues a mail to the buyer, unless the buyer was made anonymous. */
async function queueToBuyer(
  tx: WriteTx,
  kind: KindOfMail,
  order: Order,
  { cause = order.id, details = {}, isPaced = false }: ToBuyer = {},
): Promise<void> {
  const { id, event_id: eventId, buyer, language } = order
  if (buyer.email === ERASED_EMAIL) return
  const due = isPaced ? await whenToMail(tx, order) : tx.clock()
  if (due === undefined) return
  await queue(tx, kind, {
    ...{ cause, recipient: buyer.email, language, eventId, subjectId: id, details, due },
  })
}

/**
 * The most mails in an hour about what is to be paid for one order. Whoever has its link may choose another way again and again.
 */
const MOST_TO_PAY = 3

/** Queues the mail that tells the buyer what is to be paid, how, and until when. @param cause unique for each such mail */
export async function queuePaymentDue(tx: WriteTx, order: Order, cause: string = order.id): Promise<void> {
  const of = { subjectId: order.id, kind: paymentDueMail.name, since: (await tx.now()) - HOUR }
  if ((await emails.countSince(tx, of, MOST_TO_PAY)) < MOST_TO_PAY)
    await queueToBuyer(tx, paymentDueMail, order, { cause, isPaced: true })
}

/** Queues the mail that tells the buyer that money is on its way and takes days. @param cause the id of the payment */
export async function queueUnderWay(tx: WriteTx, order: Order, cause: string): Promise<void> {
  await queueToBuyer(tx, paymentUnderWayMail, order, { cause, isPaced: true })
}

/** Queues the mail that tells the buyer that the order was not paid in time. */
export async function queueUnpaid(tx: WriteTx, order: Order): Promise<void> {
  await queueToBuyer(tx, unpaidMail, order, { isPaced: true })
}

/** Queues the mail that tells the buyer that money goes back by itself, and why. */
export async function queueReturned(
  tx: WriteTx,
  order: Order,
  { id, amount, reason }: Refund,
): Promise<void> {
  await queueToBuyer(tx, returnedMail, order, { cause: id, details: { amount, reason } })
}

/** Queues the mail that tells the buyer that the organizer gives money back. @param amount minor units */
export async function queueRefund(
  tx: WriteTx,
  order: Order,
  { cause, amount }: { cause: string; amount: number },
): Promise<void> {
  await queueToBuyer(tx, refundMail, order, { cause, details: { amount } })
}
