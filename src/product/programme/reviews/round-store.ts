import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

export interface RoundRow {
  event_id: string
  closes_at: number
  /** 0 or 1. */
  blind: number
  wanted: number
  /** A JSON array of objects. */
  criteria: string
  about: string | null
  updated_at: number
}

const COLUMNS = 'event_id, closes_at, blind, wanted, criteria, about, updated_at'

export function find(tx: ReadTx, eventId: string): Promise<RoundRow | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM review_rounds WHERE account_id = $1 AND event_id = $2`, [
    tx.accountId,
    eventId,
  ])
}

/** Inserts the review of an event, or replaces all that it says. */
export function put(
  tx: WriteTx,
  row: Omit<RoundRow, 'updated_at'>,
  now: number,
): Promise<RoundRow | undefined> {
  return tx.one(
    `INSERT INTO review_rounds (account_id, event_id, closes_at, blind, wanted, criteria, about, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT (event_id) DO UPDATE SET closes_at = $3, blind = $4, wanted = $5, criteria = $6, about = $7, updated_at = $8
     RETURNING ${COLUMNS}`,
    [tx.accountId, row.event_id, row.closes_at, row.blind, row.wanted, row.criteria, row.about, now],
  )
}

/** Notes that reviewers are reminded. */
export function setReminded(
  tx: WriteTx,
  eventId: string,
  { closes_at, days }: { closes_at: number; days: number },
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE review_rounds SET reminded_for = $3, reminded_days = $4, updated_at = $5
     WHERE account_id = $1 AND event_id = $2`,
    [tx.accountId, eventId, closes_at, days, now],
  )
}
