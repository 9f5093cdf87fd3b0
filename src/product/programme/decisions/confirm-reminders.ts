import { unlessMissing } from '#base/problem.ts'
import type { WriteTx } from '#machinery/db/port.ts'
import { queue } from '#machinery/mail/outbox.ts'
import * as events from '#product/catalog/events/rules.ts'
import * as after from '#product/programme/abstracts/after.ts'
import { getSubmitted } from '#product/programme/abstracts/submitted.ts'
import { findTerms } from '#product/programme/abstracts/terms.ts'
import { dueReminder } from '#product/programme/calls/reminders.ts'
import { findByAbstract } from '#product/programme/submissions/rules.ts'
import { isErased } from '#product/programme/submissions/submitters.ts'
import { confirmReminderMail } from './after-kinds.ts'

/**
 * Returns which reminder is due, as so many days before the end of the time to confirm. Who was asked after it became due has just
 * read of that time.
 *
 * @returns undefined if none is, or it was sent
 */
export function dueDays(
  { confirm_by, confirm_reminded, decided_at, timezone }: Omit<after.ToRemind, 'id' | 'account_id'>,
  now: number,
): number | undefined {
  const due = dueReminder({ closes_at: confirm_by, zone: timezone }, now)
  if (due === undefined || due.at <= decided_at) return undefined
  return confirm_reminded !== null && confirm_reminded <= due.days ? undefined : due.days
}

/**
 * Reminds the authors of an abstract to confirm, if it is time for that and they were not reminded: once, however many servers look.
 *
 * @returns whether they get a mail
 */
export async function remind(tx: WriteTx, id: string): Promise<boolean> {
  const abstract = await unlessMissing(getSubmitted(tx, id))
  if (abstract?.status !== 'accepted' || abstract.withdrawn_at !== null || abstract.confirmed_at !== null)
    return false
  const { confirm_reminded } = await after.getAfter(tx, id)
  const confirm_by = (await findTerms(tx, id))?.confirm_by ?? null
  const { timezone, status } = await events.getDetails(tx, abstract.event_id)
  if (confirm_by === null || status !== 'published') return false
  const asked = { confirm_by, decided_at: Date.parse(abstract.decided_at ?? '') }
  const days = dueDays({ ...asked, confirm_reminded, timezone }, tx.clock())
  if (days === undefined) return false
  await after.markConfirmReminded(tx, id, days)
  return write(tx, { id, cause: `${id} ${confirm_by} ${days}` })
}

/** Mails whoever has submitted an abstract. @returns whether they get a mail that they did not have */
export async function write(tx: WriteTx, { id, cause }: { id: string; cause: string }): Promise<boolean> {
  const of = await findByAbstract(tx, id)
  if (of === undefined || isErased(of.submitter)) return false
  const { email: recipient, language, event_id: eventId } = of.submitter
  return queue(tx, confirmReminderMail, { cause, recipient, language, eventId, subjectId: id })
}
