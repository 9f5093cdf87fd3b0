import type { WriteTx } from '../db/port.ts'
import type { LedgerSubject } from '../ledger/rules.ts'
import { tellCancelled, tellWithdrawn } from '../orders/telling.ts'
import { Problem } from '../problem.ts'
import type { Registration } from '../registrations/schemas.ts'
import { keepRefunded, voidTickets } from '../registrations/voiding.ts'
import type { RefundReason } from './refund-store.ts'
import { partsOf, type Refundable, readRefundable } from './refundable.ts'
import * as refunds from './refunds.ts'
import type { Refund } from './schemas.ts'
import { tellRefund } from './telling.ts'

/** What is asked for. */
export interface Refunding {
  /** Those that become void: none, where money goes back as a favour. */
  ticketIds: readonly string[]
  /** Minor units: 0 where tickets become void without money. */
  amount: number
  reason: Extract<RefundReason, 'organizer' | 'buyer' | 'withdrawn' | 'event_cancelled'>
  /** Of the organizer, whom alone it is shown to. */
  note: string | null
  /** Whether the buyer, and those whose tickets become void, are mailed. Nobody is, of what was not ordered here. */
  isTold: boolean
}

/** What came of it. */
export interface Refunded {
  /** One a payment that money goes back of. */
  refunds: Refund[]
  /** Tickets that became void. */
  tickets: number
}

/**
 * Pays back an order, or voids tickets of it, or both: who asked for money back is not admitted. Tickets, places, uses of codes and
 * webhooks follow in this transaction; the money follows apart.
 *
 * @throws Problem those of `refund`
 */
export function refundOrder(
  tx: WriteTx,
  accountId: string,
  { orderId, ...refunding }: Refunding & { orderId: string },
): Promise<Refunded> {
  return refund(tx, accountId, { orderId }, refunding)
}

/**
 * The same, also of a registration that was paid without an order.
 *
 * @throws Problem not_found, also for a ticket of another order; ticket_voided; registration_not_confirmed; refund_too_large with
 *   `details.left`; invalid_parameter where neither a ticket nor an amount is given
 */
export async function refund(
  tx: WriteTx,
  accountId: string,
  of: LedgerSubject,
  { ticketIds, amount, reason, note, isTold }: Refunding,
): Promise<Refunded> {
  if (amount === 0 && ticketIds.length === 0) throw new Problem('invalid_parameter', { param: 'amount' })
  const subject = await readRefundable(tx, accountId, of)
  const { eventId, currency } = subject
  if (ticketIds.some(id => subject.tickets.every(ticket => ticket.id !== id))) throw new Problem('not_found')
  const parts = partsOf(subject, ticketIds, amount)
  const wanted = { ...of, eventId, currency, amount, reason, note, tickets: parts }
  const made = amount === 0 ? [] : await refunds.request(tx, accountId, wanted)
  const voided: Registration[] = []
  for (const line of subject.lines) {
    const refunded = backOf(subject, line.id, parts)
    const ids = line.attendees.flatMap(({ id }) => (ticketIds.includes(id) ? [id] : []))
    if (ids.length > 0) {
      const now = await voidTickets(tx, accountId, line.id, { ticketIds: ids, refunded })
      voided.push({ ...now, attendees: now.attendees.filter(({ id }) => ids.includes(id)) })
    } else if (isOver(line) && line.attendees.some(({ id }) => parts.has(id)))
      await keepRefunded(tx, accountId, line.id, refunded)
  }
  if (isTold) await tell(tx, accountId, subject, { voided, amount, reason, cause: made[0]?.id })
  return { refunds: made, tickets: ticketIds.length }
}

/** What goes back for a registration in all, with these parts. */
function backOf({ tickets }: Refundable, id: string, parts: ReadonlyMap<string, number>): number {
  return tickets
    .filter(({ registrationId }) => registrationId === id)
    .reduce((sum, ticket) => sum + ticket.back + (parts.get(ticket.id) ?? 0), 0)
}

/** It was confirmed, and all of its tickets are void. */
function isOver({ status, confirmed_at }: Registration): boolean {
  return confirmed_at !== null && (status === 'cancelled' || status === 'refunded')
}

interface Told {
  voided: readonly Registration[]
  amount: number
  reason: Refunding['reason']
  cause: string | undefined
}

/** One mail that says both: which tickets are void, and what goes back. */
async function tell(
  tx: WriteTx,
  accountId: string,
  { order }: Refundable,
  { voided, amount, reason, cause: refundId }: Told,
): Promise<void> {
  if (order === undefined) return
  const [first] = voided.flatMap(({ attendees }) => attendees)
  // A ticket becomes void once.
  const cause = refundId ?? first?.id ?? order.id
  if (first === undefined) return tellRefund(tx, accountId, order, { cause, amount })
  const tellVoid = reason === 'withdrawn' ? tellWithdrawn : tellCancelled
  await tellVoid(tx, accountId, order, voided, { cause, money: { refund: amount, at: tx.clock() } })
}
