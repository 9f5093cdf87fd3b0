import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { performance } from 'node:perf_hooks'
import type Stripe from 'stripe'
import { type Clock, MINUTE, SECOND } from '#base/time.ts'
import { withoutBrackets } from '#base/url-host.ts'
import { version } from '#base/version.ts'
import { ProcessorFault } from '../processor.ts'
import { toFault } from './faults.ts'
import { loadStripe } from './package.ts'

/** The longest silence within an answer, and the longest time until its end, in milliseconds. */
const SILENCE = 15 * SECOND
const DEADLINE = 30 * SECOND
/** The most connections at a time. Stripe takes 25 requests a second. */
const MOST_SOCKETS = 16

export interface StripeServer {
  clock: Clock
  /** The address of Stripe's API in a sandbox, instead of `https://api.stripe.com`. */
  api?: string | undefined
  /** Both are in milliseconds, for tests. */
  silence?: number | undefined
  deadline?: number | undefined
}

/** What each answer of Stripe's has. */
type Answered = { lastResponse?: { headers: Record<string, unknown> } }

/**
 * Calls Stripe's API with its own package, for any key. The API version is the one that the package was made for. Retries are
 * off, and the package sends nothing about this machine. It still repeats a call once if the connection was closed, with the same
 * headers and so with the same idempotency key.
 */
export class StripeServerClient {
  readonly #options: StripeServer
  readonly #agent: HttpAgent | HttpsAgent
  /** The clients by secret key. Few keys are in use. */
  readonly #clients = new Map<string, Stripe>()
  #time: { stripe: number; clock: number; monotonic: number } | undefined

  constructor(options: StripeServer) {
    this.#options = options
    const settings = { keepAlive: true, maxSockets: MOST_SOCKETS }
    this.#agent = options.api?.startsWith('http:') ? new HttpAgent(settings) : new HttpsAgent(settings)
  }

  /**
   * Asks Stripe something, and waits no longer than the deadline.
   *
   * @throws ProcessorFault
   */
  async ask<T extends object>(secretKey: string, question: (stripe: Stripe) => Promise<T>): Promise<T> {
    const { deadline = DEADLINE } = this.#options
    const Package = await loadStripe()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ProcessorFault('silent')), deadline)
    })
    try {
      const answer = await Promise.race([question(this.#clientOf(secretKey, Package)), late])
      this.#noteTime((answer as Answered).lastResponse?.headers)
      return answer
    } catch (error) {
      if (error instanceof Package.errors.StripeError) this.#noteTime(error.headers)
      throw toFault(error, Package)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Returns the time at Stripe, in milliseconds. It is undefined if Stripe has not stated it recently, or if our clock was moved
   * since.
   */
  now(): number | undefined {
    if (this.#time === undefined) return undefined
    const passed = this.#options.clock() - this.#time.clock
    const really = performance.now() - this.#time.monotonic
    const isBelieved = passed >= 0 && passed < TIME_LASTS && Math.abs(passed - really) < CLOCK_MOVED
    return isBelieved ? this.#time.stripe + passed : undefined
  }

  /** Closes the connections that are kept alive. */
  close(): void {
    this.#agent.destroy()
  }

  #noteTime(headers: Record<string, unknown> | undefined): void {
    const stripe = Date.parse(String(headers?.date))
    if (Number.isNaN(stripe)) return
    this.#time = { stripe, clock: this.#options.clock(), monotonic: performance.now() }
  }

  #clientOf(secretKey: string, Package: typeof Stripe): Stripe {
    const existing = this.#clients.get(secretKey)
    if (existing !== undefined) return existing
    if (this.#clients.size >= MOST_CLIENTS) this.#clients.clear()
    const { api, silence = SILENCE } = this.#options
    const client = new Package(secretKey, {
      apiVersion: Package.API_VERSION as '2026-10-28.endive',
      ...{ maxNetworkRetries: 0, telemetry: false, timeout: silence, typescript: true },
      httpClient: Package.createNodeHttpClient(this.#agent),
      appInfo: { name: 'Turnout', version },
      ...(api === undefined ? {} : addressOf(api)),
    })
    this.#clients.set(secretKey, client)
    return client
  }
}

/**
 * For how long the time that Stripe stated is trusted, and how far our clock may part from a steady one meanwhile, in
 * milliseconds.
 */
const TIME_LASTS = 10 * MINUTE
const CLOCK_MOVED = 20 * SECOND
const MOST_CLIENTS = 1_000

function addressOf(api: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const { hostname: host, port, protocol } = new URL(api)
  const isPlain = protocol === 'http:'
  return {
    ...{ host: withoutBrackets(host), port: port === '' ? (isPlain ? '80' : '443') : port },
    protocol: isPlain ? 'http' : 'https',
  }
}
