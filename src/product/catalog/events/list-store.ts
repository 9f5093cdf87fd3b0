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

type Status = EventRow['status']

/** Lists events of a status that are over at `from` or later, from the first to end. Archived events are left out. */
export function listEndingFrom(
  tx: ReadTx,
  status: Status,
  from: number,
  { limit, after }: Page,
): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, ${END} AS created_at FROM events e WHERE ${OF_STATUS} AND ${END} >= $3 AND (${END}, e.id) > ($3, $4)
     ORDER BY ${END}, e.id LIMIT $5`,
    [tx.accountId, status, after?.created_at ?? from, after?.id ?? '', limit],
  )
}

/** Lists events of a status that are over before `until`, from the last to end. Archived events are left out. */
export function listEndedBefore(
  tx: ReadTx,
  status: Status,
  until: number,
  { limit, after }: Page,
): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, ${END} AS created_at FROM events e WHERE ${OF_STATUS} AND ${END} <= $3 AND (${END}, e.id) < ($3, $4)
     ORDER BY ${END} DESC, e.id DESC LIMIT $5`,
    [tx.accountId, status, after?.created_at ?? until, after?.id ?? '', limit],
  )
}

/** Lists drafts, newest first. Archived ones are left out. */
export function listDrafts(tx: ReadTx, { limit, after }: Page): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, e.created_at FROM events e WHERE e.account_id = $1 AND e.status = 'draft' AND e.archived_at IS NULL
       AND e.deleting_at IS NULL AND (e.created_at, e.id) < ($2, $3) ORDER BY e.created_at DESC, e.id DESC LIMIT $4`,
    [tx.accountId, after?.created_at ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit],
  )
}

/** Lists archived events, from the last that was archived. */
export function listArchived(tx: ReadTx, { limit, after }: Page): Promise<Position[]> {
  return tx.all(
    `SELECT e.id, e.archived_at AS created_at FROM events e
     WHERE e.account_id = $1 AND e.archived_at IS NOT NULL AND e.deleting_at IS NULL AND (e.archived_at, e.id) < ($2, $3)
     ORDER BY e.archived_at DESC, e.id DESC LIMIT $4`,
    [tx.accountId, after?.created_at ?? Number.MAX_SAFE_INTEGER, after?.id ?? '', limit],
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
