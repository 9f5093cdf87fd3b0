import { Problem } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import type { WriteEntry } from '#product/administration/access-log/recorded-write.ts'
import { writtenRecord } from './door-record.ts'
import { undoScan } from './later-scans.ts'
import { setSeen } from './scan-filing.ts'
import { get, type LoggedScan } from './scan-log.ts'
import * as store from './scan-store.ts'
import { countScan, dismiss } from './scan-verdict.ts'
import { noteUndo } from './undo-log.ts'

/** Holds a scan after a decision about it. */
export interface Decided {
  scan: LoggedScan
  /** False if it was done before. */
  changed: boolean
}

/** Names a scan of an account. */
interface Named {
  id: string
  /** The event that it must belong to, if it is asked for by one. */
  eventId?: string
}

/**
 * Takes back a scan at any time, with its check-in, which goes to the oldest admission that still stands. A scan that was undone
 * already stays undone.
 *
 * @throws Problem not_found, also for an undo; scan_ended for one that admitted nobody or is held
 */
export async function undo(tx: WriteTx, named: Named, reason: string): Promise<Decided> {
  const row = await find(tx, named)
  if (row.kind === 'undo') throw new Problem('not_found', { subject: row.id })
  if (row.outcome === 'undone') return decided(tx, named, false)
  if (row.outcome !== 'admitted' && row.outcome !== 'conflict' && row.outcome !== 'left') {
    throw new Problem('scan_ended', { subject: row.id })
  }
  const { id, event_id, attendee_id } = row
  await noteUndo(tx, { event_id, of_id: id, attendee_id, note: reason })
  await undoScan(writtenRecord(tx), row)
  return decided(tx, named, true)
}

/**
 * Lets a scan count that is held or was dismissed. It is judged like any other at its instant, but without regard to a door's
 * types, and is admitted, refused or a conflict. An undo takes its scan back.
 *
 * @throws Problem not_found; scan_ended
 */
export async function admitHeld(tx: WriteTx, named: Named): Promise<Decided> {
  const row = await find(tx, named)
  if (row.outcome !== 'held' && !isDismissed(row)) throw new Problem('scan_ended', { subject: row.id })
  await countScan(writtenRecord(tx), row)
  return decided(tx, named, true)
}

/**
 * Dismisses a held scan, which then counts for nothing.
 *
 * @throws Problem not_found; scan_ended for one that is not held
 */
export async function dismissHeld(tx: WriteTx, named: Named): Promise<Decided> {
  const row = await find(tx, named)
  if (isDismissed(row)) return decided(tx, named, false)
  if (row.outcome !== 'held') throw new Problem('scan_ended', { subject: row.id })
  await dismiss(writtenRecord(tx), row)
  return decided(tx, named, true)
}

/**
 * Sets aside a conflict that somebody has looked at.
 *
 * @throws Problem not_found; scan_ended for a scan that is not a conflict
 */
export async function setAside(tx: WriteTx, named: Named): Promise<Decided> {
  const row = await find(tx, named)
  if (row.outcome !== 'conflict') throw new Problem('scan_ended', { subject: row.id })
  return decided(tx, named, await setSeen(tx, row.id))
}

export type Decision = 'undo' | 'admit' | 'dismiss' | 'seen'

/** Returns the entry of a decision in the access log, for `recordedWrite`. There is no entry if nothing was left to do. */
export function decisionEntry(decision: Decision, id: string, reason?: string): WriteEntry<Decided> {
  return {
    action: `scan.${decision}`,
    targetType: 'scan',
    targetId: id,
    hasChanged: ({ changed }) => changed,
    details: (_, done) => ({ ...detailsOf(done), reason }),
  }
}

/** Returns what the access log says about a decision. */
export function detailsOf(done: Decided | undefined): Record<string, unknown> {
  return { outcome: done?.scan.outcome, ticket: done?.scan.ticket?.id }
}

function isDismissed({ outcome, reason }: store.ScanRow): boolean {
  return outcome === 'refused' && reason === 'dismissed'
}

async function find(tx: WriteTx, { id, eventId }: Named): Promise<store.ScanRow> {
  const row = await store.find(tx, id)
  if (row === undefined || (eventId !== undefined && row.event_id !== eventId)) {
    throw new Problem('not_found', { subject: id })
  }
  return row
}

async function decided(tx: WriteTx, { id, eventId }: Named, changed: boolean): Promise<Decided> {
  return { scan: await get(tx, id, eventId), changed }
}
