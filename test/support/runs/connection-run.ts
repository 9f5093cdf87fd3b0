import type { Database } from '../../src/db/port.ts'
import * as connections from '../../src/payments/connections.ts'
import * as disputes from '../../src/payments/disputes.ts'
import * as orphans from '../../src/payments/orphans.ts'
import type { Clock } from '../../src/time.ts'

const KEY = 'rk_live_organizer1234'

/** What is done with what takes money, and with what became of it at Stripe, each of it once. */
export async function connectPayments(
  db: Database,
  clock: Clock,
  { accountId, payment }: { accountId: string; payment: { id: string; event_id: string; order_id: string } },
): Promise<void> {
  await db.write(accountId, async tx => {
    const found = { secretKey: KEY, isLive: true, account: 'acct_ada', name: 'Ada', at: clock() }
    await connections.connectStripe(tx, accountId, found)
    await connections.note(tx, accountId, KEY, { readUntil: 1, trouble: 'events_missed' })
    await connections.acknowledge(tx, accountId)
    await connections.listAccess(tx)
    await connections.saveBank(tx, accountId, { holder: 'Ada', account: '1', code: null, note: null })
    await connections.disconnect(tx, accountId, 'transfer')
    await disputes.note(
      tx,
      accountId,
      {
        ...{ id: 'du_1', chargeId: 'ch_1', status: 'lost', reason: 'general', currency: 'EUR', amount: 10 },
        ...{ dueBy: null, openedAt: clock() },
        movements: [{ id: 'txn_1', at: clock(), amount: -10, fee: 5 }],
      },
      payment,
    )
    await disputes.listOpen(tx, accountId, 10)
    await disputes.listByOrder(tx, accountId, payment.order_id)
    const orphan = { sessionId: 'cs_1', chargeId: 'ch_2', amount: 10, currency: 'EUR', paidAt: clock() }
    await orphans.note(tx, accountId, orphan)
    await orphans.listOpen(tx, accountId, 10)
    await orphans.requestRefund(tx, accountId, 'cs_1')
  })
}
