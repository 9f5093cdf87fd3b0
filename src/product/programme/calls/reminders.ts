import { DAY } from '#base/time.ts'
import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import { LONGEST_AHEAD as LONGEST_OF_ONE, remindAt } from '#product/catalog/events/reminders.ts'
import { endOf } from './deadline.ts'
import * as reminderStore from './reminder-store.ts'
import * as store from './store.ts'

/** So many days before a deadline, people are reminded of what they have not done. */
const DAYS = [3, 1] as const
const [FIRST] = DAYS
/** The longest that a reminder comes before the end, in milliseconds. */
export const LONGEST_AHEAD = (FIRST - 1) * DAY + LONGEST_OF_ONE

/** A reminder that is due. Instants are in milliseconds. */
export interface DueReminder {
  closes_at: number
  /** Which of the reminders it is. */
  days: number
  /** When it became due. */
  at: number
}

/**
 * Returns the reminder that is due before a deadline, at a time of day at which nobody sleeps where the deadline is read. Where
 * both are due, it is the later one.
 */
export function dueReminder(
  { closes_at, zone }: { closes_at: number; zone: string },
  now: number,
): DueReminder | undefined {
  if (now >= endOf(closes_at)) return undefined
  const due = DAYS.map(days => ({ closes_at, days, at: remindAt(closes_at, zone, days) }))
  return due.findLast(({ at }) => at <= now)
}

export type CallToRemind = reminderStore.CallToRemindRow

/**
 * Returns the reminder that is due of the call of an event and was not sent yet. Each deadline has its own.
 *
 * @param timezone of the event
 */
export async function findDue(
  tx: ReadTx,
  eventId: string,
  timezone: string,
  now: number,
): Promise<DueReminder | undefined> {
  const row = await reminderStore.findReminded(tx, eventId)
  const due = row && dueReminder({ closes_at: row.closes_at, zone: row.zone ?? timezone }, now)
  return due !== undefined && row !== undefined && !isReminded(row, due) ? due : undefined
}

/** Returns whether a reminder was sent, or a later one for the same deadline. */
export function isReminded(
  { reminded_for, reminded_days }: Pick<CallToRemind, 'reminded_for' | 'reminded_days'>,
  { closes_at, days }: DueReminder,
): boolean {
  return reminded_for === closes_at && reminded_days !== null && reminded_days <= days
}

export async function markReminded(
  tx: WriteTx,
  eventId: string,
  { closes_at, days }: DueReminder,
): Promise<void> {
  await store.setReminded(tx, eventId, { closes_at, days }, await tx.now())
}
