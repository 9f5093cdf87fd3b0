import * as v from 'valibot'
import { label } from '#base/fields.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { Query } from '#machinery/web/lists/list.tsx'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { type TicketSort, ticketSorts } from '#product/guests/registrations/gathered-tickets.ts'
import type { GuestFilters } from '#product/guests/registrations/guests.ts'
import { registrationStatuses } from '#product/guests/registrations/states.ts'

/** Which guests an address asks for. */
export interface GuestQuery {
  /** The query as it stands in addresses, without the page. */
  query: Query
  /**
   * It is undefined if the address asks for what no guest can be. A filter is never dropped, since actions on guests may depend
   * on it.
   */
  filters: GuestFilters | undefined
  /** Undefined puts the newest first. It decides only about the order, so an unknown one is as if it were not there. */
  sort: TicketSort | undefined
}

const sentValues = ['yes', 'no'] as const

/** A search is as long as the longest e-mail, and the API accepts the same length. */
const searched = label(254)

/** Reads it. Extras are no guests: they are listed only where their type is asked for. */
export function readGuestQuery(
  { query, event }: EventRequest,
  types: readonly Pick<TypeDetails, 'id' | 'kind'>[],
): GuestQuery {
  const of = (name: string) => query.get(name)?.trim() || undefined
  const [text, state, type, given] = [of('q'), of('state'), of('type'), of('sent')]
  const sent = sentValues.find(each => each === given)
  const sort = ticketSorts.find(each => each === of('sort'))
  const status = registrationStatuses.find(each => each === state)
  const isValid =
    (text === undefined || v.is(searched, text)) &&
    status === state &&
    sent === given &&
    (type === undefined || types.some(({ id }) => id === type))
  const extras = type === undefined ? types.filter(({ kind }) => kind === 'extra').map(({ id }) => id) : []
  const ofTypes = {
    registration_type_id: type,
    ...(extras.length === 0 ? {} : { without_types: extras }),
  }
  return {
    query: { q: text, state, type, sent: given, sort },
    filters: isValid ? { event_id: event.id, status, ...ofTypes, text, sent } : undefined,
    sort,
  }
}
