import { readCursor } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import type { Query } from '#machinery/web/lists/list.tsx'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  gatherTickets,
  readRegistrations,
  type TicketSort,
} from '#product/guests/registrations/gathered-tickets.ts'
import { type GuestFilters, listAndCount } from '#product/guests/registrations/guests.ts'
import type { Counted, Counts } from '#product/guests/registrations/of-event.ts'
import { readGuestQuery } from './guest-query.ts'
import { type GuestRow, rowsOf, rowsOfAll } from './guest-rows.tsx'

/** A page has this many registrations, or in another order this many tickets. */
const PER_PAGE = 50

/** What the list of guests shows. */
export interface GuestListing extends Listed {
  types: readonly TypeDetails[]
  query: Query
}

/** A page of the list. */
interface Listed {
  rows: readonly GuestRow[]
  next: string | undefined
  counts: Counts
  /** Says that the list is not as it was asked for, because there are too many tickets. */
  limit: 'unsorted' | 'cut' | undefined
}

const nobody: Counted = { count: 0, isMore: false }
const none: Counts = {
  ...{ all: nobody, pending: nobody, confirmed: nobody },
  ...{ failed: nobody, refunded: nobody, cancelled: nobody },
}

/** Reads what the list of guests shows. @throws Problem invalid_cursor */
export async function readGuestList(services: Services, request: EventRequest): Promise<GuestListing> {
  const { account, event } = request
  const types = await services.db.read(account.id, tx => registrationTypes.listDetails(tx, event.id))
  const { query, filters, sort } = readGuestQuery(request, types)
  if (filters === undefined)
    return { types, query, rows: [], next: undefined, counts: none, limit: undefined }
  const isGathered = sort !== undefined || filters.sent !== undefined
  const gathered = isGathered ? await listGathered(services, request, { types, filters, sort }) : undefined
  const listed = gathered ?? (await listNewest(services, request, filters))
  return { types, query, ...listed, ...(isGathered && gathered === undefined ? { limit: 'unsorted' } : {}) }
}

/** Lists the newest registrations with their tickets. */
async function listNewest(
  { db, cursors }: Services,
  request: EventRequest,
  filters: GuestFilters,
): Promise<Listed> {
  const { account } = request
  const scope = JSON.stringify(['guests', account.id, filters])
  const page = { limit: PER_PAGE, after: readCursor(cursors, scope, request) }
  const { rows, next, counts } = await listAndCount(db, account.id, filters, page)
  return {
    rows: rowsOfAll(
      rows.map(({ resource }) => resource),
      filters.text,
    ),
    next: next && cursors.encode(scope, next),
    counts,
    limit: undefined,
  }
}

/**
 * Lists tickets in another order, or those that were sent or were not.
 *
 * @returns undefined if there are too many tickets to sort
 */
async function listGathered(
  { db, cursors }: Services,
  request: EventRequest,
  {
    types,
    filters,
    sort,
  }: { types: readonly TypeDetails[]; filters: GuestFilters; sort: TicketSort | undefined },
): Promise<Listed | undefined> {
  const { account } = request
  const gathering = { sort, typeIds: types.map(({ id }) => id) }
  const { tickets, counts, isMore } = await gatherTickets(db, account.id, filters, gathering)
  if (isMore && filters.sent === undefined) return undefined
  const scope = JSON.stringify(['guests', account.id, filters, sort])
  const after = readCursor(cursors, scope, request)
  // The ticket itself says where the page begins, as others may have come or gone before it; else its former place does.
  const index = after === undefined ? -1 : tickets.findIndex(({ id }) => id === after.id)
  const from = index >= 0 ? index + 1 : (after?.created_at ?? 0)
  const some = tickets.slice(from, from + PER_PAGE)
  const last = some.at(-1)
  const end = from + some.length
  const isEnd = last === undefined || end >= tickets.length
  return {
    rows: rowsOf(some, await readRegistrations(db, account.id, some)),
    next: isEnd ? undefined : cursors.encode(scope, { created_at: end, id: last.id }),
    counts,
    limit: isMore ? 'cut' : undefined,
  }
}
