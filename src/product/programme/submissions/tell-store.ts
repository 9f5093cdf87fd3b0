import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { SubmissionRow, SubmitterRow } from './store.ts'

export type Told = Position
export type WithDraftRow = Pick<
  SubmissionRow,
  'id' | 'event_id' | 'submitter_id' | 'abstract_id' | 'created_at'
> &
  Pick<SubmitterRow, 'email' | 'language'>

/** Lists the submissions of an event with something that was not sent, after `last`, the oldest first. */
export function listWithDraft(
  tx: ReadTx,
  eventId: string,
  last: Told | undefined,
  limit: number,
): Promise<WithDraftRow[]> {
  return tx.all(
    `SELECT b.id, b.event_id, b.submitter_id, b.abstract_id, b.created_at, s.email, s.language
     FROM submissions b JOIN submitters s ON s.id = b.submitter_id
     WHERE b.account_id = $1 AND b.event_id = $2 AND b.draft IS NOT NULL AND (b.created_at, b.id) > ($3, $4)
     ORDER BY b.created_at, b.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? 0, last?.id ?? '', limit],
  )
}
