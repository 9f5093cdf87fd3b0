import type Stripe from 'stripe'
import { Accounts, type Permission } from './accounts.ts'
import { Api } from './api.ts'
import type { AccountSettings, Books } from './books.ts'
import { Buyers, type Payment } from './buyer.ts'
import { type MovableClock, movableClock } from './clock.ts'
import { Dashboard, type DisputeWish } from './dashboard.ts'
import { type Fault, Faults } from './faults.ts'
import { HostedPages } from './hosted-page.ts'
import { Payouts, type PayoutWish, payoutEndpoints } from './payouts.ts'
import { readEndpoints } from './reads.ts'
import { type RefundCourse, type RefundWish, refundEndpoints } from './refunds.ts'
import { StripeServer } from './server.ts'
import { expireSessions, sessionEndpoints } from './sessions.ts'
import type { AccountBooks, Forgery } from './surface.ts'
import { type LoggedRequest, RequestLog, Traffic } from './traffic.ts'
import { newDestination, webhookEndpoints } from './webhook-endpoints.ts'
import {
  type DeliverOptions,
  type Delivery,
  signatureHeader,
  type WebhookMode,
  Webhooks,
} from './webhooks.ts'

export interface StandInOptions {
  /** The clock of the stand-in. By default it stands still. */
  clock?: MovableClock
  /** The port of 127.0.0.1. The default is any that is free. */
  port?: number
  /** Milliseconds that each request takes. */
  latency?: number
  /** The requests a second that an endpoint takes; 0 is no limit. */
  rate?: number
}

/**
 * A stand-in for Stripe's API, as its documentation and the types of the `stripe` package say that it is, at a port of 127.0.0.1. Its
 * methods take and give what JSON can hold, so that `remote.ts` can offer the same from another process. What a method changes
 * has gone out by webhook when its promise resolves, unless the mode of webhooks is another. Where a method takes an `id` of money, it is that of a session, a payment
 * intent or a charge.
 */
export class StripeStandIn {
  private readonly clock: MovableClock
  private readonly webhooks: Webhooks
  private readonly accounts: Accounts
  private readonly buyers: Buyers
  private readonly dashboard: Dashboard
  private readonly payouts: Payouts
  private readonly faults = new Faults()
  private readonly traffic = new Traffic()
  private readonly log = new RequestLog()
  private readonly server: StripeServer

  private constructor({ clock = movableClock(), latency = 0, rate = 0 }: StandInOptions) {
    this.clock = clock
    this.webhooks = new Webhooks(clock)
    this.accounts = new Accounts(clock, this.webhooks.emitted)
    this.buyers = new Buyers(this.accounts)
    this.dashboard = new Dashboard(this.accounts)
    this.payouts = new Payouts(this.accounts)
    Object.assign(this.traffic, { latency, rate })
    const endpoints = [
      ...sessionEndpoints,
      ...refundEndpoints(this.dashboard.courseOf),
      ...webhookEndpoints,
      ...readEndpoints,
      ...payoutEndpoints,
    ]
    const { accounts, faults, traffic, log } = this
    this.server = new StripeServer({
      api: new Api({ endpoints, accounts, faults, traffic }),
      pages: new HostedPages(this.buyers),
      log,
      clock,
      sweep: () => this.sweep(),
      flush: () => this.webhooks.flush(),
      isEarly: () => this.webhooks.mode === 'early',
    })
  }

  static async start(options: StandInOptions = {}): Promise<StripeStandIn> {
    const standIn = new StripeStandIn(options)
    await standIn.server.up(options.port ?? 0)
    return standIn
  }

  /** Returns `http://127.0.0.1:port`, the base address of the API and of the hosted pages. */
  get origin(): string {
    return this.server.origin
  }

  private sweep(): void {
    for (const books of this.accounts.allBooks()) expireSessions(books)
  }

  private async doing<T>(work: () => T): Promise<T> {
    this.sweep()
    const done = work()
    this.sweep()
    await this.webhooks.flush()
    return done
  }

  async now(): Promise<string> {
    return this.clock.now().toISOString()
  }
  advance(milliseconds: number): Promise<void> {
    return this.doing(() => this.clock.advance(milliseconds))
  }
  setClock(iso: string): Promise<void> {
    return this.doing(() => this.clock.set(iso))
  }
  /** Closes all connections and refuses new ones, until `up`. */
  down(): Promise<void> {
    return this.server.down()
  }
  up(): Promise<void> {
    return this.server.up()
  }
  async stop(): Promise<void> {
    this.webhooks.mode = 'never'
    await this.server.down()
    await this.webhooks.settled()
  }
  async setLatency(milliseconds: number): Promise<void> {
    this.traffic.latency = milliseconds
  }
  /** Sets the requests a second that an endpoint takes, and those that an account may make in all; 0 is no limit. */
  async setRate(ofEndpoint: number, ofAccount = 0): Promise<void> {
    Object.assign(this.traffic, { rate: ofEndpoint, accountRate: ofAccount })
  }
  async setMostWaiting(requests: number): Promise<void> {
    this.traffic.mostWaiting = requests
  }
  /** Returns the requests under way now, and the most so far. */
  async load(): Promise<{ waiting: number; waitedTogether: number }> {
    return { waiting: this.traffic.waiting, waitedTogether: this.traffic.waitedTogether }
  }
  async fault(fault: Fault): Promise<void> {
    this.faults.add(fault)
  }
  async clearFaults(): Promise<void> {
    this.faults.clear()
  }

  async setAccount(id: string, settings: Partial<Omit<AccountSettings, 'id'>> = {}): Promise<void> {
    this.accounts.set(id, settings)
  }
  /** Registers a key; a restricted one has the permissions that are named, or all. Changes those of one that is there. */
  async addKey(
    value: string,
    options: { account: string; permissions?: readonly Permission[] },
  ): Promise<void> {
    const { account, live } = this.accounts.addKey(value, options)
    this.accounts.booksOf(account, live)
  }
  async revokeKey(value: string): Promise<void> {
    this.accounts.revoke(value)
  }
  /** Returns the requests to the API, the oldest first; those of one method and endpoint if they are named. */
  async requests(of: { method?: string; endpoint?: string } = {}): Promise<LoggedRequest[]> {
    return this.log.entries.filter(
      ({ method, endpoint }) =>
        (of.method === undefined || of.method === method) &&
        (of.endpoint === undefined || of.endpoint === endpoint),
    )
  }
  /** Returns POSTs without an idempotency key, or with one that stripe-node made up. */
  async unkeyed(): Promise<LoggedRequest[]> {
    return this.log.unkeyed()
  }
  async books(account: string, live = false): Promise<AccountBooks> {
    this.sweep()
    const books = this.accounts.booksOf(account, live)
    const all = <T>(map: ReadonlyMap<string, T>) => structuredClone([...map.values()])
    return {
      sessions: all(books.sessions),
      intents: all(books.intents),
      charges: all(books.charges),
      transactions: all(books.transactions),
      refunds: all(books.refunds),
      disputes: all(books.disputes),
      payouts: all(books.payouts),
      events: all(books.events),
      webhookEndpoints: [...books.endpoints.values()].filter(each => each.registered).map(each => each.shape),
    }
  }

  pay(sessionId: string, payment: Payment = {}): Promise<void> {
    return this.doing(() => this.buyers.pay(sessionId, payment))
  }
  /** Pays another sum than the session asked for. The session's `amount_total` becomes that sum. */
  payOtherAmount(sessionId: string, amount: number): Promise<void> {
    return this.doing(() => this.buyers.pay(sessionId, { amount }))
  }
  decline(sessionId: string): Promise<void> {
    return this.doing(() => this.buyers.decline(sessionId))
  }
  payLater(sessionId: string, payment: Payment = {}): Promise<void> {
    return this.doing(() => this.buyers.payLater(sessionId, payment))
  }
  succeedLater(sessionId: string): Promise<void> {
    return this.doing(() => this.buyers.succeedLater(sessionId))
  }
  failLater(sessionId: string): Promise<void> {
    return this.doing(() => this.buyers.failLater(sessionId))
  }

  /** Sets the course of the account's refunds from now on. */
  async setRefundCourse(account: string, course: RefundCourse): Promise<void> {
    this.dashboard.setRefundCourse(account, course)
  }
  refund(id: string, wish: RefundWish = {}): Promise<Stripe.Refund> {
    return this.doing(() => this.dashboard.refund(id, wish))
  }
  finishRefund(refundId: string): Promise<void> {
    return this.doing(() => this.dashboard.finishRefund(refundId))
  }
  failRefund(refundId: string, reason?: string): Promise<void> {
    return this.doing(() => this.dashboard.failRefund(refundId, reason))
  }
  /** Gives a charge its balance transaction, where fees come later. */
  tellFee(id: string): Promise<void> {
    return this.doing(() => this.dashboard.tellFee(id))
  }
  dispute(id: string, wish: DisputeWish = {}): Promise<Stripe.Dispute> {
    return this.doing(() => this.dashboard.dispute(id, wish))
  }
  withdrawFunds(disputeId: string): Promise<void> {
    return this.doing(() => this.dashboard.withdrawFunds(disputeId))
  }
  reinstateFunds(disputeId: string): Promise<void> {
    return this.doing(() => this.dashboard.reinstateFunds(disputeId))
  }
  /** Closes a dispute; one that is won brings the money back. */
  closeDispute(disputeId: string, outcome: 'lost' | 'warning_closed' | 'won'): Promise<void> {
    return this.doing(() => this.dashboard.closeDispute(disputeId, outcome))
  }

  payOut(wish: PayoutWish): Promise<Stripe.Payout | undefined> {
    return this.doing(() => this.payouts.payOut(wish))
  }
  reconcilePayout(id: string): Promise<void> {
    return this.doing(() => this.payouts.reconcile(id))
  }
  arrivePayout(id: string): Promise<void> {
    return this.doing(() => this.payouts.arrive(id))
  }
  failPayout(id: string): Promise<void> {
    return this.doing(() => this.payouts.fail(id))
  }

  async setWebhookMode(mode: WebhookMode): Promise<void> {
    this.webhooks.mode = mode
  }
  /** Sends the account's webhooks to an address that its API does not list. */
  async deliverTo(to: {
    account: string
    live?: boolean
    url: string
    secret: string
    events?: string[]
  }): Promise<void> {
    const books = this.accounts.booksOf(to.account, to.live ?? false)
    const shape = { url: to.url, enabled_events: to.events ?? ['*'] }
    newDestination(books, shape, { registered: false, secret: to.secret })
  }
  /** Has what goes to a public origin go to one of this machine. */
  async forwardWebhooks(from: string, to: string): Promise<void> {
    this.webhooks.forward(from, to)
  }
  /** Has events of an account come late to the list, with the time at which they happened, until this is called with `false`. */
  async holdEvents(account: string, hold = true, live = false): Promise<void> {
    this.accounts.booksOf(account, live).holdEvents(hold)
  }
  /** Sends what was held. */
  deliver(options: DeliverOptions = {}): Promise<void> {
    return this.webhooks.deliver(options)
  }
  /** Sends an event once more, as one can at the dashboard. */
  async resend(eventId: string): Promise<void> {
    this.webhooks.emitted(this.eventOf(eventId))
    await this.webhooks.flush()
  }
  /** Sends a webhook that is not Stripe's. */
  forge({ url, body, event, secret, seconds }: Forgery): Promise<Delivery> {
    const sent = body ?? (event === undefined ? '{}' : JSON.stringify(this.eventOf(event).event, null, 2))
    const at = seconds ?? Math.floor(this.clock.now().getTime() / 1000)
    return this.webhooks.send(url, sent, secret === undefined ? null : signatureHeader(sent, secret, at))
  }
  async deliveries(): Promise<Delivery[]> {
    return [...this.webhooks.deliveries]
  }
  /** Resolves when no webhook is under way. */
  webhooksSettled(): Promise<void> {
    return this.webhooks.settled()
  }

  private eventOf(eventId: string): { event: Stripe.Event; books: Books } {
    for (const books of this.accounts.allBooks()) {
      const event = books.events.get(eventId)
      if (event) return { event, books }
    }
    throw new Error(`there is no event ${eventId}`)
  }
}
