import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import type { Query } from '#machinery/web/lists/list.tsx'
import { abstractStatuses } from '#product/programme/abstracts/states.ts'
import type { Call } from '#product/programme/calls/schemas.ts'
import { type Order, sorts, type Wanted } from '#product/programme/decisions/narrowing.ts'
import type { Round } from '#product/programme/reviews/round-schemas.ts'

export const proposalFilters = ['none', 'accepted', 'rejected'] as const

/** In the address: only abstracts whose text may tell who has written it. */
export const NAMED = 'named'

/** The most characters of a search. */
const MAX_SEARCH = 200
/** A figure as people type it. */
const FIGURE = /^\d{1,2}(?:[.,]\d{1,4})?$/

/** Which abstracts of the table an address asks for. */
export interface DecisionQuery {
  /** The query as it stands in addresses, without the page. */
  query: Query
  /**
   * It is undefined if the address asks for what no abstract can be. A filter is never dropped, since what is proposed for the first
   * of the table depends on it.
   */
  wanted: Wanted | undefined
  order: Order
  /** Only those whose text may tell who has written it. */
  isNamed: boolean
}

/** Returns the words that the address searches for. */
export function searchOf({ query }: EventRequest): string | undefined {
  return (query.get('q') ?? '').trim().slice(0, MAX_SEARCH) || undefined
}

export function readDecisionQuery(
  request: EventRequest,
  { call, round }: { call: Call | undefined; round: Round | undefined },
): DecisionQuery {
  const of = (name: string) => request.query.get(name)?.trim().slice(0, MAX_SEARCH) || undefined
  const [topic, kind, state, proposed] = [of('topic'), of('kind'), of('state'), of('proposal')]
  const [text, few, atLeast, atMost, sorted] = [of('text'), of('few'), of('least'), of('most'), of('sort')]
  const status = abstractStatuses.find(each => each === state)
  const proposal = proposalFilters.find(each => each === proposed)
  const [least, most] = [figureOf(atLeast), figureOf(atMost)]
  const isValid =
    status === state &&
    proposal === proposed &&
    (text === undefined || (text === NAMED && round?.blind !== false)) &&
    (few === undefined || (few === 'yes' && round !== undefined)) &&
    (least === undefined) === (atLeast === undefined) &&
    (most === undefined) === (atMost === undefined) &&
    (topic === undefined || call?.topics.some(({ id }) => id === topic) === true) &&
    (kind === undefined || call?.kinds.some(({ id }) => id === kind) === true)
  const fewerThan = few === undefined ? undefined : round?.wanted
  const order = orderOf(sorted)
  return {
    query: {
      ...{ q: searchOf(request), topic, kind, state, proposal: proposed },
      ...{ text, few, least: atLeast, most: atMost, sort: nameOf(order) },
    },
    wanted: isValid ? { topic, kind, status, proposal, least, most, fewerThan } : undefined,
    order,
    isNamed: text !== undefined,
  }
}

function figureOf(typed: string | undefined): number | undefined {
  return typed !== undefined && FIGURE.test(typed) ? Number(typed.replace(',', '.')) : undefined
}

/** The best come first unless the address says otherwise. A minus turns an order around. */
function orderOf(typed = ''): Order {
  const isReversed = typed.startsWith('-')
  const sort = sorts.find(each => each === typed.slice(Number(isReversed)))
  return sort === undefined ? { sort: 'mean', isReversed: false } : { sort, isReversed }
}

/** Returns the name of an order in addresses. @returns undefined for the one that needs none */
export function nameOf({ sort, isReversed }: Order): string | undefined {
  if (isReversed) return `-${sort}`
  return sort === 'mean' ? undefined : sort
}
