import { readInList } from '#machinery/db/in-list.ts'
import type { Page, Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { UNSAID_LENGTH } from './end.ts'
import type { EventRow } from './store.ts'

/** The end of an event without a date, in milliseconds: the last instant that there is a name for. */
export const NO_END = 253_402_300_799_999

/** When an event is over. The text is the same as in the index, or the index is not used. */
const END = `coalesce(e.ends_at, e.starts_at + ${UNSAID_LENGTH}, ${NO_END})`
const OF_STATUS = 'e.account_id = $1 AND e.status = $2 AND e.archived_at IS NULL AND e.deleting_at IS NULL'

const OTHER_END = END.replaceAll('e.', 'o.')
/**
 * Returns the condition that no other date of the series of an event stands before it in the same list. So a list has each series
 * once, where its first date would stand.
 *
 * @param condition what puts another event, `o`, into the list and before the event, `e`
 */
function isFirstOfSeries(condition: string): string {
  return `(e.series_id IS NULL OR NOT EXISTS (SELECT 1 FROM events o WHERE o.account_id = $1 AND o.series_id = e.series_id
    AND o.deleting_at IS NULL AND ${condition}))`
}

const LISTED = 'o.archived_at IS NULL'
const FIRST_TO_COME = isFirstOfSeries(
  `${LISTED} AND o.status IN ('published', 'cancelled') AND ${OTHER_END} >= $6 AND (${OTHER_END}, o.id) < (${END}, e.id)`,
)
const FIRST_PAST = isFirstOfSeries(
  `${LISTED} AND (o.status = 'completed' OR (o.status IN ('published', 'cancelled') AND ${OTHER_END} < $6))
    AND (${OTHER_END}, o.id) > (${END}, e.id)`,
)
const FIRST_DRAFT = isFirstOfSeries(
  `${LISTED} AND o.status = 'draft' AND (o.created_at, o.id) > (e.created_at, e.id)`,
)
const FIRST_ARCHIVED = isFirstOfSeries(
  'o.archived_at IS NOT NULL AND (o.archived_at, o.id) > (e.archived_at, e.id)',
)

type Status = EventRow['status']

/**
 * Lists events of a status that are over at `from` or later, from the first to end. Archived events are left out, and of a series
 * all dates but the first in the list. So it is with each of the others.
 */
export function listEndingFrom(
  tx: ReadTx,
  status: Status,
  from: number,
  { limit, after }: Page,
): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, ${END} AS created_at FROM events e WHERE ${OF_STATUS} AND ${END} >= $3 AND (${END}, e.id) > ($3, $4)
       AND ${FIRST_TO_COME} ORDER BY ${END}, e.id LIMIT $5`,
    [tx.accountId, status, after?.created_at ?? from, after?.id ?? '', limit, from],
  )
}

/**
 * Lists events of a status that are over before `until`, from the last to end. Archived events are left out.
 *
 * @param now milliseconds, by which the other dates of a series are past
 */
export function listEndedBefore(
  tx: ReadTx,
  status: Status,
  until: number,
  now: number,
  { limit, after }: Page,
): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, ${END} AS created_at FROM events e WHERE ${OF_STATUS} AND ${END} <= $3 AND (${END}, e.id) < ($3, $4)
       AND ${FIRST_PAST} ORDER BY ${END} DESC, e.id DESC LIMIT $5`,
    [tx.accountId, status, after?.created_at ?? until, after?.id ?? '', limit, now],
  )
}

/** Lists drafts, newest first. Archived ones are left out. */
export function listDrafts(tx: ReadTx, { limit, after }: Page): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, e.created_at FROM events e WHERE e.account_id = $1 AND e.status = 'draft' AND e.archived_at IS NULL
       AND e.deleting_at IS NULL AND (e.created_at, e.id) < ($2, $3) AND ${FIRST_DRAFT}
     ORDER BY e.created_at DESC, e.id DESC LIMIT $4`,
    [tx.accountId, after?.created_at ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Lists archived events, from the last that was archived. */
export function listArchived(tx: ReadTx, { limit, after }: Page): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, e.archived_at AS created_at FROM events e
     WHERE e.account_id = $1 AND e.archived_at IS NOT NULL AND e.deleting_at IS NULL AND (e.archived_at, e.id) < ($2, $3)
       AND ${FIRST_ARCHIVED} ORDER BY e.archived_at DESC, e.id DESC LIMIT $4`,
    [tx.accountId, after?.created_at ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** A date of a series, with what decides in which list it is. */
export interface SeriesDateRow {
  id: string
  status: Status
  starts_at: number | null
  ends_at: number | null
  archived_at: number | null
}

/** Lists the dates of a series, the first to begin before others. */
export function listOfSeries(tx: ReadTx, seriesId: string, most: number): Promise<SeriesDateRow[]> {
  return tx.all(
    `SELECT e.id, e.status, e.starts_at, e.ends_at, e.archived_at FROM events e
     WHERE e.account_id = $1 AND e.series_id = $2 AND e.deleting_at IS NULL ORDER BY e.starts_at, e.id LIMIT $3`,
    [tx.accountId, seriesId, most],
  )
}

/** Lists those of these events that are archived or being deleted, in no particular order. */
export function listUnlistedAmong(tx: ReadTx, ids: readonly string[]): Promise<{ id: string }[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    list =>
      `SELECT e.id FROM events e WHERE e.account_id = $1 AND e.id IN ${list} AND e.archived_at IS NOT NULL`,
  )
}

/** Counts events of a status by whether they are over at `now`. Archived events are left out. */
export async function countByEnd(
  tx: ReadTx,
  status: Status,
  now: number,
): Promise<{ past: number; to_come: number }> {
  const row = await tx.one<{ past: number; to_come: number }>(
    `SELECT count(CASE WHEN ${END} < $3 THEN 1 END) AS past, count(CASE WHEN ${END} >= $3 THEN 1 END) AS to_come
     FROM events e WHERE ${OF_STATUS}`,
    [tx.accountId, status, now],
  )
  return row as { past: number; to_come: number }
}

export async function countDrafts(tx: ReadTx): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM events e WHERE e.account_id = $1 AND e.status = 'draft' AND e.archived_at IS NULL
       AND e.deleting_at IS NULL`,
    [tx.accountId],
  )
  return row?.count ?? 0
}

export async function countArchived(tx: ReadTx): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM events e
     WHERE e.account_id = $1 AND e.archived_at IS NOT NULL AND e.deleting_at IS NULL`,
    [tx.accountId],
  )
  return row?.count ?? 0
}
