import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { Query } from '#machinery/web/lists/list.tsx'
import type { Wanted } from '#product/programme/abstracts/of-event.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'

/** The most characters of a search. */
const MAX_SEARCH = 200

/** Returns which abstracts of an event the address asks for. The list uses it, and so do the pages that open from the list. */
export function readAbstractQuery({ event, query }: EventRequest): { wanted: Wanted; query: Query } {
  const status = abstractStatuses.find(each => each === query.get('status'))
  const text = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH) || undefined
  return { wanted: { event_id: event.id, status, text }, query: { q: text, status } }
}
