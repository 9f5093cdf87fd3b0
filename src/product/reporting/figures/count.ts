import { setImmediate as nextTurn } from 'node:timers/promises'
import { HOUR, LocalDays, MINUTE, toIso } from '#base/time.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Position } from '#machinery/db/keyset.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { Counted, DayOfSales } from './schemas.ts'
import * as store from './store.ts'

/** One read takes at most this many rows, in a few milliseconds. */
const REGISTRATIONS_A_READ = 2_000
const CHECK_INS_A_READ = 1_000

const QUARTER = 15 * MINUTE
/** These positions lie before and behind every row. */
const FIRST: Position = { created_at: Number.MIN_SAFE_INTEGER, id: '' }
const LAST: Position = { created_at: Number.MAX_SAFE_INTEGER, id: '' }

/** Stops the counting where it is. */
export class CountingStopped extends Error {}

/**
 * Counts an event by going through it, in short reads.
 *
 * @throws CountingStopped if the signal asks for it
 */
export async function countEvent(
  reader: Reader,
  accountId: string,
  event: { id: string; timezone: string },
  signal?: AbortSignal,
): Promise<Counted> {
  const days = new LocalDays(event.timezone)
  const extras = await reader.read(accountId, tx => registrationTypes.listExtras(tx, event.id))
  const counted: Counted = {
    registrations: { pending: 0, confirmed: 0, failed: 0, refunded: 0, cancelled: 0 },
    tickets: {},
    check_ins: 0,
    check_ins_by_type: {},
    check_ins_by_hour: [],
    sales: [],
  }
  const sales = new Map<string, DayOfSales>()
  const registrations = groupsOf(
    reader,
    accountId,
    (tx, after) => store.findRegistrationAfter(tx, event.id, after, REGISTRATIONS_A_READ),
    (tx, stretch) => store.groupRegistrations(tx, event.id, stretch),
  )
  for await (const groups of registrations) {
    if (signal?.aborted) throw new CountingStopped()
    for (const group of groups)
      addGroup(counted, sales, days, { ...group, isExtra: extras.has(group.registration_type_id) })
  }
  counted.sales = [...sales.values()].sort((one, other) => (one.day < other.day ? -1 : 1))

  const quarters = new Map<number, number>()
  const checkIns = groupsOf(
    reader,
    accountId,
    (tx, after) => store.findCheckInAfter(tx, event.id, after, CHECK_INS_A_READ),
    (tx, stretch) => store.groupCheckIns(tx, event.id, stretch),
  )
  for await (const groups of checkIns) {
    if (signal?.aborted) throw new CountingStopped()
    for (const { registration_type_id: type, quarter, check_ins } of groups) {
      counted.check_ins += check_ins
      counted.check_ins_by_type[type] = (counted.check_ins_by_type[type] ?? 0) + check_ins
      quarters.set(quarter, (quarters.get(quarter) ?? 0) + check_ins)
    }
  }
  counted.check_ins_by_hour = hoursOfLastDay(quarters, days)
  return counted
}

/**
 * Returns the hours of the last day that has any check-ins, oldest first.
 *
 * @param quarters the check-ins by quarters of an hour since 1970
 */
function hoursOfLastDay(
  quarters: ReadonlyMap<number, number>,
  days: LocalDays,
): Counted['check_ins_by_hour'] {
  const sorted = [...quarters].sort(([one], [other]) => one - other)
  const [last] = sorted.at(-1) ?? []
  if (last === undefined) return []
  const { from } = days.of(last * QUARTER)
  const hours = new Map<number, number>()
  for (const [quarter, checkIns] of sorted) {
    const hour = from + Math.floor((quarter * QUARTER - from) / HOUR) * HOUR
    if (hour >= from) hours.set(hour, (hours.get(hour) ?? 0) + checkIns)
  }
  return [...hours].map(([hour, checkIns]) => ({ hour: toIso(hour), check_ins: checkIns }))
}

/**
 * Yields what the database groups, one stretch a read. Reading each row would take most of the time.
 *
 * @param find finds the end of a stretch
 */
async function* groupsOf<Group>(
  reader: Reader,
  accountId: string,
  find: (tx: ReadTx, after: Position) => Promise<Position | undefined>,
  group: (tx: ReadTx, stretch: store.Stretch) => Promise<Group[]>,
): AsyncGenerator<Group[]> {
  let after: Position | undefined = FIRST
  while (after !== undefined) {
    const from: Position = after
    const { groups, end } = await reader.read(accountId, async tx => {
      const end = await find(tx, from)
      return { groups: await group(tx, { after: from, to: end ?? LAST }), end }
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
  group: store.RegistrationGroupRow & { isExtra: boolean },
): void {
  const { status, quantity, currency, registrations, quarter, isExtra } = group
  if (!isExtra) counted.registrations[status] += registrations
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
  ofDay.registrations += isExtra ? 0 : registrations
  ofDay.tickets += isExtra ? 0 : quantity
  ofDay.amounts[currency] = (ofDay.amounts[currency] ?? 0) + group.amount_total
}
