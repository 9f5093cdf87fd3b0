import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Database } from '../db/port.ts'
import type { Processor, ProcessorName } from '../payments/processor.ts'
import { Reconciler } from '../payments/reconciler.ts'
import { TestProcessor } from '../payments/test-processor.ts'
import type { Clock } from '../time.ts'

export interface PaymentsOptions {
  config: Pick<Config, 'testPayments'>
  clock: Clock
  log: Logger
  db: Database
  /** The address that people use. */
  baseUrl: string
  /** Of the instance: what the secrets in links are made of. */
  secret: string
}

/** The processors of a server, and what settles with them. */
export function preparePayments({ config, clock, log, db, baseUrl, secret }: PaymentsOptions): Reconciler {
  const processors = new Map<ProcessorName, Processor>()
  if (config.testPayments) processors.set('test', new TestProcessor({ db, clock, baseUrl }))
  return new Reconciler({ db, clock, log, processors, server: { baseUrl, secret } })
}
