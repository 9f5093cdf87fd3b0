import { CronJob } from 'cron'
import type { Logger } from 'pino'
import * as accessLog from './access-log/store.ts'
import * as accounts from './accounts/store.ts'
import type { Database, WriteTx } from './db/port.ts'
import { deleteExpired } from './http/idempotency.ts'
import { type Clock, DAY } from './time.ts'
import * as webhooks from './webhooks/delivery-list-store.ts'

/** Rows a write: short, so that no check-in waits for the cleaning. */
const ROWS_A_WRITE = 500

/** How long attempts, and the deliveries and events that have ended, are kept. */
const WEBHOOK_RETENTION = 30 * DAY

/** Deletes what is kept for a time only: idempotent answers, what was sent, and access log entries past their days. */
export async function cleanUp(db: Database, clock: Clock, accessLogDays: number): Promise<void> {
  const now = clock()
  await inShortWrites(db, tx => deleteExpired(tx, now, ROWS_A_WRITE))
  const oldest = now - WEBHOOK_RETENTION
  await inShortWrites(db, tx => webhooks.deleteOldAttempts(tx, oldest, ROWS_A_WRITE))
  await inShortWrites(db, tx => webhooks.deleteOldDeliveries(tx, oldest, ROWS_A_WRITE))
  await inShortWrites(db, tx => webhooks.deleteOldEvents(tx, oldest, ROWS_A_WRITE))
  for (const { id } of await db.read(tx => accounts.list(tx))) {
    await inShortWrites(db, tx => accessLog.deleteOlder(tx, id, now - accessLogDays * DAY, ROWS_A_WRITE))
  }
}

async function inShortWrites(db: Database, work: (tx: WriteTx) => Promise<number>): Promise<void> {
  while ((await db.write(work)) === ROWS_A_WRITE);
}

/** Cleans up every hour. @returns what stops it, once a run under way has ended */
export function startHousekeeping(
  db: Database,
  clock: Clock,
  accessLogDays: number,
  log: Logger,
): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const job = CronJob.from({
    cronTime: '0 17 * * * *',
    start: true,
    onTick: () => {
      running = cleanUp(db, clock, accessLogDays).catch(error =>
        log.error({ err: error }, 'the cleaning failed'),
      )
    },
  })
  return async () => {
    await job.stop()
    await running
  }
}
