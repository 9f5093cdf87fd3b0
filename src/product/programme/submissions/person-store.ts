import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** Lists what a person is in the events of an account, by the key of the e-mail. */
export function listSubmitters(
  tx: ReadTx,
  key: string,
  after: string,
  size: number,
): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT s.id FROM submitters s WHERE s.account_id = $1 AND s.email_key = $2 AND s.id > $3 ORDER BY s.id LIMIT $4`,
    [tx.accountId, key, after, size],
  )
}

export interface DraftRow extends Position {
  event_id: string
  draft: string
  draft_revision: number
}

/** Lists the drafts of an account after `last`, in the order of their events. */
export function listDrafts(tx: ReadTx, last: DraftRow | undefined, size: number): Promise<DraftRow[]> {
  return tx.all(
    `SELECT b.id, b.created_at, b.event_id, b.draft, b.draft_revision FROM submissions b
     WHERE b.account_id = $1 AND b.draft IS NOT NULL AND (b.event_id, b.created_at, b.id) > ($2, $3, $4)
     ORDER BY b.event_id, b.created_at, b.id LIMIT $5`,
    [tx.accountId, last?.event_id ?? '', last?.created_at ?? 0, last?.id ?? '', size],
  )
}
