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
