import { keptTexts, readInList } from '#machinery/db/in-list.ts'
import type { InstanceReadTx, ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { LedgerMethod, LedgerSubject, LedgerSubjects } from '#product/selling/ledger/rules.ts'
import type { Call, ProcessorRefund } from './processor.ts'

/** The reasons why money goes back. */
export const refundReasons = [
  'organizer',
  'buyer',
  'withdrawn',
  'event_cancelled',
  'line_cancelled',
  'late',
  'twice',
  'excess',
  'processor',
  'orphan',
] as const
export type RefundReason = (typeof refundReasons)[number]

export interface RefundRow {
  id: string
  account_id: string
  event_id: string
  order_id: string | null
  registration_id: string | null
  payment_id: string | null
  method: LedgerMethod
  charge_id: string | null
  /** `failed`: it did not get through, and is owed. `dropped`: it is not to go back, or went back by another refund. */
  status: 'requested' | 'pending' | 'requires_action' | 'done' | 'failed' | 'dropped'
  currency: string
  /** Minor units. */
  amount: number
  reason: RefundReason
  note: string | null
  /** A JSON object: the part of each ticket, in minor units. */
  tickets: string | null
  processor_id: string | null
  /** A JSON object: the call that makes it. */
  call: string | null
  next_look_at: number | null
  looks: number
  trouble: string | null
  ended_at: number | null
  created_at: number
}

const SELECT = `SELECT f.id, f.account_id, f.event_id, f.order_id, f.registration_id, f.payment_id, f.method, f.charge_id, f.status,
  f.currency, f.amount, f.reason, f.note, f.tickets, f.processor_id, f.call, f.next_look_at, f.looks, f.trouble, f.ended_at, f.created_at
  FROM refunds f`

export async function insert(tx: WriteTx, row: RefundRow): Promise<void> {
  await tx.run(
    `INSERT INTO refunds (id, account_id, event_id, order_id, registration_id, payment_id, method, charge_id, status, currency,
       amount, reason, note, tickets, processor_id, call, next_look_at, looks, trouble, ended_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $21)`,
    [
      row.id,
      row.account_id,
      row.event_id,
      row.order_id,
      row.registration_id,
      row.payment_id,
      row.method,
      row.charge_id,
      row.status,
      row.currency,
      row.amount,
      row.reason,
      row.note,
      row.tickets,
      row.processor_id,
      row.call,
      row.next_look_at,
      row.looks,
      row.trouble,
      row.ended_at,
      row.created_at,
    ],
  )
}

export function find(tx: ReadTx, id: string): Promise<RefundRow | undefined> {
  return tx.one(`${SELECT} WHERE f.account_id = $1 AND f.id = $2`, [tx.accountId, id])
}

export function findByProcessor(tx: ReadTx, processorId: string): Promise<RefundRow | undefined> {
  return tx.one(`${SELECT} WHERE f.account_id = $1 AND f.processor_id = $2`, [tx.accountId, processorId])
}

/** How far our clock may be from a processor's, in milliseconds. */
export const CLOCKS_PART = 10 * 60 * 1000

/** Returns our refund that a processor's refund belongs to. It knows it by the processor's id, or by ours. */
export async function findNotified(
  tx: ReadTx,
  { id, refundId, state, at }: ProcessorRefund,
): Promise<RefundRow | undefined> {
  const existing = await findByProcessor(tx, id)
  if (existing !== undefined || refundId === null) return existing
  const own = await find(tx, refundId)
  // A second refund under our id is another one, which was made at the processor.
  if (own?.processor_id !== null) return undefined
  const sentAt = own.call === null ? Number.POSITIVE_INFINITY : (JSON.parse(own.call) as Call).at
  // A failed earlier try says nothing about the one that is made again.
  return state === 'failed' && at < sentAt - CLOCKS_PART ? undefined : own
}

/** Returns the oldest first. */
export function listByOrder(tx: ReadTx, orderId: string): Promise<RefundRow[]> {
  return tx.all(`${SELECT} WHERE f.account_id = $1 AND f.order_id = $2 ORDER BY f.created_at, f.id`, [
    tx.accountId,
    orderId,
  ])
}

/** Returns the same, also for a registration without an order. */
export function listBySubject(tx: ReadTx, of: LedgerSubject): Promise<RefundRow[]> {
  if ('orderId' in of) return listByOrder(tx, of.orderId)
  return tx.all(`${SELECT} WHERE f.account_id = $1 AND f.registration_id = $2 ORDER BY f.created_at, f.id`, [
    tx.accountId,
    of.registrationId,
  ])
}

/** Returns the refunds of several orders, or of several registrations without one, in no order. */
export function listOfAll(tx: ReadTx, of: LedgerSubjects): Promise<RefundRow[]> {
  const [column, ids] = 'orderIds' in of ? ['order_id', of.orderIds] : ['registration_id', of.registrationIds]
  const textOf = (list: string) => `${SELECT} WHERE f.account_id = $1 AND f.${column} IN ${list}`
  return readInList(tx, ids as readonly string[], [tx.accountId], textOf)
}

/** Returns the refunds of all accounts that are due, the longest overdue first. @param now milliseconds of the clock */
export function listDue(tx: InstanceReadTx, now: number, limit: number): Promise<RefundRow[]> {
  return tx.all(`${SELECT} WHERE f.next_look_at <= $1 ORDER BY f.next_look_at, f.id LIMIT $2`, [now, limit])
}

/** Returns the account of a refund, for the command line, which names no account. */
export function findOwner(tx: InstanceReadTx, id: string): Promise<{ account_id: string } | undefined> {
  return tx.one('SELECT f.account_id FROM refunds f WHERE f.id = $1', [id])
}

/** Returns the refunds that have not gone back yet, the newest first. */
export function listOwed(tx: ReadTx, limit: number): Promise<RefundRow[]> {
  return tx.all(
    `${SELECT} WHERE f.account_id = $1 AND f.status NOT IN ('done', 'dropped') ORDER BY f.created_at DESC, f.id DESC LIMIT $2`,
    [tx.accountId, limit],
  )
}

const TO_PAY_BACK = `f.status NOT IN ('done', 'dropped') AND (f.charge_id IS NULL OR f.status = 'failed' OR f.trouble IS NOT NULL)`
const havingToPayBack = keptTexts(
  ids => `SELECT e.id FROM events e WHERE e.account_id = $1 AND e.id IN ${ids} AND EXISTS (SELECT f.id FROM refunds f
    WHERE f.account_id = $1 AND f.event_id = e.id AND ${TO_PAY_BACK})`,
)

/** Returns those of them that somebody has to see to, for some events or for all. */
export async function listToPayBack(
  tx: ReadTx,
  eventIds: readonly string[] | null,
  limit: number,
): Promise<RefundRow[]> {
  const query = (ofEvent: string) => `${SELECT} WHERE f.account_id = $1 ${ofEvent} AND ${TO_PAY_BACK}
     ORDER BY f.created_at DESC, f.id DESC LIMIT $2`
  if (eventIds === null) return tx.all(query(''), [tx.accountId, limit])
  const found: RefundRow[] = []
  // Few events have any, and each of them may have many.
  for (const { id } of await readInList<{ id: string }>(tx, eventIds, [tx.accountId], havingToPayBack))
    found.push(...(await tx.all<RefundRow>(query('AND f.event_id = $3'), [tx.accountId, limit, id])))
  const isBefore = (a: RefundRow, b: RefundRow) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1)
  return found.sort(isBefore).slice(0, limit)
}

export type RefundChanges = Partial<
  Pick<
    RefundRow,
    | 'status'
    | 'amount'
    | 'tickets'
    | 'processor_id'
    | 'call'
    | 'next_look_at'
    | 'looks'
    | 'trouble'
    | 'ended_at'
    | 'charge_id'
  >
>

/** Changes a refund if its status is still the one that was read. @returns 0 if it is not */
export function update(tx: WriteTx, was: RefundRow, changes: RefundChanges, now: number): Promise<number> {
  const row = { ...was, ...changes }
  return tx.run(
    `UPDATE refunds SET status = $4, processor_id = $5, call = $6, next_look_at = $7, looks = $8, trouble = $9, ended_at = $10,
       charge_id = $11, amount = $12, tickets = $13, updated_at = $14
     WHERE account_id = $1 AND id = $2 AND status = $3`,
    [
      was.account_id,
      was.id,
      was.status,
      row.status,
      row.processor_id,
      row.call,
      row.next_look_at,
      row.looks,
      row.trouble,
      row.ended_at,
      row.charge_id,
      row.amount,
      row.tickets,
      now,
    ],
  )
}
