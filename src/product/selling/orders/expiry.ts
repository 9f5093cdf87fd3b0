import type { Logger } from 'pino'
import { type Database, DatabaseUnavailable } from '../db/port.ts'
import { Sweep } from '../ops/sweep.ts'
import { type Clock, SECOND } from '../time.ts'
import * as due from './due.ts'
import * as orders from './rules.ts'

/** How often it looks, in milliseconds. */
const INTERVAL = 5 * SECOND
/** Orders that one look takes. */
const BATCH = 100

export interface ExpiryOptions {
  db: Database
  clock: Clock
  log: Logger
}

/** Ends orders whose time is over, and gives their places back, within some seconds. */
export function orderExpiry({ db, clock, log }: ExpiryOptions): Sweep {
  const look = async (signal: AbortSignal) => {
    const failures: unknown[] = []
    for (;;) {
      const over = await db.read(tx => due.listDue(tx, clock(), BATCH))
      for (const { id, account_id } of over) {
        if (signal.aborted) return
        try {
          await db.write(account_id, tx => orders.expire(tx, account_id, id))
        } catch (error) {
          if (error instanceof DatabaseUnavailable) throw error
          // One that cannot be ended, as it is damaged, stays due, and keeps no other from its end.
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
      if (over.length < BATCH) return
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'orders that are over wait for the database')
  return new Sweep({ look, interval: INTERVAL, failed })
}
