import * as v from 'valibot'
import { label } from '../fields.ts'
import type { GuestFilters } from '../registrations/guests.ts'
import { registrationStatuses } from '../registrations/states.ts'
import type { Query } from '../web/lists/list.tsx'
import type { OfEvent } from './asked.ts'

/** What of the guests an address asks for. */
export interface GuestQuery {
  /** As it stands in addresses, without the page. */
  query: Query
  /** Undefined where it asks for what nobody can be: no filter is left out, as what is done with the guests may depend on it. */
  filters: GuestFilters | undefined
}

/** As long as the longest e-mail: the API takes the same. */
const searched = label(254)

export function readGuestQuery({ query, event }: OfEvent, types: readonly { id: string }[]): GuestQuery {
  const of = (name: string) => query.get(name)?.trim() || undefined
  const [text, state, type] = [of('q'), of('state'), of('type')]
  const status = registrationStatuses.find(each => each === state)
  const isKnown =
    (text === undefined || v.is(searched, text)) &&
    status === state &&
    (type === undefined || types.some(({ id }) => id === type))
  return {
    query: { q: text, state, type },
    filters: isKnown ? { event_id: event.id, status, registration_type_id: type, text } : undefined,
  }
}
