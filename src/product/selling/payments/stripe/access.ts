import type Stripe from 'stripe'
import type { Database } from '#machinery/db/port.ts'
import * as connections from '../connections.ts'
import { ProcessorFault } from '../processor.ts'
import type { StripeServerClient } from './client.ts'

export interface AccessOptions {
  db: Database
  server: StripeServerClient
  /** Whether the server accepts keys that move no money. */
  allowsTest: boolean
}

/** Calls Stripe's API for the connected accounts. If Stripe refuses a key, that is stored for its owner to see. */
export class StripeAccounts {
  readonly #options: AccessOptions

  constructor(options: AccessOptions) {
    this.#options = options
  }

  /**
   * Asks Stripe something with the key of an account.
   *
   * @param options with `isOptional`, the key need not be allowed to ask this
   * @throws ProcessorFault; denied if the account has no key, or one that the server does not accept
   */
  async ask<T extends object>(
    accountId: string,
    question: (stripe: Stripe) => Promise<T>,
    { isOptional = false }: { isOptional?: boolean } = {},
  ): Promise<T> {
    const { db, server, allowsTest } = this.#options
    const access = await db.read(accountId, tx => connections.findAccess(tx))
    if (access === undefined) throw new ProcessorFault('denied', 'not_connected')
    const { secretKey, isLive } = access
    try {
      if (!isLive && !allowsTest) throw new ProcessorFault('denied', 'test_key')
      return await server.ask(secretKey, question)
    } catch (error) {
      const isDenied = error instanceof ProcessorFault && error.kind === 'denied'
      // A missing permission for something optional is no trouble.
      const isTrouble = isDenied && !(isOptional && error.isForbidden)
      if (isTrouble && access.trouble !== 'denied')
        await db.write(accountId, tx => connections.note(tx, secretKey, { trouble: 'denied' }))
      throw error
    }
  }

  /** Returns the time at Stripe, in milliseconds, as Stripe last stated it or states it now. @throws ProcessorFault */
  async now(accountId: string): Promise<number> {
    const { server } = this.#options
    const shared = server.now()
    if (shared !== undefined) return shared
    await this.ask(accountId, stripe => stripe.events.list({ limit: 1 }))
    const now = server.now()
    if (now === undefined) throw new ProcessorFault('silent', 'no_date')
    return now
  }
}
