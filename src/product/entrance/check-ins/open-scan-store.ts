import type { ReadTx, Value } from '#machinery/db/port.ts'
import { SCAN_COLUMNS, type ScanRow } from './scan-store.ts'

/** Selects the scans to decide about. Instants are milliseconds. */
export interface Among {
  eventId: string
  outcome: 'conflict' | 'held'
  caseId?: string | undefined
  deviceId?: string | undefined
  /** Selects scans made at this instant or later. */
  from?: number | undefined
  /** Selects scans made before this instant. */
  to?: number | undefined
}

/**
 * Lists the scans that nobody has looked at yet, in the order in which they were made. They are those of a case, or else of a
 * device, or else of the event.
 */
export function listOpen(
  tx: ReadTx,
  among: Among,
  after: Pick<ScanRow, 'id' | 'scanned_at'> | undefined,
  limit: number,
): Promise<ScanRow[]> {
  const { eventId, outcome, caseId, deviceId, from, to } = among
  const params: Value[] = [tx.accountId]
  const bind = (value: Value) => `$${params.push(value)}`
  // A case and a device have indexes of their own, and each belongs to one event.
  const conditions =
    caseId !== undefined
      ? [`s.case_id = ${bind(caseId)}`]
      : [
          deviceId !== undefined ? `s.device_id = ${bind(deviceId)}` : `s.event_id = ${bind(eventId)}`,
          `s.outcome = ${bind(outcome)} AND s.outcome IN ('conflict', 'held') AND s.seen_at IS NULL`,
        ]
  if (from !== undefined) conditions.push(`s.scanned_at >= ${bind(from)}`)
  if (to !== undefined) conditions.push(`s.scanned_at < ${bind(to)}`)
  if (after !== undefined)
    conditions.push(`(s.scanned_at, s.id) > (${bind(after.scanned_at)}, ${bind(after.id)})`)
  return tx.all(
    `SELECT ${SCAN_COLUMNS} FROM scans s WHERE s.account_id = $1 AND ${conditions.join(' AND ')}
     ORDER BY s.scanned_at, s.id LIMIT ${bind(limit)}`,
    params,
  )
}
