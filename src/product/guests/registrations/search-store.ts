import { keysetPage, newestFirst, type Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { conditionsOf, type RegistrationFilters, type RegistrationStatus } from './filter-store.ts'

/** One read goes through this many rows of a buyer, in less than a millisecond. */
const SLICE = 1_000

/** Selects the registrations of a buyer, at an event or in a state if these are given. */
export interface Search {
  buyer_email_key: string
  event_id: string | undefined
  status: RegistrationStatus | undefined
}

/**
 * Searches the next registrations of the buyer after `after`, in the index alone.
 *
 * @returns the positions found, newest first, and where the next slice begins; undefined at the end
 */
export async function readSlice(
  tx: ReadTx,
  { buyer_email_key, ...wanted }: Search,
  after: Position | undefined,
): Promise<{ found: Position[]; end: Position | undefined }> {
  const { clause, params } = keysetPage(
    'r',
    { account_id: tx.accountId, buyer_email_key },
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
  // SQL does not promise to keep the order of a subquery.
  found.sort(newestFirst)
  const last = keysetPage('r', { account_id: tx.accountId, buyer_email_key }, { limit: 1, after })
  const end = await tx.one<Position>(
    `SELECT r.created_at, r.id FROM registrations r ${last.clause} OFFSET ${SLICE - 1}`,
    last.params,
  )
  return { found, end }
}

/** One read goes through this many rows of an event, in the index alone. It takes a few milliseconds. */
export const TYPE_SLICE = 5_000

/** Selects the registrations of one type, or of all types but some, in one state or any. */
export interface TypeSearch {
  event_id: string
  registration_type_id: string | undefined
  without_types?: readonly string[] | undefined
  status: RegistrationStatus | undefined
}

/** Searches the next registrations of an event for those of some types. */
export async function readTypeSlice(
  tx: ReadTx,
  { event_id, without_types = [], ...wanted }: TypeSearch,
  after: Position | undefined,
): Promise<{ found: (Position & { status: RegistrationStatus })[]; end: Position | undefined }> {
  const ofEvent = { account_id: tx.accountId, event_id }
  const { clause, params } = keysetPage('r', ofEvent, { limit: TYPE_SLICE, after })
  const conditions = Object.entries(wanted).flatMap(([column, value]) =>
    value === undefined ? [] : [`slice.${column} = $${params.push(value)}`],
  )
  for (const id of without_types) conditions.push(`slice.registration_type_id <> $${params.push(id)}`)
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

/** Counts the registrations that pass these filters, up to `limit`. */
export async function countOf(tx: ReadTx, filters: RegistrationFilters, limit: number): Promise<number> {
  const { columns, condition } = conditionsOf(tx, filters)
  const { clause, params } = keysetPage('r', columns, { limit }, condition)
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM registrations r ${clause}) AS slice`,
    params,
  )
  return row?.count ?? 0
}
