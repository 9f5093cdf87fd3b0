import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE, type InstanceReadTx, type WriteTx } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import { type CallToRemind, dueReminder, isReminded, listToRemind } from './reminders.ts'
import { remind } from './telling.ts'

/** One read looks at this many deadlines. */
const BATCH = 100

export interface WatchOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** A deadline of an event, before which people are reminded. */
export type Deadline = CallToRemind

/** What ends at such deadlines. */
export interface Reminding {
  /** Lists those of all accounts that are soon over, in the order of their ends. @param last the one before, if any */
  list(tx: InstanceReadTx, last: Deadline | undefined, now: number, limit: number): Promise<Deadline[]>
  /** Reminds people, if it is time for that and they were not reminded. */
  remind(tx: WriteTx, eventId: string): Promise<unknown>
}

/** Those who have drafts are reminded before a call is over. */
export const callReminders: Reminding = { list: listToRemind, remind }

/** Reminds people before each deadline, when it is time, or once the server runs again. */
export function deadlineWatch({ db, clock, log }: WatchOptions, kinds: readonly Reminding[]): Sweep {
  const lookAt = async ({ list, remind }: Reminding, now: number, signal: AbortSignal) => {
    let last: Deadline | undefined
    do {
      const some: Deadline[] = await db.read(INSTANCE, tx => list(tx, last, now, BATCH))
      for (const deadline of some) {
        if (signal.aborted) return
        const due = dueReminder(deadline, now)
        if (due === undefined || isReminded(deadline, due)) continue
        await db.write(deadline.account_id, tx => remind(tx, deadline.event_id))
      }
      last = some.length < BATCH ? undefined : some.at(-1)
    } while (last !== undefined)
  }
  const look = async (signal: AbortSignal) => {
    for (const each of kinds) await lookAt(each, clock(), signal)
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'reminders of deadlines wait for the database')
  return new Sweep({ look, failed })
}
