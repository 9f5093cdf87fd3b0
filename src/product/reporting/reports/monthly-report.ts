import { setImmediate as nextTurn } from 'node:timers/promises'
import * as accounts from '../accounts/rules.ts'
import type { Account, ServiceFee } from '../accounts/schemas.ts'
import { inBatches, type Reader } from '../db/batches.ts'
import type { ReadTx } from '../db/port.ts'
import * as events from '../events/rules.ts'
import { Problem } from '../problem.ts'
import * as registrationTypes from '../registration-types/rules.ts'
import type { RegistrationType } from '../registration-types/schemas.ts'
import { monthOf, monthRange, monthsSince } from '../time.ts'
import type { MonthlyReport, MonthlyRow } from './schemas.ts'
import * as store from './store.ts'

/** Rows a read: short enough that nobody who waits for the event loop feels it. */
const BATCH = 250

/** What is summed up of one event in one currency; amounts in minor units. */
interface Sums {
  eventId: string
  currency: string
  registrations: number
  ticketsByType: Map<string, number>
  gross: number
  serviceFee: number
  processorFee: number
  /** A payment lacks its processor fee. */
  feeUnknown: boolean
  refunds: number
  checkIns: number
}

/**
 * The sums of a month in the account's time zone, one row for each event with any figure that is not zero (specification
 * section 4, reports).
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
  const { account, earliest } = await reader.read(async tx => ({
    account: await accounts.get(tx, accountId),
    earliest: await store.findEarliest(tx, accountId),
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
    const { event, types } = await reader.read(async tx => ({
      event: await events.get(tx, accountId, each.eventId),
      types: await registrationTypes.listByEvent(tx, accountId, each.eventId),
    }))
    data.push(toRow(each, event.title, types))
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

/** So many months can be chosen from: 50 years. */
const MOST_MONTHS = 600

/** The months that there are, `YYYY-MM`, newest first: from the current one back to that of the earliest event or registration. */
export async function listMonths(tx: ReadTx, accountId: string, now: number): Promise<string[]> {
  const { timezone } = await accounts.get(tx, accountId)
  const earliest = await store.findEarliest(tx, accountId)
  return monthsSince(earliest ?? now, now, timezone, MOST_MONTHS)
}

/** Whether a month has more than so many registrations, movements of money and check-ins. */
export async function isLarge(tx: ReadTx, accountId: string, month: string, most: number): Promise<boolean> {
  const { timezone } = await accounts.get(tx, accountId)
  const [from, to] = monthRange(month, timezone)
  return (await store.countUpTo(tx, accountId, from, to, most + 1)) > most
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

  const confirmed = inBatches(reader, BATCH, (tx, last: store.CountedRegistrationRow | undefined, size) =>
    store.listCounted(tx, account.id, from, to, last, size),
  )
  for await (const rows of confirmed) {
    for (const row of rows) addConfirmed(of(row.event_id, row.currency), row, account.service_fee)
  }
  const entries = inBatches(reader, BATCH, (tx, last: store.CountedEntryRow | undefined, size) =>
    store.listEntries(tx, account.id, from, to, last, size),
  )
  for await (const rows of entries) {
    for (const row of rows) addEntry(of(row.event_id, row.currency), row)
  }
  const checkIns = inBatches(reader, BATCH, (tx, last: store.CountedCheckInRow | undefined, size) =>
    store.listCheckIns(tx, account.id, from, to, last, size),
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

/** What a dispute takes is money that went back, and what it costs is the processor's fee. */
function addEntry(sums: Sums, { kind, amount, has_fee }: store.CountedEntryRow): void {
  if (kind === 'payment' || kind === 'payment_reversal') {
    sums.gross += amount
    if (kind === 'payment' && !has_fee) sums.feeUnknown = true
  } else if (kind.startsWith('fee') || kind.startsWith('dispute_fee')) sums.processorFee -= amount
  else sums.refunds -= amount
}

/** The organizer's fee on one paid registration, in minor units: the share rounds half up, and each ticket adds its own. */
export function serviceFeeOf(amountTotal: number, quantity: number, fee: ServiceFee): number {
  return Math.floor((amountTotal * fee.basis_points + 5_000) / 10_000) + fee.per_ticket * quantity
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
