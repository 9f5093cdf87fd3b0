import type { WriteEntry } from '../access-log/recorded-write.ts'
import type { WriteTx } from '../db/port.ts'
import { Problem } from '../problem.ts'
import { get, type LoggedScan } from './scan-log.ts'
import * as store from './scan-store.ts'
import { admitBy, undoScan, type Verdict } from './scans.ts'
import { noteUndo } from './undo-log.ts'

/** A scan after something was done about it. */
export interface Decided {
  scan: LoggedScan
  /** False where it was done before. */
  changed: boolean
}

/** A scan of an account. */
interface Named {
  id: string
  /** That it must be of, where it is asked for by one. */
  eventId?: string
}

/**
 * Takes a scan back at any time, with its check-in, which goes to the oldest admission that still stands. One that was undone
 * stays so.
 *
 * @throws Problem not_found, also for an undo; scan_ended for one that admitted nobody, or is held
 */
export async function undo(tx: WriteTx, accountId: string, named: Named, reason: string): Promise<Decided> {
  const row = await find(tx, accountId, named)
  if (row.kind === 'undo') throw new Problem('not_found', { subject: row.id })
  if (row.outcome === 'undone') return decided(tx, accountId, named, false)
  if (row.outcome !== 'admitted' && row.outcome !== 'conflict') {
    throw new Problem('scan_ended', { subject: row.id })
  }
  const { id, event_id, attendee_id } = row
  await noteUndo(tx, accountId, { event_id, of_id: id, attendee_id, note: reason })
  await undoScan(tx, accountId, row)
  return decided(tx, accountId, named, true)
}

/**
 * Lets a scan that is held count, or one that was dismissed: it is judged as any, at its instant, but by no door's types, and so it is
 * admitted, refused or a conflict. An undo takes its scan back.
 *
 * @throws Problem not_found; scan_ended
 */
export async function admitHeld(tx: WriteTx, accountId: string, named: Named): Promise<Decided> {
  const row = await find(tx, accountId, named)
  if (row.outcome !== 'held' && !isDismissed(row)) throw new Problem('scan_ended', { subject: row.id })
  if (row.kind === 'undo') {
    await settle(tx, accountId, row, { outcome: 'undone', reason: null })
    const target = await store.find(tx, accountId, row.of_id as string)
    if (target !== undefined && target.event_id === row.event_id) await undoScan(tx, accountId, target)
  } else await settle(tx, accountId, row, await judgeHeld(tx, accountId, row))
  return decided(tx, accountId, named, true)
}

/** A scan that is held counts for nothing. @throws Problem not_found; scan_ended for one that is not held */
export async function dismissHeld(tx: WriteTx, accountId: string, named: Named): Promise<Decided> {
  const row = await find(tx, accountId, named)
  if (isDismissed(row)) return decided(tx, accountId, named, false)
  if (row.outcome !== 'held') throw new Problem('scan_ended', { subject: row.id })
  await settle(tx, accountId, row, { outcome: 'refused', reason: 'dismissed' })
  return decided(tx, accountId, named, true)
}

/** Sets a conflict aside, which somebody has looked at. @throws Problem not_found; scan_ended for what is none */
export async function setAside(tx: WriteTx, accountId: string, named: Named): Promise<Decided> {
  const row = await find(tx, accountId, named)
  if (row.outcome !== 'conflict') throw new Problem('scan_ended', { subject: row.id })
  const changed = await store.setSeen(tx, accountId, row.id, tx.clock(), await tx.now())
  return decided(tx, accountId, named, changed > 0)
}

export type Decision = 'undo' | 'admit' | 'dismiss' | 'seen'

/** The entry of a decision in the access log, for `recordedWrite`; none where nothing was left to do. */
export function decisionEntry(decision: Decision, id: string, reason?: string): WriteEntry<Decided> {
  return {
    action: `scan.${decision}`,
    targetType: 'scan',
    targetId: id,
    hasChanged: ({ changed }) => changed,
    details: (_, done) => ({ ...detailsOf(done), reason }),
  }
}

/** What the access log says of a decision. */
export function detailsOf(done: Decided | undefined): Record<string, unknown> {
  return { outcome: done?.scan.outcome, ticket: done?.scan.ticket?.id }
}

async function judgeHeld(tx: WriteTx, accountId: string, row: store.ScanRow): Promise<Verdict> {
  const { id, event_id: eventId, scanned_at: at, shown, attendee_id: ticketId } = row
  if (await store.isUndone(tx, accountId, eventId, id)) return { outcome: 'undone', reason: null }
  // The guest was turned away.
  if (shown === 'refused') return { outcome: 'refused', reason: row.note }
  const signedFor = row.by_hand === 1 ? undefined : eventId
  const item = { id, ticketId: ticketId as string, signedFor, at, shown }
  return admitBy(tx, accountId, { eventId, typeIds: null }, item)
}

async function settle(tx: WriteTx, accountId: string, row: store.ScanRow, verdict: Verdict): Promise<void> {
  await store.setFate(tx, accountId, row.id, { ...verdict, shown: row.shown }, await tx.now())
}

function isDismissed({ outcome, reason }: store.ScanRow): boolean {
  return outcome === 'refused' && reason === 'dismissed'
}

async function find(tx: WriteTx, accountId: string, { id, eventId }: Named): Promise<store.ScanRow> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined || (eventId !== undefined && row.event_id !== eventId)) {
    throw new Problem('not_found', { subject: id })
  }
  return row
}

async function decided(
  tx: WriteTx,
  accountId: string,
  { id, eventId }: Named,
  changed: boolean,
): Promise<Decided> {
  return { scan: await get(tx, accountId, id, eventId), changed }
}
