import { MINUTE } from '#base/time.ts'
import { readProgress } from '#machinery/db/instance.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { NEVER_ADMITTED, writtenRecord } from './door-record.ts'
import { giveBack, undoScan } from './later-scans.ts'
import * as filing from './scan-filing.ts'
import * as store from './scan-store.ts'
import { admitBy, type DoorOfScan, isUndone, leaveBy, refusalAtDoor, type Verdict } from './scan-verdict.ts'
import { isUndoInTime } from './undo-time.ts'

export type { ScanOutcome, Shown } from './scan-store.ts'

/** A device may pick at most this many tickets a minute from its list. Only somebody who has stolen it would be faster. */
const BY_HAND_A_MINUTE = 20

/** Describes the door that a scan is from. */
export interface Door extends DoorOfScan {
  /** Null if another server has brought the scan. */
  deviceId: string | null
  name: string
  /** Somebody has to look first at what a revoked device still sends. */
  isRevoked: boolean
  /** Whether the server takes no more of its scans, apart from those that it has already. */
  isFull?: boolean
}

/** Holds what a scanner says about one ticket, with its code verified. Instants are milliseconds. */
export interface Scan {
  id: string
  /** An exit ends an entry. The guest sees no result that would have to be told. */
  kind: 'scan' | 'exit'
  ticketId: string
  /** The event whose key has signed the code. It is undefined if the ticket was picked from a list. */
  signedFor: string | undefined
  deviceAt: number
  offset: number
  /** The sum of both, but neither before the pairing nor after the receipt. */
  at: number
  shown: store.Shown | null
  note: string | null
}

/** Says what a scanner takes back. */
export interface Undo extends Pick<Scan, 'id' | 'deviceAt' | 'offset' | 'at' | 'note'> {
  kind: 'undo'
  of: string
}

/** Says what has become of a scan by now. */
export interface Result {
  outcome: store.ScanOutcome | 'invalid'
  /** A code. It is null if nothing speaks against the scan. */
  reason: string | null
  /** The id of the ticket. It is undefined if there is none. */
  ticketId: string | undefined
  /** Whether the server did not have the scan before. */
  isNew?: true
}

const UNDONE: Verdict = { outcome: 'undone', reason: null }
const TOO_LATE: Verdict = { outcome: 'refused', reason: 'undo_too_late' }
const INVALID = (reason: string): Result => ({ outcome: 'invalid', reason, ticketId: undefined })

/**
 * Takes what a scanner sends, each item under its id once. Sending it again changes only what the guest saw, which is set once,
 * and the answer says what has become of the item. A valid ticket has one check-in, which the first scan that reaches the server
 * holds. Anybody else who was admitted with the ticket is a conflict.
 */
export async function receive(tx: WriteTx, door: Door, item: Scan | Undo): Promise<Result> {
  const existing = await store.find(tx, item.id)
  if (existing === undefined) {
    if (door.isFull === true) return INVALID('too_many_scans')
    return item.kind === 'undo' ? undo(tx, door, item) : scan(tx, door, item)
  }
  if (!isSame(existing, door, item)) return INVALID('scan_id_reused')
  if (existing.kind === 'undo') return undoAgain(tx, door, existing)
  const shown = item.kind === 'scan' ? item.shown : null
  if (shown === null || shown === existing.shown) return resultOf(existing)
  if (door.isRevoked) return holdExisting(tx, existing, shown)
  if (existing.shown !== null) return INVALID('scan_id_reused')
  return say(tx, existing, shown, item.note)
}

/**
 * Holds a known scan whose guest a device let in against the answer, as it says only once it is revoked. Somebody has to look at
 * it.
 */
async function holdExisting(tx: WriteTx, row: store.ScanRow, shown: store.Shown): Promise<Result> {
  if (row.shown !== null || shown !== 'admitted' || row.outcome !== 'refused') return resultOf(row)
  const fate = { shown, outcome: 'held', reason: 'device_revoked' } as const
  await filing.setFate(tx, row.id, fate)
  return resultOf({ ...row, ...fate })
}

async function scan(tx: WriteTx, door: Door, item: Scan): Promise<Result> {
  const fate = await judgeNew(tx, door, item)
  const row = { ...rowOf(door, item), ...fate, of_id: null, attendee_id: item.ticketId, shown: item.shown }
  const by_hand = item.signedFor === undefined ? 1 : 0
  await filing.keep(tx, { ...row, by_hand })
  return { ...resultOf(row), isNew: true }
}

async function judgeNew(tx: WriteTx, door: Door, item: Scan): Promise<Verdict> {
  const record = writtenRecord(tx)
  // Nobody needs to decide about a scan that was taken back before it arrived.
  if (await isUndone(record, { id: item.id, event_id: door.eventId, scanned_at: item.at })) return UNDONE
  if (door.isRevoked) return { outcome: 'held', reason: 'device_revoked' }
  if (item.signedFor === undefined && door.deviceId !== null) {
    const about = { at: item.at, most: BY_HAND_A_MINUTE }
    const others = await store.listByHand(tx, door.deviceId, about)
    if (isTooMany(others, item.at)) return { outcome: 'held', reason: 'too_many_by_hand' }
  }
  if (item.kind === 'exit') return leaveBy(record, door, item)
  if (item.shown === 'refused') {
    const ticket = await record.findTicket(item.ticketId)
    const reason = await refusalAtDoor(record, ticket, door, item)
    return { outcome: 'refused', reason: reason ?? codeIn(item.note) }
  }
  return admitBy(record, door, item)
}

/**
 * Returns whether one more scan makes some minute have too many. Scans arrive in any order, and somebody who forges them may send
 * the last one first.
 */
function isTooMany(others: readonly number[], at: number): boolean {
  const all = [...others, at].sort((one, other) => one - other)
  return all.some((end, index) => end - (all[index - BY_HAND_A_MINUTE] ?? Number.NEGATIVE_INFINITY) < MINUTE)
}

/** Notes what the guest saw of a known scan. */
async function say(
  tx: WriteTx,
  row: store.ScanRow,
  shown: store.Shown,
  note: string | null,
): Promise<Result> {
  const verdict = await verdictOf(tx, row, shown, note)
  await filing.setFate(tx, row.id, { ...verdict, shown })
  // Only after this does the scan itself no longer stand.
  if (row.outcome === 'admitted' && shown === 'refused') await giveBack(writtenRecord(tx), row)
  return resultOf({ ...row, ...verdict })
}

async function verdictOf(
  tx: WriteTx,
  row: store.ScanRow,
  shown: store.Shown,
  note: string | null,
): Promise<Verdict> {
  const { outcome, reason } = row
  if (outcome === 'admitted' && shown === 'refused') return { outcome: 'refused', reason: codeIn(note) }
  if (outcome !== 'refused' || shown === 'refused') return { outcome, reason }
  return admitAgain(tx, { ...row, shown }, reason)
}

/** Lets a scan that was judged before hold the check-in of its ticket, if no other scan holds it by now. */
async function admitAgain(tx: WriteTx, row: store.ScanRow, reason: string | null): Promise<Verdict> {
  const isNever = reason !== null && NEVER_ADMITTED.includes(reason)
  if (isNever) return { outcome: row.shown === 'admitted' ? 'conflict' : 'refused', reason }
  const { id, attendee_id, event_id: eventId, scanned_at: at, shown } = row
  const signedFor = row.by_hand === 1 ? undefined : eventId
  const item = { id, ticketId: attendee_id as string, signedFor, at, shown }
  return admitBy(writtenRecord(tx), { eventId, typeIds: undefined }, item)
}

/**
 * Takes an undo. It may arrive before its scan, which then admits nobody. An undo that is too late is kept but takes nothing
 * back.
 */
async function undo(tx: WriteTx, door: Door, item: Undo): Promise<Result> {
  const target = await store.find(tx, item.of)
  if (target !== undefined && (target.kind === 'undo' || target.event_id !== door.eventId))
    return INVALID('not_found')
  const fate = await judgeUndo(tx, door, item, target)
  const row = { ...rowOf(door, item), of_id: item.of, attendee_id: null, by_hand: 0, shown: null } as const
  await filing.keep(tx, { ...row, ...fate })
  if (fate.outcome === 'undone' && target !== undefined) await undoScan(writtenRecord(tx), target)
  return { ...fate, ticketId: target?.attendee_id ?? undefined, isNew: true }
}

async function judgeUndo(
  tx: WriteTx,
  door: Door,
  { at }: Undo,
  target: store.ScanRow | undefined,
): Promise<Verdict> {
  if (door.isRevoked) return { outcome: 'held', reason: 'device_revoked' }
  // An undo that another server has brought was in time there. For a scan that has not arrived, the scan's own instant will
  // decide.
  if (door.deviceId === null || target === undefined || target.outcome === 'undone') return UNDONE
  const { epoch_at: since } = await readProgress(tx)
  // A restored server takes what it has lost, and phones send again, as if it came for the first time.
  const isOfBefore = since !== null && target.created_at <= since
  const storedFor = isOfBefore ? 0 : (await tx.now()) - target.created_at
  const isInTime = isUndoInTime({ scannedAt: target.scanned_at, undoneAt: at, storedFor })
  return isInTime ? UNDONE : TOO_LATE
}

/** Undoes what another server had undone in time, though its phone told this server too late. */
async function undoAgain(tx: WriteTx, door: Door, row: store.ScanRow): Promise<Result> {
  const target = await store.find(tx, row.of_id as string)
  const ticketId = target?.attendee_id ?? undefined
  if (door.deviceId !== null || row.reason !== TOO_LATE.reason) return { ...resultOf(row), ticketId }
  await filing.setFate(tx, row.id, { ...UNDONE, shown: row.shown })
  if (target !== undefined) await undoScan(writtenRecord(tx), target)
  return { ...UNDONE, ticketId }
}

function rowOf(door: Door, { id, kind, deviceAt, offset, at, note }: Scan | Undo) {
  return {
    id,
    event_id: door.eventId,
    device_id: door.deviceId,
    door: door.name,
    kind,
    device_at: deviceAt,
    clock_offset: offset,
    scanned_at: at,
    note,
  }
}

/** Returns the scanner's reason for a refusal if it is a code. Otherwise it is only for people to read. */
function codeIn(note: string | null): string | null {
  return note !== null && /^[a-z_]{1,60}$/.test(note) ? note : null
}

/** Returns whether a known scan with the same id says the same. */
function isSame(row: store.ScanRow, door: Door, item: Scan | Undo): boolean {
  const isOfDoor = row.event_id === door.eventId && row.kind === item.kind
  const isOfInstant = row.device_at === item.deviceAt && row.clock_offset === item.offset
  const isOfThing = item.kind === 'undo' ? row.of_id === item.of : row.attendee_id === item.ticketId
  return isOfDoor && isOfInstant && isOfThing
}

function resultOf({
  outcome,
  reason,
  attendee_id,
}: Pick<store.ScanRow, 'outcome' | 'reason' | 'attendee_id'>): Result {
  return { outcome, reason, ticketId: attendee_id ?? undefined }
}
