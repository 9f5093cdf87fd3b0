import type { Position } from '#machinery/db/keyset.ts'
import type { InstanceReadTx, ReadTx } from '#machinery/db/port.ts'
import type { Language } from '#texts/languages.ts'
import type { AbstractRow } from './store.ts'

/** What is kept of an abstract after its decision, beside its terms. */
export interface AfterRow {
  confirm_reminded: number | null
  /** A JSON array of dates. */
  unavailable: string | null
}

export function findAfter(tx: ReadTx, id: string): Promise<AfterRow | undefined> {
  return tx.one(
    'SELECT b.confirm_reminded, b.unavailable FROM abstracts b WHERE b.account_id = $1 AND b.id = $2',
    [tx.accountId, id],
  )
}

/** Those whose authors are asked to confirm that they come, and have not. */
const UNCONFIRMED = `b.status = 'accepted' AND b.confirm_by IS NOT NULL AND b.confirmed_at IS NULL AND b.withdrawn_at IS NULL`

export type UnconfirmedRow = Pick<AbstractRow, 'id' | 'created_at'> & { confirm_by: number }

/** Lists those of an event after `last`, the oldest first. */
export function listUnconfirmed(
  tx: ReadTx,
  eventId: string,
  last: Position | undefined,
  limit: number,
): Promise<UnconfirmedRow[]> {
  return tx.all(
    `SELECT b.id, b.created_at, b.confirm_by FROM abstracts b
     WHERE b.account_id = $1 AND b.event_id = $2 AND ${UNCONFIRMED} AND (b.created_at, b.id) > ($3, $4)
     ORDER BY b.created_at, b.id LIMIT $5`,
    [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', limit],
  )
}

export interface ToRemindRow {
  id: string
  account_id: string
  confirm_by: number
  confirm_reminded: number | null
  decided_at: number
  timezone: string
}

/** Lists those of published events whose time to confirm ends after one and not after `until`. */
export function listToRemind(
  tx: InstanceReadTx,
  after: { confirm_by: number; id: string },
  until: number,
  limit: number,
): Promise<ToRemindRow[]> {
  return tx.all(
    `SELECT b.id, b.account_id, b.confirm_by, b.confirm_reminded, b.decided_at, e.timezone
     FROM abstracts b JOIN events e ON e.account_id = b.account_id AND e.id = b.event_id
     WHERE ${UNCONFIRMED} AND e.status = 'published' AND (b.confirm_by, b.id) > ($1, $2) AND b.confirm_by <= $3
     ORDER BY b.confirm_by, b.id LIMIT $4`,
    [after.confirm_by, after.id, until, limit],
  )
}

/** Whom to write to about an abstract. The language is null for one that nobody has submitted here. */
export type AddresseeRow = Pick<AbstractRow, 'id' | 'created_at' | 'contact'> & { language: Language | null }

/** Lists the abstracts of an event that stand, after `last`, the oldest first. */
export function listStanding(
  tx: ReadTx,
  eventId: string,
  of: 'submitted' | 'accepted' | 'rejected' | 'unconfirmed',
  last: Position | undefined,
  limit: number,
): Promise<AddresseeRow[]> {
  const params = [tx.accountId, eventId, last?.created_at ?? Number.MIN_SAFE_INTEGER, last?.id ?? '', limit]
  const conditions = { submitted: 'b.withdrawn_at IS NULL', unconfirmed: UNCONFIRMED } as const
  const isOfStatus = of === 'accepted' || of === 'rejected'
  const condition = isOfStatus ? 'b.status = $6 AND b.withdrawn_at IS NULL' : conditions[of]
  return tx.all(
    `SELECT b.id, b.created_at, b.contact, s.language FROM abstracts b
     LEFT JOIN submissions m ON m.abstract_id = b.id LEFT JOIN submitters s ON s.id = m.submitter_id
     WHERE b.account_id = $1 AND b.event_id = $2 AND ${condition} AND (b.created_at, b.id) > ($3, $4) ORDER BY b.created_at, b.id LIMIT $5`,
    isOfStatus ? [...params, of] : params,
  )
}
