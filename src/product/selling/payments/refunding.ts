import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { keepRefunded, voidAll } from '#product/guests/registrations/voiding.ts'
import type { LedgerSubject } from '#product/selling/ledger/rules.ts'
import { queueCancelled, queueWithdrawn } from '#product/selling/orders/queue-mails.ts'
import { queueRefund } from './queue-mails.ts'
import type { RefundReason } from './refund-store.ts'
import { partsOf, type Refundable, readRefundable } from './refundable.ts'
import * as refunds from './refunds.ts'
import type { Refund } from './schemas.ts'

/** What is requested. */
export interface Refunding {
  /** The tickets to void. There are none if money goes back as a favour. */
  ticketIds: readonly string[]
  /** Minor units. It is 0 if tickets become void without money. */
  amount: number
  reason: Extract<RefundReason, 'organizer' | 'buyer' | 'withdrawn' | 'event_cancelled'>
  /** A note of the organizer, which only the organizer sees. */
  note: string | null
  /** Whether the buyer and the holders of voided tickets get mails. For a registration that was not ordered here, nobody does. */
  isNotified: boolean
}

/** The result of a refund. */
export interface Refunded {
  /** One refund for each payment that money goes back from. */
  refunds: Refund[]
  /** How many tickets became void. */
  tickets: number
}

/**
 * Refunds an order, voids tickets of it, or both: somebody who got their money back shall not be admitted. Tickets, places, uses
 * of codes and webhooks change in this transaction. The money follows separately.
 *
 * @throws Problem those of `refund`
 */
export function refundOrder(
  tx: WriteTx,
  { orderId, ...refunding }: Refunding & { orderId: string },
): Promise<Refunded> {
  return refund(tx, { orderId }, refunding)
}

/**
 * Does the same as `refundOrder`, also for a registration that was paid without an order.
 *
 * @throws Problem not_found, also for a ticket of another order; ticket_voided; registration_not_confirmed; refund_too_large with
 *   `details.left`; invalid_parameter if neither a ticket nor an amount is given
 */
export async function refund(tx: WriteTx, of: LedgerSubject, refunding: Refunding): Promise<Refunded> {
  const subject = await readRefundable(tx, of)
  const { lines: _, ...refunded } = await refundOf(tx, subject, refunding)
  return refunded
}

/**
 * Does the same as `refund` for a subject that was read in this transaction.
 *
 * @returns also the subject's registrations as they are now
 * @throws Problem those of `refund`
 */
export async function refundOf(
  tx: WriteTx,
  subject: Refundable,
  { ticketIds, amount, reason, note, isNotified }: Refunding,
): Promise<Refunded & { lines: Registration[] }> {
  if (amount === 0 && ticketIds.length === 0) throw new Problem('invalid_parameter', { param: 'amount' })
  const { of, eventId, currency, sources } = subject
  if (ticketIds.some(id => subject.tickets.every(ticket => ticket.id !== id))) throw new Problem('not_found')
  const parts = partsOf(subject, ticketIds, amount)
  const wanted = { ...of, eventId, currency, amount, reason, note, tickets: parts }
  const made = amount === 0 ? [] : await refunds.requestFrom(tx, wanted, sources)
  const isVoided = ({ id }: { id: string }) => ticketIds.includes(id)
  const voidings = subject.lines.flatMap(line => {
    const ids = line.attendees.filter(isVoided).map(({ id }) => id)
    const refunded = backOf(subject, line.id, parts)
    return ids.length === 0 ? [] : [{ registration: line, ticketIds: ids, refunded }]
  })
  const changed = await voidAll(tx, voidings)
  const lines: Registration[] = []
  for (const line of subject.lines) {
    const voidedLine = changed.find(({ id }) => id === line.id)
    const isBack = voidedLine === undefined && isOver(line) && line.attendees.some(({ id }) => parts.has(id))
    lines.push(isBack ? await keepRefunded(tx, line, backOf(subject, line.id, parts)) : (voidedLine ?? line))
  }
  const voided = changed.map(line => ({ ...line, attendees: line.attendees.filter(isVoided) }))
  if (isNotified) await queueRefunded(tx, subject, { voided, amount, reason, cause: made[0]?.id })
  return { refunds: made, tickets: ticketIds.length, lines }
}

/** Returns what goes back for what was sold with a registration in all, including these parts. */
export function backOf({ tickets }: Refundable, id: string, parts: ReadonlyMap<string, number>): number {
  return tickets
    .filter(({ soldWith }) => soldWith === id)
    .reduce((sum, ticket) => sum + ticket.back + (parts.get(ticket.soldAs) ?? 0), 0)
}

/** Tells whether a registration was confirmed, and all of its tickets are void. */
export function isOver({ status, confirmed_at }: Registration): boolean {
  return confirmed_at !== null && (status === 'cancelled' || status === 'refunded')
}

interface RefundNews {
  voided: readonly Registration[]
  amount: number
  reason: Refunding['reason']
  cause: string | undefined
}

/** Queues one mail that says both which tickets are void and what goes back. */
async function queueRefunded(
  tx: WriteTx,
  { order }: Refundable,
  { voided, amount, reason, cause: refundId }: RefundNews,
): Promise<void> {
  if (order === undefined) return
  const [first] = voided.flatMap(({ attendees }) => attendees)
  // A ticket becomes void only once, so its id is unique as a cause.
  const cause = refundId ?? first?.id ?? order.id
  if (first === undefined) return queueRefund(tx, order, { cause, amount })
  const tellVoid = reason === 'withdrawn' ? queueWithdrawn : queueCancelled
  await tellVoid(tx, order, voided, { cause, money: { refund: amount, at: tx.clock() } })
}
