import type { TestContext } from 'node:test'
import { connectStripe } from '#product/selling/payments/connections.ts'
import type { Processor } from '#product/selling/payments/processor.ts'
import { StripeAccounts } from '#product/selling/payments/stripe/access.ts'
import { StripeServerClient } from '#product/selling/payments/stripe/client.ts'
import { StripeProcessor } from '#product/selling/payments/stripe/processor.ts'
import { openShop, type ShopOptions } from '../payments.ts'
import { ACCOUNT, KEY } from './stripe-connection.ts'

/** Opens a shop that is connected to the Stripe at an address, and takes transfers too. @param api as it is when it is asked */
export async function openStripeShop(
  t: TestContext,
  api: () => string,
  options: Omit<ShopOptions, 'processors'> = {},
) {
  const shop = await openShop(t, {
    ...options,
    changes: { payment_ways: 'set_up_and_door', ...options.changes },
    processors: (db, clock) => {
      const server = new StripeServerClient({ clock, api: api() })
      t.after(() => server.close())
      const processor: Processor = new StripeProcessor(new StripeAccounts({ db, server, allowsTest: true }))
      return new Map([['stripe', processor]])
    },
  })
  const { db, accountId, clock } = shop
  const found = { secretKey: KEY, isLive: false, account: ACCOUNT, name: null, at: clock() }
  const bank = JSON.stringify({ holder: 'Ada', account: 'DE89370400440532013000', code: null, note: null })
  await db.write(accountId, async tx => {
    await connectStripe(tx, found)
    await tx.run(
      `INSERT INTO payment_connections (account_id, method, bank, created_at, updated_at) VALUES ($1, 'transfer', $2, $3, $3)`,
      [accountId, bank, await tx.now()],
    )
  })
  return shop
}
