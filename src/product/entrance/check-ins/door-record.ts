import type { WriteTx } from '#machinery/db/port.ts'
import { type Admitted, admit, removeCheckIn, validityOf } from './admission.ts'
import * as filing from './scan-filing.ts'
import * as scans from './scan-store.ts'
import * as store from './store.ts'

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
  /** Finds the oldest of the scans that admitted somebody with the ticket beside its check-in. */
  findStanding(ticket: store.TicketRow): Promise<scans.StandingRow | undefined>
  admit(ticket: store.TicketRow, admitted: Admitted): Promise<void>
  /**
   * Deletes the check-in of a ticket.
   *
   * @returns whether this scan held it
   */
  removeCheckIn(ticketId: string, scanId: string): Promise<boolean>
  setFate(scan: Pick<scans.ScanRow, 'id'>, fate: scans.Fate): Promise<void>
  markUndone(scan: Pick<scans.ScanRow, 'id'>): Promise<void>
  /** Sets a conflict aside. */
  setSeen(scan: scans.ScanRow): Promise<void>
}

/** Returns the record of an account in the database. */
export function writtenRecord(tx: WriteTx): DoorRecord {
  return {
    findScan: id => scans.find(tx, id),
    listUndos: (eventId, scanId) => scans.listUndos(tx, eventId, scanId),
    findTicket: id => store.findTicket(tx, id),
    findStanding: async ticket => {
      const [first] = await scans.listStanding(tx, standingOf(ticket), undefined, 1)
      return first
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
    markUndone: ({ id }) => filing.markUndone(tx, id),
    setSeen: async ({ id }) => {
      await filing.setSeen(tx, id)
    },
  }
}

/** Selects the admissions that stand beside the check-in of a ticket. They are at doors of its event, while it was valid. */
export function standingOf(ticket: store.TicketRow): Parameters<typeof scans.listStanding>[1] {
  const { from, until } = validityOf(ticket)
  return {
    ticketId: ticket.attendee_id,
    eventId: ticket.event_id,
    from: from ?? Number.MIN_SAFE_INTEGER,
    until: until ?? Number.MAX_SAFE_INTEGER,
    never: NEVER_ADMITTED,
  }
}
