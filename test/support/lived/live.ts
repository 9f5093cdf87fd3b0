import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as scenes from './scenes.ts'
import { openLivedShop } from './shop.ts'

/** Makes a database in which every state of payments, refunds and disputes is, and closes it. */
export async function live(t: TestContext) {
  const shop = await openLivedShop(t)
  await scenes.sellAndRefund(shop)
  await scenes.takeStrangeMoney(shop)
  await scenes.disputePayments(shop)
  await scenes.payOut(shop)
  await scenes.takeTransfers(shop)
  await scenes.endTheRest(shop)
  assert.deepEqual(await shop.damage(), [])
  await shop.db.close()
  return shop
}
