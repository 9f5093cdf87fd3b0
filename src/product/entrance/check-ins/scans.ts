import type { WriteTx } from '../db/port.ts'
import { MINUTE } from '../time.ts'
import { admit, refusalOf, takeBack } from './admission.ts'
import * as store from './scan-store.ts'
import * as checkIns from './store.ts'
import { admitOldestStanding, NEVER_ADMITTED } from './succession.ts'

export type { ScanOutcome, Shown } from './scan-store.ts'

/** Tickets that a device may pick from its list in a minute: nobody is faster, but who has stolen it. */
const BY_HAND_A_MINUTE = 20

/** The door that a scan is from. */
export interface Door {
  /** Null where another server has brought the scan. */
  deviceId: string | null
  eventId: string
  name: string
  /** The types that it admits; null for all. */
  typeIds: readonly string[] | null
  /** What it still sends is looked at by somebody first. */
  isRevoked: boolean
  /** Whether no more of its scans are taken than those that are here. */
  isFull?: boolean
}

/** What a scanner says of one ticket, its code verified. Instants are milliseconds. */
export interface Scan {
  id: string
  kind: 'scan'
  ticketId: string
  /** The event whose key has signed the code; undefined where it was picked from a list. */
  signedFor: string | undefined
  deviceAt: number
  offset: number
  /** Both together, and neither before the pairing nor after the receipt. */
  at: number
  shown: store.Shown | null
  note: string | null
}

/** What a scanner takes back. */
export interface Undo extends Pick<Scan, 'id' | 'deviceAt' | 'offset' | 'at' | 'note'> {
  kind: 'undo'
  of: string
}

/** What has become of a scan, now. */
export interface Result {
  outcome: store.ScanOutcome | 'invalid'
  /** A code; null where nothing speaks against it. */
  reason: string | null
  /** Of the ticket; undefined where there is none. */
  ticketId: string | undefined
  /** Whether it was not here before. */
  isNew?: true
}

const INVALID = (reason: string): Result => ({ outcome: 'invalid', reason, ticketId: undefined })

/**
 * Takes what a scanner sends, each under its id once: sent again it changes nothing but what the guest saw, which is set once, and
 * is answered with what has become of it. A good ticket has one check-in, which the first scan that reaches the server holds; whoever
 * else was admitted with it is a conflict.
 */
export async function receive(
  tx: WriteTx,
  accountId: string,
  door: Door,
  item: Scan | Undo,
): Promise<Result> {
  const known = await store.find(tx, accountId, item.id)
  if (known === undefined) {
    if (door.isFull === true) return INVALID('too_many_scans')
    return item.kind === 'scan' ? scan(tx, accountId, door, item) : undo(tx, accountId, door, item)
  }
  if (!isSame(known, door, item)) return INVALID('scan_id_reused')
  const shown = item.kind === 'scan' ? item.shown : null
  if (shown === null || shown === known.shown) return resultOf(known)
  if (door.isRevoked) return holdKnown(tx, accountId, known, shown)
  if (known.shown !== null) return INVALID('scan_id_reused')
  return say(tx, accountId, known, shown, item.note)
}

/** A guest whom a device let in against the answer, as it says once it is revoked, is somebody to look at. */
async function holdKnown(
  tx: WriteTx,
  accountId: string,
  row: store.ScanRow,
  shown: store.Shown,
): Promise<Result> {
  if (row.shown !== null || shown !== 'admitted' || row.outcome !== 'refused') return resultOf(row)
  const fate = { shown, outcome: 'held', reason: 'device_revoked' } as const
  await store.setFate(tx, accountId, row.id, fate, await tx.now())
  return resultOf({ ...row, ...fate })
}

async function scan(tx: WriteTx, accountId: string, door: Door, item: Scan): Promise<Result> {
  const fate = await judgeNew(tx, accountId, door, item)
  const row = { ...rowOf(door, item), ...fate, of_id: null, attendee_id: item.ticketId, shown: item.shown }
  const by_hand = item.signedFor === undefined ? 1 : 0
  await store.insert(tx, accountId, { ...row, by_hand }, await tx.now())
  return { ...resultOf(row), isNew: true }
}

export type Verdict = Pick<store.Fate, 'outcome' | 'reason'>

async function judgeNew(tx: WriteTx, accountId: string, door: Door, item: Scan): Promise<Verdict> {
  // Nobody needs to decide about what was taken back before it came.
  if (await store.isUndone(tx, accountId, door.eventId, item.id)) return { outcome: 'undone', reason: null }
  if (door.isRevoked) return { outcome: 'held', reason: 'device_revoked' }
  if (item.signedFor === undefined && door.deviceId !== null) {
    const about = { at: item.at, most: BY_HAND_A_MINUTE }
    const others = await store.listByHand(tx, accountId, door.deviceId, about)
    if (isTooMany(others, item.at)) return { outcome: 'held', reason: 'too_many_by_hand' }
  }
  if (item.shown === 'refused') {
    const ticket = await checkIns.findTicket(tx, accountId, item.ticketId)
    return { outcome: 'refused', reason: refusalAtDoor(ticket, door, item) ?? codeIn(item.note) }
  }
  return admitBy(tx, accountId, door, item)
}

/** Whether some minute with one more has too many: they come in any order, and who forges them may send the last first. */
function isTooMany(others: readonly number[], at: number): boolean {
  const all = [...others, at].sort((one, other) => one - other)
  return all.some((end, index) => end - (all[index - BY_HAND_A_MINUTE] ?? Number.NEGATIVE_INFINITY) < MINUTE)
}

/** Makes the check-in of a scan, where its ticket is good. */
export async function admitBy(
  tx: WriteTx,
  accountId: string,
  door: Pick<Door, 'eventId' | 'typeIds'>,
  item: Pick<Scan, 'id' | 'ticketId' | 'signedFor' | 'at' | 'shown'>,
): Promise<Verdict> {
  const ticket = await checkIns.findTicket(tx, accountId, item.ticketId)
  const reason = refusalAtDoor(ticket, door, item)
  if (ticket === undefined || reason !== undefined) {
    return { outcome: item.shown === 'admitted' ? 'conflict' : 'refused', reason: reason ?? null }
  }
  await admit(tx, accountId, ticket, { source: 'scanner', at: item.at, scanId: item.id })
  return { outcome: 'admitted', reason: null }
}

/** Why a door does not admit a ticket at an instant; undefined where it does. */
function refusalAtDoor(
  ticket: checkIns.TicketRow | undefined,
  { eventId, typeIds }: Pick<Door, 'eventId' | 'typeIds'>,
  { signedFor, at }: Pick<Scan, 'signedFor' | 'at'>,
): string | undefined {
  if (signedFor !== undefined && signedFor !== eventId) return 'wrong_event'
  if (ticket === undefined) return 'not_found'
  // A key is good for the tickets of its own event alone.
  if (ticket.event_id !== eventId) return signedFor === undefined ? 'not_found' : 'invalid_qr_code'
  if (typeIds !== null && !typeIds.includes(ticket.registration_type_id)) return 'wrong_door'
  return refusalOf(ticket, at)
}

/** Notes what the guest saw of a scan that is known. */
async function say(
  tx: WriteTx,
  accountId: string,
  row: store.ScanRow,
  shown: store.Shown,
  note: string | null,
): Promise<Result> {
  const verdict = await verdictOf(tx, accountId, row, shown, note)
  await store.setFate(tx, accountId, row.id, { ...verdict, shown }, await tx.now())
  // Only then does it not stand itself any more.
  if (row.outcome === 'admitted' && shown === 'refused') await giveBack(tx, accountId, row)
  return resultOf({ ...row, ...verdict })
}

async function verdictOf(
  tx: WriteTx,
  accountId: string,
  row: store.ScanRow,
  shown: store.Shown,
  note: string | null,
): Promise<Verdict> {
  const { outcome, reason } = row
  if (outcome === 'admitted' && shown === 'refused') return { outcome: 'refused', reason: codeIn(note) }
  if (outcome !== 'refused' || shown === 'refused') return { outcome, reason }
  return admitAgain(tx, accountId, { ...row, shown }, reason)
}

/** Has a scan that was judged before hold the check-in of its ticket, if nobody does by now. */
async function admitAgain(
  tx: WriteTx,
  accountId: string,
  row: store.ScanRow,
  reason: string | null,
): Promise<Verdict> {
  const isNever = NEVER_ADMITTED.has(reason)
  if (isNever) return { outcome: row.shown === 'admitted' ? 'conflict' : 'refused', reason }
  const { id, attendee_id, event_id: eventId, scanned_at: at, shown } = row
  const signedFor = row.by_hand === 1 ? undefined : eventId
  const item = { id, ticketId: attendee_id as string, signedFor, at, shown }
  return admitBy(tx, accountId, { eventId, typeIds: null }, item)
}

/** Takes the check-in back that a scan holds, and gives it to whoever else was admitted with the ticket. */
async function giveBack(tx: WriteTx, accountId: string, { id, attendee_id }: store.ScanRow): Promise<void> {
  const attendeeId = attendee_id as string
  const held = await checkIns.findByTicket(tx, accountId, attendeeId)
  if (held === undefined || held.scan_id !== id) return
  await takeBack(tx, accountId, held)
  await admitOldestStanding(tx, accountId, attendeeId)
}

/** An undo may come before its scan, which then admits nobody. */
async function undo(tx: WriteTx, accountId: string, door: Door, item: Undo): Promise<Result> {
  const target = await store.find(tx, accountId, item.of)
  if (target !== undefined && (target.kind === 'undo' || target.event_id !== door.eventId))
    return INVALID('not_found')
  const outcome = door.isRevoked ? 'held' : 'undone'
  const reason = door.isRevoked ? 'device_revoked' : null
  const row = { ...rowOf(door, item), of_id: item.of, attendee_id: null, by_hand: 0, shown: null } as const
  await store.insert(tx, accountId, { ...row, outcome, reason }, await tx.now())
  if (outcome === 'undone' && target !== undefined) await undoScan(tx, accountId, target)
  return { outcome, reason, ticketId: target?.attendee_id ?? undefined, isNew: true }
}

/** Takes a scan back, and its check-in, which goes to whoever else was admitted with the ticket. */
export async function undoScan(tx: WriteTx, accountId: string, target: store.ScanRow): Promise<void> {
  if (target.outcome === 'undone') return
  await store.markUndone(tx, accountId, target.id, await tx.now())
  if (target.outcome === 'admitted') await giveBack(tx, accountId, target)
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

/** What a scanner says of a refusal is a code as others are, or it is for people to read alone. */
function codeIn(note: string | null): string | null {
  return note !== null && /^[a-z_]{1,60}$/.test(note) ? note : null
}

/** Whether a scan with the same id says the same. */
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
