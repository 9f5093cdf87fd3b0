import type { Logger } from 'pino'
import { type Clock, MINUTE } from '#base/time.ts'
import { inBatches } from '#machinery/db/batches.ts'
import { type Database, INSTANCE, type InstanceReadTx, type WriteTx } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import { listToRemind } from './reminder-store.ts'
import { type CallToRemind, dueReminder, isReminded, LONGEST_AHEAD } from './reminders.ts'
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
  /** Lists those of all accounts that end after one and not after `until`, in the order of their ends. */
  list(
    tx: InstanceReadTx,
    after: Pick<Deadline, 'closes_at' | 'event_id'>,
    until: number,
    limit: number,
  ): Promise<Deadline[]>
  /** Reminds people, if it is time for that and they were not reminded. */
  remind(tx: WriteTx, eventId: string): Promise<unknown>
}

/** Those who have drafts are reminded before a call is over. */
export const callReminders: Reminding = { list: listToRemind, remind }

/** Reminds people before each deadline, when it is time, or once the server runs again. */
export function deadlineWatch({ db, clock, log }: WatchOptions, kinds: readonly Reminding[]): Sweep {
  const lookAt = async ({ list, remind }: Reminding, now: number, signal: AbortSignal) => {
    const time = { from: now - MINUTE, until: now + LONGEST_AHEAD }
    const batches = inBatches(db, INSTANCE, BATCH, (tx, last: Deadline | undefined, size) =>
      list(tx, last ?? { closes_at: time.from, event_id: '' }, time.until, size),
    )
    for await (const some of batches) {
      for (const deadline of some) {
        if (signal.aborted) return
        const due = dueReminder(deadline, now)
        if (due === undefined || isReminded(deadline, due)) continue
        await db.write(deadline.account_id, tx => remind(tx, deadline.event_id))
      }
    }
  }
  const look = async (signal: AbortSignal) => {
    for (const each of kinds) await lookAt(each, clock(), signal)
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'reminders of deadlines wait for the database')
  return new Sweep({ look, failed })
}
