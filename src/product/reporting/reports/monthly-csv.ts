import { toDecimal } from '#base/money.ts'
import { BYTE_ORDER_MARK, safeCell, toCsv } from '#machinery/tables/csv.ts'
import type { MonthlyReport, MonthlyRow } from './schemas.ts'

const columns: readonly (readonly [name: string, cellOf: (row: MonthlyRow) => string])[] = [
  ['event_id', row => row.event_id],
  ['event_title', row => safeCell(row.event_title)],
  ['currency', row => row.currency],
  ['registrations', row => String(row.registrations)],
  ['tickets', row => String(sumTickets(row))],
  [
    'tickets_by_type',
    row => safeCell(row.tickets_by_type.map(({ name, tickets }) => `${name}: ${tickets}`).join('; ')),
  ],
  ['gross', row => toCell(row, row.gross)],
  ['service_fee', row => toCell(row, row.service_fee)],
  ['processor_fee', row => toCell(row, row.processor_fee)],
  ['refunds', row => toCell(row, row.refunds)],
  ['net', row => toCell(row, row.net)],
  ['check_ins', row => String(row.check_ins)],
  [
    'not_known',
    ({ reasons }) =>
      Object.entries(reasons)
        .map(([figure, reason]) => `${figure}: ${reason?.code}`)
        .join('; '),
  ],
]

export function sumTickets({ tickets_by_type }: Pick<MonthlyRow, 'tickets_by_type'>): number {
  return tickets_by_type.reduce((sum, { tickets }) => sum + tickets, 0)
}

/** Returns an amount with a point, such as 150.00, or an empty text if it is not known. */
function toCell({ currency }: MonthlyRow, amount: number | null): string {
  return amount === null ? '' : toDecimal(amount, currency)
}

/** Returns the report as CSV, with a row for each event and currency. */
export function toMonthlyCsv({ month, data }: MonthlyReport): string {
  const head = ['month', ...columns.map(([name]) => name)]
  return (
    BYTE_ORDER_MARK + toCsv([head, ...data.map(row => [month, ...columns.map(([, cellOf]) => cellOf(row))])])
  )
}
