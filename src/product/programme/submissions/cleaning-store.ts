import type { ReadTx } from '#machinery/db/port.ts'

const OVER = `FROM calls c JOIN submissions b ON b.account_id = c.account_id AND b.event_id = c.event_id
  JOIN submitters s ON s.id = b.submitter_id
  WHERE c.account_id = $1 AND c.closes_at < $2 AND b.abstract_id IS NULL AND (s.late_until IS NULL OR s.late_until < $2)`

export interface UnsentRow {
  id: string
  event_id: string
  submitter_id: string
}

/** Lists what was never sent of calls that were over before an instant, also for those who had longer. */
export function listUnsent(
  tx: ReadTx,
  before: number,
  { unconfirmed, most }: { unconfirmed: boolean; most: number },
): Promise<UnsentRow[]> {
  return tx.all(
    `SELECT b.id, b.event_id, b.submitter_id ${OVER}${unconfirmed ? ' AND b.confirmed_at IS NULL' : ''} LIMIT $3`,
    [tx.accountId, before, most],
  )
}

/** Lists those who have nothing in calls that were over before an instant. */
export function listIdle(tx: ReadTx, before: number, most: number): Promise<{ id: string }[]> {
  return tx.all(
    `SELECT s.id FROM calls c JOIN submitters s ON s.account_id = c.account_id AND s.event_id = c.event_id
     WHERE c.account_id = $1 AND c.closes_at < $2 AND (s.late_until IS NULL OR s.late_until < $2)
       AND NOT EXISTS (SELECT 1 FROM submissions b WHERE b.account_id = s.account_id AND b.submitter_id = s.id) LIMIT $3`,
    [tx.accountId, before, most],
  )
}
