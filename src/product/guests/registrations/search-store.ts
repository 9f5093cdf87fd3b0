import { keysetPage, newestFirst, type Position } from '../db/keyset.ts'
import type { ReadTx } from '../db/port.ts'
import type { RegistrationStatus } from './store.ts'

/** Rows of a buyer that one read goes through: less than a millisecond. */
const SLICE = 1_000

/** The registrations of a buyer, at an event or in a state where these are given. */
export interface Search {
  buyer_email_key: string
  event_id: string | undefined
  status: RegistrationStatus | undefined
}

/**
 * Looks for registrations among the next of the buyer after `after`, in the index alone.
 *
 * @returns the positions found, newest first, and where the next slice begins; undefined at the end
 */
export async function readSlice(
  tx: ReadTx,
  accountId: string,
  { buyer_email_key, ...wanted }: Search,
  after: Position | undefined,
): Promise<{ found: Position[]; end: Position | undefined }> {
  const { clause, params } = keysetPage(
    'r',
    { account_id: accountId, buyer_email_key },
    { limit: SLICE, after },
  )
  const conditions = Object.entries(wanted).flatMap(([column, value]) =>
    value === undefined ? [] : [`slice.${column} = $${params.push(value)}`],
  )
  const found = await tx.all<Position>(
    `SELECT slice.created_at, slice.id FROM (SELECT r.created_at, r.id, r.event_id, r.status FROM registrations r
     ${clause}) AS slice${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`,
    params,
  )
  // SQL does not promise that the order of a subquery is kept.
  found.sort(newestFirst)
  const last = keysetPage('r', { account_id: accountId, buyer_email_key }, { limit: 1, after })
  const end = await tx.one<Position>(
    `SELECT r.created_at, r.id FROM registrations r ${last.clause} OFFSET ${SLICE - 1}`,
    last.params,
  )
  return { found, end }
}

/** Rows of an event that one read goes through, in the index alone: a few milliseconds. */
export const TYPE_SLICE = 5_000

/** The registrations of one type, in one state or any. */
export interface TypeSearch {
  event_id: string
  registration_type_id: string
  status: RegistrationStatus | undefined
}

/** The same among the next of an event: those of a type. */
export async function readTypeSlice(
  tx: ReadTx,
  accountId: string,
  { event_id, ...wanted }: TypeSearch,
  after: Position | undefined,
): Promise<{ found: (Position & { status: RegistrationStatus })[]; end: Position | undefined }> {
  const ofEvent = { account_id: accountId, event_id }
  const { clause, params } = keysetPage('r', ofEvent, { limit: TYPE_SLICE, after })
  const conditions = Object.entries(wanted).flatMap(([column, value]) =>
    value === undefined ? [] : [`slice.${column} = $${params.push(value)}`],
  )
  const found = await tx.all<Position & { status: RegistrationStatus }>(
    `SELECT slice.created_at, slice.id, slice.status FROM (SELECT r.created_at, r.id, r.registration_type_id, r.status
     FROM registrations r ${clause}) AS slice WHERE ${conditions.join(' AND ')}`,
    params,
  )
  found.sort(newestFirst)
  const last = keysetPage('r', ofEvent, { limit: 1, after })
  const end = await tx.one<Position>(
    `SELECT r.created_at, r.id FROM registrations r ${last.clause} OFFSET ${TYPE_SLICE - 1}`,
    last.params,
  )
  return { found, end }
}

/** How many registrations an event has, in one state or any; counts no further than `limit`. */
export async function countUpTo(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  status: RegistrationStatus | undefined,
  limit: number,
): Promise<number> {
  const params: (string | number)[] = [accountId, eventId, limit]
  const condition = status === undefined ? '' : `AND r.status = $${params.push(status)}`
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM registrations r
     WHERE r.account_id = $1 AND r.event_id = $2 ${condition} LIMIT $3) AS slice`,
    params,
  )
  return row?.count ?? 0
}
