import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '#machinery/db/batches.ts'
import { type GuestFilters, readGuests } from '#product/guests/registrations/guests.ts'
import type { Registration } from '#product/guests/registrations/schemas.ts'
import type { ReportRow } from './columns.ts'
import { beginRegistrationReport, type RegistrationReport } from './registration-report.ts'

/**
 * One piece of the report has about this many characters, and a row without its answers has about the second number. See
 * `readRows` of the full report.
 */
const PIECE = 96 * 1024
const ROW_SIZE = 500

/**
 * Begins the report of the registrations of an event that pass the filters, newest first. It has the columns of the full report.
 *
 * @throws Problem not_found
 */
export async function beginGuestReport(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
  startedAt: number,
): Promise<RegistrationReport> {
  const report = await beginRegistrationReport(reader, accountId, filters.event_id, startedAt)
  return { ...report, rows: readRows(reader, accountId, filters) }
}

async function* readRows(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
): AsyncGenerator<ReportRow[]> {
  for await (const registrations of readGuests(reader, accountId, filters)) {
    let piece: ReportRow[] = []
    let size = 0
    for (const registration of registrations) {
      const rowSize = ROW_SIZE + JSON.stringify(registration.answers).length
      for (const row of toRows(registration)) {
        piece.push(row)
        size += rowSize + row.ticket.answers_size
        if (size < PIECE) continue
        yield piece
        piece = []
        size = 0
        await nextTurn()
      }
    }
    if (piece.length > 0) yield piece
  }
}

function toRows({ attendees, ...registration }: Registration): ReportRow[] {
  const at = (instant: string | null) => (instant === null ? null : Date.parse(instant))
  const row = {
    ...registration,
    registration_type_id: registration.registration_type_id as string,
    buyer_name: registration.buyer.name,
    buyer_email: registration.buyer.email,
    created_at: at(registration.created_at) as number,
    confirmed_at: at(registration.confirmed_at),
    cancelled_at: at(registration.cancelled_at),
    answers: null,
    answers_size: 0,
    // Only the full report asks for the order in which registrations arrived.
    number: 0,
  }
  return attendees.map(({ voided, checked_in_at, answers, ...ticket }) => ({
    registration: row,
    ticket: {
      ...ticket,
      answers: null,
      answers_size: JSON.stringify(answers).length,
      registration_id: registration.id,
      voided: voided ? 1 : 0,
      checked_in_at: at(checked_in_at),
    },
    answers: { ...registration.answers, ...answers },
  }))
}
