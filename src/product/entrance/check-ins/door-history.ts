import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { readProgress } from '#machinery/db/instance.ts'
import { INSTANCE, type ReadTx, type WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import {
  DOOR_HISTORY,
  HISTORY_LINE_BYTES,
  type HistoryEntries,
  type HistoryExit,
  type HistoryLine,
  type HistoryScan,
  type HistoryUndo,
} from './door-history-schemas.ts'
import * as store from './door-history-store.ts'
import { NOT_INSIDE } from './door-record.ts'
import { type EntriesThere, takeOver } from './entries-there.ts'
import * as scanStore from './scan-store.ts'
import { type Door, type Result, receive } from './scans.ts'
import * as checkIns from './store.ts'
import { takeBackCheckIn } from './take-back.ts'

const ROWS_A_READ = 500
const TICKETS_A_READ = 100
/** Held scans are counted up to this. */
const MOST_HELD = 10_000

/**
 * Exports what an account's doors have done, for a database that is a copy of this one or that this one is a copy of. Each item
 * is a line, and the first line says where the file comes from. Undone exits come first, because one that waits there would end an
 * entry. Then come admissions that hold an entry, then doubles, then undone admissions. A check-in that no scan has made is included if it is younger than the copy.
 *
 * @param now milliseconds of the clock
 */
export async function* exportScans(reader: Reader, accountId: string, now: number): AsyncGenerator<object[]> {
  const { epoch, epoch_at } = await reader.read(INSTANCE, readProgress)
  const about = { account_id: accountId, epoch, epoch_at: toIsoOrNull(epoch_at), exported_at: toIso(now) }
  const version = (await reader.read(accountId, store.hasEntries)) ? 2 : 1
  yield [{ object: DOOR_HISTORY, version, ...about }]
  yield* scansOf(reader, accountId, row => isUndone(row) && row.of_kind === 'exit')
  yield* scansOf(reader, accountId, ({ kind, outcome }) => kind === 'scan' && outcome === 'admitted')
  yield* checkInsOf(reader, accountId, epoch_at)
  yield* entriesOf(reader, accountId)
  yield* scansOf(reader, accountId, ({ kind, outcome }) => kind === 'scan' && outcome === 'conflict')
  // Another exit that ended nothing never does, whatever comes: it was dismissed, or was of a ticket that has no way back.
  const isWaiting = ({ kind, outcome, reason }: store.HistoryRow) =>
    kind === 'exit' && outcome === 'refused' && reason === NOT_INSIDE
  yield* scansOf(reader, accountId, isWaiting)
  yield* scansOf(reader, accountId, row => isUndone(row) && row.of_kind !== 'exit')
}

function isUndone({ kind, outcome }: store.HistoryRow): boolean {
  return kind === 'undo' && outcome === 'undone'
}

/** Counts, up to 10,000, the scans that a file does not carry because nobody has decided about them yet. */
export function countHeld(tx: ReadTx): Promise<number> {
  return store.countHeld(tx, MOST_HELD)
}

/** Says which doors have asked about guests and have not said yet what those saw, and of how many scans. */
export async function findOpen(tx: ReadTx): Promise<{ scans: number; doors: string[] }> {
  const rows = await store.listOpen(tx)
  return { scans: rows.length, doors: [...new Set(rows.map(({ door }) => door))].sort() }
}

async function* scansOf(
  reader: Reader,
  accountId: string,
  isMeant: (row: store.HistoryRow) => boolean,
): AsyncGenerator<object[]> {
  let after = ''
  for (;;) {
    const rows = await reader.read(accountId, tx => store.listScans(tx, after, ROWS_A_READ))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    yield rows.filter(row => row.has_entry === 0 && isMeant(row)).map(toLine)
  }
}

/**
 * Exports the entries of one ticket after the other. The admission that holds the check-in comes first, so that it holds it there
 * as well. Before each admission comes the exit that ended its entry: otherwise a later exit that waits there for an entry would
 * end it. Then a line says what they have come to here.
 */
async function* entriesOf(reader: Reader, accountId: string): AsyncGenerator<object[]> {
  let after = { created_at: Number.MIN_SAFE_INTEGER, id: '' }
  for (;;) {
    const { tickets, entries, scans } = await reader.read(accountId, async tx => {
      const tickets = await store.listTickets(tx, after, TICKETS_A_READ)
      const ids = tickets.map(({ attendee_id }) => attendee_id)
      return {
        tickets,
        entries: await store.listEntries(tx, ids),
        scans: await store.listByTickets(tx, ids),
      }
    })
    const last = tickets.at(-1)
    if (last === undefined) return
    after = last
    const entriesOfTicket = Map.groupBy(entries, entry => entry.attendee_id)
    const scansOfTicket = Map.groupBy(scans, scan => scan.attendee_id)
    for (const ticket of tickets) {
      const { attendee_id: id } = ticket
      yield linesOfTicket(ticket, entriesOfTicket.get(id) ?? [], scansOfTicket.get(id) ?? [])
    }
  }
}

function linesOfTicket(
  { id: checkInId, event_id, attendee_id: ticket, scan_id: heldBy }: store.HistoryTicket,
  entries: readonly store.HistoryEntry[],
  scans: readonly store.HistoryRow[],
): object[] {
  const byId = new Map(scans.map(scan => [scan.id, scan]))
  const isFirst = ({ scan_id }: store.HistoryEntry) => scan_id === heldBy
  const ordered = [...entries.filter(isFirst), ...entries.filter(entry => !isFirst(entry))]
  const lines = ordered
    .flatMap(({ scan_id, left_scan_id }) => [left_scan_id, scan_id])
    .flatMap(id => byId.get(id ?? '') ?? [])
    .map(toLine)
  const nameOf = (scanId: string | null) => scanId ?? checkInId
  const held = entries.map(entry => [entry.slot, nameOf(entry.scan_id), entry.left_scan_id] as const)
  const isOther = ({ id, outcome }: store.HistoryRow) =>
    outcome !== 'held' && held.every(([, scan, exit]) => id !== scan && id !== exit)
  const summary = {
    ...{ kind: 'entries', event_id, ticket, held_by: nameOf(heldBy), entries: held },
    others: scans.filter(isOther).map(({ id }) => id),
  }
  // A ticket with so many scans is one that somebody plays with.
  const isShort = Buffer.byteLength(JSON.stringify(summary)) <= HISTORY_LINE_BYTES
  return isShort ? [...lines, summary] : lines
}

function toLine(row: store.HistoryRow): object {
  const common = {
    id: row.id,
    event_id: row.event_id,
    door: row.door === '' ? null : row.door,
    at: toIso(row.device_at),
    offset: row.clock_offset,
    scanned_at: toIso(row.scanned_at),
    note: row.note,
  }
  if (row.kind === 'undo') return { kind: 'undo', ...common, of: row.of_id, ticket: row.attendee_id }
  const ofTicket = { ...common, ticket: row.attendee_id, by_hand: row.by_hand === 1 }
  if (row.kind === 'exit') return { kind: 'exit', ...ofTicket }
  return { kind: 'scan', ...ofTicket, reason: row.reason }
}

async function* checkInsOf(
  reader: Reader,
  accountId: string,
  since: number | null,
): AsyncGenerator<object[]> {
  // `~` sorts after every id of that instant.
  let after = { created_at: since ?? Number.MIN_SAFE_INTEGER, id: '~' }
  for (;;) {
    const rows = await reader.read(accountId, tx => store.listWithoutScan(tx, after, ROWS_A_READ))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
    yield rows.map(({ id, event_id, attendee_id, checked_in_at }) => {
      const at = toIso(checked_in_at)
      const common = { id, event_id, door: null, at, offset: 0, scanned_at: at, note: null }
      return { kind: 'scan', ...common, ticket: attendee_id, by_hand: true, reason: null }
    })
  }
}

/** Says what became of a line. */
export interface ImportedLine {
  outcome: Result['outcome']
  reason: string | null
  /** False if all of it was known already. */
  changed: boolean
}

/**
 * Imports a line as if a door of the event had sent it just now. The line keeps its own id, so importing it twice changes
 * nothing. A check-in that this database has made itself counts as known. The reason `not_found` means that the account does not
 * have the event.
 */
export async function importLine(tx: WriteTx, line: HistoryLine): Promise<ImportedLine> {
  if ((await events.findId(tx, line.event_id)) === undefined) {
    return { outcome: 'invalid', reason: 'not_found', changed: false }
  }
  if (line.kind === 'entries') return importEntries(tx, line)
  if (line.kind === 'exit') return importExit(tx, line)
  return line.kind === 'scan' ? importScan(tx, line) : importUndo(tx, line)
}

async function importScan(tx: WriteTx, line: HistoryScan): Promise<ImportedLine> {
  if (await store.findCheckIn(tx, line.event_id, line.id)) {
    return { outcome: 'admitted', reason: null, changed: false }
  }
  const before = await scanStore.find(tx, line.id)
  const door = doorOf(line, line.reason)
  const shown = 'admitted'
  const signedFor = line.by_hand ? undefined : line.reason === 'wrong_event' ? '' : line.event_id
  const item = { ...statedOf(tx, line), kind: 'scan', ticketId: line.ticket, signedFor, shown } as const
  const { outcome, reason } = await receive(tx, door, item)
  const changed = outcome !== 'invalid' && (before?.outcome !== outcome || before.shown !== shown)
  return { outcome, reason, changed }
}

async function importExit(tx: WriteTx, line: HistoryExit): Promise<ImportedLine> {
  const before = await scanStore.find(tx, line.id)
  const signedFor = line.by_hand ? undefined : line.event_id
  const item = { ...statedOf(tx, line), kind: 'exit', ticketId: line.ticket, signedFor, shown: null } as const
  const { outcome, reason } = await receive(tx, doorOf(line, null), item)
  return { outcome, reason, changed: outcome !== 'invalid' && before?.outcome !== outcome }
}

async function importEntries(tx: WriteTx, line: HistoryEntries): Promise<ImportedLine> {
  const { event_id, ticket, held_by, entries, others } = line
  const findMade = async (id: string) =>
    (await store.findCheckIn(tx, event_id, id)) === undefined ? id : null
  const held: EntriesThere['entries'][number][] = []
  for (const [slot, id, exit] of entries) held.push({ slot, scan_id: await findMade(id), left_scan_id: exit })
  const there = { held_by: await findMade(held_by), entries: held, others }
  return { outcome: 'admitted', reason: null, changed: await takeOver(tx, ticket, there) }
}

async function importUndo(tx: WriteTx, line: HistoryUndo): Promise<ImportedLine> {
  const before = await scanStore.find(tx, line.id)
  const item = { ...statedOf(tx, line), kind: 'undo', of: line.of } as const
  const { outcome, reason } = await receive(tx, doorOf(line, null), item)
  const changed = outcome === 'undone' && before?.outcome !== 'undone'
  if (changed) await undoCheckIn(tx, line)
  return { outcome, reason, changed }
}

/** Takes back a check-in that this database made itself, without a scan. */
async function undoCheckIn(tx: WriteTx, { event_id, of }: HistoryUndo): Promise<void> {
  const made = await store.findCheckIn(tx, event_id, of)
  const row = made && (await checkIns.findByTicket(tx, made.attendee_id))
  if (row === undefined) return
  await takeBackCheckIn(tx, row)
}

/** Returns the door of a line. It admits no types if the scan was a conflict for `wrong_door`, so that it stays one. */
function doorOf(
  { event_id: eventId, door }: Exclude<HistoryLine, HistoryEntries>,
  reason: string | null,
): Door {
  const typeIds = reason === 'wrong_door' ? [] : undefined
  return { deviceId: null, eventId, name: door ?? '', typeIds, isRevoked: false }
}

/** Returns the fields of a line that a scan states. Its instant is never after now. */
function statedOf(tx: WriteTx, { id, at, offset, scanned_at, note }: Exclude<HistoryLine, HistoryEntries>) {
  return { id, deviceAt: at, offset, at: Math.min(scanned_at, tx.clock()), note }
}
