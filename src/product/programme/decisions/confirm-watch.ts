import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { inBatches } from '#machinery/db/batches.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import { listToRemind, type ToRemind } from '#product/programme/abstracts/after.ts'
import { LONGEST_AHEAD } from '#product/programme/calls/reminders.ts'
import { dueDays, remind } from './confirm-reminders.ts'

/** One read looks at this many abstracts, and one write reminds of this many. */
const BATCH = 100
const WRITTEN = 20

export interface ConfirmWatchOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Reminds those who are asked to confirm that they come, and have not, when it is time, or once the server runs again. */
export function confirmWatch({ db, clock, log }: ConfirmWatchOptions): Sweep {
  const look = async (signal: AbortSignal) => {
    const now = clock()
    const time = { now, until: now + LONGEST_AHEAD }
    const batches = inBatches(db, INSTANCE, BATCH, (tx, last: ToRemind | undefined, size) =>
      listToRemind(tx, last, time, size),
    )
    for await (const some of batches) {
      for (const [accountId, ids] of byAccount(some.filter(each => dueDays(each, now) !== undefined))) {
        for (let at = 0; at < ids.length; at += WRITTEN) {
          if (signal.aborted) return
          await db.write(accountId, async tx => {
            for (const id of ids.slice(at, at + WRITTEN)) await remind(tx, id)
          })
        }
      }
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'reminders to confirm wait for the database')
  return new Sweep({ look, failed })
}

function byAccount(rows: readonly ToRemind[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const { account_id, id } of rows) ids.set(account_id, [...(ids.get(account_id) ?? []), id])
  return ids
}
