import type { Logger } from 'pino'
import { sendAnnouncement } from '../announcements/send.ts'
import { matchLines } from '../bank-statements/matching.ts'
import { refundEvent } from '../cancellations/event.ts'
import { cancelGuests } from '../cancellations/rules.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/port.ts'
import { FigureCounter } from '../figures/counter.ts'
import { check } from '../imports/check.ts'
import { importGuests } from '../imports/import.ts'
import type { JobKind } from '../jobs/rules.ts'
import { JobRunner } from '../jobs/runner.ts'
import { reminderWatch } from '../notices/reminder-watch.ts'
import { sendNotice } from '../notices/send.ts'
import { startHousekeeping } from '../ops/housekeeping.ts'
import { orderExpiry } from '../orders/expiry.ts'
import { offerMore } from '../orders/offers.ts'
import type { Clock } from '../time.ts'
import { removeEndpoints } from '../webhooks/removal.ts'
import { retryFailedDeliveries } from '../webhooks/retry-all.ts'
import { cleanUp } from './cleaning.ts'

/** Every kind of long work that is done in batches. */
const kinds: readonly JobKind[] = [
  check,
  importGuests,
  cancelGuests,
  refundEvent,
  sendAnnouncement,
  sendNotice,
  offerMore,
  removeEndpoints,
  retryFailedDeliveries,
  matchLines,
]

export interface BackgroundOptions {
  config: Config
  clock: Clock
  log: Logger
  db: Database
  /** How long after the start it first cleans up, in milliseconds. */
  cleaningAfter: number | undefined
}

/** Starts what a server does beside its requests: it counts, does jobs, ends orders whose time is over, reminds of events, and cleans up. @returns stops all of it */
export function startBackground(options: BackgroundOptions): () => Promise<void> {
  const { config, clock, log, db, cleaningAfter } = options
  const stopCounting = startCounting(options)
  const jobs = new JobRunner({ db, clock, log, kinds })
  const clean = (signal: AbortSignal) => cleanUp(db, clock, config.accessLogDays, signal)
  const expiry = orderExpiry({ db, clock, log })
  const reminders = reminderWatch({ db, clock, log })
  expiry.start()
  reminders.start()
  jobs.start()
  const stopCleaning = startHousekeeping({ clean, log, firstAfter: cleaningAfter })
  return async () => {
    await stopCleaning()
    await stopCounting()
    await expiry.stop()
    await reminders.stop()
    await jobs.stop()
  }
}

/** Starts what the figures of pages need, and nothing that anybody else would notice. @returns stops it */
export function startCounting({ clock, log, db }: BackgroundOptions): () => Promise<void> {
  const figures = new FigureCounter({ db, clock, log })
  figures.start()
  return () => figures.stop()
}
