import * as v from 'valibot'
import { Problem } from '#base/problem.ts'
import { toIso } from '#base/time.ts'
import type { Database, WriteTx } from '#machinery/db/port.ts'
import * as scans from '#product/entrance/check-ins/scans.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { type CallingDevice, noteSign, noteTaken, type Sign } from './rules.ts'
import {
  MAX_SCANS,
  type SentExit,
  type SentScan,
  type SentUndo,
  sentExitSchema,
  sentScanSchema,
  sentUndoSchema,
} from './schemas.ts'
import * as store from './ticket-store.ts'
import { type DoorTicket, presentTicket, withEntries } from './tickets.ts'

/** One transaction takes this many scans, so that others do not wait for more. */
const SCANS_A_WRITE = 100

/** Says what has become of a scan. Instants are ISO 8601. */
export interface ScanResult {
  /** The id as it was sent, if it was a text. */
  scan_id: string | null
  outcome: scans.Result['outcome']
  /** A code. It is null if nothing speaks against the scan. */
  reason: string | null
  check_in_id: string | null
  /** The admission that the ticket has, if that is why it was not admitted. */
  first: { at: string; door: string | null } | null
  /** The ticket as the list has it, with its name. It is null if it does not belong to the event. */
  ticket: DoorTicket | null
  /** What stands beside it, and was not handed out yet: `[name, count]`. It is there only with a ticket that has any. */
  extras?: [name: string, count: number][]
}

/** Holds an item that was sent, after it was checked. */
interface Item {
  scan_id: string | null
  /** The code of a fault. The server does not keep such an item. */
  fault?: string
  sent?: SentScan | SentExit | SentUndo
  code?: attendees.VerifiedCode
}

/**
 * Takes what a device sends. It answers each scan separately, in their order, and keeps a scan before it answers it. Scans of a
 * device that was revoked are held.
 *
 * @param waiting how many scans stay on the phone
 * @throws Problem payload_too_large beyond 500
 */
export async function receiveScans(
  { db }: { db: Database },
  { device, sign }: { device: CallingDevice; sign: Pick<Sign, 'endsPairing'> },
  { scans: sent, waiting }: { scans: readonly unknown[]; waiting: number },
): Promise<ScanResult[]> {
  if (sent.length > MAX_SCANS) {
    throw new Problem('payload_too_large', { message: `At most ${MAX_SCANS} scans can be sent at once.` })
  }
  const items = await verify(db, device, sent.map(readItem))
  const results: scans.Result[] = []
  let { room } = device
  for (let at = 0; at === 0 || at < items.length; at += SCANS_A_WRITE) {
    const part = items.slice(at, at + SCANS_A_WRITE)
    const isFirst = at === 0
    const done = await db.write(device.account_id, async tx => {
      if (isFirst) await noteSign(tx, device.id, sign, waiting)
      const found: scans.Result[] = []
      for (const item of part) found.push(await take(tx, device, item, countNew(found) >= room))
      await noteTaken(tx, device.id, countNew(found))
      return found
    })
    results.push(...done)
    room -= countNew(done)
  }
  return describe(db, device, items, results)
}

function countNew(results: readonly scans.Result[]): number {
  return results.filter(({ isNew }) => isNew).length
}

function readItem(input: unknown): Item {
  const named = (input as { scan_id?: unknown } | null)?.scan_id
  const scan_id = typeof named === 'string' ? named.slice(0, 100) : null
  const kind = (input as { kind?: unknown } | null)?.kind
  const schema = kind === 'undo' ? sentUndoSchema : kind === 'exit' ? sentExitSchema : sentScanSchema
  const read = v.safeParse(schema, input, { abortEarly: true })
  return read.success ? { scan_id, sent: read.output } : { scan_id, fault: 'invalid_request' }
}

async function verify(db: Database, device: CallingDevice, items: Item[]): Promise<Item[]> {
  const coded = items.filter(({ sent }) => sent !== undefined && sent.kind !== 'undo' && sent.code !== null)
  const texts = coded.map(({ sent }) => (sent as SentScan | SentExit).code as string)
  const verified = await attendees.verifyCodes(db, device.account_id, texts)
  for (const [at, item] of coded.entries()) {
    const code = verified[at]
    if (code === undefined) item.fault = 'invalid_qr_code'
    else item.code = code
  }
  if (!device.search) {
    for (const item of items) {
      const { sent } = item
      if (sent !== undefined && sent.kind !== 'undo' && sent.ticket !== null) item.fault = 'search_off'
    }
  }
  return items
}

async function take(
  tx: WriteTx,
  device: CallingDevice,
  { sent, code, fault }: Item,
  isFull: boolean,
): Promise<scans.Result> {
  if (fault !== undefined || sent === undefined) {
    return { outcome: 'invalid', reason: fault ?? null, ticketId: undefined }
  }
  const stated = {
    id: sent.scan_id,
    deviceAt: sent.at,
    offset: sent.offset,
    at: Math.min(Math.max(sent.at + sent.offset, device.pairedAt), tx.clock()),
    note: sent.reason,
  }
  const door = {
    deviceId: device.id,
    eventId: device.event_id,
    name: device.name,
    typeIds: device.typeIds,
    isRevoked: device.isRevoked,
    isFull,
  }
  if (sent.kind === 'undo') return scans.receive(tx, door, { ...stated, kind: 'undo', of: sent.of })
  const ticketId = code?.ticketId ?? (sent.ticket as string)
  const { kind } = sent
  const shown = sent.kind === 'scan' ? sent.shown : null
  return scans.receive(tx, door, { ...stated, kind, ticketId, signedFor: code?.eventId, shown })
}

/** Adds what the device may know about the tickets, as they are now. */
async function describe(
  db: Database,
  device: CallingDevice,
  items: readonly Item[],
  results: readonly scans.Result[],
): Promise<ScanResult[]> {
  const ids = [...new Set(results.flatMap(({ ticketId }) => ticketId ?? []))]
  const { account_id: accountId, event_id: eventId } = device
  const { rows, extras } = await db.read(accountId, async tx => {
    const rows = await withEntries(tx, await store.listByIds(tx, eventId, ids))
    const groups = rows.flatMap(({ beside }) => beside ?? [])
    return { rows, extras: groups.length === 0 ? [] : await store.listExtras(tx, [...new Set(groups)]) }
  })
  const byId = new Map(rows.map(row => [row.id, row]))
  return results.map(({ outcome, reason, ticketId }, at) => {
    const row = byId.get(ticketId ?? '')
    const scan_id = items[at]?.scan_id ?? null
    const beside = extras.filter(one => one.beside === row?.beside)
    const isShown = row?.is_extra === 0 && !device.isRevoked && beside.length > 0
    const isUsed = reason === 'already_checked_in' && row !== undefined && row.checked_in_at !== null
    const used = row?.latest ?? { at: row?.checked_in_at as number, door: row?.door ?? null }
    return {
      scan_id,
      outcome,
      reason,
      check_in_id: row !== undefined && row.scan_id === scan_id ? row.check_in_id : null,
      first: isUsed ? { at: toIso(used.at), door: used.door } : null,
      // A revoked device no longer learns anything about anybody.
      ticket: row === undefined || device.isRevoked ? null : presentTicket(row, device, true),
      ...(isShown ? { extras: beside.map(({ name, count }) => [name, count] as [string, number]) } : {}),
    }
  })
}
