import { setTimeout as wait } from 'node:timers/promises'
import { tooMany } from './errors.ts'
import type { FormFields } from './form.ts'

/** A request that came, and what it was answered. */
export interface LoggedRequest {
  /** The instant by the stand-in's clock. */
  at: string
  method: string
  path: string
  /** The endpoint, as `/v1/refunds/:id`; null where there is none. */
  endpoint: string | null
  params: FormFields
  idempotencyKey: string | null
  account: string | null
  version: string | null
  requestId: string
  /** null: the connection was closed instead. */
  status: number | null
  replayed: boolean
}

const MOST_KEPT = 50_000

/** Logs the requests to the stand-in up to a bound: the oldest go first. */
export class RequestLog {
  readonly entries: LoggedRequest[] = []
  /** How many went out of the log. */
  forgotten = 0

  add(entry: LoggedRequest): void {
    this.entries.push(entry)
    if (this.entries.length <= MOST_KEPT) return
    this.entries.shift()
    this.forgotten += 1
  }

  /** Returns the POSTs whose key nobody chose: those with none at all, or with one that stripe-node made up. */
  unkeyed(): LoggedRequest[] {
    return this.entries.filter(
      ({ method, idempotencyKey: key }) =>
        method === 'POST' && (key === null || key.startsWith('stripe-node-retry-')),
    )
  }
}

/** Stripe under load: how long it takes, how many it takes at once, and how many a second an endpoint takes. */
export class Traffic {
  /** Milliseconds that each request waits. */
  latency = 0
  /** Requests a second of one endpoint and account; 0 is no limit. https://docs.stripe.com/rate-limits says 25. */
  rate = 0
  /** Requests a second of one account in all; 0 is no limit. The same page says 100 in live mode, and 25 in a sandbox. */
  accountRate = 0
  /** Requests under way together; more are refused, as Stripe limits concurrency. */
  mostWaiting = 2_000
  /** The requests under way now. `waitedTogether` is the most so far. */
  waiting = 0
  waitedTogether = 0
  private readonly lately = new Map<string, number[]>()

  /** Counts a request, or refuses it; by the machine's clock, as load is. */
  admit(account: string, endpoint: string): void {
    if (this.waiting >= this.mostWaiting) throw tooMany('global-concurrency')
    this.count(account, this.accountRate, 'global-rate')
    this.count(`${account} ${endpoint}`, this.rate, 'endpoint-rate')
  }

  private count(name: string, most: number, reason: string): void {
    if (most === 0) return
    const now = performance.now()
    const lately = (this.lately.get(name) ?? []).filter(moment => moment > now - 1_000)
    this.lately.set(name, lately)
    if (lately.length >= most) throw tooMany(reason)
    lately.push(now)
  }

  /** Does work after the latency, and counts it as under way. */
  async under<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1
    this.waitedTogether = Math.max(this.waitedTogether, this.waiting)
    try {
      if (this.latency > 0) await wait(this.latency)
      return await work()
    } finally {
      this.waiting -= 1
    }
  }
}
