import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import { type Database, INSTANCE, type InstanceReadTx } from '#machinery/db/port.ts'
import type { MeteredPayments } from '#machinery/ops/metrics.ts'
import { offeringReleases } from '#product/selling/orders/offers.ts'
import * as metered from '#product/selling/payments/metered.ts'
import { payableBy } from '#product/selling/payments/methods.ts'
import type { Processor, ProcessorName } from '#product/selling/payments/processor.ts'
import { Reconciler } from '#product/selling/payments/reconciler.ts'
import type { StripeFeed } from '#product/selling/payments/stripe/feed.ts'
import { StripeService } from '#product/selling/payments/stripe/stripe.ts'
import { TestProcessor } from '#product/selling/payments/test-processor.ts'

export interface PaymentsOptions {
  config: Pick<Config, 'testPayments' | 'stripeApi'>
  clock: Clock
  log: Logger
  db: Database
  /** The address that people use. */
  baseUrl: string
  /** The secret of the instance, from which the secrets in links are made. */
  secret: string
}

/** The processors of a server, and the reconciler that settles payments with them. */
export class Payments {
  readonly reconciler: Reconciler
  /** The same database for all code that may give places back. If the next people can pay, it offers them the places. */
  readonly db: Database
  readonly stripe: StripeService
  readonly #log: Logger

  constructor({ config, clock, log, db, baseUrl, secret }: PaymentsOptions) {
    this.#log = log
    const { testPayments: allowsTest, stripeApi: api } = config
    this.stripe = new StripeService({ db, clock, api, allowsTest, baseUrl })
    const processors = new Map<ProcessorName, Processor>([['stripe', this.stripe.processor]])
    if (allowsTest) processors.set('test', new TestProcessor({ db, clock, baseUrl }))
    this.db = offeringReleases(db, payableBy(processors))
    this.reconciler = new Reconciler({ db: this.db, clock, log, processors, server: { baseUrl, secret } })
  }

  /** Begins to hear what webhooks bring. @returns the feed that learns what happens at Stripe */
  listen(): StripeFeed {
    const feed = this.stripe.start(this.#log, (account, payment) => this.reconciler.look(account, payment))
    feed.setLeading(false)
    return feed
  }

  /** Begins to settle payments, and to ask Stripe what has happened. */
  begin(): void {
    this.reconciler.start()
    this.stripe.setLeading(true)
  }

  /** Leaves that to another server of the database, and waits for the steps under way. */
  async end(): Promise<void> {
    this.stripe.setLeading(false)
    await this.reconciler.stop()
  }

  async stop(): Promise<void> {
    // The reconciler asks Stripe until it has ended.
    await this.reconciler.stop()
    await this.stripe.stop()
  }
}

/** Returns the figures that the metrics have about payments. */
export function meterPayments(db: Pick<Database, 'read'>, clock: Clock): MeteredPayments {
  const at = (look: (tx: InstanceReadTx, now: number) => Promise<number>) => () =>
    db.read(INSTANCE, tx => look(tx, clock()))
  return {
    waiting: at(metered.countWaitingPayments),
    oldest: at(metered.ageOfOldestPayment),
    oldestRefund: at(metered.ageOfOldestRefund),
    failedRefunds: () => db.read(INSTANCE, metered.countFailedRefunds),
    owedRefunds: () => db.read(INSTANCE, metered.countOwedRefunds),
    leastRead: () => db.read(INSTANCE, metered.leastRead),
  }
}
