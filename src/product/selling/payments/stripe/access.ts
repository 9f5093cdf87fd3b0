import type Stripe from 'stripe'
import type { Database } from '../../db/port.ts'
import * as connections from '../connections.ts'
import { ProcessorFault } from '../processor.ts'
import type { StripeServerClient } from './client.ts'

export interface AccessOptions {
  db: Database
  server: StripeServerClient
  /** Whether keys that move no money are taken. */
  allowsTest: boolean
}

/** Stripe's API for the accounts that are connected to it. A key that it refuses is written down, for its owner to see. */
export class StripeAccounts {
  readonly #options: AccessOptions

  constructor(options: AccessOptions) {
    this.#options = options
  }

  /** @param options.isOptional what the key need not be allowed @throws ProcessorFault; denied where the account has no key, or one that is not taken here */
  async ask<T extends object>(
    accountId: string,
    question: (stripe: Stripe) => Promise<T>,
    { isOptional = false }: { isOptional?: boolean } = {},
  ): Promise<T> {
    const { db, server, allowsTest } = this.#options
    const access = await db.read(tx => connections.findAccess(tx, accountId))
    if (access === undefined) throw new ProcessorFault('denied', 'not_connected')
    const { secretKey, isLive } = access
    try {
      if (!isLive && !allowsTest) throw new ProcessorFault('denied', 'test_key')
      return await server.ask(secretKey, question)
    } catch (error) {
      const isDenied = error instanceof ProcessorFault && error.kind === 'denied'
      // What can be done without stands in nobody's way.
      const isTrouble = isDenied && !(isOptional && error.isForbidden)
      if (isTrouble && access.trouble !== 'denied')
        await db.write(accountId, tx => connections.note(tx, accountId, secretKey, { trouble: 'denied' }))
      throw error
    }
  }

  /** The time at Stripe, in milliseconds: as it last said, or as it says now. @throws ProcessorFault */
  async now(accountId: string): Promise<number> {
    const { server } = this.#options
    const said = server.now()
    if (said !== undefined) return said
    await this.ask(accountId, stripe => stripe.events.list({ limit: 1 }))
    const now = server.now()
    if (now === undefined) throw new ProcessorFault('silent', 'no_date')
    return now
  }
}
