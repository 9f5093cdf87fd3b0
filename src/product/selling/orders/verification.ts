import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import { unnotifiedOf } from './holders.ts'
import { holderMail } from './kinds.ts'
import { noteMailedToOthers } from './mailed-tickets.ts'
import { markVerified } from './order-changes.ts'
import { endUnconfirmed, whenToMail } from './pace.ts'
import * as orders from './rules.ts'
import { type Order, withoutDetails } from './schemas.ts'

/** Who says that an order is wanted: its buyer, by the link in their mail, or the organizer. */
export type Voucher = 'buyer' | 'organizer'

/** The result of a verification. */
export interface Verified {
  order: Order
  /** It is true if nobody had verified the order before. */
  isNew: boolean
  /** When the mails to others go, in milliseconds of the clock. It is null if there is none to send. */
  due: number | null
}

/**
 * Notes that the buyer wants an order that cost nothing, and sends the other holders their tickets. Until then only the buyer was
 * mailed. A second call changes nothing.
 *
 * @throws Problem not_found; order_ended if the order is not confirmed; too_many_mails if many mails of the buyer's network wait
 */
export async function verify(tx: WriteTx, id: string, by: Voucher): Promise<Verified> {
  const order = await orders.getDetails(tx, id)
  if (order.status !== 'confirmed') throw new Problem('order_ended')
  if (order.verified_at !== null) return { order: withoutDetails(order), isNew: false, due: null }
  const recipients = unnotifiedOf(order)
  const isPaced = by === 'buyer' && recipients.length > 0
  const due = isPaced ? await whenToMail(tx, order, ['confirmed']) : tx.clock()
  if (due === undefined) throw new Problem('too_many_mails')
  await endUnconfirmed(tx, order)
  const verified = await markVerified(tx, order)
  const { event_id: eventId, language } = order
  for (const recipient of recipients)
    await queue(tx, holderMail, { cause: id, recipient, language, eventId, subjectId: id, due })
  await noteMailedToOthers(tx, order, order.registrations)
  return {
    order: withoutDetails(verified),
    isNew: true,
    due: recipients.length === 0 ? null : due,
  }
}
