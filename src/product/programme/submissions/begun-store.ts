import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { SubmissionRow, SubmitterRow } from './store.ts'

export type BegunRow = Pick<
  SubmissionRow,
  'id' | 'submitter_id' | 'confirmed_at' | 'created_at' | 'updated_at'
> &
  Pick<SubmitterRow, 'name' | 'email'>

export function listBegun(tx: ReadTx, eventId: string, page: Page): Promise<BegunRow[]> {
  const select = `SELECT b.id, b.submitter_id, b.confirmed_at, b.created_at, b.updated_at, s.name, s.email
    FROM submissions b JOIN submitters s ON s.id = b.submitter_id`
  const of = { account_id: tx.accountId, event_id: eventId }
  return readPage(tx, select, 'b', of, page, 'b.abstract_id IS NULL')
}
