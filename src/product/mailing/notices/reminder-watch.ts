import type { Logger } from 'pino'
import type { Database } from '../db/port.ts'
import { LONGEST_AHEAD, listToRemind, remindAt } from '../events/reminders.ts'
import { Sweep } from '../ops/sweep.ts'
import { type Clock, MINUTE } from '../time.ts'
import { remind } from './rules.ts'

/** Events that one read looks at. */
const BATCH = 100

export interface ReminderWatchOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Has the people of each event reminded when it is time: within a minute, or once the server is there again. */
export function reminderWatch({ db, clock, log }: ReminderWatchOptions): Sweep {
  const look = async (signal: AbortSignal) => {
    const now = clock()
    let last = { starts_at: now, id: '' }
    for (;;) {
      const some = await db.read(tx => listToRemind(tx, last, now + LONGEST_AHEAD, BATCH))
      for (const { id, account_id, starts_at, timezone } of some) {
        if (signal.aborted) return
        if (now >= remindAt(starts_at, timezone)) await db.write(account_id, tx => remind(tx, account_id, id))
      }
      const end = some.at(-1)
      if (end === undefined || some.length < BATCH) return
      last = end
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'reminders wait for the database')
  return new Sweep({ look, interval: MINUTE, failed })
}
