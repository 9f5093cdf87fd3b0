import type { ReadTx } from '#machinery/db/port.ts'
import { refusalOf } from './admission.ts'
import {
  type DoorRecord,
  type During,
  exitsOf,
  NEVER_ADMITTED,
  NOT_INSIDE,
  standingOf,
} from './door-record.ts'
import * as entries from './entry-store.ts'
import * as scans from './scan-store.ts'
import * as store from './store.ts'

/** The search for a double that still stands in the simulation reads this many at once. */
const STANDING = 50

/** Says what has become of a scan in the simulation, as far as the rules ask for it again. */
type SimulatedFate = Pick<scans.ScanRow, 'outcome' | 'reason' | 'shown'> &
  Partial<Pick<scans.ScanRow, 'seen_at'>>

/**
 * Wraps the record of an account with simulated changes that nobody writes. Each look at the database is a short read of its own,
 * so it may see only half of what is written meanwhile, like any look at a list that goes on.
 */
export class SimulatedRecord implements DoorRecord {
  /** The read that is under way. */
  tx: ReadTx
  /** The fates of changed scans, by their ids. */
  readonly #fates = new Map<string, SimulatedFate>()
  /** The tickets as they were found. A flood of scans is of one ticket. */
  readonly #tickets = new Map<string, store.TicketRow | undefined>()
  /** The scan that holds the check-in of a ticket, and its instant, if that was changed. It is null if none holds it. */
  readonly #holders = new Map<string, { scanId: string | null; at: number } | null>()
  /** Simulated doubles of tickets that may take the place of their check-in, oldest first. */
  readonly #doubles = new Map<string, scans.StandingRow[]>()
  /** Simulated exits of tickets that ended no entry, oldest first. */
  readonly #exits = new Map<string, scans.StandingRow[]>()
  /** The entries of tickets, if they were changed. */
  readonly #entries = new Map<string, entries.EntryRow[]>()

  constructor(tx: ReadTx) {
    this.tx = tx
  }

  async findScan(id: string): Promise<scans.ScanRow | undefined> {
    const row = await scans.find(this.tx, id)
    return row && { ...row, ...this.#fates.get(id) }
  }

  async listUndos(eventId: string, scanId: string): ReturnType<DoorRecord['listUndos']> {
    const rows = await scans.listUndos(this.tx, eventId, scanId)
    const isStill = ({ id }: { id: string }) => (this.#fates.get(id)?.outcome ?? 'undone') === 'undone'
    return rows.filter(isStill)
  }

  async findTicket(id: string): Promise<store.TicketRow | undefined> {
    if (!this.#tickets.has(id)) this.#tickets.set(id, await store.findTicket(this.tx, id))
    const row = this.#tickets.get(id)
    const holder = this.#holders.get(id)
    if (row === undefined) return row
    const entries = this.#entries.get(id)
    const has_entries = entries === undefined ? row.has_entries : entries.length > 0 ? 1 : 0
    if (holder === undefined) return { ...row, has_entries }
    return { ...row, has_entries, checked_in_at: holder?.at ?? null, held_by: holder?.scanId ?? null }
  }

  async findStanding(ticket: store.TicketRow, during?: During): Promise<scans.StandingRow | undefined> {
    const isStill = ({ id }: { id: string }) => (this.#fates.get(id)?.outcome ?? 'conflict') === 'conflict'
    const of = standingOf(ticket, during)
    return this.#findFirst(this.#doubles, of, isStill, (after, limit) =>
      scans.listStanding(this.tx, of, after, limit),
    )
  }

  async findExit(ticket: store.TicketRow, during: During): Promise<scans.StandingRow | undefined> {
    const isStill = ({ id }: { id: string }) => (this.#fates.get(id)?.reason ?? NOT_INSIDE) === NOT_INSIDE
    const of = exitsOf(ticket, during)
    const isLoose = (row: { id: string }) => isStill(row) && this.#fates.get(row.id)?.outcome !== 'undone'
    return this.#findFirst(this.#exits, of, isLoose, (after, limit) =>
      scans.listExits(this.tx, of, after, limit),
    )
  }

  /** Finds the first scan of a ticket among those that were simulated and those that are written. */
  async #findFirst(
    simulated: ReadonlyMap<string, readonly scans.StandingRow[]>,
    { ticketId, from, until }: { ticketId: string } & During,
    isStill: (row: { id: string }) => boolean,
    list: (after: scans.StandingRow | undefined, limit: number) => Promise<scans.StandingRow[]>,
  ): Promise<scans.StandingRow | undefined> {
    const one = simulated
      .get(ticketId)
      ?.find(row => row.scanned_at >= from && row.scanned_at < until && isStill(row))
    const written = await findWritten(isStill, list)
    if (one === undefined || written === undefined) return one ?? written
    return isBefore(one, written) ? one : written
  }

  async listEntries({ attendee_id: id }: store.TicketRow): Promise<entries.EntryRow[]> {
    return this.#entries.get(id) ?? entries.list(this.tx, id)
  }

  async putEntry(ticket: store.TicketRow, entry: entries.EntryRow): Promise<void> {
    const others = (await this.listEntries(ticket)).filter(({ slot }) => slot !== entry.slot)
    const all = [...others, entry].sort((one, other) => one.entered_at - other.entered_at)
    this.#entries.set(ticket.attendee_id, all)
  }

  async removeEntry(ticket: store.TicketRow, slot: string): Promise<void> {
    const others = (await this.listEntries(ticket)).filter(each => each.slot !== slot)
    this.#entries.set(ticket.attendee_id, others)
  }

  async admit({ attendee_id }: store.TicketRow, { at, scanId }: { at: number; scanId: string | null }) {
    this.#holders.set(attendee_id, { scanId, at })
  }

  async removeCheckIn(ticketId: string, scanId: string): Promise<boolean> {
    const changed = this.#holders.get(ticketId)
    const checkIn = await store.findByTicket(this.tx, ticketId)
    const holder = changed === undefined ? checkIn?.scan_id : changed?.scanId
    if (holder !== scanId) return false
    this.#holders.set(ticketId, null)
    return true
  }

  async setSeen({ id, outcome, reason, shown }: scans.ScanRow): Promise<void> {
    this.#fates.set(id, { outcome, reason, shown, seen_at: 0 })
  }

  async setFate({ id }: Pick<scans.ScanRow, 'id'>, { outcome, reason, shown }: scans.Fate): Promise<void> {
    this.#fates.set(id, { outcome, reason, shown })
  }

  async markUndone({ id }: Pick<scans.ScanRow, 'id'>): Promise<void> {
    this.#fates.set(id, { outcome: 'undone', reason: null, shown: this.#fates.get(id)?.shown ?? null })
  }

  async release(scan: scans.ScanRow, fate: scans.Fate): Promise<void> {
    await this.setFate(scan, fate)
    await this.noteDecided(scan)
  }

  /** Notes a scan that was only simulated. It may take the place of another one just as if it were written. */
  async noteDecided(row: scans.ScanRow): Promise<void> {
    const { outcome, reason } = this.#fates.get(row.id) ?? row
    if (row.kind === 'exit') {
      if (outcome === 'refused' && reason === NOT_INSIDE) insert(this.#exits, row)
      return
    }
    if (outcome !== 'conflict' || NEVER_ADMITTED.includes(reason ?? '')) return
    const ticket = await this.findTicket(row.attendee_id as string)
    if (ticket === undefined || ticket.event_id !== row.event_id) return
    if (refusalOf({ ...ticket, checked_in_at: null }, row.scanned_at) === 'not_valid_today') return
    insert(this.#doubles, row)
  }
}

/** Puts a scan among those of its ticket, in their order. */
function insert(
  into: Map<string, scans.StandingRow[]>,
  { id, attendee_id, scanned_at, shown }: scans.ScanRow,
): void {
  const rows = into.get(attendee_id as string) ?? []
  const at = rows.findLastIndex(row => isBefore(row, { id, scanned_at, shown })) + 1
  if (rows[at]?.id !== id) rows.splice(at, 0, { id, scanned_at, shown })
  into.set(attendee_id as string, rows)
}

/** Finds the first written scan whose fate was not simulated otherwise. */
async function findWritten(
  isStill: (row: { id: string }) => boolean,
  list: (after: scans.StandingRow | undefined, limit: number) => Promise<scans.StandingRow[]>,
): Promise<scans.StandingRow | undefined> {
  let after: scans.StandingRow | undefined
  for (;;) {
    const rows = await list(after, STANDING)
    const found = rows.find(isStill)
    if (found !== undefined || rows.length < STANDING) return found
    after = rows.at(-1)
  }
}

function isBefore(one: scans.StandingRow, other: scans.StandingRow): boolean {
  return one.scanned_at < other.scanned_at || (one.scanned_at === other.scanned_at && one.id < other.id)
}
