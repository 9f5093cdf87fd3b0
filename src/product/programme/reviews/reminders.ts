import type { WriteTx } from '#machinery/db/port.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { Reminding } from '#product/programme/calls/reminder-watch.ts'
import { dueReminder, isReminded } from '#product/programme/calls/reminders.ts'
import * as reminderStore from './reminder-store.ts'
import { remind } from './reviewers.ts'
import * as roundStore from './round-store.ts'

/** Reviewers who are not done are reminded before the review is over. */
export const reviewReminders: Reminding = { list: reminderStore.listToRemind, remind: remindIfDue }

/**
 * Reminds reviewers of what they have not done, if it is time for that. Whoever was reminded by a chair on that day is not again. The
 * mails and the note that they are written are one write, so nobody gets two, however many servers look and whatever crashes.
 *
 * @returns how many are reminded now
 */
async function remindIfDue(tx: WriteTx, eventId: string): Promise<number> {
  // It was deleted after somebody saw that it is time.
  if ((await events.findId(tx, eventId)) === undefined) return 0
  const { timezone, status } = await events.getDetails(tx, eventId)
  const row = await reminderStore.findReminded(tx, eventId)
  if (status === 'cancelled' || row === undefined) return 0
  const due = dueReminder({ closes_at: row.closes_at, zone: timezone }, tx.clock())
  if (due === undefined || isReminded(row, due)) return 0
  await roundStore.setReminded(tx, eventId, due, await tx.now())
  return remind(tx, eventId)
}
