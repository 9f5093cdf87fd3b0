import type { ReadTx } from '#machinery/db/port.ts'

/**
 * Finds a registration that extras without an order may stand beside: of tickets of the same event, and of no order.
 *
 * @param type of what would stand beside it, which may be no extra
 */
export function findTicket(
  tx: ReadTx,
  type: { id: string; event_id: string },
  id: string,
): Promise<{ id: string } | undefined> {
  return tx.one(
    `SELECT r.id FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
     WHERE r.id = $3 AND CASE WHEN r.account_id = $1 AND r.event_id = $2 THEN 1 ELSE 0 END = 1
       AND r.order_id IS NULL AND r.beside IS NULL AND t.kind <> 'extra'
       AND EXISTS (SELECT 1 FROM registration_types x WHERE x.id = $4 AND x.kind = 'extra')`,
    [tx.accountId, type.event_id, id, type.id],
  )
}
