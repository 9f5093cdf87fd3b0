import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { Problem } from '#base/problem.ts'
import type { Clock } from '#base/time.ts'
import type { MailService } from '#faces/dashboard/system/mail-service.ts'
import type { SystemService } from '#faces/dashboard/system/system-service.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Cursors } from '#machinery/db/cursors.ts'
import { type Database, INSTANCE, type InstanceReadTx, type ReadTx } from '#machinery/db/port.ts'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { MemoryBudget } from '#machinery/http/memory-budget.ts'
import type { InstanceWatch } from '#machinery/ops/instance-needs.ts'
import type { Offers } from '#machinery/web/components/offered.tsx'
import type { Cookies } from '#machinery/web/cookies.ts'
import type { Flash, Flashes } from '#machinery/web/flash.ts'
import type { FormScale } from '#machinery/web/forms/field.ts'
import type { Signed } from '#machinery/web/signed.ts'
import type { Uploads } from '#machinery/web/uploads.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { Actor } from '#product/administration/access-log/rules.ts'
import type { Account } from '#product/administration/accounts/schemas.ts'
import type { Forgotten } from '#product/administration/users/forgotten.ts'
import type { KnownDevices } from '#product/administration/users/known-device.ts'
import type { Membership, User } from '#product/administration/users/schemas.ts'
import type { SignIn } from '#product/administration/users/sign-in.ts'
import * as events from '#product/catalog/events/rules.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { ExactCounts } from '#product/reporting/figures/exact.ts'
import type { InsideCounts } from '#product/reporting/figures/inside.ts'
import type { MonthlyReports } from '#product/reporting/reports/monthly-reports.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'
import type { StripeService } from '#product/selling/payments/stripe/stripe.ts'
import type { Context } from './context.ts'
import type { Navigation } from './declaration.ts'

/** What the pages work with. */
export interface Services {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  memory: MemoryBudget
  uploads: Uploads
  clientAddress: (request: IncomingMessage) => string
  /** Counts the requests of those who are not signed in. */
  addresses: AddressLimit
  cookies: Cookies
  signed: Signed
  flashes: Flashes
  devices: KnownDevices
  signIn: SignIn
  forgotten: Forgotten
  inside: InsideCounts
  exactCounts: ExactCounts
  /** The public address of the service, without a slash at its end. Links in mails use it. */
  baseUrl: string
  /** The secret of the instance, from which the secrets in links are made. */
  secret: string
  allowInsecureWebhooks: boolean
  /** How many days the access log is kept. */
  accessLogDays: number
  /** Knows what the operators of the instance should see to. */
  instanceWatch: InstanceWatch
  monthlyReports: MonthlyReports
  mail: MailService
  stripe: StripeService
  /** Has the processors that take money, which decide whether a ticket can be paid. */
  payments: Pick<Paying, 'processors'>
  /** Shows and changes the instance, for its operators. */
  system: SystemService
  offers: Offers
}

/** A request, as far as every page knows it. */
export interface PageRequest {
  /** The parameters in its path. */
  params: Readonly<Record<string, string>>
  /** Its path, as the browser asked for it. */
  path: string
  query: URLSearchParams
  requestId: string
  address: string
  browser: string | null
  /** The cookie by which the browser is known, as the browser sent it. */
  device: string | undefined
  voice: Voice
  flash: Flash | undefined
  navigation: Navigation
  offers: Offers
  /** Shows a form as it was typed when its session ended, to a user who has signed in again. */
  resume: (context: Context, token: string, form: InterruptedForm) => Promise<void>
}

/** A form that was sent after its session ended. It travels through the sign-in. */
export interface InterruptedForm {
  /** The address of the form. */
  to: string
  /** Its fields, as the browser sent them. */
  body: string
}

/** A request of a signed-in user. */
export interface UserRequest extends PageRequest {
  user: User
  sessionId: string
  /** When the session was last used before this request, in Unix milliseconds. */
  lastUsedAt: number
  /** The accounts of which the user is a member. */
  memberships: readonly Membership[]
}

/** A request of a member about an account. Times are in the time zone of the account. */
export interface AccountRequest extends UserRequest {
  account: Account
  member: Membership
}

/** A request about an event, of a member who may see it. Times are in the time zone of the event. */
export interface EventRequest extends AccountRequest {
  event: EventDetails
}

/** The kind of request that a page of each level gets. */
export interface Levels {
  public: PageRequest
  user: UserRequest
  account: AccountRequest
  event: EventRequest
}

export type Level = keyof Levels

/**
 * The transaction that a page of a level reads in: that of its account, or that of the instance if the page is about no account.
 */
export type ReadTxAt<AtLevel extends Level> = Levels[AtLevel] extends AccountRequest ? ReadTx : InstanceReadTx

/** Reads what a page of a level is about, in one snapshot. */
export function readAt<AtLevel extends Level, Result>(
  reader: Reader,
  request: Levels[AtLevel],
  work: (tx: ReadTxAt<AtLevel>) => Promise<Result>,
): Promise<Result> {
  const owner = 'account' in request ? request.account.id : INSTANCE
  return reader.read(owner, tx => work(tx as ReadTxAt<AtLevel>))
}

export function actorOf({ account, user, requestId, address }: AccountRequest): Actor {
  return { accountId: account.id, who: `user:${user.id}`, requestId, address }
}

/**
 * Refuses a write about an event that was deleted since the gate looked. Its rules could otherwise add rows that belong to no
 * event.
 *
 * @throws Problem not_found
 */
export async function refuseDeleted(tx: ReadTx, request: AccountRequest | EventRequest): Promise<void> {
  if ('event' in request && (await events.findId(tx, request.event.id)) === undefined)
    throw new Problem('not_found')
}

/** Returns the time zone and currency of what a page is about. */
export function scaleOf({ account, ...context }: AccountRequest | EventRequest): FormScale {
  return 'event' in context ? context.event : account
}
