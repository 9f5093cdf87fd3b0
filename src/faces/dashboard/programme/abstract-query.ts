import type { Wanted } from '../abstracts/of-event.ts'
import { abstractStatuses } from '../abstracts/states.ts'
import type { Query } from '../web/lists/list.tsx'
import type { OfEvent } from './asked.ts'

/** Of a search, in characters. */
const MAX_SEARCH = 200

/** What of the abstracts of an event the address asks for: for the list, and for the pages that are opened from it. */
export function readAbstractQuery({ event, query }: OfEvent): { wanted: Wanted; query: Query } {
  const status = abstractStatuses.find(each => each === query.get('status'))
  const text = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH) || undefined
  return { wanted: { event_id: event.id, status, text }, query: { q: text, status } }
}
