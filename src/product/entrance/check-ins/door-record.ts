import type { WriteTx } from '#machinery/db/port.ts'
import * as attendees from '#product/guests/attendees/rules.ts'
import { type Admitted, admit, removeCheckIn, validityOf } from './admission.ts'
import * as entries from './entry-store.ts'
import * as filing from './scan-filing.ts'
import * as scans from './scan-store.ts'
import * as store from './store.ts'

/** The reason of an exit that ended no entry. It may end one that the server hears of later. */
export const NOT_INSIDE = 'not_inside'

/** Lists the reasons for which a scan never admits anybody, whatever becomes of its ticket. */
export const NEVER_ADMITTED: readonly string[] = ['wrong_event', 'wrong_door', 'invalid_qr_code', 'dismissed']

/**
 * Describes what the rules of doors know about scans and check-ins, and how they change them. One implementation writes to the
 * database. The other only simulates, to preview what a decision would do. So both follow the same rules.
 */
export interface DoorRecord {
  findScan(id: string): Promise<scans.ScanRow | undefined>
  /** Lists what has taken a scan back, oldest first. */
  listUndos(eventId: string, scanId: string): ReturnType<typeof scans.listUndos>
  /** Finds a ticket with the instant of its check-in. */
  findTicket(id: string): Promise<store.TicketRow | undefined>
  /**
   * Finds the oldest of the scans that admitted somebody with the ticket beside its check-in.
   *
   * @param during the instants from which and before which they were made; undefined for all while the ticket is valid
   */
  findStanding(ticket: store.TicketRow, during?: During): Promise<scans.StandingRow | undefined>
  /** Finds the oldest exit of the ticket that ended no entry. */
  findExit(ticket: store.TicketRow, during: During): Promise<scans.StandingRow | undefined>
  /** Lists the entries of a ticket in their order. */
  listEntries(ticket: store.TicketRow): Promise<entries.EntryRow[]>
  /** Writes an entry, over the one that has its slot. */
  putEntry(ticket: store.TicketRow, entry: entries.EntryRow): Promise<void>
  removeEntry(ticket: store.TicketRow, slot: string): Promise<void>
  admit(ticket: store.TicketRow, admitted: Admitted): Promise<void>
  /**
   * Deletes the check-in of a ticket.
   *
   * @returns whether this scan held it
   */
  removeCheckIn(ticketId: string, scanId: string): Promise<boolean>
  setFate(scan: Pick<scans.ScanRow, 'id'>, fate: scans.Fate): Promise<void>
  /** Sets the fate of a scan that holds no entry any more, and stands beside the entries from now on. */
  release(scan: scans.ScanRow, fate: scans.Fate): Promise<void>
  markUndone(scan: Pick<scans.ScanRow, 'id'>): Promise<void>
  /** Sets a conflict aside. */
  setSeen(scan: scans.ScanRow): Promise<void>
}

/** Holds the instants, in milliseconds, from which and before which something was. */
export interface During {
  from: number
  until: number
}

/** Returns the record of an account in the database. */
export function writtenRecord(tx: WriteTx): DoorRecord {
  return {
    findScan: id => scans.find(tx, id),
    listUndos: (eventId, scanId) => scans.listUndos(tx, eventId, scanId),
    findTicket: id => store.findTicket(tx, id),
    findStanding: async (ticket, during) => {
      const [first] = await scans.listStanding(tx, standingOf(ticket, during), undefined, 1)
      return first
    },
    findExit: async (ticket, during) => {
      const [first] = await scans.listExits(tx, exitsOf(ticket, during), undefined, 1)
      return first
    },
    listEntries: ({ attendee_id }) => entries.list(tx, attendee_id),
    putEntry: async (ticket, entry) => {
      await entries.put(tx, ticket, entry, await tx.now())
      if (ticket.at_doors === 1) await attendees.noteTicketAtDoors(tx, ticket.attendee_id)
    },
    removeEntry: async (ticket, slot) => {
      await entries.remove(tx, ticket.attendee_id, slot)
      if (ticket.at_doors === 1) await attendees.noteTicketAtDoors(tx, ticket.attendee_id)
    },
    admit: async (ticket, admitted) => {
      await admit(tx, ticket, admitted)
    },
    removeCheckIn: async (ticketId, scanId) => {
      const checkIn = await store.findByTicket(tx, ticketId)
      if (checkIn === undefined || checkIn.scan_id !== scanId) return false
      await removeCheckIn(tx, checkIn)
      return true
    },
    setFate: ({ id }, fate) => filing.setFate(tx, id, fate),
    release: ({ id }, fate) => filing.setFate(tx, id, fate),
    markUndone: ({ id }) => filing.markUndone(tx, id),
    setSeen: async ({ id }) => {
      await filing.setSeen(tx, id)
    },
  }
}

/** Selects the admissions that stand beside the check-in of a ticket. They are at doors of its event, while it was valid. */
export function standingOf(
  ticket: store.TicketRow,
  during: During = { from: Number.MIN_SAFE_INTEGER, until: Number.MAX_SAFE_INTEGER },
): Parameters<typeof scans.listStanding>[1] {
  const { from, until } = validityOf(ticket)
  return {
    ticketId: ticket.attendee_id,
    eventId: ticket.event_id,
    from: Math.max(from ?? Number.MIN_SAFE_INTEGER, during.from),
    until: Math.min(until ?? Number.MAX_SAFE_INTEGER, during.until),
    never: NEVER_ADMITTED,
  }
}

/** Selects the exits of a ticket that ended no entry. */
export function exitsOf(
  { attendee_id, event_id }: store.TicketRow,
  during: During,
): Parameters<typeof scans.listExits>[1] {
  return { ticketId: attendee_id, eventId: event_id, ...during, reason: NOT_INSIDE }
}
