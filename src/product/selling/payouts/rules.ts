import { Problem } from '#base/problem.ts'
import { DAY, monthOf, monthsSince } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { PayoutFacts, PayoutLineFacts, PayoutsDenied } from './facts.ts'
import {
  groupOf,
  type Payout,
  type PayoutGroup,
  type PayoutLine,
  type PayoutReading,
  presentPayout,
  presentPayoutLine,
} from './schemas.ts'
import * as store from './store.ts'

/** How many days a booking of a bank may be before or after the day on which a payout arrives. */
const DAYS_APART = 5
/** How many payouts of one amount a line of a bank is compared with. */
const MOST_ALIKE = 20
/** The most months that a list has. */
const MOST_MONTHS = 240

/** Stores what a processor says of payouts. A second call with the same facts changes nothing. */
export async function note(tx: WriteTx, found: readonly PayoutFacts[]): Promise<void> {
  const now = await tx.now()
  for (const facts of found) await store.save(tx, facts, now)
}

/** Returns which of these payouts have a list that is still to be read. */
export async function listWaiting(tx: ReadTx, ids: readonly string[]): Promise<string[]> {
  const waiting: string[] = []
  for (const id of ids) if ((await store.find(tx, id))?.list === 'waiting') waiting.push(id)
  return waiting
}

/** Adds lines to a payout. Those that are known change nothing, so the reading of a list can begin anew. */
export async function addLines(
  tx: WriteTx,
  payoutId: string,
  lines: readonly PayoutLineFacts[],
): Promise<void> {
  const now = await tx.now()
  for (const line of lines) await store.insertLine(tx, payoutId, line, now)
}

/** Notes that all lines of a payout are there, with what they come to. */
export async function complete(tx: WriteTx, payoutId: string): Promise<void> {
  await store.complete(tx, payoutId, await tx.now())
}

/**
 * Notes how a reading went.
 *
 * @param denied what the key may not read; null if all was read
 */
export async function noteReading(tx: WriteTx, denied: PayoutsDenied | null): Promise<void> {
  await store.saveReading(tx, { denied, readAt: denied === null ? tx.clock() : null }, await tx.now())
}

export async function findReading(tx: ReadTx): Promise<PayoutReading | undefined> {
  const row = await store.findReading(tx)
  return row && { denied: row.denied, readAt: row.read_at }
}

export async function hasAny(tx: ReadTx): Promise<boolean> {
  return (await store.findDay(tx, 'first')) !== undefined
}

/** @throws Problem not_found */
export async function get(tx: ReadTx, id: string): Promise<Payout> {
  const row = await store.find(tx, id)
  if (row === undefined) throw new Problem('not_found')
  return presentPayout(row)
}

/**
 * Returns the months from the one in which the first payout arrives to the current one, newest first, such as `2026-11`. A payout
 * that is under way may arrive in the next month, which is listed then too.
 *
 * @param now milliseconds
 */
export async function listMonths(tx: ReadTx, now: number, timezone: string): Promise<string[]> {
  const first = (await store.findDay(tx, 'first')) ?? monthOf(now, timezone)
  const last = await store.findDay(tx, 'last')
  const until = last !== undefined && last.slice(0, 7) > monthOf(now, timezone) ? middleOf(last) : now
  return monthsSince(Math.min(middleOf(first), until), until, timezone, MOST_MONTHS)
}

/** Returns an instant that is in the same month in every time zone. */
function middleOf(day: string): number {
  return Date.parse(`${day.slice(0, 7)}-15T12:00:00Z`)
}

/** Returns the first day of a month, and that of the next one. */
export function daysOf(month: string): store.Days {
  const next = new Date(middleOf(month) + 30 * DAY).toISOString().slice(0, 7)
  return { from: `${month}-01`, until: `${next}-01` }
}

/** Returns payouts that arrive in a month, the oldest first. @param after the payout before them */
export async function listOfMonth(
  tx: ReadTx,
  month: string,
  limit: number,
  after?: Pick<Payout, 'arrivesOn' | 'id'>,
): Promise<Payout[]> {
  const last = after && { arrives_on: after.arrivesOn, id: after.id }
  return (await store.listByArrival(tx, daysOf(month), last, limit)).map(presentPayout)
}

/** Returns lines of a payout, in the order of their kinds. @param after the line before them */
export async function listLines(
  tx: ReadTx,
  payoutId: string,
  limit: number,
  after?: Pick<PayoutLine, 'kind' | 'id'>,
): Promise<PayoutLine[]> {
  return (await store.listLines(tx, payoutId, after, limit)).map(presentPayoutLine)
}

/**
 * Returns the same after the line with an id.
 *
 * @throws Problem not_found if the payout does not have that line
 */
export async function listLinesAfter(
  tx: ReadTx,
  payoutId: string,
  limit: number,
  afterId: string | undefined,
): Promise<PayoutLine[]> {
  if (afterId === undefined) return listLines(tx, payoutId, limit)
  const after = await store.findPlace(tx, payoutId, afterId)
  if (after === undefined) throw new Problem('not_found')
  return listLines(tx, payoutId, limit, after)
}

/** What the lines of a group come to, in minor units. */
export interface GroupSum {
  group: PayoutGroup
  lines: number
  amount: number
}

/**
 * Returns what a payout holds, by group. The fees of payments, refunds and disputes are in the group of fees, and those of what is
 * not from here in its own group. Together they come to what all lines come to.
 */
export async function sumUp(tx: ReadTx, payoutId: string): Promise<GroupSum[]> {
  const sums = new Map<PayoutGroup, GroupSum>()
  const add = (group: PayoutGroup, lines: number, amount: number) => {
    const sum = sums.get(group) ?? { group, lines: 0, amount: 0 }
    sums.set(group, { group, lines: sum.lines + lines, amount: sum.amount + amount })
  }
  for (const row of await store.sumUp(tx, payoutId)) {
    const group = groupOf(row.kind, true)
    const isOurs = groupOf(row.kind, false) === group
    const own = isOurs
      ? { lines: row.lines, amount: row.amount, fee: row.fee }
      : { lines: row.own_lines, amount: row.own_amount, fee: row.own_fee }
    if (own.lines > 0) add(group, own.lines, own.amount)
    if (own.fee !== 0) add('fees', 0, -own.fee)
    if (row.lines > own.lines)
      add('foreign', row.lines - own.lines, row.amount - own.amount - (row.fee - own.fee))
  }
  return [...sums.values()]
}

export function countPayments(tx: ReadTx, payoutId: string): Promise<number> {
  return store.countPayments(tx, payoutId)
}

/**
 * Returns the payouts that a booking of a bank may be: those of its amount and currency that did not fail and arrive within five
 * days of it. A payout that another booking was matched to is among them.
 *
 * @param line its date as `YYYY-MM-DD`
 */
export async function listForBooking(
  tx: ReadTx,
  { date, amount, currency }: { date: string; amount: number; currency: string },
): Promise<Payout[]> {
  if (amount <= 0) return []
  const day = (days: number) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)
  const days = { from: day(-DAYS_APART), to: day(DAYS_APART) }
  const rows = await store.listByAmount(tx, { amount, ...days, limit: MOST_ALIKE })
  return rows
    .filter(row => row.currency === currency && row.status !== 'failed' && row.status !== 'canceled')
    .map(presentPayout)
}
