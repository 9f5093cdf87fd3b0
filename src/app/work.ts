import type { LookupFunction } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import type { Instance } from '#machinery/db/instance.ts'
import type { Database } from '#machinery/db/port.ts'
import type { MailLoop } from '#machinery/mail/loop.ts'
import type { Metrics } from '#machinery/ops/metrics.ts'
import { DeliveryLoop } from '#product/administration/webhooks/delivery/loop.ts'
import { Sender } from '#product/administration/webhooks/delivery/sender.ts'
import type { Reconciler } from '#product/selling/payments/reconciler.ts'
import type { StripeFeed } from '#product/selling/payments/stripe/feed.ts'
import { type Background, startAtTheDoor, startBackground } from './background.ts'
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
  /** Hears what webhooks of Stripe bring, on each server of a database. A box at the door has none. */
  feed: StripeFeed | undefined
  /** The address that the server listens on. */
  url: string
  metrics: Metrics | undefined
  /** These options are those of the whole server. */
  webhookDeadline?: number
  webhookQuick?: number
  webhookLookup?: LookupFunction
  random?: () => number
}

/** The work that has been started. */
export interface Work {
  deliveries?: DeliveryLoop
  mails?: MailLoop | undefined
  /** Settles payments. */
  reconciler?: Reconciler
  /** Learns what happens at Stripe. */
  feed?: StripeFeed | undefined
  background?: Background
}

/**
 * Starts what a server does by itself. A box at the door counts and decides about many scans at once. It leaves everything else
 * to the server that it helps.
 */
export function startWork(options: WorkOptions): Work {
  const { config, clock, log, db, mail, payments } = options
  const { processors } = payments.reconciler
  const background = { config, clock, log, db, processors }
  if (config.doorOnly) return { background: startAtTheDoor(background) }
  payments.begin()
  return {
    deliveries: startDeliveries(options),
    mails: mail.start(db, { url: options.url, secret: options.instance.cursor_secret }),
    feed: options.feed,
    reconciler: payments.reconciler,
    background: startBackground(background),
  }
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
    ...{ db, clock, log, sender, quick: options.webhookQuick },
    random: options.random ?? Math.random,
    observe: metrics?.observeAttempt,
  })
  deliveries.start()
  return deliveries
}
