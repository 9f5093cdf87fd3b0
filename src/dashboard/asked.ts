import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import type { Actor } from '../access-log/rules.ts'
import type { Account } from '../accounts/schemas.ts'
import type { Cursors } from '../db/cursors.ts'
import type { Database } from '../db/port.ts'
import type { EventDetails } from '../events/schemas.ts'
import type { ExactCounts } from '../figures/exact.ts'
import type { InsideCounts } from '../figures/inside.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type { MemoryBudget } from '../http/memory-budget.ts'
import type { InstanceWatch } from '../ops/instance-needs.ts'
import type { StripeService } from '../payments/stripe/stripe.ts'
import type { MonthlyReports } from '../reports/monthly-reports.ts'
import type { Clock } from '../time.ts'
import type { Forgotten } from '../users/forgotten.ts'
import type { Membership, User } from '../users/schemas.ts'
import type { SignIn } from '../users/sign-in.ts'
import type { Cookies } from '../web/cookies.ts'
import type { Flash, Flashes } from '../web/flash.ts'
import type { FormScale } from '../web/forms/field.ts'
import type { Signed } from '../web/signed.ts'
import type { Uploads } from '../web/uploads.ts'
import type { Voice } from '../web/voice.ts'
import type { Context } from './context.ts'
import type { NavigationPage } from './declaration.ts'
import type { MailService } from './mail-service.ts'
import type { SystemService } from './system-service.ts'

/** What the pages work with. */
export interface Services {
  db: Database
  clock: Clock
  log: Logger
  cursors: Cursors
  memory: MemoryBudget
  uploads: Uploads
  clientAddress: (request: IncomingMessage) => string
  /** Counts requests of those who are not signed in. */
  addresses: AddressLimit
  cookies: Cookies
  signed: Signed
  flashes: Flashes
  signIn: SignIn
  forgotten: Forgotten
  inside: InsideCounts
  exactCounts: ExactCounts
  /** The address of the service as people reach it, without a slash at its end: for links that go out. */
  baseUrl: string
  /** Of the instance: what the secrets in links are made of. */
  secret: string
  allowInsecureWebhooks: boolean
  /** What whoever runs the instance should see to. */
  instanceWatch: InstanceWatch
  monthlyReports: MonthlyReports
  mail: MailService
  stripe: StripeService
  /** The instance, for its operators. */
  system: SystemService
}

/** A request, as far as every page knows it. */
export interface Asked {
  /** The parameters in its path. */
  params: Readonly<Record<string, string>>
  /** Its path as it was asked for. */
  path: string
  query: URLSearchParams
  requestId: string
  address: string
  browser: string | null
  voice: Voice
  flash: Flash | undefined
  /** What the navigation names. */
  navigation: readonly NavigationPage[]
  /** Shows a form as it was typed when its session had ended, to whoever has signed in again. */
  resume: (context: Context, token: string, carried: Carried) => Promise<void>
}

/** A form that was sent when its session had ended, on its way through the sign-in. */
export interface Carried {
  /** Its own address. */
  to: string
  /** Its fields, as it sent them. */
  body: string
}

/** A request of somebody who is signed in. */
export interface OfUser extends Asked {
  user: User
  sessionId: string
  /** When the session was used before, in milliseconds. */
  lastUsedAt: number
  /** Of which accounts they are members. */
  memberships: readonly Membership[]
}

/** A request about an account, of one of its members. Times are those of the account. */
export interface OfAccount extends OfUser {
  account: Account
  member: Membership
}

/** A request about an event, of a member who may see it. Times are those of the event. */
export interface OfEvent extends OfAccount {
  event: EventDetails
}

/** What a page is about, and who may be asking then. */
export interface Levels {
  public: Asked
  user: OfUser
  account: OfAccount
  event: OfEvent
}

export type Level = keyof Levels

export function actorOf({ account, user, requestId, address }: OfAccount): Actor {
  return { accountId: account.id, who: `user:${user.id}`, requestId, address }
}

/** The time zone and currency of what a page is about. */
export function scaleOf({ account, ...asked }: OfAccount | OfEvent): FormScale {
  return 'event' in asked ? asked.event : account
}
