import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Instance } from '../db/instance.ts'
import type { Database } from '../db/port.ts'
import type { Metrics } from '../ops/metrics.ts'
import type { Clock } from '../time.ts'
import { DeliveryLoop } from '../webhooks/delivery/loop.ts'
import { Sender } from '../webhooks/delivery/sender.ts'
import { startBackground, startCounting } from './background.ts'
import type { Mailing } from './mail.ts'
import type { Payments } from './payments.ts'

export interface WorkOptions {
  config: Config
  clock: Clock
  log: Logger
  db: Database
  instance: Instance
  mail: Mailing
  payments: Payments
  /** The address that the server listens on. */
  url: string
  metrics: Metrics | undefined
  /** As of the whole server. */
  webhookDeadline?: number
  webhookLookup?: LookupFunction
  random?: () => number
  cleaningAfter?: number
}

/** What has been started, beside the mails and payments that are stopped by themselves. */
export interface Work {
  deliveries?: DeliveryLoop
  stopBackground?: () => Promise<void>
}

/** Starts what a server does by itself. A box at the door counts, and leaves all the rest to the server that it helps. */
export function startWork(options: WorkOptions, running: Work): void {
  const { config, clock, log, db, mail, payments, cleaningAfter } = options
  const background = { config, clock, log, db, cleaningAfter }
  if (config.doorOnly) {
    running.stopBackground = startCounting(background)
    return
  }
  running.deliveries = startDeliveries(options)
  mail.start(db, { url: options.url, secret: options.instance.cursor_secret })
  payments.start()
  running.stopBackground = startBackground(background)
}

function startDeliveries(options: WorkOptions): DeliveryLoop {
  const { config, clock, log, db, metrics, webhookDeadline, webhookLookup } = options
  const sender = new Sender({
    clock,
    allowInsecure: config.allowInsecureWebhooks,
    deadline: webhookDeadline,
    lookup: webhookLookup,
  })
  const deliveries = new DeliveryLoop({
    ...{ db, clock, log, sender },
    random: options.random ?? Math.random,
    observe: metrics?.observeAttempt,
  })
  deliveries.start()
  return deliveries
}
