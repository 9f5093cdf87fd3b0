import { emailKey } from '#base/fields.ts'
import { Problem } from '#base/problem.ts'
import { HOUR } from '#base/time.ts'
import { ERASED_EMAIL } from '#base/words.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { KindOfMail } from '#machinery/mail/kind.ts'
import { type NewEmail, queue } from '#machinery/mail/outbox.ts'
import type { Pace } from '#machinery/mail/pacing.ts'
import * as emails from '#machinery/mail/rules.ts'
import type { Email } from '#machinery/mail/schemas.ts'
import * as checkout from '#product/guests/registrations/checkout.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { holdersOf } from './holders.ts'
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
import { noteMailedToBuyer, noteMailedToOthers } from './mailed-tickets.ts'
import { whenToMail } from './pace.ts'
import type { Order, OrderDetails } from './schemas.ts'

/** How many mails of an order `findMail` looks through. */
const MOST_LOOKED_AT = 50

/**
 * Queues the mail to the buyer, with all tickets. Once the order is verified, it also queues one mail to each other holder's
 * address, with their own tickets.
 */
export async function queueConfirmed(
  tx: WriteTx,
  order: Order & Pick<OrderDetails, 'registrations'>,
): Promise<void> {
  const others = holdersOf(order, order.registrations)
  const paces: Pace[] = others.length === 0 ? ['buyers'] : ['buyers', 'others']
  const due = await queueToBuyer(tx, confirmedMail, order, { paces })
  if (due !== undefined) await noteMailedToBuyer(tx, order, order.registrations)
  if (order.verified_at === null) return
  for (const recipient of others) await queue(tx, holderMail, { ...mailOf(order), recipient })
  await noteMailedToOthers(tx, order, order.registrations)
}

function mailOf({ id, event_id, buyer, language }: Order): NewEmail {
  return { cause: id, recipient: buyer.email, language, eventId: event_id, subjectId: id }
}

interface ToBuyer extends Partial<Pick<NewEmail, 'cause' | 'details'>> {
  /** The paces that a mail counts for, if a stranger may have caused it. */
  paces?: readonly Pace[] | undefined
}

/**
 * Queues a mail to the buyer, unless the buyer was made anonymous.
 *
 * @returns when it is sent, in milliseconds of the clock; undefined if it is not
 */
async function queueToBuyer(
  tx: WriteTx,
  kind: KindOfMail,
  order: Order,
  { paces, ...more }: ToBuyer = {},
): Promise<number | undefined> {
  if (order.buyer.email === ERASED_EMAIL) return undefined
  const due = paces === undefined ? tx.clock() : await whenToMail(tx, order, paces)
  if (due === undefined) return undefined
  await queue(tx, kind, { ...mailOf(order), ...more, due })
  return due
}

/** Queues the mail that tells the buyer that the organizer has to approve the order. */
export async function queueWaiting(tx: WriteTx, order: Order): Promise<void> {
  await queueToBuyer(tx, waitingMail, order, { paces: ['buyers'] })
}

/** Queues the mail that tells somebody on a waitlist that places are held for them. */
export async function queueOffered(tx: WriteTx, order: Order): Promise<void> {
  await queueToBuyer(tx, offeredMail, order)
}

/** Queues the mail that tells the buyer that the order was not approved, because the organizer declined it or nobody decided. */
export async function queueDeclined(tx: WriteTx, order: Order): Promise<void> {
  const paces: Pace[] | undefined = order.failed_for === 'undecided' ? ['buyers'] : undefined
  await queueToBuyer(tx, declinedMail, order, { paces })
}

/**
 * Queues a mail to the buyer once more: the confirmation with everything in it, or the offer. A mail that waits for its turn is
 * sent now instead.
 */
export async function queueAgain(tx: WriteTx, order: Order): Promise<void> {
  const kind = order.waits_for === 'answer' ? offeredMail : confirmedMail
  const waiting = await findInTurn(tx, order, kind)
  if (waiting !== undefined) {
    await emails.retry(tx, waiting.id)
    return
  }
  const due = await queueToBuyer(tx, kind, order, { cause: `${order.id} ${await tx.now()}` })
  if (due === undefined || kind === offeredMail) return
  await noteMailedToBuyer(tx, order, await checkout.listByOrder(tx, order.id))
}

/** How many mails of an order may be requested in an hour by whoever has the link to it. That may be a stranger. */
const MOST_REQUESTED = 3

/**
 * Queues the confirmation to the buyer once more, at the request of whoever has the link to the order. If such a mail waits for
 * its turn already, it queues none.
 *
 * @returns when the mail is sent, in milliseconds of the clock
 * @throws Problem too_many_mails
 */
export async function queueRequested(tx: WriteTx, order: Requested): Promise<number> {
  const of = { subjectId: order.id, kind: confirmedMail.name, since: 0 }
  const isFirst = (await emails.countSince(tx, of, 1)) === 0
  const hasOthers = order.verified_at === null && holdersOf(order, order.registrations).length > 0
  const paces: Pace[] = isFirst && hasOthers ? ['buyers', 'others'] : ['buyers']
  const due = await queueInTurn(tx, order, paces)
  if (due === undefined) throw new Problem('too_many_mails')
  return due
}

/**
 * Queues the mail with the link that sends other holders their tickets, to the buyer of an unverified order. A mail that is still
 * unsent will have the link too, so it queues none then.
 */
export async function queueVerification(tx: WriteTx, order: Requested): Promise<void> {
  const isUnsent = ({ status }: Email) => status === 'waiting'
  if ((await findMail(tx, order, confirmedMail, isUnsent)) === undefined)
    await queueInTurn(tx, order, ['buyers', 'others'])
}

type Requested = Order & Pick<OrderDetails, 'registrations'>

/** @returns when the mail is sent, in milliseconds of the clock; undefined if it is not */
async function queueInTurn(
  tx: WriteTx,
  order: Requested,
  paces: readonly Pace[],
): Promise<number | undefined> {
  const waiting = await findInTurn(tx, order, confirmedMail)
  if (waiting !== undefined) return waiting.next_attempt_at ?? tx.clock()
  const now = await tx.now()
  const of = { subjectId: order.id, kind: confirmedMail.name, since: now - HOUR }
  if ((await emails.countSince(tx, of, MOST_REQUESTED)) >= MOST_REQUESTED) return undefined
  const due = await queueToBuyer(tx, confirmedMail, order, { cause: `${order.id} ${now}`, paces })
  if (due !== undefined) await noteMailedToBuyer(tx, order, order.registrations)
  return due
}

/** Returns the mail that waits for its turn, if there is one. */
function findInTurn(tx: WriteTx, order: Order, kind: KindOfMail) {
  const now = tx.clock()
  const isInTurn = ({ next_attempt_at: next, attempts }: Email) =>
    attempts === 0 && next !== null && next > now
  return findMail(tx, order, kind, isInTurn)
}

/** Returns a mail to the buyer's current address. Other mails of the order may go to an address that was mistyped. */
async function findMail(
  tx: WriteTx,
  { id: subjectId, buyer }: Order,
  { name }: KindOfMail,
  fits: (mail: Email) => boolean,
): Promise<Email | undefined> {
  const mails = await emails.list(tx, { subjectId }, { limit: MOST_LOOKED_AT })
  const key = emailKey(buyer.email)
  return mails.find(mail => mail.kind === name && emailKey(mail.recipient) === key && fits(mail))
}

/** How the mails about cancelled tickets are made. */
export interface CancelMail {
  /** An order is cancelled once, and so is each of its registrations. */
  cause?: string
  /** The kind of mail that the buyer gets. */
  kind?: KindOfMail
  /** It is true if whoever has the link to the order has cancelled it. */
  byBuyer?: boolean
  /** What only the buyer is told: the minor units that go back, and when that was requested, in milliseconds. */
  money?: { refund: number; at: number }
}

/**
 * Queues the mails that these tickets of an order are cancelled, to the buyer and to each other holder. If the order was not
 * confirmed or is not verified, the other holders never heard of their tickets and get no mail.
 */
export async function queueCancelled(
  tx: WriteTx,
  order: Order,
  cancelled: readonly Pick<Registration, 'id' | 'attendees'>[],
  as: CancelMail = {},
): Promise<void> {
  const { cause = order.id, kind = orderCancelledMail, byBuyer = false, money = {} } = as
  const tickets = cancelled.flatMap(({ attendees }) => attendees.map(({ id }) => id))
  const about = { cause, details: { registrations: cancelled.map(({ id }) => id), tickets } }
  const details = { ...about.details, ...money }
  const paces: Pace[] | undefined = byBuyer ? ['buyers'] : undefined
  await queueToBuyer(tx, kind, order, { cause, details, paces })
  if (order.confirmed_at === null || order.verified_at === null) return
  for (const recipient of holdersOf(order, cancelled)) {
    await queue(tx, ticketCancelledMail, { ...mailOf(order), ...about, recipient })
  }
}

/** Does the same as `queueCancelled`, for a buyer who has withdrawn from the contract. */
export function queueWithdrawn(
  tx: WriteTx,
  order: Order,
  cancelled: readonly Pick<Registration, 'id' | 'attendees'>[],
  as: Omit<CancelMail, 'kind' | 'byBuyer'> = {},
): Promise<void> {
  return queueCancelled(tx, order, cancelled, { ...as, kind: withdrawnMail, byBuyer: true })
}
