import type { ReadTx } from '../db/port.ts'

export async function listIdsByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.order_id = $2 ORDER BY r.created_at, r.id`,
    [accountId, orderId],
  )
  return rows.map(({ id }) => id)
}
