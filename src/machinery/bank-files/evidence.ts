import { type DecimalMark, markOf, readWritten } from './amounts.ts'
import { type DateOrder, orderOf, readWrittenDate } from './dates.ts'

/** How a file writes dates and amounts, judged by all its lines. One value may settle what another leaves open. */
export class Evidence {
  readonly #orders = { dmy: 0, mdy: 0, points: 0, either: 0 }
  readonly #marks = { ',': 0, '.': 0, either: 0 }
  readonly #debits = { negative: 0, positive: 0 }

  addDate(cell: string): void {
    const written = cell === '' ? undefined : readWrittenDate(cell)
    const order = written && orderOf(written)
    if (order !== undefined) this.#orders[order]++
  }

  addAmount(cell: string, currency: string): void {
    const written = cell === '' ? undefined : readWritten(cell)
    const mark = written && markOf(written, written.currency ?? currency)
    if (mark !== undefined) this.#marks[mark]++
  }

  /** Adds a value of a column that has only debits. */
  addDebit(cell: string): void {
    const written = cell === '' ? undefined : readWritten(cell)
    if (written === undefined || written.side !== undefined || !/[1-9]/.test(written.number)) return
    this.#debits[written.sign === -1 ? 'negative' : 'positive']++
  }

  /** Returns the order of day and month, or undefined if no date shows it. */
  get order(): DateOrder | undefined {
    const { dmy, mdy, points } = this.#orders
    if (dmy !== mdy) return dmy > mdy ? 'dmy' : 'mdy'
    return dmy === 0 && points > 0 ? 'dmy' : undefined
  }

  get hasOpenDates(): boolean {
    return this.order === undefined && this.#orders.either + this.#orders.points > 0
  }

  get mark(): DecimalMark | undefined {
    const { ',': comma, '.': point } = this.#marks
    return comma === point ? undefined : comma > point ? ',' : '.'
  }

  get hasOpenAmounts(): boolean {
    return this.mark === undefined && this.#marks.either > 0
  }

  /** Returns the sign of most debits, because a debit with the other sign is a reversal. It is undefined if it does not show. */
  get debitSign(): -1 | 1 | undefined {
    const { negative, positive } = this.#debits
    return negative === positive ? undefined : negative > positive ? -1 : 1
  }
}
