import type { ReadTx } from '#machinery/db/port.ts'

/** Lists the events that are being deleted. */
export function listDeleting(tx: ReadTx): Promise<{ id: string; deleting_at: number }[]> {
  return tx.all(
    'SELECT e.id, e.deleting_at FROM events e WHERE e.account_id = $1 AND e.deleting_at IS NOT NULL ORDER BY e.id',
    [tx.accountId],
  )
}

/** Returns whether an event is being deleted. */
export async function isDeleting(tx: ReadTx, id: string): Promise<boolean> {
  const query = 'SELECT 1 FROM events e WHERE e.account_id = $1 AND e.id = $2 AND e.deleting_at IS NOT NULL'
  return (await tx.one(query, [tx.accountId, id])) !== undefined
}
