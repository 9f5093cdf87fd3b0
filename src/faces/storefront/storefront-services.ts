import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { MemoryBudget } from '#machinery/http/memory-budget.ts'
import type { MailState } from '#machinery/mail/loop.ts'
import type { Cookies } from '#machinery/web/cookies.ts'
import type { Signed } from '#machinery/web/signed.ts'
import type { Uploads } from '#machinery/web/uploads.ts'
import type { FileReceiver } from '#product/programme/files/receive.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'
import type { StripeService } from '#product/selling/payments/stripe/stripe.ts'

/** The pages for visitors work with these services. */
export interface StorefrontServices {
  db: Database
  clock: Clock
  log: Pick<Logger, 'error'>
  clientAddress: (request: IncomingMessage) => string
  /** Counts requests for pages that do not exist. */
  addresses: AddressLimit
  /** Counts orders. */
  orderLimit: AddressLimit
  cookies: Cookies
  signed: Signed
  memory: MemoryBudget
  /** Takes the files of people who submit, and keeps them. */
  uploads: Uploads
  files: FileReceiver
  /** The most bytes of all files of the server. */
  filesLimit: number
  payments: Paying
  /** How mails are sent. */
  mail: { isSetUp: boolean; state(): Pick<MailState, 'trouble'> | undefined }
  /** Receives the webhooks of Stripe. */
  stripe: Pick<StripeService, 'takeWebhook'>
  /** The address of the service as people reach it, without a slash at its end. */
  baseUrl: string
  /** The secret of the instance, from which the secrets in links are made. */
  secret: string
}
