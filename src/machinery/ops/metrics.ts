import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { SECOND } from '#base/time.ts'
import { version } from '#base/version.ts'
import type { Meter } from '#machinery/db/engine.ts'
import type { AnsweredRequest } from '#machinery/http/observer.ts'

/** The values that are looked up when somebody asks, instead of being counted all the time. */
export interface MeteredParts {
  connections: () => number
  attemptsInFlight: () => number
  pendingDeliveries: () => Promise<number>
  failingEndpoints: () => Promise<number>
  payments: MeteredPayments
  /** Returns when the certificate expires, in milliseconds, or undefined without TLS. */
  certificateExpiry: () => number | undefined
}

/** These values are of all accounts together. */
export interface MeteredPayments {
  waiting: () => Promise<number>
  /** Seconds. */
  oldest: () => Promise<number>
  oldestRefund: () => Promise<number>
  failedRefunds: () => Promise<number>
  owedRefunds: () => Promise<number>
  /** Returns seconds since the epoch, or undefined if nobody has connected Stripe. */
  leastRead: () => Promise<number | undefined>
}

/**
 * All metrics of the service, with those that the database engine declares, in the text format of Prometheus. Labels have few
 * values, which the program itself knows. A route is its pattern, never a requested path. No label has a name, an address, a key
 * or an id.
 */
export class Metrics {
  readonly #registry = new Registry()
  #parts: MeteredParts | undefined
  #collecting: Promise<string> | undefined

  readonly #requests = this.#counter('http_requests_total', 'Answered requests.', [
    'route',
    'method',
    'status',
  ])
  readonly #durations = this.#histogram(
    'http_request_duration_seconds',
    'From the arrival of a request to the beginning of its answer.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ['route', 'method'],
  )
  readonly #attempts = this.#counter(
    'webhook_attempts_total',
    'Attempts to deliver a webhook: succeeded, to be retried, or failed for good.',
    ['outcome'],
  )

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
    this.#gauge('build_info', 'The version of the program.', () => 1, { version })
    this.#gauge('http_connections', 'Open connections.', parts => parts.connections())
    this.#gauge('webhook_attempts_in_flight', 'Attempts to deliver under way.', parts =>
      parts.attemptsInFlight(),
    )
    this.#gauge('webhook_deliveries_pending', 'Deliveries to come, counted up to 100000.', parts =>
      parts.pendingDeliveries(),
    )
    this.#gauge('webhook_endpoints_failing', 'Endpoints that have failed for an hour.', parts =>
      parts.failingEndpoints(),
    )
    this.#meterPayments()
    this.#gauge('tls_certificate_expiry_seconds', 'When the certificate expires, since the epoch.', parts => {
      const expiry = parts.certificateExpiry()
      return expiry === undefined ? undefined : expiry / SECOND
    })
  }

  #meterPayments(): void {
    const gauge = (
      name: string,
      help: string,
      look: (parts: MeteredPayments) => Promise<number | undefined>,
    ) => this.#gauge(name, help, ({ payments }) => look(payments))
    gauge('payments_waiting', 'Payments under way at a processor, counted up to 100000.', parts =>
      parts.waiting(),
    )
    gauge('payments_waiting_oldest_seconds', 'For how long the oldest of them is under way.', parts =>
      parts.oldest(),
    )
    gauge(
      'refunds_waiting_oldest_seconds',
      'For how long the oldest refund is under way at a processor.',
      parts => parts.oldestRefund(),
    )
    gauge('refunds_failed', 'Refunds that failed, among 10000 that have not reached their buyers.', parts =>
      parts.failedRefunds(),
    )
    gauge('refunds_owed', 'Those of them that somebody has to see to, or to pay by hand.', parts =>
      parts.owedRefunds(),
    )
    gauge(
      'stripe_events_read_seconds',
      'When Stripe was last asked what has happened, since the epoch: of the account that waits longest.',
      parts => parts.leastRead(),
    )
  }

  readonly contentType = this.#registry.contentType

  /** Sets the parts, so that everything can be looked up from now on. */
  meter(parts: MeteredParts): void {
    this.#parts = parts
  }

  /** Returns the whole text. Callers at the same time share it. */
  collect(): Promise<string> {
    this.#collecting ??= this.#registry.metrics().finally(() => {
      this.#collecting = undefined
    })
    return this.#collecting
  }

  readonly observeRequest = ({ method, route, status, duration }: AnsweredRequest): void => {
    const labels = { route: route ?? 'none', method: METHODS.has(method) ? (method as string) : 'other' }
    this.#durations.observe(labels, duration / SECOND)
    this.#requests.inc({ ...labels, status })
  }

  /** Registers the metrics of the engine. */
  readonly database: Meter = {
    counter: (name, help, label) => {
      const counter = this.#counter(name, help, [label])
      return value => counter.inc({ [label]: value })
    },
    histogram: (name, help, buckets) => {
      const histogram = this.#histogram(name, help, buckets)
      return value => histogram.observe(value)
    },
    gauge: (name, help, look) => this.#gauge(name, help, look),
  }

  readonly observeAttempt = (outcome: 'succeeded' | 'retrying' | 'failed'): void =>
    this.#attempts.inc({ outcome })

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.#registry] })
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name: PREFIX + name, help, labelNames, buckets, registers: [this.#registry] })
  }

  /**
   * Registers a gauge. If its value cannot be looked up, because the database fails, it is NaN and the other metrics still
   * appear.
   */
  #gauge(
    name: string,
    help: string,
    look: (parts: MeteredParts) => number | undefined | Promise<number | undefined>,
    labels: Record<string, string> = {},
  ): void {
    const read = async () => {
      if (this.#parts === undefined) return undefined
      try {
        return await look(this.#parts)
      } catch {
        return Number.NaN
      }
    }
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.#registry],
      async collect() {
        const value = await read()
        if (value === undefined) this.remove(labels)
        else this.set(labels, value)
      },
    })
  }
}

const PREFIX = 'turnout_'

/** All other methods count as one, because anybody may make up another. */
const METHODS: ReadonlySet<string | null> = new Set(['GET', 'HEAD', 'POST'])
