import type { WriteTx } from '../db/port.ts'
import type { KindOfMail } from '../emails/kind.ts'
import { type NewEmail, queue } from '../emails/outbox.ts'
import { emailKey } from '../fields.ts'
import type { Registration } from '../registrations/schemas.ts'
import { ERASED_EMAIL } from '../words.ts'
import {
  confirmedMail,
  declinedMail,
  holderMail,
  offeredMail,
  orderCancelledMail,
  ticketCancelledMail,
  waitingMail,
  withdrawnMail,
} from './kinds.ts'
import type { Order, OrderDetails } from './schemas.ts'

/** To the buyer, with all tickets; to each other holder their own, all of one address in one mail. */
export async function tellConfirmed(
  tx: WriteTx,
  accountId: string,
  order: Order & Pick<OrderDetails, 'registrations'>,
): Promise<void> {
  await queueToBuyer(tx, accountId, confirmedMail, order)
  for (const recipient of holdersOf(order, order.registrations)) {
    await queue(tx, accountId, holderMail, { ...mailOf(order), recipient })
  }
}

/** The e-mails of those who hold tickets of these lines, each once, but for the buyer's. */
function holdersOf({ buyer }: Order, lines: readonly Pick<Registration, 'attendees'>[]): Iterable<string> {
  const holders = new Map<string, string>()
  for (const { email } of lines.flatMap(line => line.attendees)) {
    if (email !== null && emailKey(email) !== emailKey(buyer.email)) holders.set(emailKey(email), email)
  }
  return holders.values()
}

function mailOf({ id, event_id, buyer, language }: Order): NewEmail {
  return { cause: id, recipient: buyer.email, language, eventId: event_id, subjectId: id }
}

/** Nobody writes to those who were made anonymous. */
async function queueToBuyer(
  tx: WriteTx,
  accountId: string,
  kind: KindOfMail,
  order: Order,
  more: Partial<Pick<NewEmail, 'cause' | 'details'>> = {},
): Promise<void> {
  if (order.buyer.email !== ERASED_EMAIL) await queue(tx, accountId, kind, { ...mailOf(order), ...more })
}

/** To the buyer: that the organizer has to approve it. */
export async function tellWaiting(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queueToBuyer(tx, accountId, waitingMail, order)
}

/** To somebody on a waitlist: that places are held for them. */
export async function tellOffered(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queueToBuyer(tx, accountId, offeredMail, order)
}

/** To the buyer: that it was not approved. */
export async function tellDeclined(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  await queueToBuyer(tx, accountId, declinedMail, order)
}

/** To the buyer, once more: all that was sent when the order was confirmed, or what is offered. */
export async function tellAgain(tx: WriteTx, accountId: string, order: Order): Promise<void> {
  const cause = `${order.id} ${await tx.now()}`
  const kind = order.waits_for === 'answer' ? offeredMail : confirmedMail
  await queueToBuyer(tx, accountId, kind, order, { cause })
}

/** How it is told that tickets are cancelled. */
export interface CancelTold {
  /** An order is cancelled once, and so is each of its registrations. */
  cause?: string
  /** What the buyer is sent. */
  kind?: KindOfMail
  /** What the buyer alone is told: minor units that go back, and when it was asked for, in milliseconds. */
  money?: { refund: number; at: number }
}

/**
 * To the buyer, and to each other holder of a ticket, that these tickets of registrations of an order are cancelled. One that was
 * not confirmed has told no holder of a ticket.
 */
export async function tellCancelled(
  tx: WriteTx,
  accountId: string,
  order: Order,
  cancelled: readonly Pick<Registration, 'id' | 'attendees'>[],
  as: CancelTold = {},
): Promise<void> {
  const { cause = order.id, kind = orderCancelledMail, money = {} } = as
  const tickets = cancelled.flatMap(({ attendees }) => attendees.map(({ id }) => id))
  const about = { cause, details: { registrations: cancelled.map(({ id }) => id), tickets } }
  const details = { ...about.details, ...money }
  await queueToBuyer(tx, accountId, kind, order, { cause, details })
  if (order.confirmed_at === null) return
  for (const recipient of holdersOf(order, cancelled)) {
    await queue(tx, accountId, ticketCancelledMail, { ...mailOf(order), ...about, recipient })
  }
}

/** The same, where the buyer has withdrawn from the contract. */
export function tellWithdrawn(
  tx: WriteTx,
  accountId: string,
  order: Order,
  cancelled: readonly Pick<Registration, 'id' | 'attendees'>[],
  as: Omit<CancelTold, 'kind'> = {},
): Promise<void> {
  return tellCancelled(tx, accountId, order, cancelled, { ...as, kind: withdrawnMail })
}
