import { Problem } from '#base/problem.ts'
import { type Listed, toListed } from '#base/resource.ts'
import { toIso, toIsoOrNull } from '#base/time.ts'
import type { Page } from '#machinery/db/keyset.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as store from './scan-log-store.ts'
import { eraseNotes as eraseNotesOf, type ScanOutcome, type Shown } from './scan-store.ts'

/** Describes a scan as the organizer sees it. Instants are ISO 8601. */
export interface LoggedScan {
  id: string
  event_id: string
  kind: 'scan' | 'undo' | 'exit'
  /** What an undo takes back: a scan, or a check-in that no scan has made. */
  of: string | null
  /** The name of the door at that time. It is null if somebody without a scanner did it. */
  door: string | null
  device_id: string | null
  /** Null if the event has no such ticket. */
  ticket: { id: string; name: string; registration_type_name: string } | null
  /** Whether it was picked from the list, without its code. */
  by_hand: boolean
  scanned_at: string
  received_at: string
  /** What the guest saw. It is null if nobody has said. */
  shown: Shown | null
  outcome: ScanOutcome
  /** A code. */
  reason: string | null
  /** The reason that the scanner, or whoever undid it, gives. */
  note: string | null
  /** When somebody has set a conflict aside. */
  seen_at: string | null
  /**
   * The admission that the ticket had by then: its check-in, or a later entry, which has no `check_in_id`. Scan and door are null if
   * no scanner has made it.
   */
  holder: {
    check_in_id: string | null
    at: string
    source: string
    scan_id: string | null
    door: string | null
  } | null
}

/** Names the lists of scans: all, the conflicts that nobody has set aside, or held scans. */
export const scanLists = ['all', 'conflict', 'held'] as const
export type ScanList = (typeof scanLists)[number]

/**
 * Lists the scans of an event in the order of their arrival, newest first.
 *
 * @throws Problem not_found
 */
export async function list(
  tx: ReadTx,
  eventId: string,
  which: ScanList,
  page: Page,
): Promise<Iterable<Listed<LoggedScan>>> {
  await events.get(tx, eventId)
  const rows =
    which === 'all'
      ? await store.listPage(tx, eventId, page)
      : await store.listToLookAt(tx, eventId, which, page)
  return toListed(rows, present)
}

/**
 * @param eventId the event that it must belong to, if it is asked for by one
 * @throws Problem not_found
 */
export async function get(tx: ReadTx, id: string, eventId?: string): Promise<LoggedScan> {
  const row = await store.find(tx, id)
  if (row === undefined || (eventId !== undefined && row.event_id !== eventId)) {
    throw new Problem('not_found', { subject: id })
  }
  return present(row)
}

/**
 * Lists the scans of a case by when they were made, newest first.
 *
 * @throws Problem not_found
 */
export async function listOfCase(
  tx: ReadTx,
  caseId: string,
  page: Page,
): Promise<Iterable<Listed<LoggedScan>>> {
  const rows = await store.listOfCase(tx, caseId, page)
  return rows.map(row => ({
    resource: present(row),
    position: { created_at: row.scanned_at, id: row.id },
  }))
}

function present(row: store.LoggedRow): LoggedScan {
  const { ticket_id: ticketId, check_in_id: checkInId } = row
  return {
    id: row.id,
    event_id: row.event_id,
    kind: row.kind,
    of: row.of_id,
    door: row.door === '' ? null : row.door,
    device_id: row.device_id,
    ticket:
      ticketId === null
        ? null
        : { id: ticketId, name: row.name as string, registration_type_name: row.type_name as string },
    by_hand: row.by_hand === 1,
    scanned_at: toIso(row.scanned_at),
    received_at: toIso(row.created_at),
    shown: row.shown,
    outcome: row.outcome,
    reason: row.reason,
    note: row.note,
    seen_at: toIsoOrNull(row.seen_at),
    holder:
      checkInId === null
        ? null
        : {
            check_in_id: row.is_later === 1 ? null : checkInId,
            at: toIso(row.checked_in_at as number),
            source: row.source as string,
            scan_id: row.holder_id,
            door: row.holder_door === '' ? null : row.holder_door,
          },
  }
}

/** Erases what people wrote about the scans of a ticket, because they may have named its holder. */
export async function eraseNotes(tx: WriteTx, attendeeId: string): Promise<void> {
  await eraseNotesOf(tx, attendeeId, await tx.now())
}
