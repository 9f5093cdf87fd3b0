import { digitsOf } from '#base/money.ts'
import { wallClock } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { SheetCell, SheetColumn, SheetHead } from '#machinery/workbooks/writing.ts'
import * as questions from '#product/guests/questions/rules.ts'
import { type GuestFilters, walkGuests } from '#product/guests/registrations/guests.ts'
import type { Texts } from '#texts/texts.ts'
import type { ReportRow } from './columns.ts'
import type { RegistrationReport } from './registration-report.ts'

/** The most rows of a sheet. More of them are a file for programs. */
export const MAX_SHEET_ROWS = 50_000

/** The widths of columns, in characters. */
const NARROW = 12
const WIDE = 26
const OF_TIME = 17
const OF_ID = 38

const TIME = 'yyyy-mm-dd hh:mm'
const ANSWER = 'answer:'

type Words = Pick<Texts, 'sheets'> & { guests: Pick<Texts['guests'], 'status'> }

interface EventOfSheet {
  id: string
  /** The zone whose clocks the times are of. */
  timezone: string
  currency: string
}

interface Column extends SheetColumn {
  cellOf(row: ReportRow): SheetCell
}

/** A sheet that people download: what stands above it, and its rows some at a time. */
export interface GuestSheet {
  head: SheetHead
  batches: AsyncGenerator<SheetCell[][]>
}

/** Returns whether the registrations that pass the filters have more tickets than a sheet has rows. */
export async function isTooLongForSheet(
  reader: Reader,
  accountId: string,
  filters: GuestFilters,
): Promise<boolean> {
  let tickets = 0
  for await (const { matching } of walkGuests(reader, accountId, filters)) {
    for (const { quantity } of matching) tickets += quantity
    if (tickets > MAX_SHEET_ROWS) return true
  }
  return false
}

/**
 * Makes a sheet for people of a report that has begun: names first, answers under their question, money as numbers, times as the
 * clocks at the event show them, and ids last. It has all that the report has, except the id of the event.
 */
export async function toGuestSheet(
  reader: Reader,
  accountId: string,
  event: EventOfSheet,
  report: RegistrationReport,
  words: Words,
): Promise<GuestSheet> {
  const listed = await reader.read(accountId, tx => questions.list(tx, event.id))
  const columns = [
    ...peopleColumns(report, words),
    ...timeColumns(event, words),
    ...answerColumns(report, listed),
    ...moneyColumns(event, words),
    ...idColumns(words),
  ]
  return {
    head: {
      name: words.sheets.guests,
      columns: columns.map(({ cellOf: _, ...column }) => column),
    },
    batches: toCells(report.rows, columns),
  }
}

async function* toCells(
  rows: AsyncGenerator<ReportRow[]>,
  columns: readonly Column[],
): AsyncGenerator<SheetCell[][]> {
  for await (const some of rows) yield some.map(row => columns.map(({ cellOf }) => cellOf(row)))
}

function peopleColumns(report: RegistrationReport, { sheets, guests }: Words): Column[] {
  const type = report.columns.find(({ name }) => name === 'registration_type_name')
  return [
    { header: sheets.name, width: WIDE, cellOf: ({ ticket }) => ticket.name },
    { header: sheets.email, width: WIDE, cellOf: ({ ticket }) => ticket.email },
    { header: sheets.type, width: WIDE, cellOf: row => (type?.cellOf(row) ?? null) as string | null },
    { header: sheets.seat, width: NARROW, cellOf: ({ ticket }) => ticket.seat },
    {
      header: sheets.status,
      width: NARROW,
      cellOf: ({ registration }) => guests.status[registration.status as keyof typeof guests.status],
    },
    {
      header: sheets.voided,
      width: NARROW,
      cellOf: ({ ticket }) => (ticket.voided === 1 ? sheets.yes : null),
    },
    { header: sheets.buyer, width: WIDE, cellOf: ({ registration }) => registration.buyer_name },
    { header: sheets.buyerEmail, width: WIDE, cellOf: ({ registration }) => registration.buyer_email },
  ]
}

function timeColumns({ timezone }: Pick<EventOfSheet, 'timezone'>, { sheets }: Words): Column[] {
  const time = (header: string, instantOf: (row: ReportRow) => number | null): Column => ({
    header,
    width: OF_TIME,
    format: TIME,
    cellOf: row => {
      const instant = instantOf(row)
      return instant === null ? null : new Date(wallClock(instant, timezone))
    },
  })
  return [
    time(sheets.checkedIn, ({ ticket }) => ticket.checked_in_at),
    time(sheets.registered, ({ registration }) => registration.created_at),
    time(sheets.confirmed, ({ registration }) => registration.confirmed_at),
    time(sheets.cancelled, ({ registration }) => registration.cancelled_at),
  ]
}

/** The questions come in their order, and then the answers to none, such as imported ones, by their keys. */
function answerColumns(
  report: RegistrationReport,
  listed: readonly { key: string; label: string }[],
): Column[] {
  const answers = report.columns.filter(({ name }) => name.startsWith(ANSWER))
  const placeOf = (name: string) => {
    const at = listed.findIndex(({ key }) => ANSWER + key === name)
    return at === -1 ? listed.length : at
  }
  return answers
    .map(column => ({ column, place: placeOf(column.name) }))
    .sort((one, other) => one.place - other.place)
    .map(({ column, place }) => ({
      header: listed[place]?.label ?? column.name.slice(ANSWER.length),
      width: WIDE,
      cellOf: row => column.cellOf(row) as string | null,
    }))
}

function moneyColumns({ currency }: Pick<EventOfSheet, 'currency'>, { sheets }: Words): Column[] {
  const digits = digitsOf(currency)
  const amount = (header: string, of: 'amount_subtotal' | 'amount_total'): Column => ({
    header,
    width: NARROW,
    format: digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`,
    cellOf: ({ registration }) => registration[of] / 10 ** digitsOf(registration.currency),
  })
  return [
    { header: sheets.quantity, width: NARROW, cellOf: ({ registration }) => registration.quantity },
    amount(sheets.subtotal, 'amount_subtotal'),
    amount(sheets.total, 'amount_total'),
    { header: sheets.currency, width: NARROW, cellOf: ({ registration }) => registration.currency },
  ]
}

function idColumns({ sheets }: Words): Column[] {
  return [
    { header: sheets.source, width: NARROW, cellOf: ({ registration }) => registration.source },
    { header: sheets.ticketId, width: OF_ID, cellOf: ({ ticket }) => ticket.id },
    { header: sheets.registrationId, width: OF_ID, cellOf: ({ registration }) => registration.id },
    {
      header: sheets.typeId,
      width: OF_ID,
      cellOf: ({ registration }) => registration.registration_type_id,
    },
  ]
}
