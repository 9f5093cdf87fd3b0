import { readInList } from '#machinery/db/in-list.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { RegistrationStatus } from './store.ts'

/** Lists the orders of these registrations, each once a registration. */
export function listOrders(tx: ReadTx, ids: readonly string[]): Promise<{ order_id: string }[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    // CASE keeps the planner from an index on the account, through which it would read all of the account's rows.
    list => `SELECT r.order_id FROM registrations r
     WHERE r.id IN ${list} AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1 AND r.order_id IS NOT NULL`,
  )
}

/** Holds an extra that still stands. */
export interface LeftRow {
  id: string
  status: RegistrationStatus
  amount_total: number
}

/** Holds a line of an order that still stands. */
export interface StandingLineRow extends LeftRow {
  order_id: string
  is_extra: 0 | 1
}

/** Holds an extra that stands, with how many of it are not void. */
export interface StandingExtraRow {
  id: string
  type: string
  created_at: number
  count: number
}

const standingBeside = (isBeside: string) =>
  `SELECT y.id, z.name AS type, y.created_at,
       (SELECT count(*) FROM attendees a WHERE a.registration_id = y.id AND a.voided = 0) AS count
     FROM registrations r JOIN registration_types t ON t.id = r.registration_type_id
     JOIN registrations y ON y.account_id = r.account_id AND ${isBeside}
     JOIN registration_types z ON z.id = y.registration_type_id
     WHERE r.id = $2 AND CASE WHEN r.account_id = $1 THEN 1 ELSE 0 END = 1 AND t.kind <> 'extra' AND z.kind = 'extra'
       AND y.status IN ('pending', 'confirmed')`
const STANDING_BESIDE = `${standingBeside('y.order_id = r.order_id')} UNION ALL ${standingBeside('y.beside = r.id')}`

/**
 * Lists the extras that stand in the order of a ticket, or beside it without an order, in no particular order. An extra has none
 * beside itself.
 */
export function listStandingBeside(tx: ReadTx, id: string): Promise<StandingExtraRow[]> {
  return tx.all(STANDING_BESIDE, [tx.accountId, id])
}

/** Lists the extras without an order that stand beside these registrations, in no particular order. */
export function listStandingWithoutOrder(tx: ReadTx, ids: readonly string[]): Promise<LeftRow[]> {
  return readInList(
    tx,
    ids,
    [tx.accountId],
    list => `SELECT r.id, r.status, r.amount_total FROM registrations r
     WHERE r.account_id = $1 AND r.beside IN ${list} AND r.status IN ('pending', 'confirmed')`,
  )
}

/** Lists the lines of these orders that still stand, in no particular order. */
export function listStandingLines(tx: ReadTx, orderIds: readonly string[]): Promise<StandingLineRow[]> {
  return readInList(
    tx,
    orderIds,
    [tx.accountId],
    list => `SELECT r.order_id, r.id, r.status, r.amount_total,
       CASE WHEN EXISTS (SELECT 1 FROM registration_types x WHERE x.id = r.registration_type_id AND x.kind = 'extra')
         THEN 1 ELSE 0 END AS is_extra
     FROM registrations r
     WHERE r.account_id = $1 AND r.order_id IN ${list} AND r.status IN ('pending', 'confirmed')`,
  )
}
