import type { ReadTx, WriteTx } from '../db/port.ts'

export function setOrder(
  tx: WriteTx,
  accountId: string,
  id: string,
  orderId: string,
  now: number,
): Promise<number> {
  return tx.run('UPDATE registrations SET order_id = $3, updated_at = $4 WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
    orderId,
    now,
  ])
}

export async function listIdsByOrder(tx: ReadTx, accountId: string, orderId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>(
    `SELECT r.id FROM registrations r WHERE r.account_id = $1 AND r.order_id = $2 ORDER BY r.created_at, r.id`,
    [accountId, orderId],
  )
  return rows.map(({ id }) => id)
}

export function markConfirmed(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE registrations SET status = 'confirmed', confirmed_at = $3, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [accountId, id, now],
  )
}

export function markFailed(tx: WriteTx, accountId: string, id: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE registrations SET status = 'failed', updated_at = $3
     WHERE account_id = $1 AND id = $2 AND status = 'pending'`,
    [accountId, id, now],
  )
}
