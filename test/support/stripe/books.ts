import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Settlement } from './amounts.ts'
import type { StripeClock } from './clock.ts'
import { missing } from './errors.ts'
import { API_VERSION } from './versions.ts'

/** Describes an account, and how a test has it charged. */
export interface AccountSettings {
  id: string
  country: string
  currency: string
  name: string
  /** The fee for a payment: a share in basis points, and an amount in the smallest unit. */
  fee: { basisPoints: number; fixed: number }
  /** The fee of a dispute, in the smallest unit. */
  disputeFee: number
  /** null: every currency is paid out as it is. */
  settlement: Settlement | null
  /** The types of payment methods that the account has turned on. */
  methods: string[]
  /** `later`: charges have no balance transaction until the test tells it, as capture is asynchronous by default. */
  fees: 'at once' | 'later'
}

/** An endpoint that webhooks go to; a test may name one that Stripe's API does not know. */
export interface Endpoint {
  shape: Stripe.WebhookEndpoint
  secret: string
  registered: boolean
}

/** The request that caused a change, as events name it. */
export interface Cause {
  id: string | null
  idempotency_key: string | null
}
export const NOBODY: Cause = { id: null, idempotency_key: null }

/** An event, and where it goes. */
export interface Emitted {
  event: Stripe.Event
  books: Books
}

/** Keeps all objects of one account in one mode. Maps keep the order in which objects came to be. */
export class Books {
  readonly account: AccountSettings
  readonly live: boolean
  readonly clock: StripeClock
  readonly sessions = new Map<string, Stripe.Checkout.Session>()
  readonly intents = new Map<string, Stripe.PaymentIntent>()
  readonly charges = new Map<string, Stripe.Charge>()
  readonly transactions = new Map<string, Stripe.BalanceTransaction>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly disputes = new Map<string, Stripe.Dispute>()
  readonly payouts = new Map<string, Stripe.Payout>()
  /** The automatic payout that each balance transaction is in. */
  readonly payoutOf = new Map<string, string>()
  readonly events = new Map<string, Stripe.Event>()
  readonly endpoints = new Map<string, Endpoint>()
  /** The values of a session's payment intent, until there is one. */
  readonly intentData = new Map<string, { metadata: Record<string, string>; description: string | null }>()
  /** The events that are not listed yet. It is null while none is held back. */
  private unlisted: Set<string> | null = null
  /** Seconds of the clock before which no session ends by itself. */
  nextExpiry = Number.POSITIVE_INFINITY
  /** Returns the books of the same account in the other mode. */
  otherMode: () => Books | undefined = () => undefined
  private readonly emitted: (emitted: Emitted) => void

  constructor(
    account: AccountSettings,
    live: boolean,
    clock: StripeClock,
    emitted: (emitted: Emitted) => void,
  ) {
    this.account = account
    this.live = live
    this.clock = clock
    this.emitted = emitted
  }

  /** Returns the seconds of Stripe's clock. */
  now(): number {
    return Math.floor(this.clock.now().getTime() / 1000)
  }

  /** An id of the usual length; Stripe says only that it may have 255 characters. */
  id(prefix: string, bytes = 12): string {
    return `${prefix}_${randomBytes(bytes).toString('hex')}`
  }

  /** Makes the list of events lag behind what happens, as lists that are eventually consistent do. */
  holdEvents(hold: boolean): void {
    this.unlisted = hold ? (this.unlisted ?? new Set()) : null
  }

  listedEvents(): Stripe.Event[] {
    return [...this.events.values()].filter(({ id }) => !this.unlisted?.has(id))
  }

  /** Writes down that something happened, with the object as it is now. */
  emit(type: string, object: object, { before, cause, at }: Happened = {}): Stripe.Event {
    const event = {
      id: this.id('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: at ?? this.now(),
      data: {
        object: structuredClone(object),
        ...(before ? { previous_attributes: structuredClone(before) } : {}),
      },
      livemode: this.live,
      pending_webhooks: [...this.endpoints.values()].filter(endpoint => wants(endpoint, type)).length,
      request: cause ?? NOBODY,
      type,
    } as unknown as Stripe.Event
    this.events.set(event.id, event)
    this.unlisted?.add(event.id)
    this.emitted({ event, books: this })
    return event
  }
}

interface Happened {
  /** The changed attributes as they were before. */
  before?: object
  cause?: Cause
  /** Seconds; now if none is given. */
  at?: number
}

export function wants(endpoint: Endpoint, type: string): boolean {
  const { enabled_events: enabled, status } = endpoint.shape
  return status === 'enabled' && (enabled.includes('*') || enabled.includes(type))
}

/** The maps of objects that have ids. */
export type Kind = {
  [K in keyof Books]: Books[K] extends ReadonlyMap<string, { id: string }> ? K : never
}[keyof Books]
type BookedObject<K extends Kind> = Books[K] extends ReadonlyMap<string, infer T> ? T : never

const NAMES: Record<Kind, string> = {
  sessions: 'checkout.session',
  intents: 'payment_intent',
  charges: 'charge',
  transactions: 'balance_transaction',
  refunds: 'refund',
  disputes: 'dispute',
  payouts: 'payout',
  events: 'event',
}

/** Finds an object by its id, or answers as Stripe does that this account has none in this mode. */
export function find<K extends Kind>(books: Books, kind: K, id: string, param: string): BookedObject<K> {
  const found = books[kind].get(id)
  if (found) return found as BookedObject<K>
  throw missing(NAMES[kind], id, param, books.otherMode()?.[kind].has(id) ?? false, books.live)
}
