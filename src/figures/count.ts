import { setImmediate as nextTurn } from 'node:timers/promises'
import { inBatches, type Reader } from '../db/batches.ts'
import type { Position } from '../db/keyset.ts'
import { HOUR, LocalDays, MINUTE, toIso } from '../time.ts'
import type { Counted, DayOfSales } from './schemas.ts'
import * as store from './store.ts'

/** Rows a read: a few milliseconds. */
const REGISTRATIONS_A_READ = 2_000
const CHECK_INS_A_READ = 500

const QUARTER = 15 * MINUTE
/** Before and behind every row. */
const FIRST: Position = { created_at: Number.MIN_SAFE_INTEGER, id: '' }
const LAST: Position = { created_at: Number.MAX_SAFE_INTEGER, id: '' }

/** Stops the counting where it is. */
export class CountingStopped extends Error {}

/**
 * Counts an event by going through it, in short reads.
 *
 * @throws CountingStopped where the signal says so
 */
export async function countEvent(
  reader: Reader,
  accountId: string,
  event: { id: string; timezone: string },
  signal?: AbortSignal,
): Promise<Counted> {
  const days = new LocalDays(event.timezone)
  const counted: Counted = {
    registrations: { pending: 0, confirmed: 0, failed: 0, refunded: 0, cancelled: 0 },
    tickets: {},
    check_ins: 0,
    check_ins_by_type: {},
    check_ins_by_hour: [],
    sales: [],
  }
  const sales = new Map<string, DayOfSales>()
  for await (const groups of groupsOf(reader, accountId, event.id)) {
    if (signal?.aborted) throw new CountingStopped()
    for (const group of groups) addGroup(counted, sales, days, group)
  }
  counted.sales = [...sales.values()].sort((one, other) => (one.day < other.day ? -1 : 1))

  const hours = new Map<number, number>()
  let lastDay: number | undefined
  const checkIns = inBatches<store.CountedCheckInRow>(reader, CHECK_INS_A_READ, (tx, last, size) =>
    store.listCheckIns(tx, accountId, event.id, last, size),
  )
  for await (const rows of checkIns) {
    if (signal?.aborted) throw new CountingStopped()
    for (const { created_at: at, registration_type_id: type } of rows) {
      counted.check_ins++
      counted.check_ins_by_type[type] = (counted.check_ins_by_type[type] ?? 0) + 1
      // Newest first: the first of them is of the last day.
      lastDay ??= days.of(at).from
      if (at < lastDay) continue
      const hour = Math.floor((at - lastDay) / HOUR)
      hours.set(hour, (hours.get(hour) ?? 0) + 1)
    }
  }
  for (const [hour, number] of [...hours].reverse()) {
    counted.check_ins_by_hour.push({ hour: toIso((lastDay as number) + hour * HOUR), check_ins: number })
  }
  return counted
}

/** The registrations of an event, grouped by the database: a row of each would take most of the time. */
async function* groupsOf(
  reader: Reader,
  accountId: string,
  eventId: string,
): AsyncGenerator<store.RegistrationGroupRow[]> {
  let after: Position | undefined = FIRST
  while (after !== undefined) {
    const from: Position = after
    const { groups, end } = await reader.read(async tx => {
      const end = await store.findRegistrationAfter(tx, accountId, eventId, from, REGISTRATIONS_A_READ)
      const groups = await store.groupRegistrations(tx, accountId, eventId, { after: from, to: end ?? LAST })
      return { groups, end }
    })
    yield groups
    after = end
    await nextTurn()
  }
}

function addGroup(
  counted: Counted,
  sales: Map<string, DayOfSales>,
  days: LocalDays,
  group: store.RegistrationGroupRow,
): void {
  const { status, quantity, currency, registrations, quarter } = group
  counted.registrations[status] += registrations
  let ofType = counted.tickets[group.registration_type_id]
  if (ofType === undefined) {
    ofType = {}
    counted.tickets[group.registration_type_id] = ofType
  }
  ofType[status] = (ofType[status] ?? 0) + quantity
  if (quarter === null) return
  const { date: day } = days.of(quarter * QUARTER)
  let ofDay = sales.get(day)
  if (ofDay === undefined) {
    ofDay = { day, registrations: 0, tickets: 0, amounts: {} }
    sales.set(day, ofDay)
  }
  ofDay.registrations += registrations
  ofDay.tickets += quantity
  ofDay.amounts[currency] = (ofDay.amounts[currency] ?? 0) + group.amount_total
}
