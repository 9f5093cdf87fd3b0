import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { type Emitted, type Endpoint, wants } from './books.ts'
import type { StripeClock } from './clock.ts'

/**
 * Says when webhooks go. `at once`: after the answer to the API, and before a method of the test resolves or a page redirects the
 * buyer; `early`: before the answer to the API too; `alongside`: sent, and nobody waits; `held`: when the test says; `twice`: as
 * `at once`, each two times.
 */
export type WebhookMode = 'alongside' | 'at once' | 'early' | 'held' | 'never' | 'twice'

/** A webhook as it went, or why it did not. */
export interface Delivery {
  event: string
  type: string
  url: string
  /** The status of the receiver's answer. It is null if nothing came. */
  status: number | null
  problem: string | null
}

export interface DeliverOptions {
  /** The newest first. */
  reversed?: boolean
  /** How often each goes. */
  times?: number
  /** Only events of these types go; the others stay held. */
  types?: string[]
}

interface Waiting {
  type: string
  event: string
  body: string
  to: Endpoint
}

const TIMEOUT = 5_000
const MOST_KEPT = 5_000

/**
 * Returns the HMAC of time and body under the endpoint's secret, in hexadecimal: https://docs.stripe.com/webhooks#verify-manually.
 * Events of test mode have a false signature too, of the scheme v0, that receivers must pass over.
 */
export function signatureHeader(body: string, secret: string, seconds: number, live = true): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${mac}${live ? '' : `,v0=${'0'.repeat(64)}`}`
}

/** Sends webhooks to who listens on this machine, each once and with a time limit: repeating them is for the test to say. */
export class Webhooks {
  mode: WebhookMode = 'at once'
  readonly deliveries: Delivery[] = []
  private readonly clock: StripeClock
  private readonly ready: Waiting[] = []
  private readonly delayed: Waiting[] = []
  private readonly forwards = new Map<string, string>()
  private readonly underWay = new Set<Promise<void>>()

  constructor(clock: StripeClock) {
    this.clock = clock
  }

  /** Has what is meant for a public origin go to one of this machine. */
  forward(from: string, to: string): void {
    this.forwards.set(new URL(from).origin, new URL(to).origin)
  }

  readonly emitted = ({ event, books }: Emitted): void => {
    if (this.mode === 'never') return
    const waiting = this.mode === 'held' ? this.delayed : this.ready
    for (const to of books.endpoints.values()) {
      if (!wants(to, event.type)) continue
      const one = { type: event.type, event: event.id, body: JSON.stringify(event, null, 2), to }
      waiting.push(one)
      if (this.mode === 'twice') waiting.push(one)
      if (waiting.length > MOST_KEPT) waiting.shift()
    }
  }

  /** Sends what is ready; resolves when it has gone, unless the mode is `alongside`. */
  async flush(): Promise<void> {
    const sent = this.sendAll(this.ready.splice(0))
    if (this.mode !== 'alongside') await sent
  }

  /** Sends what was held. */
  async deliver({ reversed = false, times = 1, types }: DeliverOptions = {}): Promise<void> {
    const chosen = this.delayed.filter(({ type }) => types === undefined || types.includes(type))
    this.delayed.splice(0, this.delayed.length, ...this.delayed.filter(one => !chosen.includes(one)))
    const once = reversed ? chosen.reverse() : chosen
    await this.sendAll(Array.from({ length: Math.min(times, 10) }, () => once).flat())
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay)
  }

  /** Sends a body to an address with a signature of the test's choice. */
  async send(url: string, body: string, signature: string | null): Promise<Delivery> {
    const delivery: Delivery = { event: '', type: 'forged', url, status: null, problem: null }
    await this.post(delivery, body, signature)
    return delivery
  }

  private sendAll(all: Waiting[]): Promise<void> {
    const work = (async () => {
      for (const { type, event, body, to } of all) {
        if (this.mode === 'never') return
        const url = this.localAddress(to.shape.url)
        const seconds = Math.floor(this.clock.now().getTime() / 1000)
        const delivery: Delivery = { event, type, url, status: null, problem: null }
        await this.post(delivery, body, signatureHeader(body, to.secret, seconds, to.shape.livemode))
      }
    })()
    this.underWay.add(work)
    return work.finally(() => this.underWay.delete(work))
  }

  private localAddress(url: string): string {
    const { origin } = new URL(url)
    return url.replace(origin, this.forwards.get(origin) ?? origin)
  }

  private async post(delivery: Delivery, body: string, signature: string | null): Promise<void> {
    this.deliveries.push(delivery)
    if (this.deliveries.length > MOST_KEPT) this.deliveries.shift()
    if (!/^(127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(delivery.url).hostname)) {
      delivery.problem = 'not on this machine'
      return
    }
    try {
      delivery.status = await postOnce(delivery.url, body, signature)
    } catch (error) {
      delivery.problem = error instanceof Error ? error.message : 'it did not go'
    }
  }
}

/** Posts over a connection of its own, and gives the status that came. */
function postOnce(url: string, body: string, signature: string | null): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT),
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        ...(signature === null ? {} : { 'stripe-signature': signature }),
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', answer => {
      answer.resume()
      answer.on('error', reject)
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    outgoing.end(body)
  })
}
