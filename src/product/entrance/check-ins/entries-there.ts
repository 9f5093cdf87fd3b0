import type { WriteTx } from '#machinery/db/port.ts'
import { refusalOf } from './admission.ts'
import { type HistoryRow, listByTickets } from './door-history-store.ts'
import { type DoorRecord, NEVER_ADMITTED, NOT_INSIDE, writtenRecord } from './door-record.ts'
import { isPlain, USED } from './entries.ts'
import type { EntryRow } from './entry-store.ts'
import type { TicketRow } from './store.ts'

/** Describes which entries a ticket has at another server. */
export interface EntriesThere {
  /** The scan that holds the check-in. It is null if no scan has made it. */
  held_by: string | null
  entries: readonly Pick<EntryRow, 'slot' | 'scan_id' | 'left_scan_id'>[]
  /** The other scans of the ticket about which that server has decided. */
  others: readonly string[]
}

/**
 * Takes over the entries that a ticket has at another server, if that has decided about all scans that stand here. The two may
 * have heard of the same scans in another order, and so have let another of two doubles have an entry. If a scan stands here
 * alone, the entries stay as they are.
 *
 * @returns whether something has changed
 */
export async function takeOver(tx: WriteTx, ticketId: string, there: EntriesThere): Promise<boolean> {
  const record = writtenRecord(tx)
  const ticket = await record.findTicket(ticketId)
  if (ticket === undefined || ticket.checked_in_at === null || isPlain(ticket)) return false
  const scans = new Map((await listByTickets(tx, [ticketId])).map(scan => [scan.id, scan]))
  const [before, after] = [await record.listEntries(ticket), rowsOf(ticket, scans, there)]
  if (after === undefined || isSame(before, after) || !isKnown(ticket, scans, there)) return false
  for (const { slot } of before) await record.removeEntry(ticket, slot)
  for (const row of after) await record.putEntry(ticket, row)
  for (const { id } of scans.values()) await moveFate(record, id, after)
  await moveCheckIn(record, ticket, after, there)
  return true
}

/** Returns the entries, or undefined if a scan of them is not here or cannot hold or end one. */
function rowsOf(
  ticket: TicketRow,
  scans: ReadonlyMap<string, HistoryRow>,
  there: EntriesThere,
): EntryRow[] | undefined {
  const rows: EntryRow[] = []
  for (const { slot, scan_id, left_scan_id } of there.entries) {
    const [scan, exit] = [scans.get(scan_id ?? ''), scans.get(left_scan_id ?? '')]
    const made = ticket.held_by === null ? ticket.checked_in_at : null
    const entered_at = scan_id === null ? made : mayHold(ticket, scan) ? scan.scanned_at : null
    if (entered_at === null || (left_scan_id !== null && !mayEnd(exit))) return undefined
    rows.push({ slot, scan_id, entered_at, left_scan_id, left_at: exit?.scanned_at ?? null })
  }
  return rows
}

function mayHold(ticket: TicketRow, scan: HistoryRow | undefined): scan is HistoryRow {
  if (scan?.kind !== 'scan') return false
  if (scan.outcome === 'admitted') return true
  if (scan.outcome !== 'conflict' || NEVER_ADMITTED.includes(scan.reason ?? '')) return false
  return refusalOf({ ...ticket, checked_in_at: null }, scan.scanned_at) === undefined
}

function mayEnd(exit: HistoryRow | undefined): boolean {
  return exit?.kind === 'exit' && (exit.outcome === 'left' || exit.reason === NOT_INSIDE)
}

function isSame(before: readonly EntryRow[], after: readonly EntryRow[]): boolean {
  const textOf = (rows: readonly EntryRow[]) =>
    JSON.stringify(rows.map(({ slot, scan_id, left_scan_id }) => [slot, scan_id, left_scan_id]))
  return textOf(before) === textOf(after)
}

/** Returns whether the other server has decided about everything that stands here. */
function isKnown(
  { held_by }: TicketRow,
  scans: ReadonlyMap<string, HistoryRow>,
  { entries, others }: EntriesThere,
): boolean {
  const known = new Set([
    ...entries.flatMap(({ scan_id, left_scan_id }) => [scan_id, left_scan_id]),
    ...others,
  ])
  if (held_by === null && entries.every(({ scan_id }) => scan_id !== null)) return false
  const isStanding = ({ outcome, reason }: HistoryRow) =>
    outcome === 'refused' ? reason === NOT_INSIDE : outcome !== 'undone'
  return [...scans.values()].every(scan => !isStanding(scan) || known.has(scan.id))
}

/** Gives a scan the outcome that goes with the entries. */
async function moveFate(record: DoorRecord, id: string, entries: readonly EntryRow[]): Promise<void> {
  const scan = await record.findScan(id)
  if (scan === undefined) return
  const { kind, shown, outcome } = scan
  const hasEntry = entries.some(({ scan_id, left_scan_id }) => scan_id === id || left_scan_id === id)
  const has = kind === 'exit' ? 'left' : 'admitted'
  if (hasEntry && outcome !== has) await record.setFate(scan, { shown, outcome: has, reason: null })
  if (hasEntry || outcome !== has) return
  const fate =
    kind === 'exit'
      ? ({ outcome: 'refused', reason: NOT_INSIDE } as const)
      : ({ outcome: shown === 'admitted' ? 'conflict' : 'refused', reason: USED } as const)
  await record.setFate(scan, { shown, ...fate })
}

/** Gives the check-in to the entry that holds it there, if who held it here has none any more. */
async function moveCheckIn(
  record: DoorRecord,
  ticket: TicketRow,
  entries: readonly EntryRow[],
  there: EntriesThere,
): Promise<void> {
  if (ticket.held_by === null || entries.some(({ scan_id }) => scan_id === ticket.held_by)) return
  const holder = entries.find(({ scan_id }) => scan_id === there.held_by)
  if (holder === undefined) return
  await record.removeCheckIn(ticket.attendee_id, ticket.held_by)
  await record.admit(ticket, { source: 'scanner', at: holder.entered_at, scanId: holder.scan_id })
}
