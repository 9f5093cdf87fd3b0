import { sumTickets } from './monthly-csv.ts'
import type { MonthlyRow } from './schemas.ts'

/** Holds the sums of all events with one currency. */
export interface MonthlyTotals extends Omit<MonthlyRow, 'event_id' | 'event_title' | 'tickets_by_type'> {
  events: number
  tickets: number
}

/**
 * Returns one total for each currency, because amounts of several currencies are never added up. A figure that is unknown for one
 * event is unknown in the total.
 */
export function totalsOf(rows: readonly MonthlyRow[]): MonthlyTotals[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort()
  return currencies.map(currency => {
    const own = rows.filter(row => row.currency === currency)
    const sum = (of: (row: MonthlyRow) => number) => own.reduce((all, row) => all + of(row), 0)
    const sumOrNull = (of: (row: MonthlyRow) => number | null) =>
      own.some(row => of(row) === null) ? null : sum(row => of(row) as number)
    return {
      currency,
      events: own.length,
      registrations: sum(row => row.registrations),
      tickets: sum(sumTickets),
      gross: sum(row => row.gross),
      service_fee: sum(row => row.service_fee),
      processor_fee: sumOrNull(row => row.processor_fee),
      refunds: sum(row => row.refunds),
      net: sumOrNull(row => row.net),
      check_ins: sum(row => row.check_ins),
      reasons: Object.assign({}, ...own.map(({ reasons }) => reasons)) as MonthlyRow['reasons'],
    }
  })
}
