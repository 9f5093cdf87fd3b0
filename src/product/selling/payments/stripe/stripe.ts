import type { Logger } from 'pino'
import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import { type LookedAt, readKey } from '../connections.ts'
import { StripeAccounts } from './access.ts'
import { StripeServerClient } from './client.ts'
import { removeEndpoints, webhookUrl } from './endpoint.ts'
import { StripeFeed } from './feed.ts'
import { inspectKey } from './keys.ts'
import { StripeProcessor } from './processor.ts'
import { StripeSink } from './sink.ts'
import { readWebhook } from './webhook.ts'

export interface StripeOptions {
  db: Database
  clock: Clock
  /** The address of Stripe's API in a sandbox. */
  api: string | undefined
  /** Whether the server accepts keys that move no money. */
  allowsTest: boolean
  /** The address where people reach this server, and perhaps Stripe too. */
  baseUrl: string
}

/** Everything of a server that concerns Stripe. */
export class StripeService {
  readonly processor: StripeProcessor
  readonly #options: StripeOptions
  readonly #server: StripeServerClient
  readonly #accounts: StripeAccounts
  #feed: StripeFeed | undefined

  constructor(options: StripeOptions) {
    const { db, clock, api, allowsTest } = options
    this.#options = options
    this.#server = new StripeServerClient({ clock, api })
    this.#accounts = new StripeAccounts({ db, server: this.#server, allowsTest })
    this.processor = new StripeProcessor(this.#accounts)
  }

  /** Whether the server accepts keys that move no money. */
  get allowsTest(): boolean {
    return this.#options.allowsTest
  }

  /** Whether Stripe can reach this server. */
  get hasWebhook(): boolean {
    return webhookUrl(this.#options.baseUrl, '') !== undefined
  }

  /** Starts to hear of events. @param look has the reconciler look at a payment */
  start(log: Logger, look: (accountId: string, paymentId: string) => void): StripeFeed {
    const { db, clock, baseUrl } = this.#options
    const common = { db, accounts: this.#accounts, processor: this.processor }
    const sink = new StripeSink({ ...common, look })
    this.#feed = new StripeFeed({ ...common, clock, log, sink, baseUrl })
    this.#feed.start()
    return this.#feed
  }

  /** Begins to read the events of all accounts, or leaves that to another server of the database. */
  setLeading(isLeading: boolean): void {
    this.#feed?.setLeading(isLeading)
  }

  async stop(): Promise<void> {
    await this.#feed?.stop()
    this.#server.close()
  }

  /**
   * Asks Stripe whose a pasted key is, and whether it has all permissions that it needs.
   *
   * @throws Problem those of `readKey` and `inspectKey`
   */
  async lookAtKey(text: string): Promise<LookedAt> {
    const { allowsTest } = this.#options
    return inspectKey(this.#server, readKey(text, allowsTest), this.hasWebhook)
  }

  /** Has Stripe send no more webhooks for an account, before it is disconnected. */
  removeEndpoints(accountId: string): Promise<void> {
    return removeEndpoints(this.#accounts, accountId)
  }

  /** Has an account read now. */
  wake(accountId: string): void {
    this.#feed?.wake(accountId)
  }

  /** Takes a webhook, which only wakes the feed. @returns whether it is genuine; if not, it has to be refused */
  async takeWebhook(accountId: string, body: Buffer, signature: string): Promise<boolean> {
    const event = await readWebhook(this.#options, accountId, body, signature)
    if (event === undefined) return false
    if (event !== null) this.#feed?.notify(accountId, event)
    return true
  }
}
