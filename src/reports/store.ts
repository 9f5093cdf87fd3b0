import type { ReadTx, Value } from '../db/port.ts'

/** A registration as a row of the report has it, before its attendees. */
export interface ReportedRegistrationRow {
  id: string
  event_id: string
  status: string
  source: string
  registration_type_id: string
  registration_type_name: string
  buyer_name: string
  buyer_email: string
  quantity: number
  amount_subtotal: number
  amount_total: number
  currency: string
  answers: string
  created_at: number
  confirmed_at: number | null
  cancelled_at: number | null
}

interface Ordered {
  created_at: number
  id: string
}

/** The condition of a batch: the registrations of an event made by `until`, oldest first, after `last`. */
function batchOf(
  accountId: string,
  eventId: string,
  until: number,
  last: Ordered | undefined,
  size: number,
): { clause: string; params: Value[] } {
  const where = 'WHERE r.account_id = $1 AND r.event_id = $2 AND r.created_at <= $3'
  const order = 'ORDER BY r.created_at, r.id LIMIT $4'
  const params: Value[] = [accountId, eventId, until, size]
  if (last === undefined) return { clause: `${where} ${order}`, params }
  params.push(last.created_at, last.id)
  return { clause: `${where} AND (r.created_at, r.id) > ($5, $6) ${order}`, params }
}

export function listRegistrations(
  tx: ReadTx,
  ...batch: Parameters<typeof batchOf>
): Promise<ReportedRegistrationRow[]> {
  const { clause, params } = batchOf(...batch)
  return tx.all(
    `SELECT r.id, r.event_id, r.status, r.source, r.registration_type_id,
       (SELECT t.name FROM registration_types t WHERE t.id = r.registration_type_id) AS registration_type_name,
       r.buyer_name, r.buyer_email, r.quantity, r.amount_subtotal, r.amount_total, r.currency, r.answers, r.created_at,
       r.confirmed_at, r.cancelled_at FROM registrations r ${clause}`,
    params,
  )
}

/** The query that selects the ids of that same batch. */
export function idsOfRegistrations(...batch: Parameters<typeof batchOf>): { query: string; params: Value[] } {
  const { clause, params } = batchOf(...batch)
  return { query: `SELECT r.id FROM registrations r ${clause}`, params }
}

export interface AnsweredRow {
  id: string
  created_at: number
  answers: string
}

export function listAnswers(tx: ReadTx, ...batch: Parameters<typeof batchOf>): Promise<AnsweredRow[]> {
  const { clause, params } = batchOf(...batch)
  return tx.all(`SELECT r.id, r.created_at, r.answers FROM registrations r ${clause}`, params)
}

/** A registration as the sums of a month need it. */
export interface CountedRegistrationRow {
  id: string
  /** The instant by which it falls into the month. */
  counted_at: number
  event_id: string
  registration_type_id: string
  currency: string
  quantity: number
  amount_total: number
  processor_fee: number | null
  refunded_amount: number | null
}

/** The registrations of which `column` is in the half-open range, in its order, after `last`. */
export function listCounted(
  tx: ReadTx,
  accountId: string,
  column: 'confirmed_at' | 'refunded_at',
  from: number,
  to: number,
  last: CountedRegistrationRow | undefined,
  size: number,
): Promise<CountedRegistrationRow[]> {
  const select = `SELECT r.id, r.${column} AS counted_at, r.event_id, r.registration_type_id, r.currency, r.quantity,
    r.amount_total, r.processor_fee, r.refunded_amount FROM registrations r`
  const where = `WHERE r.account_id = $1 AND r.${column} >= $2 AND r.${column} < $3`
  const order = `ORDER BY r.${column}, r.id LIMIT $4`
  if (last === undefined) return tx.all(`${select} ${where} ${order}`, [accountId, from, to, size])
  return tx.all(`${select} ${where} AND (r.${column}, r.id) > ($5, $6) ${order}`, [
    accountId,
    from,
    to,
    size,
    last.counted_at,
    last.id,
  ])
}

export interface CountedCheckInRow {
  id: string
  created_at: number
  event_id: string
}

export function listCheckIns(
  tx: ReadTx,
  accountId: string,
  from: number,
  to: number,
  last: CountedCheckInRow | undefined,
  size: number,
): Promise<CountedCheckInRow[]> {
  const select = 'SELECT c.id, c.created_at, c.event_id FROM check_ins c'
  const where = 'WHERE c.account_id = $1 AND c.created_at >= $2 AND c.created_at < $3'
  const order = 'ORDER BY c.created_at, c.id LIMIT $4'
  if (last === undefined) return tx.all(`${select} ${where} ${order}`, [accountId, from, to, size])
  return tx.all(`${select} ${where} AND (c.created_at, c.id) > ($5, $6) ${order}`, [
    accountId,
    from,
    to,
    size,
    last.created_at,
    last.id,
  ])
}

/** The earliest instant at which the account had an event or a registration; null when it has none. */
export async function findEarliest(tx: ReadTx, accountId: string): Promise<number | null> {
  const earliest = await Promise.all(
    [
      'SELECT min(e.created_at) AS at FROM events e WHERE e.account_id = $1',
      'SELECT min(r.created_at) AS at FROM registrations r WHERE r.account_id = $1',
      'SELECT min(r.confirmed_at) AS at FROM registrations r WHERE r.account_id = $1 AND r.confirmed_at IS NOT NULL',
    ].map(query => tx.one<{ at: number | null }>(query, [accountId])),
  )
  const instants = earliest.flatMap(row => row?.at ?? [])
  return instants.length === 0 ? null : Math.min(...instants)
}
