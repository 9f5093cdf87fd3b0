import { refusalOf } from './admission.ts'
import type { DoorRecord } from './door-record.ts'
import { isPlain, moveCheckIn, takeBackEntry, takeBackExit } from './entries.ts'
import type { ScanRow } from './scan-store.ts'

/**
 * Gives a ticket whose check-in was taken back a new one. The oldest admission that still stands at a door takes its place,
 * because its guest is inside. An event reports the new check-in. Scans of a door that may not admit the ticket do not count.
 */
export async function admitOldestStanding(record: DoorRecord, ticketId: string): Promise<void> {
  const ticket = await record.findTicket(ticketId)
  const next = ticket && (await record.findStanding(ticket))
  if (ticket === undefined || next === undefined) return
  const { id: scanId, scanned_at: at, shown } = next
  if (refusalOf(ticket, at) !== undefined) return
  await record.admit(ticket, { source: 'scanner', at, scanId })
  await record.setFate(next, { shown, outcome: 'admitted', reason: null })
}

/** Takes back the check-in or the entry that a scan holds, and gives it to whoever else was admitted with the ticket. */
export async function giveBack(
  record: DoorRecord,
  { id, attendee_id }: Pick<ScanRow, 'id' | 'attendee_id'>,
): Promise<void> {
  const ticketId = attendee_id as string
  const ticket = await record.findTicket(ticketId)
  if (ticket === undefined || isPlain(ticket)) {
    if (await record.removeCheckIn(ticketId, id)) await admitOldestStanding(record, ticketId)
    return
  }
  await takeBackEntry(record, ticket, id)
  await moveCheckIn(record, ticket, id)
}

/** Takes back a scan with what it holds, which goes to whoever else was admitted with the ticket. */
export async function undoScan(record: DoorRecord, target: ScanRow): Promise<void> {
  if (target.outcome === 'undone') return
  await record.markUndone(target)
  if (target.outcome === 'admitted') await giveBack(record, target)
  if (target.outcome === 'left') await takeBackExit(record, target)
}
