import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database, ReadTx } from '../db/port.ts'
import type { MeteredPayments } from '../ops/metrics.ts'
import * as metered from '../payments/metered.ts'
import type { Processor, ProcessorName } from '../payments/processor.ts'
import { Reconciler } from '../payments/reconciler.ts'
import { StripeService } from '../payments/stripe/stripe.ts'
import { TestProcessor } from '../payments/test-processor.ts'
import type { Clock } from '../time.ts'

export interface PaymentsOptions {
  config: Pick<Config, 'testPayments' | 'stripeApi'>
  clock: Clock
  log: Logger
  db: Database
  /** The address that people use. */
  baseUrl: string
  /** Of the instance: what the secrets in links are made of. */
  secret: string
}

/** The processors of a server, and what settles with them. */
export class Payments {
  readonly reconciler: Reconciler
  readonly stripe: StripeService
  readonly #log: Logger

  constructor({ config, clock, log, db, baseUrl, secret }: PaymentsOptions) {
    this.#log = log
    const { testPayments: allowsTest, stripeApi: api } = config
    this.stripe = new StripeService({ db, clock, api, allowsTest, baseUrl })
    const processors = new Map<ProcessorName, Processor>([['stripe', this.stripe.processor]])
    if (allowsTest) processors.set('test', new TestProcessor({ db, clock, baseUrl }))
    this.reconciler = new Reconciler({ db, clock, log, processors, server: { baseUrl, secret } })
  }

  start(): void {
    this.reconciler.start()
    this.stripe.start(this.#log, (accountId, paymentId) => this.reconciler.look(accountId, paymentId))
  }

  async stop(): Promise<void> {
    // Who settles asks Stripe until the end.
    await this.reconciler.stop()
    await this.stripe.stop()
  }
}

/** What the metrics tell of payments. */
export function meterPayments(db: Pick<Database, 'read'>, clock: Clock): MeteredPayments {
  const at = (look: (tx: ReadTx, now: number) => Promise<number>) => () => db.read(tx => look(tx, clock()))
  return {
    waiting: at(metered.countWaitingPayments),
    oldest: at(metered.ageOfOldestPayment),
    oldestRefund: at(metered.ageOfOldestRefund),
    failedRefunds: () => db.read(metered.countFailedRefunds),
    owedRefunds: () => db.read(metered.countOwedRefunds),
    leastRead: () => db.read(metered.leastRead),
  }
}
