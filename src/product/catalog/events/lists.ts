import { toIsoOrNull } from '#base/time.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { endOf } from './end.ts'
import * as store from './list-store.ts'
import { mapOutlines } from './outlines.ts'
import type { EventOutline } from './schemas.ts'
import * as series from './series.ts'
import { MAX_DATES, type Series } from './series-schemas.ts'

/** The parts of the list of events. Each event is in exactly one of them. */
export const eventLists = ['to_come', 'past', 'drafts', 'archived'] as const
export type EventList = (typeof eventLists)[number]

/** An event of a list, with its place there. */
export interface ListedEvent {
  event: EventOutline
  position: Position
  /** The dates that it stands for. It is undefined if its series has no other in the list. */
  folded?: FoldedDates | undefined
}

/** The dates of a series that are in one list. */
export interface FoldedDates {
  series: Series
  /** The ids of the events, the first to begin before others. */
  ids: readonly string[]
  /** When the first and the last of them begin, in ISO 8601. It is null if all are open. */
  span: { from: string; until: string } | null
}

/** The statuses of events that are in the list for their date. */
const DATED = ['published', 'cancelled'] as const

/**
 * Returns the list of an event. What is completed is past, whatever its date.
 *
 * @param now milliseconds
 */
export function listOf(
  event: Pick<EventOutline, 'archived_at' | 'status' | 'starts_at' | 'ends_at'>,
  now: number,
): EventList {
  if (event.archived_at !== null) return 'archived'
  if (event.status === 'draft') return 'drafts'
  return event.status === 'completed' || endOf(event) < now ? 'past' : 'to_come'
}

/**
 * Lists a part of the account's events: those to come from the next to end, past ones from the last that ended, drafts and
 * archived ones newest first. Of the dates of a series, it has the first alone.
 *
 * @param now milliseconds
 */
export async function listPart(tx: ReadTx, list: EventList, now: number, page: Page): Promise<ListedEvent[]> {
  const listed: ListedEvent[] = []
  const positions = await findPositions(tx, list, now, page)
  const outlines = await mapOutlines(
    tx,
    positions.map(({ id }) => id),
  )
  for (const position of positions) {
    const event = outlines.get(position.id) as EventOutline
    listed.push({ event, position, folded: await foldSeries(tx, event, list, now) })
  }
  return listed
}

/** Returns the series of an event if the list has other dates of it, which stand behind this one. */
async function foldSeries(
  tx: ReadTx,
  { series_id: seriesId }: EventOutline,
  list: EventList,
  now: number,
): Promise<FoldedDates | undefined> {
  if (seriesId === null) return undefined
  const dates = (await store.listOfSeries(tx, seriesId, MAX_DATES))
    .map(({ id, status, ...row }) => ({
      ...{ id, status, starts_at: toIsoOrNull(row.starts_at), ends_at: toIsoOrNull(row.ends_at) },
      archived_at: toIsoOrNull(row.archived_at),
    }))
    .filter(event => listOf(event, now) === list)
  if (dates.length < 2) return undefined
  const starts = dates.flatMap(({ starts_at }) => starts_at ?? [])
  const [from, until] = [starts[0], starts.at(-1)]
  return {
    series: await series.get(tx, seriesId),
    ids: dates.map(({ id }) => id),
    span: from === undefined || until === undefined ? null : { from, until },
  }
}

async function findPositions(tx: ReadTx, list: EventList, now: number, page: Page): Promise<Position[]> {
  if (list === 'drafts') return store.listDrafts(tx, page)
  if (list === 'archived') return store.listArchived(tx, page)
  const found: Position[] = []
  if (list === 'to_come') {
    for (const status of DATED) found.push(...(await store.listEndingFrom(tx, status, now, page)))
    return found.sort((one, other) => compare(one, other)).slice(0, page.limit)
  }
  // What is completed before its end comes first. A page that begins after it has not passed any other past event.
  const ended = page.after !== undefined && page.after.created_at >= now ? { limit: page.limit } : page
  for (const status of DATED) found.push(...(await store.listEndedBefore(tx, status, now, now, ended)))
  found.push(...(await store.listEndedBefore(tx, 'completed', store.NO_END + 1, now, page)))
  return found.sort((one, other) => compare(other, one)).slice(0, page.limit)
}

function compare(one: Position, other: Position): number {
  return one.created_at - other.created_at || (one.id < other.id ? -1 : 1)
}

/** Sorts some events into their lists, each in the order of `listPart`. An id that belongs to no event counts for nothing. */
export async function sortAmong(
  tx: ReadTx,
  ids: readonly string[],
  now: number,
): Promise<Record<EventList, ListedEvent[]>> {
  const sorted: Record<EventList, ListedEvent[]> = { to_come: [], past: [], drafts: [], archived: [] }
  for (const [id, event] of await mapOutlines(tx, ids)) {
    const list = listOf(event, now)
    sorted[list].push({ event, position: { created_at: placeOf(event, list), id } })
  }
  for (const list of eventLists) {
    const isForward = list === 'to_come'
    sorted[list].sort((one, other) =>
      isForward ? compare(one.position, other.position) : compare(other.position, one.position),
    )
  }
  return sorted
}

/** Returns the instant by which an event is sorted in its list, in milliseconds. */
function placeOf(event: EventOutline, list: EventList): number {
  if (list === 'archived') return Date.parse(event.archived_at ?? '')
  return list === 'drafts' ? Date.parse(event.created_at ?? '') : Math.min(endOf(event), store.NO_END)
}

/** Counts the events of each list. @param now milliseconds */
export async function countLists(tx: ReadTx, now: number): Promise<Record<EventList, number>> {
  const counts = {
    to_come: 0,
    past: 0,
    drafts: await store.countDrafts(tx),
    archived: await store.countArchived(tx),
  }
  for (const status of [...DATED, 'completed'] as const) {
    const { past, to_come } = await store.countByEnd(tx, status, now)
    counts.past += status === 'completed' ? past + to_come : past
    if (status !== 'completed') counts.to_come += to_come
  }
  return counts
}
