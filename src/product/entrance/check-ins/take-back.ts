import type { Written } from '#base/resource.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { removeCheckIn } from './admission.ts'
import { writtenRecord } from './door-record.ts'
import { isPlain, renewCheckIn, takeBackEntry } from './entries.ts'
import { admitOldestStanding } from './later-scans.ts'
import type { CheckIn } from './schemas.ts'
import type { CheckInRow } from './store.ts'

/** Takes back a check-in as if it had never been. It goes to whoever else was admitted with the ticket. */
export async function takeBackCheckIn(
  tx: WriteTx,
  row: CheckInRow & { registration_type_id: string },
): Promise<Written<CheckIn>> {
  const record = writtenRecord(tx)
  const ticket = await record.findTicket(row.attendee_id)
  if (ticket === undefined || isPlain(ticket)) {
    const undone = await removeCheckIn(tx, row)
    await admitOldestStanding(record, row.attendee_id)
    return undone
  }
  await takeBackEntry(record, ticket, row.scan_id)
  const undone = await removeCheckIn(tx, row)
  await renewCheckIn(record, ticket)
  return undone
}
