import type { Logger } from 'pino'
import type { Database } from '../../db/port.ts'
import type { Clock } from '../../time.ts'
import { type LookedAt, readKey } from '../connections.ts'
import { StripeAccounts } from './access.ts'
import { StripeServerClient } from './client.ts'
import { removeEndpoints, webhookUrl } from './endpoint.ts'
import { StripeFeed } from './feed.ts'
import { lookAtKey } from './keys.ts'
import { StripeProcessor } from './processor.ts'
import { StripeSink } from './sink.ts'
import { readWebhook } from './webhook.ts'

export interface StripeOptions {
  db: Database
  clock: Clock
  /** Where Stripe is, in a sandbox. */
  api: string | undefined
  /** Whether keys that move no money are taken. */
  allowsTest: boolean
  /** Where people reach this server, and Stripe perhaps. */
  baseUrl: string
}

/** All of a server that knows Stripe. */
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

  /** Whether keys that move no money are taken. */
  get allowsTest(): boolean {
    return this.#options.allowsTest
  }

  /** Whether Stripe can reach this server. */
  get hasWebhook(): boolean {
    return webhookUrl(this.#options.baseUrl, '') !== undefined
  }

  /** Begins to learn what happens. @param look has a payment looked at by whoever settles */
  start(log: Logger, look: (accountId: string, paymentId: string) => void): void {
    const { db, clock, baseUrl } = this.#options
    const common = { db, accounts: this.#accounts, processor: this.processor }
    const sink = new StripeSink({ ...common, look })
    this.#feed = new StripeFeed({ ...common, clock, log, sink, baseUrl })
    this.#feed.start()
  }

  async stop(): Promise<void> {
    await this.#feed?.stop()
    this.#server.close()
  }

  /** Asks whose a key is that somebody has pasted, and whether it may do all that it has to. @throws Problem of `readKey`, `lookAtKey` */
  async lookAtKey(text: string): Promise<LookedAt> {
    const { allowsTest } = this.#options
    return lookAtKey(this.#server, readKey(text, allowsTest), this.hasWebhook)
  }

  /** Has Stripe tell nothing more of an account, before it is disconnected. */
  removeEndpoints(accountId: string): Promise<void> {
    return removeEndpoints(this.#accounts, accountId)
  }

  /** Has an account looked at now. */
  wake(accountId: string): void {
    this.#feed?.wake(accountId)
  }

  /** Takes a webhook, which wakes and no more. @returns whether it is one: else it is refused */
  async takeWebhook(accountId: string, body: Buffer, signature: string): Promise<boolean> {
    const happening = await readWebhook(this.#options, accountId, body, signature)
    if (happening === undefined) return false
    if (happening !== null) this.#feed?.tell(accountId, happening)
    return true
  }
}
