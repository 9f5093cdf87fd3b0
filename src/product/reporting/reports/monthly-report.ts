import { setImmediate as nextTurn } from 'node:timers/promises'
import { portion } from '#base/money.ts'
import { Problem } from '#base/problem.ts'
import { monthOf, monthRange, monthsSince } from '#base/time.ts'
import { inBatches, type Reader } from '#machinery/db/batches.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import type { Account, ServiceFee } from '#product/administration/accounts/schemas.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { RegistrationType } from '#product/catalog/registration-types/schemas.ts'
import type { MonthlyReport, MonthlyRow } from './schemas.ts'
import * as store from './store.ts'

/** One read takes this many rows, so few that nobody who waits for the event loop notices. */
const BATCH = 250

/** Holds the sums of one event in one currency. Amounts are in minor units. */
interface Sums {
  eventId: string
  currency: string
  registrations: number
  ticketsByType: Map<string, number>
  gross: number
  serviceFee: number
  processorFee: number
  /** Whether the processor fee of a payment is missing. */
  feeUnknown: boolean
  refunds: number
  checkIns: number
}

/**
 * Returns the sums of a month in the account's time zone, with one row for each event with any figure that is not zero
 * (specification section 4, reports).
 *
 * @param month `YYYY-MM`; undefined is the current one
 * @param now milliseconds
 * @throws Problem invalid_parameter for a future month; not_found for one before the account's earliest event or registration
 */
export async function readMonthlyReport(
  reader: Reader,
  accountId: string,
  month: string | undefined,
  now: number,
): Promise<MonthlyReport> {
  const { account, earliest } = await reader.read(accountId, async tx => ({
    account: await accounts.get(tx),
    earliest: await store.findEarliest(tx),
  }))
  const current = monthOf(now, account.timezone)
  const wanted = month ?? current
  if (wanted > current)
    throw new Problem('invalid_parameter', { param: 'month', message: 'month is in the future.' })
  if (wanted < current && (earliest === null || wanted < monthOf(earliest, account.timezone))) {
    throw new Problem('not_found', {
      param: 'month',
      message: 'The account has nothing in this month or before.',
    })
  }
  const [from, to] = monthRange(wanted, account.timezone)
  const sums = await sumUp(reader, account, from, to)
  const data: MonthlyRow[] = []
  for (const each of sums) {
    const row = await reader.read(accountId, async tx => {
      // What is being deleted, or was deleted meanwhile, is of no event any more.
      if ((await events.findId(tx, each.eventId)) === undefined) return undefined
      const { title } = await events.get(tx, each.eventId)
      return toRow(each, title, await registrationTypes.listByEvent(tx, each.eventId))
    })
    if (row !== undefined) data.push(row)
    await nextTurn()
  }
  return {
    object: 'monthly_report',
    month: wanted,
    timezone: account.timezone,
    complete: now >= to && data.every(row => Object.keys(row.reasons).length === 0),
    data,
  }
}

/** People can choose from this many months, which is 50 years. */
const MOST_MONTHS = 600

/**
 * Lists the months to choose from, as `YYYY-MM`, newest first. They go from the current month back to that of the earliest event
 * or registration.
 */
export async function listMonths(tx: ReadTx, now: number): Promise<string[]> {
  const { timezone } = await accounts.get(tx)
  const earliest = await store.findEarliest(tx)
  return monthsSince(earliest ?? now, now, timezone, MOST_MONTHS)
}

/** Returns whether a month has more than `most` registrations, movements of money and check-ins. */
export async function isLarge(tx: ReadTx, month: string, most: number): Promise<boolean> {
  const { timezone } = await accounts.get(tx)
  const [from, to] = monthRange(month, timezone)
  return (await store.countUpTo(tx, from, to, most + 1)) > most
}

async function sumUp(reader: Reader, account: Account, from: number, to: number): Promise<Sums[]> {
  const sums = new Map<string, Sums>()
  const of = (eventId: string, currency: string): Sums => {
    const key = `${eventId} ${currency}`
    let found = sums.get(key)
    if (found === undefined) {
      found = {
        eventId,
        currency,
        registrations: 0,
        ticketsByType: new Map(),
        gross: 0,
        serviceFee: 0,
        processorFee: 0,
        feeUnknown: false,
        refunds: 0,
        checkIns: 0,
      }
      sums.set(key, found)
    }
    return found
  }

  const confirmed = inBatches(
    reader,
    account.id,
    BATCH,
    (tx, last: store.CountedRegistrationRow | undefined, size) => store.listCounted(tx, from, to, last, size),
  )
  for await (const rows of confirmed) {
    for (const row of rows) addConfirmed(of(row.event_id, row.currency), row, account.service_fee)
  }
  const entries = inBatches(reader, account.id, BATCH, (tx, last: store.CountedEntryRow | undefined, size) =>
    store.listEntries(tx, from, to, last, size),
  )
  for await (const rows of entries) {
    for (const row of rows) addEntry(of(row.event_id, row.currency), row)
  }
  const checkIns = inBatches(
    reader,
    account.id,
    BATCH,
    (tx, last: store.CountedCheckInRow | undefined, size) => store.listCheckIns(tx, from, to, last, size),
  )
  for await (const rows of checkIns) {
    for (const row of rows) of(row.event_id, row.currency).checkIns++
  }
  return [...sums.values()].filter(({ registrations, gross, processorFee, refunds, checkIns: count }) =>
    [registrations, gross, processorFee, refunds, count].some(figure => figure !== 0),
  )
}

function addConfirmed(sums: Sums, row: store.CountedRegistrationRow, fee: ServiceFee): void {
  sums.registrations++
  sums.ticketsByType.set(
    row.registration_type_id,
    (sums.ticketsByType.get(row.registration_type_id) ?? 0) + row.quantity,
  )
  if (row.amount_total > 0) sums.serviceFee += serviceFeeOf(row.amount_total, row.quantity, fee)
}

/** The amount of a dispute counts as money that went back, and its costs count as the processor's fee. */
function addEntry(sums: Sums, { kind, amount, has_fee }: store.CountedEntryRow): void {
  if (kind === 'payment' || kind === 'payment_reversal') {
    sums.gross += amount
    if (kind === 'payment' && !has_fee) sums.feeUnknown = true
  } else if (kind.startsWith('fee') || kind.startsWith('dispute_fee')) sums.processorFee -= amount
  else sums.refunds -= amount
}

/**
 * Returns the organizer's fee on one paid registration, in minor units. The share rounds half up, and each ticket adds its own
 * fee.
 */
export function serviceFeeOf(amountTotal: number, quantity: number, fee: ServiceFee): number {
  return portion(amountTotal, fee.basis_points) + fee.per_ticket * quantity
}

function toRow(sums: Sums, title: string, types: readonly RegistrationType[]): MonthlyRow {
  const { gross, serviceFee, processorFee, feeUnknown, refunds } = sums
  return {
    event_id: sums.eventId,
    event_title: title,
    currency: sums.currency,
    registrations: sums.registrations,
    tickets_by_type: types.flatMap(({ id, name }) => {
      const tickets = sums.ticketsByType.get(id)
      return tickets === undefined ? [] : [{ registration_type_id: id, name, tickets }]
    }),
    gross,
    service_fee: serviceFee,
    processor_fee: feeUnknown ? null : processorFee,
    refunds,
    net: feeUnknown ? null : gross - serviceFee - processorFee - refunds,
    check_ins: sums.checkIns,
    reasons: feeUnknown
      ? {
          processor_fee: { code: 'not_reported', message: 'A paid registration lacks its processor fee.' },
          net: { code: 'depends_on_unknown', message: 'The processor fee is not known.' },
        }
      : {},
  }
}
