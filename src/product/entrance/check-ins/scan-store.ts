import type { ReadTx, WriteTx } from '#machinery/db/port.ts'

/** An exit has `left` if it has ended an entry. */
export type ScanOutcome = 'admitted' | 'refused' | 'conflict' | 'undone' | 'held' | 'left'

/** Says what the guest saw. */
export type Shown = 'admitted' | 'refused'

export interface ScanRow {
  /** The id that the scanner gave it. */
  id: string
  event_id: string
  /** Null if another server has brought it. */
  device_id: string | null
  /** The name of the door. */
  door: string
  kind: 'scan' | 'undo' | 'exit'
  of_id: string | null
  attendee_id: string | null
  by_hand: 0 | 1
  device_at: number
  clock_offset: number
  scanned_at: number
  shown: Shown | null
  note: string | null
  outcome: ScanOutcome
  reason: string | null
  /** When somebody has set a conflict aside. */
  seen_at: number | null
  /** The case in which somebody has to look at it. It is null if nobody has to. */
  case_id: string | null
  created_at: number
}

const NUMBER = '(SELECT i.write_number FROM instance i WHERE i.id = 1)'

export const SCAN_COLUMNS = `s.id, s.event_id, s.device_id, s.door, s.kind, s.of_id, s.attendee_id, s.by_hand, s.device_at,
  s.clock_offset, s.scanned_at, s.shown, s.note, s.outcome, s.reason, s.seen_at, s.case_id, s.created_at`

/** Holds what a statement that changes a scan returns. It decides about the case of the scan. */
export type Filed = Pick<
  ScanRow,
  'id' | 'event_id' | 'device_id' | 'door' | 'of_id' | 'attendee_id' | 'outcome' | 'seen_at' | 'case_id'
>

const FILED = 'id, event_id, device_id, door, of_id, attendee_id, outcome, seen_at, case_id'

export function find(tx: ReadTx, scanId: string): Promise<ScanRow | undefined> {
  return tx.one(`SELECT ${SCAN_COLUMNS} FROM scans s WHERE s.account_id = $1 AND s.id = $2`, [
    tx.accountId,
    scanId,
  ])
}

export function insert(
  tx: WriteTx,
  row: Omit<ScanRow, 'created_at' | 'seen_at' | 'case_id'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO scans (id, account_id, event_id, device_id, door, kind, of_id, attendee_id, by_hand, device_at,
       clock_offset, scanned_at, shown, note, outcome, reason, number, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, ${NUMBER}, $17, $17)`,
    [
      row.id,
      tx.accountId,
      row.event_id,
      row.device_id,
      row.door,
      row.kind,
      row.of_id,
      row.attendee_id,
      row.by_hand,
      row.device_at,
      row.clock_offset,
      row.scanned_at,
      row.shown,
      row.note,
      row.outcome,
      row.reason,
      now,
    ],
  )
}

/** Says what has become of a scan. */
export type Fate = Pick<ScanRow, 'shown' | 'outcome' | 'reason'>

/**
 * Sets what has become of a scan. A changed outcome gives it a new number, so that its device hears of it, even if the same
 * commit brought the scan.
 */
export function setFate(
  tx: WriteTx,
  scanId: string,
  { shown, outcome, reason }: Fate,
  now: number,
): Promise<Filed | undefined> {
  return tx.one(
    `UPDATE scans SET shown = $3, outcome = $4, reason = $5, updated_at = $6,
       number = CASE WHEN outcome = $4 THEN number ELSE ${NUMBER} END,
       changed = CASE WHEN outcome = $4 THEN changed ELSE 1 END
     WHERE account_id = $1 AND id = $2 RETURNING ${FILED}`,
    [tx.accountId, scanId, shown, outcome, reason, now],
  )
}

/** @param caseId the new case; null takes the scan out of its case */
export function setCase(tx: WriteTx, scanId: string, caseId: string | null): Promise<number> {
  return tx.run('UPDATE scans SET case_id = $3 WHERE account_id = $1 AND id = $2', [
    tx.accountId,
    scanId,
    caseId,
  ])
}

/** Marks a scan as no longer standing, whatever the guest saw. */
export function markUndone(tx: WriteTx, scanId: string, now: number): Promise<Filed | undefined> {
  return tx.one(
    `UPDATE scans SET outcome = 'undone', reason = NULL, number = ${NUMBER}, changed = 1, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND kind IN ('scan', 'exit') RETURNING ${FILED}`,
    [tx.accountId, scanId, now],
  )
}

/**
 * Lists what takes a scan back, oldest first, at most a hundred. An undo without a device comes from somebody who has no scanner.
 */
export function listUndos(
  tx: ReadTx,
  eventId: string,
  scanId: string,
): Promise<Pick<ScanRow, 'id' | 'device_id' | 'scanned_at' | 'shown'>[]> {
  return tx.all(
    `SELECT s.id, s.device_id, s.scanned_at, s.shown FROM scans s WHERE s.account_id = $1 AND s.of_id = $2
       AND s.kind = 'undo' AND s.event_id = $3 AND s.outcome = 'undone' ORDER BY s.scanned_at, s.id LIMIT 100`,
    [tx.accountId, scanId, eventId],
  )
}

/** Describes a scan that stands beside the one that holds the check-in. */
export type StandingRow = Pick<ScanRow, 'id' | 'scanned_at' | 'shown'>

/**
 * Lists the doubles of a ticket at the doors of its event, oldest first. They admitted somebody while another admission held the
 * check-in.
 *
 * @param of selects scans from one instant on and before another, in milliseconds, without those refused for `never`
 * @param after where the list before it ended
 */
export function listStanding(
  tx: ReadTx,
  of: { ticketId: string; eventId: string; from: number; until: number; never: readonly string[] },
  after: Pick<ScanRow, 'id' | 'scanned_at'> | undefined,
  limit: number,
): Promise<StandingRow[]> {
  const { ticketId, eventId, from, until, never } = of
  const params = [tx.accountId, ticketId, eventId, after?.scanned_at ?? from, after?.id ?? '', until, limit]
  const reasons = never.map(reason => `$${params.push(reason)}`)
  return tx.all(
    `SELECT s.id, s.scanned_at, s.shown FROM scans s WHERE s.attendee_id = $2 AND s.outcome = 'conflict' AND s.account_id = $1
       AND s.event_id = $3 AND (s.scanned_at, s.id) > ($4, $5) AND s.scanned_at < $6
       AND (s.reason IS NULL OR s.reason NOT IN (${reasons.join(', ')}))
     ORDER BY s.scanned_at, s.id LIMIT $7`,
    params,
  )
}

/**
 * Lists the exits of a ticket at the doors of its event that ended no entry, oldest first.
 *
 * @param of selects exits from one instant on and before another, in milliseconds, with this reason
 * @param after where the list before it ended
 */
export function listExits(
  tx: ReadTx,
  of: { ticketId: string; eventId: string; from: number; until: number; reason: string },
  after: Pick<ScanRow, 'id' | 'scanned_at'> | undefined,
  limit: number,
): Promise<StandingRow[]> {
  return tx.all(
    `SELECT s.id, s.scanned_at, s.shown FROM scans s WHERE s.attendee_id = $2 AND s.kind = 'exit' AND s.account_id = $1
       AND s.event_id = $3 AND (s.scanned_at, s.id) > ($4, $5) AND s.scanned_at < $6 AND s.outcome = 'refused'
       AND s.reason = $7 ORDER BY s.scanned_at, s.id LIMIT $8`,
    [
      tx.accountId,
      of.ticketId,
      of.eventId,
      after?.scanned_at ?? of.from,
      after?.id ?? '',
      of.until,
      of.reason,
      limit,
    ],
  )
}

/**
 * Lists when a device picked tickets from its list: the nearest `most` instants up to `at` and the nearest after it, in their
 * order.
 */
export async function listByHand(
  tx: ReadTx,
  deviceId: string,
  { at, most }: { at: number; most: number },
): Promise<number[]> {
  const list = (rest: string) =>
    tx.all<{ scanned_at: number }>(
      `SELECT s.scanned_at FROM scans s WHERE s.account_id = $1 AND s.device_id = $2 AND s.by_hand = 1
         AND s.scanned_at ${rest} LIMIT $4`,
      [tx.accountId, deviceId, at, most],
    )
  const before = await list('<= $3 ORDER BY s.scanned_at DESC')
  const after = await list('> $3 ORDER BY s.scanned_at')
  return [...before.reverse(), ...after].map(({ scanned_at }) => scanned_at)
}

/**
 * Sets a conflict aside.
 *
 * @returns nothing if the scan is not a conflict or was set aside before
 */
export function setSeen(tx: WriteTx, scanId: string, at: number, now: number): Promise<Filed | undefined> {
  return tx.one(
    `UPDATE scans SET seen_at = $3, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND outcome = 'conflict' AND seen_at IS NULL RETURNING ${FILED}`,
    [tx.accountId, scanId, at, now],
  )
}

/** Erases what was written about the scans of a ticket and about undoing them. */
export async function eraseNotes(tx: WriteTx, attendeeId: string, now: number): Promise<void> {
  await tx.run(
    `UPDATE scans SET note = NULL, updated_at = $3
     WHERE account_id = $1 AND attendee_id = $2 AND note IS NOT NULL`,
    [tx.accountId, attendeeId, now],
  )
  await tx.run(
    `UPDATE scans SET note = NULL, updated_at = $3 WHERE account_id = $1 AND kind = 'undo' AND note IS NOT NULL
       AND of_id IN (SELECT s.id FROM scans s WHERE s.account_id = $1 AND s.attendee_id = $2)`,
    [tx.accountId, attendeeId, now],
  )
}
