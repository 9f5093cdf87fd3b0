import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { Look } from '#product/catalog/looks/schemas.ts'
import type { Details } from '#product/guests/registrations/details.ts'

/** The page of a ticket shows these facts about it and its event. */
export interface TicketView {
  ticket: Details['attendees'][number]
  /** The registration of the ticket. */
  line: Details
  event: EventDetails
  organizer: { name: string; slug: string | null; look: Look }
  /** The path of the page, below the address of the service. */
  path: string
  /** Whether whoever holds it may change the name on it now. */
  mayRename: boolean
  /** Whether whoever holds it may give it to somebody else now. */
  mayGiveOn: boolean
  /** Whether another ticket took its place. */
  isExchanged: boolean
  /** Until when names may be changed, in Unix milliseconds. */
  namesUntil: number
}

/** The page of a ticket shows one of these once, after a redirect back to it. */
export const TICKET_NOTICES = ['saved', 'given', 'givenLater'] as const
export type TicketNotice = (typeof TICKET_NOTICES)[number]
