import { type Page, type Position, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'
import { type AbstractRow, STANDING } from './store.ts'

// Nobody sees what belongs to an event that is being deleted.
const OF_KEPT_EVENT = ofKeptEvent('b')

/** The part of an abstract that a list shows. It leaves out the text, which can have 400 kB. */
export type BriefRow = Pick<
  AbstractRow,
  | 'id'
  | 'event_id'
  | 'code'
  | 'title'
  | 'authors'
  | 'contact'
  | 'status'
  | 'submitted_at'
  | 'created_at'
  | 'withdrawn_at'
>

const BRIEF = `SELECT b.id, b.event_id, b.code, b.title, b.authors, b.contact, b.status, b.submitted_at, b.created_at,
  b.withdrawn_at FROM abstracts b`

/**
 * Where an abstract stands. One that was withdrawn is in none of the states of the others, and one whose authors were asked to
 * confirm that they come, and have not, is also in that of the accepted ones.
 */
export type State = AbstractRow['status'] | 'withdrawn' | 'unconfirmed'

const UNCONFIRMED = `b.status = 'accepted' AND b.confirm_by IS NOT NULL AND b.confirmed_at IS NULL AND ${STANDING}`

export type EventFilters = { event_id: string; state?: State | undefined }

function conditionOf(state: State | undefined): {
  condition: string
  status: AbstractRow['status'] | undefined
} {
  if (state === 'withdrawn') return { condition: 'b.withdrawn_at IS NOT NULL', status: undefined }
  if (state === 'unconfirmed') return { condition: UNCONFIRMED, status: undefined }
  return { condition: STANDING, status: state }
}

export function listBriefly(tx: ReadTx, { event_id, state }: EventFilters, page: Page): Promise<BriefRow[]> {
  const { condition, status } = conditionOf(state)
  return readPage(tx, BRIEF, 'b', { account_id: tx.accountId, event_id, status }, page, condition)
}

export function findBriefly(tx: ReadTx, id: string): Promise<BriefRow | undefined> {
  return tx.one(`${BRIEF} WHERE b.account_id = $1 AND b.id = $2 AND ${OF_KEPT_EVENT}`, [tx.accountId, id])
}

/** Lists abstracts that are newer than `after`, the nearest first. */
export function listNewer(
  tx: ReadTx,
  { event_id, state }: EventFilters,
  after: Position,
  limit: number,
): Promise<BriefRow[]> {
  const { condition, status } = conditionOf(state)
  const params = [tx.accountId, event_id, after.created_at, after.id, limit]
  return tx.all(
    `${BRIEF} WHERE b.account_id = $1 AND b.event_id = $2 AND ${condition}
     AND (b.created_at, b.id) > ($3, $4) ${status === undefined ? '' : 'AND b.status = $6 '}ORDER BY b.created_at, b.id LIMIT $5`,
    status === undefined ? params : [...params, status],
  )
}

/** Counts the abstracts of an event in a state, no further than `most`. */
export async function countUpTo(tx: ReadTx, eventId: string, state: State, most: number): Promise<number> {
  const { condition, status } = conditionOf(state)
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM abstracts b WHERE b.account_id = $1 AND b.event_id = $2 AND ${condition}
     ${status === undefined ? '' : 'AND b.status = $4 '}LIMIT $3) AS slice`,
    [tx.accountId, eventId, most, ...(status === undefined ? [] : [status])],
  )
  return Number(row?.count)
}
