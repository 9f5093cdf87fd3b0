import { Problem } from '#base/problem.ts'
import type { Listed } from '#base/resource.ts'
import { toIsoOrNull } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import { foundTickets } from '#product/guests/registrations/found-tickets.ts'
import * as registrations from '#product/guests/registrations/rules.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import { searchWords } from '#product/guests/registrations/word-search.ts'
import * as store from './ticket-store.ts'

/** Describes a ticket as somebody at a door sees it, without its code. */
export interface DoorTicket extends Omit<store.DoorRow, 'voided' | 'checked_in_at'> {
  voided: boolean
  /** ISO 8601. */
  checked_in_at: string | null
}

export interface TicketPage {
  tickets: DoorTicket[]
  /** The position after which the next page begins. It is undefined at the end. */
  next: Position | undefined
}

export interface TicketFilters {
  /** What `searchWords` takes: words, an e-mail, a reference, an id or the code of a ticket. */
  q?: string | undefined
  checked_in?: boolean | undefined
}

/** A page looks at this many tickets before it ends, however few of them are wanted. */
const MOST_LOOKED_AT = 5_000

/**
 * Lists the tickets of an event for the check-in. Those of the newest registration come first, or of the latest check-in if only
 * checked-in tickets are wanted. A page ends with a registration, so it may have up to 99 more than its limit. It may have fewer,
 * or none, if few of many tickets are wanted. `next` says whether the list goes on.
 *
 * @throws Problem not_found
 */
export async function listTickets(
  reader: Reader,
  accountId: string,
  eventId: string,
  { q, checked_in }: TicketFilters,
  page: Page,
): Promise<TicketPage> {
  await reader.read(accountId, tx => events.get(tx, eventId))
  if (q === undefined && checked_in === true) return listCheckedIn(reader, accountId, eventId, page)
  const tickets: DoorTicket[] = []
  let looked = 0
  let { after } = page
  for (;;) {
    const limit = page.limit + 1
    const { rows, end, isLast } = await readRegistrations(reader, accountId, eventId, q, { limit, after })
    for (const { position, resource } of rows) {
      if (tickets.length >= page.limit || looked >= MOST_LOOKED_AT) return { tickets, next: after }
      for (const ticket of ticketsOf(resource, q)) {
        if ((checked_in ?? ticket.checked_in_at !== null) === (ticket.checked_in_at !== null))
          tickets.push(ticket)
      }
      looked += resource.quantity
      after = position
    }
    if (isLast) return { tickets, next: undefined }
    // The registrations up to here were looked at but do not match.
    if (end !== undefined) return { tickets, next: end }
  }
}

/**
 * Returns a ticket of an event.
 *
 * @throws Problem not_found
 */
export async function getTicket(tx: ReadTx, eventId: string, id: string): Promise<DoorTicket> {
  const row = await store.find(tx, eventId, id)
  if (row === undefined) throw new Problem('not_found', { subject: id })
  return present(row)
}

async function listCheckedIn(
  reader: Reader,
  accountId: string,
  eventId: string,
  { limit, after }: Page,
): Promise<TicketPage> {
  const rows = await reader.read(accountId, tx =>
    store.listCheckedIn(tx, eventId, { limit: limit + 1, after }),
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    tickets: shown.map(({ check_in_id: _, created_at: __, ...row }) => present(row)),
    next: rows.length > limit && last ? { created_at: last.created_at, id: last.check_in_id } : undefined,
  }
}

interface Read {
  rows: Listed<Registration>[]
  end: Position | undefined
  isLast: boolean
}

async function readRegistrations(
  reader: Reader,
  accountId: string,
  eventId: string,
  q: string | undefined,
  page: Page,
): Promise<Read> {
  if (q === undefined) {
    return reader.read(accountId, async tx => {
      const { rows, cut } = await registrations.list(tx, { event_id: eventId }, page)
      const all = [...rows]
      return { rows: all, end: undefined, isLast: !cut && all.length < page.limit }
    })
  }
  const wanted = { text: q, event_id: eventId, status: undefined, buyer_email_key: undefined }
  const { rows, ends, end } = await searchWords(reader, accountId, wanted, page)
  const all = [...rows]
  return { rows: all, end, isLast: !ends && all.length < page.limit }
}

/** Returns the tickets of a registration, or those of them that a search names. */
export function ticketsOf(
  { attendees, ...registration }: Registration,
  q: string | undefined,
): readonly DoorTicket[] {
  const tickets = attendees.map(({ id, name, email, seat, voided, checked_in_at }) => ({
    id,
    registration_id: registration.id,
    registration_status: registration.status,
    registration_type_id: registration.registration_type_id as string,
    registration_type_name: registration.registration_type_name as string,
    buyer_name: registration.buyer.name,
    name,
    email,
    seat,
    voided,
    checked_in_at,
  }))
  return foundTickets(tickets, q)
}

export function present(row: store.DoorRow): DoorTicket {
  return { ...row, voided: row.voided === 1, checked_in_at: toIsoOrNull(row.checked_in_at) }
}
