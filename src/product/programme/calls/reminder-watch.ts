import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import { type CallToRemind, dueReminder, isReminded, listToRemind } from './reminders.ts'
import { remind } from './telling.ts'

/** One read looks at this many calls. */
const BATCH = 100

export interface CallWatchOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Reminds those who have drafts, of each call, when it is time, or once the server runs again. */
export function callWatch({ db, clock, log }: CallWatchOptions): Sweep {
  const look = async (signal: AbortSignal) => {
    const now = clock()
    let last: CallToRemind | undefined
    do {
      const some: CallToRemind[] = await db.read(INSTANCE, tx => listToRemind(tx, last, now, BATCH))
      for (const call of some) {
        if (signal.aborted) return
        const due = dueReminder(call, now)
        if (due === undefined || isReminded(call, due)) continue
        await db.write(call.account_id, tx => remind(tx, call.event_id))
      }
      last = some.length < BATCH ? undefined : some.at(-1)
    } while (last !== undefined)
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'reminders of calls wait for the database')
  return new Sweep({ look, failed })
}
