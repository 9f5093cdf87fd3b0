import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { EventRow } from './store.ts'

/** An event without its texts, of which each may be some 20 KB long. */
export type OutlineRow = Pick<
  EventRow,
  | 'id'
  | 'slug'
  | 'title'
  | 'starts_at'
  | 'ends_at'
  | 'timezone'
  | 'venue'
  | 'city'
  | 'currency'
  | 'status'
  | 'visibility'
  | 'requires_approval'
  | 'payment_ways'
  | 'archived_at'
  | 'series_id'
  | 'created_at'
>

const textOf = keptTexts(
  ids => `SELECT e.id, e.slug, e.title, e.starts_at, e.ends_at, e.timezone, e.venue, e.city, e.currency, e.status,
     e.visibility, e.requires_approval, e.payment_ways, e.archived_at, e.series_id, e.created_at FROM events e
   WHERE e.account_id = $1 AND e.id IN ${ids} AND e.deleting_at IS NULL`,
)

/** Lists those of these events that the account has, in no particular order. */
export function listOutlines(tx: ReadTx, ids: readonly string[]): Promise<OutlineRow[]> {
  return readInList(tx, ids, [tx.accountId], textOf)
}
