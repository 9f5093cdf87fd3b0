import type { Clock } from '#base/time.ts'
import type { Database } from '#machinery/db/port.ts'
import * as connections from '#product/selling/payments/connections.ts'
import * as disputeDecisions from '#product/selling/payments/dispute-decisions.ts'
import * as disputes from '#product/selling/payments/disputes.ts'
import * as orphans from '#product/selling/payments/orphan-payments.ts'
import * as payouts from '#product/selling/payouts/rules.ts'
import { asInstance } from '#test/support/as-instance.ts'
import { addPayout } from '#test/support/payout-rows.ts'

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
  await readPayouts(db, clock, accountId)
}

/** Does everything with payouts, each of it once. */
async function readPayouts(db: Database, clock: Clock, accountId: string): Promise<void> {
  const arrivesOn = new Date(clock()).toISOString().slice(0, 10)
  await db.write(accountId, async tx => {
    await addPayout(tx, { id: 'po_1', amount: 9_999, arrivesOn })
    await payouts.noteReading(tx, null)
  })
  await db.read(accountId, async tx => {
    const payout = await payouts.get(tx, 'po_1')
    await payouts.hasAny(tx)
    await payouts.findReading(tx)
    await payouts.listWaiting(tx, ['po_1'])
    await payouts.listMonths(tx, clock(), 'UTC')
    await payouts.listOfMonth(tx, arrivesOn.slice(0, 7), 10, payout)
    await payouts.listForBooking(tx, { date: arrivesOn, amount: 9_999, currency: 'EUR' })
    await payouts.sumUp(tx, 'po_1')
    await payouts.countPayments(tx, 'po_1')
    const [line] = await payouts.listLines(tx, 'po_1', 1)
    await payouts.listLinesAfter(tx, 'po_1', 10, line?.id)
  })
}
