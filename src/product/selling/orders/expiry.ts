import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import { type Database, DatabaseUnavailable, INSTANCE } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import { listDue } from './reservation-time.ts'
import * as orders from './rules.ts'

/** How many orders the sweep reads at a time. */
const BATCH = 100

export interface ExpiryOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Returns the sweep that ends orders whose time is over and gives their places back. */
export function orderExpiry({ db, clock, log }: ExpiryOptions): Sweep {
  const look = async (signal: AbortSignal) => {
    const failures: unknown[] = []
    for (;;) {
      const over = await db.read(INSTANCE, tx => listDue(tx, clock(), BATCH))
      for (const { id, account_id } of over) {
        if (signal.aborted) return
        try {
          await db.write(account_id, tx => orders.expire(tx, id))
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error
          // An order that cannot be ended because it is damaged stays due, and does not keep others from their end.
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
      if (over.length < BATCH) return
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'orders that are over wait for the database')
  return new Sweep({ look, failed })
}
