import type { IncomingMessage } from 'node:http'
import type { Database } from '../db/port.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type { MemoryBudget } from '../http/memory-budget.ts'
import type { Paying } from '../payments/reconciler.ts'
import type { StripeService } from '../payments/stripe/stripe.ts'
import type { Clock } from '../time.ts'
import type { Cookies } from '../web/cookies.ts'
import type { Signed } from '../web/signed.ts'

/** What the pages for visitors work with. */
export interface Visited {
  db: Database
  clock: Clock
  clientAddress: (request: IncomingMessage) => string
  /** Counts what is asked for and not there. */
  addresses: AddressLimit
  /** Counts orders. */
  orderLimit: AddressLimit
  cookies: Cookies
  signed: Signed
  memory: MemoryBudget
  payments: Paying
  /** Takes what Stripe tells. */
  stripe: Pick<StripeService, 'takeWebhook'>
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
  /** Of the instance: what the secrets in links are made of. */
  secret: string
}
