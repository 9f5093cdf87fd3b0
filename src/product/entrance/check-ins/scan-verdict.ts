import { refusalOf } from './admission.ts'
import type { DoorRecord } from './door-record.ts'
import { enter, leave, usedAt } from './entries.ts'
import { undoScan } from './later-scans.ts'
import type { Fate, ScanRow, Shown } from './scan-store.ts'
import type { TicketRow } from './store.ts'
import { isUndoInTime } from './undo-time.ts'

export type Verdict = Pick<Fate, 'outcome' | 'reason'>

/** Holds the part of a door that decides about a ticket. */
export interface DoorOfScan {
  eventId: string
  /** The types that it admits. Null means all tickets, without extras, and undefined whatever there is. */
  typeIds: readonly string[] | null | undefined
}

/** Holds the part of an exit that decides about its ticket. */
interface JudgedExit {
  id: string
  ticketId: string
  /** The event whose key has signed the code. It is undefined if the ticket was picked from a list. */
  signedFor: string | undefined
  /** Milliseconds. */
  at: number
}

/** Holds the part of a scan that decides about its ticket. */
interface JudgedScan extends JudgedExit {
  shown: Shown | null
}

/**
 * Makes the check-in of a scan if its ticket is valid. The first scan that reaches the server holds the ticket, whatever its
 * time. Anybody else who was admitted with it is a conflict.
 */
export async function admitBy(record: DoorRecord, door: DoorOfScan, item: JudgedScan): Promise<Verdict> {
  const ticket = await record.findTicket(item.ticketId)
  const reason = await refusalAtDoor(record, ticket, door, item)
  if (ticket === undefined || reason !== undefined) {
    return { outcome: item.shown === 'admitted' ? 'conflict' : 'refused', reason: reason ?? null }
  }
  await enter(record, ticket, { source: 'scanner', at: item.at, scanId: item.id })
  return { outcome: 'admitted', reason: null }
}

/** Ends the entry of a guest who leaves. An exit that ends none is kept, and changes nothing. */
export async function leaveBy(record: DoorRecord, door: DoorOfScan, item: JudgedExit): Promise<Verdict> {
  const ticket = await record.findTicket(item.ticketId)
  const elsewhere = refusalOfPlace(ticket, door, item)
  const reason =
    ticket === undefined || elsewhere !== undefined ? elsewhere : await leave(record, ticket, item)
  return reason === null ? { outcome: 'left', reason } : { outcome: 'refused', reason: reason ?? null }
}

/** Returns why a door does not admit a ticket at an instant, or undefined if it does. */
export async function refusalAtDoor(
  record: DoorRecord,
  ticket: TicketRow | undefined,
  door: DoorOfScan,
  item: Pick<JudgedScan, 'signedFor' | 'at'>,
): Promise<string | undefined> {
  const elsewhere = refusalOfPlace(ticket, door, item)
  if (ticket === undefined || elsewhere !== undefined) return elsewhere
  if (ticket.exchanged === 1) return 'ticket_exchanged'
  return refusalOf({ ...ticket, checked_in_at: await usedAt(record, ticket, item.at) }, item.at)
}

/** Returns why a ticket has no business at a door, or undefined if it has. */
function refusalOfPlace(
  ticket: TicketRow | undefined,
  { eventId, typeIds }: DoorOfScan,
  { signedFor }: Pick<JudgedScan, 'signedFor'>,
): string | undefined {
  if (signedFor !== undefined && signedFor !== eventId) return 'wrong_event'
  if (ticket === undefined) return 'not_found'
  // A key is valid only for the tickets of its own event.
  if (ticket.event_id !== eventId) return signedFor === undefined ? 'not_found' : 'invalid_qr_code'
  if (typeIds === null && ticket.kind === 'extra') return 'wrong_door'
  return typeIds && !typeIds.includes(ticket.registration_type_id) ? 'wrong_door' : undefined
}

/**
 * Returns whether a scan was taken back before it arrived. A device can take a scan back only for minutes, whichever of the two
 * arrives first. A scan that it undid too late stands, and the undo is refused.
 */
export async function isUndone(
  record: DoorRecord,
  { id, event_id: eventId, scanned_at: scannedAt }: Pick<ScanRow, 'id' | 'event_id' | 'scanned_at'>,
): Promise<boolean> {
  const undos = await record.listUndos(eventId, id)
  const isInTime = ({ device_id, scanned_at: undoneAt }: (typeof undos)[number]) =>
    device_id === null || isUndoInTime({ scannedAt, undoneAt, storedFor: 0 })
  if (undos.some(isInTime)) return true
  for (const undo of undos) {
    await record.setFate(undo, { shown: undo.shown, outcome: 'refused', reason: 'undo_too_late' })
  }
  return false
}

/**
 * Decides about a scan that is held or was dismissed. It is judged like any other at its instant, but without regard to a door's
 * types.
 */
export async function countScan(record: DoorRecord, row: ScanRow): Promise<Verdict> {
  const verdict = row.kind === 'undo' ? await countUndo(record, row) : await judgeScan(record, row)
  await record.setFate(row, { ...verdict, shown: row.shown })
  return verdict
}

/** Makes a scan count for nothing. */
export async function dismiss(record: DoorRecord, row: ScanRow): Promise<Verdict> {
  const verdict = { outcome: 'refused', reason: 'dismissed' } as const
  await record.setFate(row, { ...verdict, shown: row.shown })
  return verdict
}

async function countUndo(record: DoorRecord, { event_id, of_id }: ScanRow): Promise<Verdict> {
  const target = await record.findScan(of_id as string)
  if (target !== undefined && target.event_id === event_id) await undoScan(record, target)
  return { outcome: 'undone', reason: null }
}

async function judgeScan(record: DoorRecord, row: ScanRow): Promise<Verdict> {
  const { id, event_id: eventId, scanned_at: at, shown, attendee_id: ticketId } = row
  if (await isUndone(record, row)) return { outcome: 'undone', reason: null }
  // The guest was turned away.
  if (shown === 'refused') return { outcome: 'refused', reason: row.note }
  const signedFor = row.by_hand === 1 ? undefined : eventId
  const item = { id, ticketId: ticketId as string, signedFor, at, shown }
  const door = { eventId, typeIds: undefined }
  return row.kind === 'exit' ? leaveBy(record, door, item) : admitBy(record, door, item)
}
