import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as connections from '#product/selling/payments/connections.ts'
import * as disputeDecisions from '#product/selling/payments/dispute-decisions.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import { asInstance } from '#test/support/as-instance.ts'

const KEY = 'rk_live_organizer1234'

/** Does everything with connections that take money, and with their state at Stripe, each of it once. */
export async function connectPayments(
  db: Database,
  clock: Clock,
  { accountId, payment }: { accountId: string; payment: { id: string; event_id: string; order_id: string } },
): Promise<void> {
  await db.write(accountId, async tx => {
    const found = { secretKey: KEY, isLive: true, account: 'acct_ada', name: 'Ada', at: clock() }
    await connections.connectStripe(tx, found)
    await connections.note(tx, KEY, { readUntil: 1, trouble: 'events_missed' })
    await connections.acknowledge(tx)
    await connections.takeDelayed(tx, true)
    await connections.listAccess(asInstance(tx))
    await connections.saveBank(tx, { holder: 'Ada', account: '1', code: null, note: null })
    await connections.disconnect(tx, 'transfer')
    await disputes.note(
      tx,
      {
        ...{ id: 'du_1', chargeId: 'ch_1', status: 'lost', reason: 'general', currency: 'EUR', amount: 10 },
        ...{ dueBy: null, openedAt: clock() },
        movements: [{ id: 'txn_1', at: clock(), amount: -10, fee: 5 }],
      },
      payment,
    )
    await disputes.listOpen(tx, 10)
    await disputes.listByOrder(tx, payment.order_id)
    await disputes.listToDecide(tx, 10)
    await disputeDecisions.keepTickets(tx, 'du_1')
    const orphan = { sessionId: 'cs_1', chargeId: 'ch_2', amount: 10, currency: 'EUR', paidAt: clock() }
    await orphans.note(tx, orphan)
    await orphans.listOpen(tx, 10)
    await orphans.requestRefund(tx, 'cs_1')
  })
}
