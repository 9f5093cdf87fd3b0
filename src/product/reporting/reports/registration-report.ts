import { toIso } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listAnswerKeys } from '#product/guests/registrations/answer-keys.ts'
import { type Column, columnsOf, type ReportRow } from './columns.ts'
import { readRows } from './rows.ts'
import * as store from './store.ts'

/** Holds a report that has begun. Its access check and its contents are settled, but its rows are not read yet. */
export interface RegistrationReport {
  eventId: string
  /** The start of the report, in milliseconds. */
  startedAt: number
  columns: readonly Column[]
  rows: AsyncGenerator<ReportRow[]>
}

/**
 * Begins the report of an event's registrations, with one row for each attendee, oldest registration first (specification section
 * 4, reports). It leaves out what is registered after its start, and the keys of those answers, which are columns.
 *
 * @throws Problem not_found
 */
export async function beginRegistrationReport(
  reader: Reader,
  accountId: string,
  eventId: string,
  startedAt: number,
): Promise<RegistrationReport> {
  const { event, types, until, lastNumber, answerKeys } = await reader.read(accountId, async tx => ({
    event: await events.get(tx, eventId, 'event_id'),
    types: await registrationTypes.listByEvent(tx, eventId),
    until: await store.findLatest(tx, eventId),
    lastNumber: await store.findLastNumber(tx),
    // The keys come from the snapshot in which the end of the report was found.
    answerKeys: await listAnswerKeys(tx, eventId),
  }))
  const extent = { accountId, eventId: event.id, until, lastNumber }
  return {
    eventId: event.id,
    startedAt,
    columns: columnsOf(event.id, new Map(types.map(({ id, name }) => [id, name])), answerKeys),
    rows: readRows(reader, extent, answerKeys),
  }
}

/** Yields the report as CSV, piece by piece. */
export async function* toCsvChunks({ columns, rows }: RegistrationReport): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([columns.map(({ name }) => name)])
  for await (const some of rows) yield toCsv(some.map(row => columns.map(column => toCsvCell(column, row))))
}

function toCsvCell({ isTyped, cellOf }: Column, row: ReportRow): string {
  const cell = cellOf(row)
  if (cell === null) return ''
  return isTyped ? safeCell(cell as string) : String(cell)
}

/** Yields the report as one JSON document, piece by piece. */
export async function* toJsonChunks(report: RegistrationReport): AsyncGenerator<string> {
  const head = {
    object: 'registration_report',
    event_id: report.eventId,
    generated_at: toIso(report.startedAt),
    columns: report.columns.map(({ name }) => name),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"data":[`
  // This builds the JSON by hand, because an object could neither have every key nor keep their order.
  const members = report.columns.map(({ name, cellOf }, at) => ({
    start: `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    cellOf,
  }))
  let separator = ''
  for await (const some of report.rows) {
    let text = ''
    for (const row of some) {
      text += separator
      for (const { start, cellOf } of members) text += start + JSON.stringify(cellOf(row))
      text += '}'
      separator = ','
    }
    yield text
  }
  yield ']}'
}
