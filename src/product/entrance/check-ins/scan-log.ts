import type { Page } from '../db/keyset.ts'
import type { ReadTx, WriteTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import { type Listed, toListed } from '../resource.ts'
import { toIso, toIsoOrNull } from '../time.ts'
import * as store from './scan-log-store.ts'
import { eraseNotes as eraseNotesOf, type ScanOutcome, type Shown } from './scan-store.ts'

/** A scan as the organizer sees it. Instants are ISO 8601. */
export interface LoggedScan {
  id: string
  event_id: string
  kind: 'scan' | 'undo'
  /** That an undo takes back: a scan, or a check-in that none has made. */
  of: string | null
  /** As it was named then; null where somebody without a scanner did it. */
  door: string | null
  device_id: string | null
  /** Null where the event has no such ticket. */
  ticket: { id: string; name: string; registration_type_name: string } | null
  /** Whether it was picked from the list, without its code. */
  by_hand: boolean
  scanned_at: string
  received_at: string
  /** What the guest saw; null where nobody has said. */
  shown: Shown | null
  outcome: ScanOutcome
  /** A code. */
  reason: string | null
  /** Why, as the scanner or whoever undid it says. */
  note: string | null
  /** When somebody has set a conflict aside. */
  seen_at: string | null
  /** The admission that the ticket has; its scan and door are null where no scanner has made it. */
  holder: {
    check_in_id: string
    at: string
    source: string
    scan_id: string | null
    door: string | null
  } | null
}

/** What is listed: all, the conflicts that nobody has set aside, or what is held. */
export const scanLists = ['all', 'conflict', 'held'] as const
export type ScanList = (typeof scanLists)[number]

/** The scans of an event as they came, newest first. @throws Problem not_found */
export async function list(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  which: ScanList,
  page: Page,
): Promise<Iterable<Listed<LoggedScan>>> {
  await events.get(tx, accountId, eventId)
  const rows =
    which === 'all'
      ? await store.listPage(tx, accountId, eventId, page)
      : await store.listToLookAt(tx, accountId, eventId, which, page)
  return toListed(rows, present)
}

/** @param eventId that it must be of, where it is asked for by one @throws Problem not_found */
export async function get(tx: ReadTx, accountId: string, id: string, eventId?: string): Promise<LoggedScan> {
  const row = await store.find(tx, accountId, id)
  if (row === undefined || (eventId !== undefined && row.event_id !== eventId)) {
    throw new Problem('not_found', { subject: id })
  }
  return present(row)
}

/** How many somebody is to look at. Counts no further than `most` of either kind. */
export async function countToLookAt(
  tx: ReadTx,
  accountId: string,
  eventId: string,
  most: number,
): Promise<{ conflicts: number; held: number }> {
  return {
    conflicts: await store.countToLookAt(tx, accountId, eventId, 'conflict', most),
    held: await store.countToLookAt(tx, accountId, eventId, 'held', most),
  }
}

/** The same in an account, by event. @param eventIds those that count; null for all @param most looks at no more in all */
export async function countByEvent(
  tx: ReadTx,
  accountId: string,
  eventIds: readonly string[] | null,
  most: number,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { event_id: id } of await store.listEventsToLookAt(tx, accountId, most)) {
    if (eventIds === null || eventIds.includes(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
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
            check_in_id: checkInId,
            at: toIso(row.checked_in_at as number),
            source: row.source as string,
            scan_id: row.holder_id,
            door: row.holder_door === '' ? null : row.holder_door,
          },
  }
}

/** Makes what people wrote about the scans of a ticket say nothing any more: they may have named its holder. */
export async function eraseNotes(tx: WriteTx, accountId: string, attendeeId: string): Promise<void> {
  await eraseNotesOf(tx, accountId, attendeeId, await tx.now())
}
