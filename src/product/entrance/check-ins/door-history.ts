import type { Reader } from '../db/batches.ts'
import { readProgress } from '../db/instance.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import { takeBack } from './admission.ts'
import {
  CARRIED,
  CARRIED_VERSION,
  type Carried,
  type CarriedScan,
  type CarriedUndo,
} from './carried-schemas.ts'
import * as store from './carried-store.ts'
import * as scanStore from './scan-store.ts'
import { type Door, type Result, receive } from './scans.ts'
import * as checkIns from './store.ts'
import { admitOldestStanding } from './succession.ts'

const ROWS_A_READ = 500
/** What is held is counted to this. */
const MOST_HELD = 10_000

/**
 * What an account's doors have done, for another database that it is a copy of, or that is one of it: a line each, the first of which
 * says whence. Whoever was admitted, first those who hold the check-in, then the doubles, then what was undone. A check-in
 * that no scan has made is among them where it is younger than the copy.
 *
 * @param now milliseconds of the clock
 */
export async function* exportScans(reader: Reader, accountId: string, now: number): AsyncGenerator<object[]> {
  const { epoch, epoch_at } = await reader.read(readProgress)
  const about = { account_id: accountId, epoch, epoch_at: toIsoOrNull(epoch_at), exported_at: toIso(now) }
  yield [{ object: CARRIED, version: CARRIED_VERSION, ...about }]
  yield* scansOf(reader, accountId, { kind: 'scan', outcome: 'admitted' })
  yield* checkInsOf(reader, accountId, epoch_at)
  yield* scansOf(reader, accountId, { kind: 'scan', outcome: 'conflict' })
  yield* scansOf(reader, accountId, { kind: 'undo', outcome: 'undone' })
}

/** What a file of scans does not carry, as nobody has decided on it yet; counts no further than 10,000. */
export function countHeld(tx: ReadTx, accountId: string): Promise<number> {
  return store.countHeld(tx, accountId, MOST_HELD)
}

async function* scansOf(
  reader: Reader,
  accountId: string,
  fate: Pick<scanStore.ScanRow, 'kind' | 'outcome'>,
): AsyncGenerator<object[]> {
  let after = ''
  for (;;) {
    const rows = await reader.read(tx => store.listScans(tx, accountId, after, ROWS_A_READ))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    yield rows.filter(({ kind, outcome }) => kind === fate.kind && outcome === fate.outcome).map(toLine)
  }
}

function toLine(row: store.CarriedRow): object {
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
  return { kind: 'scan', ...common, ticket: row.attendee_id, by_hand: row.by_hand === 1, reason: row.reason }
}

async function* checkInsOf(
  reader: Reader,
  accountId: string,
  since: number | null,
): AsyncGenerator<object[]> {
  // After every id of that instant.
  let after = { created_at: since ?? Number.MIN_SAFE_INTEGER, id: '~' }
  for (;;) {
    const rows = await reader.read(tx => store.listWithoutScan(tx, accountId, after, ROWS_A_READ))
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

/** What came of a line. */
export interface Brought {
  outcome: Result['outcome']
  reason: string | null
  /** False where all of it was known. */
  changed: boolean
}

/**
 * Brings what a line says, as if a door of the event had sent it just now: under its own id, so that twice changes nothing. A
 * check-in that this database has made itself is known. `not_found` is the reason of one whose event the account does not have.
 */
export async function bring(tx: WriteTx, accountId: string, line: Carried): Promise<Brought> {
  if ((await events.findId(tx, accountId, line.event_id)) === undefined) {
    return { outcome: 'invalid', reason: 'not_found', changed: false }
  }
  return line.kind === 'scan' ? bringScan(tx, accountId, line) : bringUndo(tx, accountId, line)
}

async function bringScan(tx: WriteTx, accountId: string, line: CarriedScan): Promise<Brought> {
  if (await store.findCheckIn(tx, accountId, line.event_id, line.id)) {
    return { outcome: 'admitted', reason: null, changed: false }
  }
  const before = await scanStore.find(tx, accountId, line.id)
  const door = doorOf(line, line.reason)
  const shown = 'admitted'
  const signedFor = line.by_hand ? undefined : line.reason === 'wrong_event' ? '' : line.event_id
  const item = { ...saidOf(tx, line), kind: 'scan', ticketId: line.ticket, signedFor, shown } as const
  const { outcome, reason } = await receive(tx, accountId, door, item)
  const changed = outcome !== 'invalid' && (before?.outcome !== outcome || before.shown !== shown)
  return { outcome, reason, changed }
}

async function bringUndo(tx: WriteTx, accountId: string, line: CarriedUndo): Promise<Brought> {
  const before = await scanStore.find(tx, accountId, line.id)
  const item = { ...saidOf(tx, line), kind: 'undo', of: line.of } as const
  const { outcome, reason } = await receive(tx, accountId, doorOf(line, null), item)
  const changed = before === undefined && outcome === 'undone'
  if (changed) await undoCheckIn(tx, accountId, line)
  return { outcome, reason, changed }
}

/** Takes back a check-in that this database made itself, without a scan. */
async function undoCheckIn(tx: WriteTx, accountId: string, { event_id, of }: CarriedUndo): Promise<void> {
  const made = await store.findCheckIn(tx, accountId, event_id, of)
  const row = made && (await checkIns.findByTicket(tx, accountId, made.attendee_id))
  if (row === undefined) return
  await takeBack(tx, accountId, row)
  await admitOldestStanding(tx, accountId, row.attendee_id)
}

/** A door that has admitted types which were not its own goes on not to. */
function doorOf({ event_id: eventId, door }: Carried, reason: string | null): Door {
  const typeIds = reason === 'wrong_door' ? [] : null
  return { deviceId: null, eventId, name: door ?? '', typeIds, isRevoked: false }
}

/** No instant is after now. */
function saidOf(tx: WriteTx, { id, at, offset, scanned_at, note }: Carried) {
  return { id, deviceAt: at, offset, at: Math.min(scanned_at, tx.clock()), note }
}
