import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { Sweep } from '#machinery/ops/sweep.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import { JobRunner } from '#product/administration/jobs/runner.ts'
import { removeEndpoints } from '#product/administration/webhooks/removal.ts'
import { retryFailedDeliveries } from '#product/administration/webhooks/retry-all.ts'
import { pictureSizing } from '#product/catalog/events/size-pictures.ts'
import { deleteInBatches } from '#product/data-care/deletion/delete-in-batches.ts'
import { forgetting } from '#product/data-care/forgetting/watch.ts'
import { markPrinted } from '#product/entrance/badges/mark-printed.ts'
import { DECIDE, decideMany } from '#product/entrance/check-ins/decide-many.ts'
import { importGuests } from '#product/entrance/check-ins/imported.ts'
import { check } from '#product/guests/imports/check.ts'
import { sendAnnouncement } from '#product/mailing/announcements/send.ts'
import { reminderWatch } from '#product/mailing/notices/reminder-watch.ts'
import { sendNotice } from '#product/mailing/notices/send.ts'
import { importAbstracts } from '#product/programme/abstract-imports/import.ts'
import { callReminders, deadlineWatch } from '#product/programme/calls/reminder-watch.ts'
import { confirmWatch } from '#product/programme/decisions/confirm-watch.ts'
import { remindingUnconfirmed } from '#product/programme/decisions/remind-unconfirmed.ts'
import { sendDecisions } from '#product/programme/decisions/sending.ts'
import { tellProgramme } from '#product/programme/publishing/telling.ts'
import { reviewReminders } from '#product/programme/reviews/reminders.ts'
import { tellSubmitters } from '#product/programme/submissions/tell.ts'
import { FigureCounter } from '#product/reporting/figures/counter.ts'
import { matchLines } from '#product/selling/bank-statements/matching.ts'
import { refundEvent } from '#product/selling/event-cancellation/event.ts'
import { cancelGuests } from '#product/selling/event-cancellation/rules.ts'
import { sendTickets } from '#product/selling/guest-mails/send-tickets.ts'
import { orderExpiry } from '#product/selling/orders/expiry.ts'
import { offerMore } from '#product/selling/orders/offers.ts'
import { payableBy } from '#product/selling/payments/methods.ts'
import type { Processors } from '#product/selling/payments/processor.ts'
import { cleanUp } from './cleaning.ts'

/** All kinds of long work that jobs do in batches. */
const kindsOf = (processors: Processors): readonly JobKind[] => [
  check,
  importGuests,
  importAbstracts,
  sendDecisions,
  cancelGuests,
  refundEvent,
  sendAnnouncement,
  sendNotice,
  sendTickets,
  tellSubmitters,
  remindingUnconfirmed,
  tellProgramme,
  offerMore(payableBy(processors)),
  removeEndpoints,
  retryFailedDeliveries,
  matchLines,
  decideMany,
  markPrinted,
  deleteInBatches,
]

export interface BackgroundOptions {
  config: Config
  clock: Clock
  log: Logger
  db: Database
  processors: Processors
}

/** The work that a server does beside its requests, without the sending of webhooks and mails and the settling of payments. */
export interface Background {
  figures: FigureCounter
  jobs: JobRunner
  /** Ends orders whose time is over. */
  orders?: Sweep
  reminders?: Sweep
  /** Reminds people of abstracts that they have not sent, and of reviews that they have not done. */
  calls?: Sweep
  /** Reminds people to confirm that their abstracts are presented. */
  confirmations?: Sweep
  /** Makes guests of events anonymous that were over long ago, where an account wants it. */
  forgetting?: Sweep
  /** Makes the sizes of pictures. */
  pictures?: Sweep
  cleaning?: Sweep
}

export function startBackground(options: BackgroundOptions): Background {
  const { config, clock, log, db, processors } = options
  const jobs = new JobRunner({ db, clock, log, kinds: kindsOf(processors) })
  jobs.start()
  const failed = (name: string, error: unknown) =>
    log.error({ err: error, cleaning: name }, 'the cleaning failed')
  return {
    figures: new FigureCounter({ db, clock, log }),
    jobs,
    orders: orderExpiry({ db, clock, log }),
    reminders: reminderWatch({ db, clock, log }),
    calls: deadlineWatch({ db, clock, log }, [callReminders, reviewReminders]),
    confirmations: confirmWatch({ db, clock, log }),
    forgetting: forgetting({ db, clock, log }),
    pictures: pictureSizing({ db, log }),
    cleaning: new Sweep({
      look: signal => cleanUp(db, clock, config.accessLogDays, { signal, failed }),
      failed: error => log.error({ err: error }, 'the cleaning failed'),
    }),
  }
}

/** Starts the work of a box at the door: it counts, and decides about many scans. Nothing of that leaves the box. */
export function startAtTheDoor({ clock, log, db }: BackgroundOptions): Background {
  const jobs = new JobRunner({ db, clock, log, kinds: [decideMany], onlyKind: DECIDE })
  jobs.start()
  return { figures: new FigureCounter({ db, clock, log }), jobs }
}

export async function stopBackground(background: Background): Promise<void> {
  const { cleaning, figures, orders, reminders, calls, confirmations } = background
  const { forgetting, pictures, jobs } = background
  const all = [cleaning, figures, orders, reminders, calls, confirmations, forgetting, pictures, jobs]
  for (const each of all) await each?.stop()
}
