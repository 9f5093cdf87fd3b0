import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'

/** This file reads the programme of an event for organization files. */

/** Returns whether an event has anything of a programme. */
export async function hasProgramme(tx: ReadTx, eventId: string): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM events e WHERE e.account_id = $1 AND e.id = $2 AND (
       EXISTS (SELECT 1 FROM rooms r WHERE r.account_id = $1 AND r.event_id = $2)
       OR EXISTS (SELECT 1 FROM programme_sessions p WHERE p.account_id = $1 AND p.event_id = $2)
       OR EXISTS (SELECT 1 FROM programme_versions v WHERE v.account_id = $1 AND v.event_id = $2)
       OR EXISTS (SELECT 1 FROM programmes m WHERE m.account_id = $1 AND m.event_id = $2
         AND (m.texts_from IS NOT NULL OR m.verdicts <> '[]')))`,
    [tx.accountId, eventId],
  )
  return row !== undefined
}

export interface SlotRow {
  id: string
  session_id: string
  minutes: number
  title: string | null
  /** The code of its abstract. */
  code: string | null
}

/** Lists the slots of an event, those of each session in their order. */
export function listSlots(tx: ReadTx, eventId: string): Promise<SlotRow[]> {
  return tx.all(
    `SELECT s.id, s.session_id, s.minutes, s.title, b.code FROM slots s LEFT JOIN abstracts b ON b.id = s.abstract_id
     WHERE s.account_id = $1 AND s.event_id = $2 ORDER BY s.session_id, s.position, s.id`,
    [tx.accountId, eventId],
  )
}

export interface VersionRow {
  number: number
  /** A JSON object. */
  content: string
  published_by: string
  created_at: number
}

/** Finds the version of an event that follows on another. @param after the number of that, or 0 for the first */
export function findVersion(tx: ReadTx, eventId: string, after: number): Promise<VersionRow | undefined> {
  return tx.one(
    `SELECT v.number, v.content, v.published_by, v.created_at FROM programme_versions v
     WHERE v.account_id = $1 AND v.event_id = $2 AND v.number > $3 ORDER BY v.number LIMIT 1`,
    [tx.accountId, eventId, after],
  )
}

export interface CodedRow {
  id: string
  code: string
  created_at: number
}

/** Lists the codes of the abstracts of an event, oldest first. */
export function listCodes(tx: ReadTx, eventId: string, { limit, after }: Page): Promise<CodedRow[]> {
  return tx.all(
    `SELECT b.id, b.code, b.created_at FROM abstracts b WHERE b.account_id = $1 AND b.event_id = $2
       AND (b.created_at, b.id) > ($3, $4) ORDER BY b.created_at, b.id LIMIT $5`,
    [tx.accountId, eventId, after?.created_at ?? Number.MIN_SAFE_INTEGER, after?.id ?? '', limit],
  )
}
