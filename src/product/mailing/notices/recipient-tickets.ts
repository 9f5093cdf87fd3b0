import type { ReadTx } from '../db/port.ts'
import type { MailToSend, Server } from '../emails/kind.ts'
import { emailKey } from '../fields.ts'
import { type OwnTicket, validTickets } from '../orders/documents.ts'
import { orderUrl, ticketUrl } from '../orders/mails.tsx'
import * as orders from '../orders/rules.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import * as registrations from '../registrations/rules.ts'
import type { Registration } from '../registrations/schemas.ts'

/** What somebody has of an event, as far as a mail to them tells of it. */
export interface Held {
  /** Those that are theirs, each with its page where it was ordered here. */
  tickets: (OwnTicket & { url: string | undefined })[]
  /** The page of an order of theirs. */
  orderUrl: string | undefined
  /** They are the buyer of something that stands, or hold a ticket. */
  isAny: boolean
  /** Not all of it waits for approval. */
  isConfirmed: boolean
}

/**
 * Reads what somebody has now of the registrations that a mail was written for.
 *
 * @param endedToo whether somebody whose registration was cancelled or refunded since counts as one who has something
 */
export async function readHeld(
  tx: ReadTx,
  accountId: string,
  { event_id, recipient, details }: MailToSend,
  server: Server,
  endedToo: boolean,
): Promise<Held> {
  const types = await registrationTypes.listDetails(tx, accountId, event_id as string)
  const key = emailKey(recipient)
  const held: Held = { tickets: [], orderUrl: undefined, isAny: false, isConfirmed: false }
  for (const id of details.about as string[]) {
    const registration = await find(tx, accountId, id)
    const isConfirmed = registration?.status === 'confirmed'
    const isEnded = registration?.status === 'cancelled' || registration?.status === 'refunded'
    if (
      registration === undefined ||
      !(isConfirmed || registration.status === 'pending' || (endedToo && isEnded))
    )
      continue
    const { buyer, attendees, confirmed_at } = registration
    const isBuyer = emailKey(buyer.email) === key
    const isHolder = attendees.some(({ email }) => email !== null && emailKey(email) === key)
    const own = validTickets({ registrations: [registration] }, types).filter(
      ({ email }) => emailKey(email ?? buyer.email) === key,
    )
    if (!isBuyer && own.length === 0 && !(isEnded && isHolder)) continue
    held.isAny = true
    held.isConfirmed ||= confirmed_at !== null
    const order = await orders.findOrderOf(tx, accountId, registration)
    if (isBuyer && order !== undefined) held.orderUrl ??= orderUrl(server, order)
    const shown = own.map(ticket => ({ ...ticket, url: order && ticketUrl(server, order, ticket.id) }))
    held.tickets.push(...shown)
  }
  return held
}

async function find(tx: ReadTx, accountId: string, id: string): Promise<Registration | undefined> {
  try {
    return await registrations.get(tx, accountId, id)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
