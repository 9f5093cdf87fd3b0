import type { Reader } from '#machinery/db/batches.ts'
import type { Streamed } from '#machinery/http/streamed.ts'
import { writeSheet, XLSX } from '#machinery/workbooks/writing.ts'
import type { GuestFilters } from '#product/guests/registrations/guests.ts'
import { isTooLongForSheet, toGuestSheet } from '#product/reporting/reports/guest-sheet.ts'
import { type RegistrationReport, toCsvChunks } from '#product/reporting/reports/registration-report.ts'
import type { EventRequest } from './page-request.ts'

/** Answers with a report as a spreadsheet for people, or as CSV where it has more rows than a sheet takes. */
export async function sheetOrCsv(
  name: string,
  reader: Reader,
  { account, event, voice }: EventRequest,
  { filters, report }: { filters: GuestFilters; report: RegistrationReport },
): Promise<Streamed> {
  if (await isTooLongForSheet(reader, account.id, filters)) return csvOf(name, event.slug, report)
  const { head, batches } = await toGuestSheet(reader, account.id, event, report, voice.texts)
  return { type: XLSX, fileName: `${name}-${event.slug}.xlsx`, chunks: writeSheet(head, batches) }
}

/** Answers with a report as CSV. */
export function csvOf(name: string, slug: string, report: RegistrationReport): Streamed {
  return {
    type: 'text/csv; charset=utf-8',
    fileName: `${name}-${slug}.csv`,
    chunks: toCsvChunks(report),
  }
}
