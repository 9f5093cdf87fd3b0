import { type Page, readPage } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { ScanRow } from './scan-store.ts'

/** Holds a case for somebody to look at, with the scans of one ticket at one door. */
export interface CaseRow {
  id: string
  event_id: string
  outcome: 'conflict' | 'held'
  /** Empty if another server has brought the scans. */
  device_id: string
  door: string
  /** Empty for all scans that belong to no ticket of the event. */
  ticket_id: string
  scans: number
  created_at: number
}

/** Identifies the case that a scan belongs to. */
export type CaseKey = Pick<CaseRow, 'event_id' | 'outcome' | 'device_id' | 'door' | 'ticket_id'>

const SELECT = `SELECT k.id, k.event_id, k.outcome, k.device_id, k.door, k.ticket_id, k.scans, k.created_at
  FROM scan_cases k`

/**
 * Adds a scan to the case of its ticket and door, and opens the case if there is none.
 *
 * @param newId the id of a new case
 * @returns the id of the case
 */
export async function addScan(tx: WriteTx, key: CaseKey, newId: string, now: number): Promise<string> {
  const { event_id, outcome, device_id, door, ticket_id } = key
  const made = await tx.one<{ id: string }>(
    `INSERT INTO scan_cases (id, account_id, event_id, outcome, device_id, door, ticket_id, scans, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 1, $8, $8)
     ON CONFLICT (account_id, event_id, outcome, device_id, door, ticket_id)
     DO UPDATE SET scans = scan_cases.scans + 1, updated_at = $8 RETURNING id`,
    [newId, tx.accountId, event_id, outcome, device_id, door, ticket_id, now],
  )
  return (made as { id: string }).id
}

/** Takes a scan out of a case. The case ends with its last scan. */
export async function removeScan(tx: WriteTx, id: string, now: number): Promise<void> {
  const left = await tx.run(
    'UPDATE scan_cases SET scans = scans - 1, updated_at = $3 WHERE account_id = $1 AND id = $2 AND scans > 1',
    [tx.accountId, id, now],
  )
  if (left === 0) await tx.run('DELETE FROM scan_cases WHERE account_id = $1 AND id = $2', [tx.accountId, id])
}

export function find(tx: ReadTx, id: string): Promise<CaseRow | undefined> {
  return tx.one(`${SELECT} WHERE k.account_id = $1 AND k.id = $2`, [tx.accountId, id])
}

/** Lists the cases of an event, newest first. */
export function listPage(
  tx: ReadTx,
  eventId: string,
  outcome: CaseRow['outcome'],
  page: Page,
): Promise<CaseRow[]> {
  return readPage(tx, SELECT, 'k', { account_id: tx.accountId, event_id: eventId, outcome }, page)
}

/** Counts the cases of an event, up to `most`. */
export async function countByEvent(
  tx: ReadTx,
  eventId: string,
  outcome: CaseRow['outcome'],
  most: number,
): Promise<number> {
  const row = await tx.one<{ count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM scan_cases k WHERE k.account_id = $1 AND k.event_id = $2
       AND k.outcome = $3 LIMIT $4) AS slice`,
    [tx.accountId, eventId, outcome, most],
  )
  return Number(row?.count)
}

/** Lists the events of the cases of an account, for at most `most` cases. Those of archived events are left out. */
export function listEvents(tx: ReadTx, most: number): Promise<{ event_id: string }[]> {
  return tx.all(
    `SELECT k.event_id FROM scan_cases k WHERE k.account_id = $1
       AND NOT EXISTS (SELECT 1 FROM events e WHERE e.id = k.event_id
         AND (e.archived_at IS NOT NULL OR e.deleting_at IS NOT NULL)) LIMIT $2`,
    [tx.accountId, most],
  )
}

/** Lists the doors that have cases of one outcome, in no particular order. */
export function listDoors(
  tx: ReadTx,
  eventId: string,
  outcome: CaseRow['outcome'],
): Promise<Pick<CaseRow, 'device_id' | 'door'>[]> {
  return tx.all(
    `SELECT k.device_id, min(k.door) AS door FROM scan_cases k
     WHERE k.account_id = $1 AND k.event_id = $2 AND k.outcome = $3 AND k.device_id > '' GROUP BY k.device_id`,
    [tx.accountId, eventId, outcome],
  )
}

/** Finds the first scan of a case, and when the first and the last of its scans were made. */
export async function findEnds(
  tx: ReadTx,
  caseId: string,
): Promise<{ id: string; first: number; last: number } | undefined> {
  const end = (order: 'ASC' | 'DESC') =>
    tx.one<Pick<ScanRow, 'id' | 'scanned_at'>>(
      `SELECT s.id, s.scanned_at FROM scans s WHERE s.account_id = $1 AND s.case_id = $2
       ORDER BY s.scanned_at ${order}, s.id ${order} LIMIT 1`,
      [tx.accountId, caseId],
    )
  const first = await end('ASC')
  const last = await end('DESC')
  return first && last && { id: first.id, first: first.scanned_at, last: last.scanned_at }
}
