import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import { ofKeptEvent } from '#product/catalog/events/kept.ts'

/** Returns the account of an order. A link needs it, as it names no account. */
export function findAccount(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one(
    `SELECT o.account_id FROM orders o WHERE o.id = $1
       AND ${ofKeptEvent('o')}`,
    [id],
  )
}

/** A ticket that a link names. */
export interface LinkedRow {
  account_id: string
  registration_id: string
  /** The version of the links of its order, or else of its registration. */
  version: number
}

/** Returns whose a ticket is, for a link to it. Extras have no page. */
export function findLinked(tx: InstanceReadTx, id: string): Promise<LinkedRow | undefined> {
  return tx.one(
    `SELECT r.account_id, a.registration_id, coalesce(o.secret_version, r.secret_version) AS version
     FROM attendees a JOIN registrations r ON r.id = a.registration_id
     LEFT JOIN orders o ON o.account_id = r.account_id AND o.id = r.order_id WHERE a.id = $1
       AND NOT EXISTS (SELECT 1 FROM registration_types x WHERE x.id = r.registration_type_id AND x.kind = 'extra')
       AND ${ofKeptEvent('r')}`,
    [id],
  )
}

/** Returns the order of a ticket, if it was ordered. */
export function findOrderOfTicket(tx: ReadTx, id: string): Promise<{ order_id: string } | undefined> {
  return tx.one(
    `SELECT r.order_id FROM attendees a JOIN registrations r ON r.id = a.registration_id
     WHERE r.account_id = $1 AND a.id = $2 AND r.order_id IS NOT NULL`,
    [tx.accountId, id],
  )
}
