import type { WriteTx } from '../db/port.ts'
import { queue } from '../emails/outbox.ts'
import type { EventDetails } from '../events/schemas.ts'
import { emailKey } from '../fields.ts'
import { Problem } from '../problem.ts'
import { amend } from '../registrations/amendment.ts'
import { holderMail } from './kinds.ts'
import * as orders from './rules.ts'

/** Until when buyers may change names, in milliseconds. */
export function namesLockedAt({ names_locked_at, starts_at }: EventDetails): number {
  return Date.parse(names_locked_at ?? starts_at ?? '9999-12-31T00:00:00Z')
}

export interface NewHolder {
  /** Of the ticket. */
  id: string
  name: string
  /** Null: the buyer has the ticket. */
  email: string | null
}

/**
 * Changes whose the tickets of an order are, until they are locked. Whoever gets a ticket by this is sent it.
 *
 * @returns the names of the fields that have another value than before
 * @throws Problem not_found for a ticket of another order; too_late; order_ended; registration_erased
 */
export async function rename(
  tx: WriteTx,
  accountId: string,
  orderId: string,
  event: EventDetails,
  holders: readonly NewHolder[],
): Promise<string[]> {
  const order = await orders.getDetails(tx, accountId, orderId)
  if (order.status !== 'confirmed' && order.status !== 'pending') throw new Problem('order_ended')
  if (tx.clock() >= namesLockedAt(event)) throw new Problem('too_late')
  const tickets = order.registrations.flatMap(line => line.attendees)
  if (holders.some(({ id }) => !tickets.some(ticket => ticket.id === id))) throw new Problem('not_found')
  const changed: string[] = []
  for (const line of order.registrations) {
    const own = holders.filter(({ id }) => line.attendees.some(ticket => ticket.id === id))
    const stands = line.status === 'confirmed' || line.status === 'pending'
    if (!stands || own.length === 0) continue
    changed.push(...(await amend(tx, accountId, line.id, { attendees: own })).changed)
  }
  if (order.status !== 'confirmed') return changed
  for (const { id, email } of holders) {
    const was = tickets.find(ticket => ticket.id === id)?.email ?? null
    const isNew = email !== null && (was === null || emailKey(was) !== emailKey(email))
    if (!isNew || emailKey(email) === emailKey(order.buyer.email)) continue
    const { language, event_id: eventId } = order
    const cause = `${orderId} ${id} ${await tx.now()}`
    await queue(tx, accountId, holderMail, { cause, recipient: email, language, eventId, subjectId: orderId })
  }
  return changed
}
