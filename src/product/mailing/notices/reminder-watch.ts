import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import { LONGEST_AHEAD, listToRemind, remindAt } from '#product/catalog/events/reminders.ts'
import { remind } from './rules.ts'

/** One read looks at this many events. */
const BATCH = 100

export interface ReminderWatchOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Reminds the people of each event when it is time, or once the server runs again. */
export function reminderWatch({ db, clock, log }: ReminderWatchOptions): Sweep {
  const look = async (signal: AbortSignal) => {
    const now = clock()
    let last = { starts_at: now, id: '' }
    for (;;) {
      const some = await db.read(INSTANCE, tx => listToRemind(tx, last, now + LONGEST_AHEAD, BATCH))
      for (const { id, account_id, starts_at, timezone } of some) {
        if (signal.aborted) return
        if (now >= remindAt(starts_at, timezone)) await db.write(account_id, tx => remind(tx, id))
      }
      const end = some.at(-1)
      if (end === undefined || some.length < BATCH) return
      last = end
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'reminders wait for the database')
  return new Sweep({ look, failed })
}
