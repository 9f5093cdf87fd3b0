import type { WriteTx } from '../db/port.ts'

/**
 * Keeps what goes back for a registration of which no ticket is good any more, and that money goes back at all.
 *
 * @param refunded minor units, of all its refunds
 */
export function markRefunded(
  tx: WriteTx,
  accountId: string,
  id: string,
  refunded: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE registrations SET status = 'refunded', refunded_amount = $3, refunded_at = coalesce(refunded_at, $4),
       updated_at = $4 WHERE account_id = $1 AND id = $2 AND confirmed_at IS NOT NULL`,
    [accountId, id, refunded, now],
  )
}
