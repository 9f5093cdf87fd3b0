import { CronJob } from 'cron'
import type { Logger } from 'pino'
import * as accessLog from './access-log/store.ts'
import * as accounts from './accounts/store.ts'
import type { Database, WriteTx } from './db/port.ts'
import { deleteExpired } from './http/idempotency.ts'
import { type Clock, DAY, MINUTE } from './time.ts'
import * as webhooks from './webhooks/delivery-list-store.ts'

/** Rows a write: short, so that no check-in waits for the cleaning. */
const ROWS_A_WRITE = 500

/** How long attempts, and the deliveries and events that have ended, are kept. */
const WEBHOOK_RETENTION = 30 * DAY

/** When a server that has just started cleans up: one at the door may be switched off before the hour is full. */
const FIRST_AFTER = MINUTE

/** Deletes what is kept for a time only: idempotent answers, what was sent, and access log entries past their days. */
export async function cleanUp(
  db: Database,
  clock: Clock,
  accessLogDays: number,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock()
  const inShortWrites = async (work: (tx: WriteTx) => Promise<number>) => {
    while (signal?.aborted !== true && (await db.write(work)) === ROWS_A_WRITE);
  }
  await inShortWrites(tx => deleteExpired(tx, now, ROWS_A_WRITE))
  const oldest = now - WEBHOOK_RETENTION
  await inShortWrites(tx => webhooks.deleteOldAttempts(tx, oldest, ROWS_A_WRITE))
  await inShortWrites(tx => webhooks.deleteOldDeliveries(tx, oldest, ROWS_A_WRITE))
  await inShortWrites(tx => webhooks.deleteOldEvents(tx, oldest, ROWS_A_WRITE))
  for (const { id } of await db.read(tx => accounts.list(tx))) {
    await inShortWrites(tx => accessLog.deleteOlder(tx, id, now - accessLogDays * DAY, ROWS_A_WRITE))
  }
}

export interface HousekeepingOptions {
  db: Database
  clock: Clock
  accessLogDays: number
  log: Logger
  /** For tests: when it cleans up for the first time, in milliseconds. */
  firstAfter?: number | undefined
}

/**
 * Cleans up soon after the start, and then every hour.
 *
 * @returns what stops it, in the middle of a run too: what is left waits for the next start
 */
export function startHousekeeping({
  db,
  clock,
  accessLogDays,
  log,
  firstAfter = FIRST_AFTER,
}: HousekeepingOptions): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    running ??= cleanUp(db, clock, accessLogDays, stopping.signal)
      .catch(error => log.error({ err: error }, 'the cleaning failed'))
      .finally(() => {
        running = undefined
      })
  }
  const first = setTimeout(run, firstAfter).unref()
  const job = CronJob.from({ cronTime: '0 17 * * * *', start: true, onTick: run })
  return async () => {
    clearTimeout(first)
    stopping.abort()
    await job.stop()
    await running
  }
}
