import type { ReadTx } from '#machinery/db/port.ts'
import { refusalOf } from './admission.ts'
import { type DoorRecord, NEVER_ADMITTED, standingOf } from './door-record.ts'
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
    if (row === undefined || holder === undefined) return row
    return { ...row, checked_in_at: holder?.at ?? null }
  }

  async findStanding(ticket: store.TicketRow): Promise<scans.StandingRow | undefined> {
    const isStill = ({ id }: { id: string }) => (this.#fates.get(id)?.outcome ?? 'conflict') === 'conflict'
    const simulated = this.#doubles.get(ticket.attendee_id) ?? []
    while (simulated[0] !== undefined && !isStill(simulated[0])) simulated.shift()
    const written = await this.#findWritten(ticket, isStill)
    const [one] = simulated
    if (one === undefined || written === undefined) return one ?? written
    return isBefore(one, written) ? one : written
  }

  async #findWritten(
    ticket: store.TicketRow,
    isStill: (row: { id: string }) => boolean,
  ): Promise<scans.StandingRow | undefined> {
    const of = standingOf(ticket)
    let after: scans.StandingRow | undefined
    for (;;) {
      const rows = await scans.listStanding(this.tx, of, after, STANDING)
      const found = rows.find(isStill)
      if (found !== undefined || rows.length < STANDING) return found
      after = rows.at(-1)
    }
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

  /** Notes a double that was only simulated. It may take the place of a check-in just as a written one. */
  async noteDouble(row: scans.ScanRow): Promise<void> {
    const { outcome, reason } = this.#fates.get(row.id) ?? row
    if (outcome !== 'conflict' || NEVER_ADMITTED.includes(reason ?? '')) return
    const ticket = await this.findTicket(row.attendee_id as string)
    if (ticket === undefined || ticket.event_id !== row.event_id) return
    if (refusalOf({ ...ticket, checked_in_at: null }, row.scanned_at) === 'not_valid_today') return
    const doubles = this.#doubles.get(ticket.attendee_id) ?? []
    doubles.push({ id: row.id, scanned_at: row.scanned_at, shown: row.shown })
    this.#doubles.set(ticket.attendee_id, doubles)
  }
}

function isBefore(one: scans.StandingRow, other: scans.StandingRow): boolean {
  return one.scanned_at < other.scanned_at || (one.scanned_at === other.scanned_at && one.id < other.id)
}
