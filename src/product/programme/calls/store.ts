import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { fileModes } from './states.ts'

export interface CallRow {
  event_id: string
  opens_at: number
  closes_at: number
  zone: string | null
  about: string | null
  /** A JSON array of strings. */
  sections: string
  max_words: number
  per_person: number
  /** JSON arrays of objects. */
  topics: string
  kinds: string
  file: (typeof fileModes)[number]
  max_file_mib: number
  updated_at: number
}

const COLUMNS = `event_id, opens_at, closes_at, zone, about, sections, max_words, per_person, topics, kinds, file, max_file_mib,
  updated_at`

export function find(tx: ReadTx, eventId: string): Promise<CallRow | undefined> {
  return tx.one(`SELECT ${COLUMNS} FROM calls WHERE account_id = $1 AND event_id = $2`, [
    tx.accountId,
    eventId,
  ])
}

/** Inserts the call of an event, or replaces all that it says. */
export function put(
  tx: WriteTx,
  row: Omit<CallRow, 'updated_at'>,
  now: number,
): Promise<CallRow | undefined> {
  return tx.one(
    `INSERT INTO calls (account_id, event_id, opens_at, closes_at, zone, about, sections, max_words, per_person, topics, kinds,
       file, max_file_mib, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
     ON CONFLICT (event_id) DO UPDATE SET opens_at = $3, closes_at = $4, zone = $5, about = $6, sections = $7, max_words = $8,
       per_person = $9, topics = $10, kinds = $11, file = $12, max_file_mib = $13, updated_at = $14
     RETURNING ${COLUMNS}`,
    [
      ...[tx.accountId, row.event_id, row.opens_at, row.closes_at, row.zone, row.about, row.sections],
      ...[row.max_words, row.per_person, row.topics, row.kinds, row.file, row.max_file_mib, now],
    ],
  )
}

/** Notes the deadline that people were reminded of, and so many days before it. */
export function setReminded(
  tx: WriteTx,
  eventId: string,
  { closes_at, days }: { closes_at: number; days: number },
  now: number,
): Promise<number> {
  return tx.run(
    'UPDATE calls SET reminded_for = $3, reminded_days = $4, updated_at = $5 WHERE account_id = $1 AND event_id = $2',
    [tx.accountId, eventId, closes_at, days, now],
  )
}
