import type { ReadTx, WriteTx } from '../db/port.ts'

export type ScanOutcome = 'admitted' | 'refused' | 'conflict' | 'undone' | 'held'

/** What the guest saw. */
export type Shown = 'admitted' | 'refused'

export interface ScanRow {
  /** That the scanner gave it. */
  id: string
  event_id: string
  /** Null where another server has brought it. */
  device_id: string | null
  /** The name of the door. */
  door: string
  kind: 'scan' | 'undo'
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
  created_at: number
}

const NUMBER = '(SELECT i.write_number FROM instance i WHERE i.id = 1)'

const columns = `s.id, s.event_id, s.device_id, s.door, s.kind, s.of_id, s.attendee_id, s.by_hand, s.device_at,
  s.clock_offset, s.scanned_at, s.shown, s.note, s.outcome, s.reason, s.created_at`

export function find(tx: ReadTx, accountId: string, scanId: string): Promise<ScanRow | undefined> {
  return tx.one(`SELECT ${columns} FROM scans s WHERE s.account_id = $1 AND s.id = $2`, [accountId, scanId])
}

export function insert(
  tx: WriteTx,
  accountId: string,
  row: Omit<ScanRow, 'created_at'>,
  now: number,
): Promise<number> {
  return tx.run(
    `INSERT INTO scans (id, account_id, event_id, device_id, door, kind, of_id, attendee_id, by_hand, device_at,
       clock_offset, scanned_at, shown, note, outcome, reason, number, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, ${NUMBER}, $17, $17)`,
    [
      row.id,
      accountId,
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

/** What has become of a scan. */
export type Fate = Pick<ScanRow, 'shown' | 'outcome' | 'reason'>

/** Another outcome than it was answered with is told of, also where the same commit brought the scan. */
export function setFate(
  tx: WriteTx,
  accountId: string,
  scanId: string,
  { shown, outcome, reason }: Fate,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE scans SET shown = $3, outcome = $4, reason = $5, updated_at = $6,
       number = CASE WHEN outcome = $4 THEN number ELSE ${NUMBER} END,
       changed = CASE WHEN outcome = $4 THEN changed ELSE 1 END
     WHERE account_id = $1 AND id = $2`,
    [accountId, scanId, shown, outcome, reason, now],
  )
}

/** The scan does not stand any more, whatever the guest saw. */
export function markUndone(tx: WriteTx, accountId: string, scanId: string, now: number): Promise<number> {
  return tx.run(
    `UPDATE scans SET outcome = 'undone', reason = NULL, number = ${NUMBER}, changed = 1, updated_at = $3
     WHERE account_id = $1 AND id = $2 AND kind = 'scan'`,
    [accountId, scanId, now],
  )
}

/** Whether a scan of the event was undone before it came. */
export async function isUndone(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  scanId: string,
): Promise<boolean> {
  const row = await tx.one(
    `SELECT 1 FROM scans s WHERE s.account_id = $1 AND s.of_id = $2 AND s.kind = 'undo' AND s.event_id = $3
       AND s.outcome = 'undone'`,
    [accountId, scanId, eventId],
  )
  return row !== undefined
}

/** The doubles of a ticket: admitted at a door, while another admission held the check-in. Oldest first. */
export function listStanding(tx: ReadTx, accountId: string, attendeeId: string): Promise<ScanRow[]> {
  return tx.all(
    `SELECT ${columns} FROM scans s WHERE s.attendee_id = $2 AND s.kind = 'scan' AND s.outcome = 'conflict'
       AND s.account_id = $1 ORDER BY s.scanned_at, s.id`,
    [accountId, attendeeId],
  )
}

/** When a device picked tickets from its list: the nearest `most` instants up to one, and the nearest after it, in their order. */
export async function listByHand(
  tx: ReadTx,
  accountId: string,
  deviceId: string,
  { at, most }: { at: number; most: number },
): Promise<number[]> {
  const list = (rest: string) =>
    tx.all<{ scanned_at: number }>(
      `SELECT s.scanned_at FROM scans s WHERE s.account_id = $1 AND s.device_id = $2 AND s.by_hand = 1
         AND s.scanned_at ${rest} LIMIT $4`,
      [accountId, deviceId, at, most],
    )
  const before = await list('<= $3 ORDER BY s.scanned_at DESC')
  const after = await list('> $3 ORDER BY s.scanned_at')
  return [...before.reverse(), ...after].map(({ scanned_at }) => scanned_at)
}

/** A conflict is looked at no more. @returns 0 where it is none, or was set aside before */
export function setSeen(
  tx: WriteTx,
  accountId: string,
  scanId: string,
  at: number,
  now: number,
): Promise<number> {
  return tx.run(
    `UPDATE scans SET seen_at = $3, updated_at = $4
     WHERE account_id = $1 AND id = $2 AND outcome = 'conflict' AND seen_at IS NULL`,
    [accountId, scanId, at, now],
  )
}

/** What was written about the scans of a ticket, and about their undoing, says no more. */
export async function eraseNotes(
  tx: WriteTx,
  accountId: string,
  attendeeId: string,
  now: number,
): Promise<void> {
  await tx.run(
    `UPDATE scans SET note = NULL, updated_at = $3
     WHERE account_id = $1 AND attendee_id = $2 AND note IS NOT NULL`,
    [accountId, attendeeId, now],
  )
  await tx.run(
    `UPDATE scans SET note = NULL, updated_at = $3 WHERE account_id = $1 AND kind = 'undo' AND note IS NOT NULL
       AND of_id IN (SELECT s.id FROM scans s WHERE s.account_id = $1 AND s.attendee_id = $2)`,
    [accountId, attendeeId, now],
  )
}
