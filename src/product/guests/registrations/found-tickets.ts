import { areMatched, termsOf } from '#base/words.ts'
import { decodeTicket } from '#product/guests/attendees/ticket-code.ts'

interface Named {
  id: string
  name: string | null
  email: string | null
}

/**
 * Returns those tickets of a registration that were searched for by their id or code, or by their own words. Otherwise, as for a
 * search for the buyer, it returns all of them.
 *
 * @param text what found the registration
 */
export function foundTickets<Ticket extends Named>(
  tickets: readonly Ticket[],
  text: string | undefined,
): readonly Ticket[] {
  if (text === undefined) return tickets
  const exact = decodeTicket(text)?.ticketId ?? text.toLowerCase()
  const named = tickets.filter(({ id }) => id === exact)
  if (named.length > 0) return named
  const terms = termsOf(text)
  const own = tickets.filter(({ name, email }) => areMatched(terms, [{ name, email }]))
  return own.length > 0 ? own : tickets
}
