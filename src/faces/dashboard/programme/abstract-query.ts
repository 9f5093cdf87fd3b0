import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { withQuery } from '#machinery/web/link.ts'
import type { Query } from '#machinery/web/lists/list.tsx'
import type { State, Wanted } from '#product/programme/abstracts/of-event.ts'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'

const states: readonly State[] = [...abstractStatuses, 'unconfirmed', 'withdrawn']

/** The most characters of a search. */
const MAX_SEARCH = 200

/** Returns which abstracts of an event the address asks for. The list uses it, and so do the pages that open from the list. */
export function readAbstractQuery({ event, query }: EventRequest): { wanted: Wanted; query: Query } {
  const state = states.find(each => each === query.get('status'))
  const text = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH) || undefined
  return { wanted: { event_id: event.id, state, text }, query: { q: text, status: state } }
}

/** Returns the address of an abstract's page, with the query of the list that the request was opened from. */
export function addressOf(request: EventRequest, id = request.params.abstract ?? ''): string {
  return withQuery(paths.abstract(request.event.id, id), readAbstractQuery(request).query)
}
