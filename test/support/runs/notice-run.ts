import { openLog } from '#base/log.ts'
import { type Clock, HOUR } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as store from '#machinery/mail/store.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { findUnnotified } from '#product/catalog/events/date-place.ts'
import * as events from '#product/catalog/events/rules.ts'
import { reminderWatch } from '#product/mailing/notices/reminder-watch.ts'
import * as notices from '#product/mailing/notices/rules.ts'
import { sendNotice } from '#product/mailing/notices/send.ts'

/** Notifies those who have tickets of an event of everything, each once. */
export async function tellNotices(
  db: Database,
  clock: Clock,
  { accountId, eventId }: { accountId: string; eventId: string },
): Promise<void> {
  const by = 'user:1'
  const actor = { accountId, who: by, requestId: null, address: null }
  await notices.countRecipients(db, accountId, eventId)
  await db.write(accountId, async tx => {
    const soon = { status: 'published', starts_at: clock() + 3 * HOUR, reminder: 'all' }
    const change =
      'UPDATE events SET status = $3, starts_at = $4, reminder = $5 WHERE account_id = $1 AND id = $2'
    await tx.run(change, [accountId, eventId, ...Object.values(soon)])
    await events.update(tx, eventId, { venue: 'Somewhere else' })
    await findUnnotified(tx, eventId)
    const { id } = await notices.notifyChange(tx, eventId, { total: null, by })
    const claimed = await jobs.claim(tx, id, null)
    if (claimed === undefined) return
    // It runs twice, as if another registration were of the same people, and then the mails are released.
    for (const progress of [null, { until: clock() + HOUR }, { until: clock() + HOUR, sent: '' }]) {
      const position = progress && JSON.stringify(progress)
      const input = { ...claimed.job.input, until: Number.MAX_SAFE_INTEGER }
      await sendNotice.run(tx, { ...claimed.job, input, position }, actor)
    }
    await jobs.stop(tx, id)
    const of = { kind: 'event_changed', cause: 'c', recipient_key: '' }
    await store.setDetails(tx, 'none', '{}', await tx.now())
    await store.revive(tx, 'none', { details: '{}', due: 1 }, await tx.now())
    await store.release(tx, of, { last: 'z', until: 1, due: 2 }, await tx.now())
  })
  await reminderWatch({ db, clock, log: openLog('silent', { write: () => undefined }) }).look()
}
