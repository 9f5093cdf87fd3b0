import type { ReadTx } from '#machinery/db/port.ts'

/** Lists how many places each pool of the event has left. */
export function listPools(tx: ReadTx, eventId: string): Promise<{ id: string; free: number }[]> {
  return tx.all(
    'SELECT p.id, p.capacity - p.sold AS free FROM capacity_pools p WHERE p.account_id = $1 AND p.event_id = $2',
    [tx.accountId, eventId],
  )
}

/** Lists which types draw from which pools. */
export function listDraws(tx: ReadTx, eventId: string): Promise<{ type_id: string; pool_id: string }[]> {
  return tx.all(
    `SELECT d.registration_type_id AS type_id, d.pool_id FROM capacity_pools p
     JOIN registration_type_pools d ON d.pool_id = p.id WHERE p.account_id = $1 AND p.event_id = $2`,
    [tx.accountId, eventId],
  )
}
